-- The back office's database. Money in cents, dates as ISO text; one file of these tables is one attempt's whole state.

CREATE TABLE world (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    sku TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    brand TEXT NOT NULL,
    category TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('Enabled', 'Disabled')),
    description TEXT NOT NULL,
    added_on TEXT NOT NULL
);

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products (id),
    nickname TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    status TEXT NOT NULL CHECK (status IN ('Pending', 'Approved', 'Not Approved')),
    posted_on TEXT NOT NULL
);
CREATE INDEX reviews_by_product ON reviews (product_id);

CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    group_name TEXT NOT NULL CHECK (group_name IN ('General', 'Wholesale', 'Retailer')),
    phone TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    created_on TEXT NOT NULL
);

CREATE TABLE coupons (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    percent INTEGER NOT NULL CHECK (percent BETWEEN 1 AND 100),
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    active INTEGER NOT NULL CHECK (active IN (0, 1))
);

-- New: nothing invoiced or shipped; Pending: something is, but not all; Closed: everything is invoiced and shipped.
-- The customer is told Pending, Processing and Complete for these three.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    placed_on TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('New', 'Pending', 'Closed', 'Cancelled', 'On Hold')),
    -- the state to go back to, for an order on hold; otherwise empty
    held_from TEXT NOT NULL DEFAULT '',
    -- empty without coupon
    coupon_code TEXT NOT NULL DEFAULT '',
    discount_cents INTEGER NOT NULL DEFAULT 0,
    shipping_method TEXT NOT NULL,
    shipping_cents INTEGER NOT NULL
);
CREATE INDEX orders_by_date ON orders (placed_on DESC, id DESC);
CREATE INDEX orders_by_customer ON orders (customer_id);

-- invoiced and shipped: how many of `quantity` are, over all invoices and shipments of the order.
CREATE TABLE order_items (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    -- NULL once the product is deleted
    product_id INTEGER REFERENCES products (id),
    name TEXT NOT NULL,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    invoiced INTEGER NOT NULL DEFAULT 0,
    shipped INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX order_items_by_order ON order_items (order_id);
CREATE INDEX order_items_by_product ON order_items (product_id, quantity);

-- Grand total of an order: its items, less the discount, plus shipping.
CREATE VIEW order_totals AS
SELECT o.id AS order_id, sum(i.quantity) AS units, sum(i.quantity * i.price_cents) AS subtotal_cents,
    sum(i.quantity * i.price_cents) - o.discount_cents + o.shipping_cents AS total_cents
FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id;

-- The first invoice of an order holds its shipping and discount.
CREATE TABLE invoices (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    created_on TEXT NOT NULL,
    total_cents INTEGER NOT NULL
);
CREATE INDEX invoices_by_order ON invoices (order_id);

CREATE TABLE invoice_items (
    invoice_id INTEGER NOT NULL REFERENCES invoices (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    quantity INTEGER NOT NULL,
    PRIMARY KEY (invoice_id, order_item_id)
) WITHOUT ROWID;

CREATE TABLE shipments (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    created_on TEXT NOT NULL,
    carrier TEXT NOT NULL,
    tracking TEXT NOT NULL
);
CREATE INDEX shipments_by_order ON shipments (order_id);

CREATE TABLE shipment_items (
    shipment_id INTEGER NOT NULL REFERENCES shipments (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    quantity INTEGER NOT NULL,
    PRIMARY KEY (shipment_id, order_item_id)
) WITHOUT ROWID;

-- What happened to an order, oldest first. `notified`: the text was sent to the customer.
CREATE TABLE order_comments (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    written_on TEXT NOT NULL,
    state TEXT NOT NULL,
    text TEXT NOT NULL,
    notified INTEGER NOT NULL
);
CREATE INDEX order_comments_by_order ON order_comments (order_id);

-- What visitors typed into the shop's search box: how many results it has, and how often on which day.
CREATE TABLE search_terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, results INTEGER NOT NULL);
CREATE TABLE search_uses (
    term_id INTEGER NOT NULL REFERENCES search_terms (id),
    used_on TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (term_id, used_on)
) WITHOUT ROWID;

-- Filters that were applied to a grid and are not cleared yet. A world starts with two that a colleague left there.
CREATE TABLE grid_filters (
    grid TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (grid, field)
) WITHOUT ROWID;

-- A mass action that was submitted and not confirmed yet: at most one row. `rows` holds ids with commas between.
CREATE TABLE mass_draft (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    grid TEXT NOT NULL,
    action TEXT NOT NULL,
    rows TEXT NOT NULL
);

-- Notices for the next page that is shown, then gone.
CREATE TABLE notices (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
