-- The shop's database. Money in cents, dates as ISO text; one file of these tables is one attempt's whole state.

CREATE TABLE world (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    parent_id INTEGER REFERENCES categories (id)
);

CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    sku TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    brand TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (id),
    color TEXT NOT NULL,
    material TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    stock INTEGER NOT NULL,
    added_on TEXT NOT NULL,
    description TEXT NOT NULL
);
CREATE INDEX products_by_category ON products (category_id);
CREATE INDEX products_by_day ON products (added_on DESC, id);

-- Every word of a product's name and brand, lower case: what the search box looks at.
CREATE TABLE search_words (
    word TEXT NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products (id),
    PRIMARY KEY (word, product_id)
) WITHOUT ROWID;

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products (id),
    nickname TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    posted_on TEXT NOT NULL
);
CREATE INDEX reviews_by_date ON reviews (product_id, posted_on DESC, id DESC);
CREATE INDEX reviews_by_stars ON reviews (product_id, stars);

CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL);

CREATE TABLE addresses (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer (id),
    name TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    phone TEXT NOT NULL,
    is_default INTEGER NOT NULL DEFAULT 0
);

-- An address that was typed in and previewed but not confirmed: at most one row.
CREATE TABLE address_draft (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    address_id INTEGER,
    name TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    phone TEXT NOT NULL
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    placed_on TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('Complete', 'Processing', 'Pending', 'Canceled')),
    shipping_cents INTEGER NOT NULL,
    address_id INTEGER REFERENCES addresses (id)
);
CREATE INDEX orders_by_date ON orders (placed_on DESC, id DESC);

CREATE TABLE order_items (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    name TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    price_cents INTEGER NOT NULL
);
CREATE INDEX order_items_by_order ON order_items (order_id);

CREATE TABLE cart_items (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL UNIQUE REFERENCES products (id),
    quantity INTEGER NOT NULL
);

-- The same product may stand here twice: each line is an entry of its own.
CREATE TABLE wishlist_items (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products (id),
    note TEXT NOT NULL,
    added_on TEXT NOT NULL
);

CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL UNIQUE,
    frequency TEXT NOT NULL,
    active INTEGER NOT NULL
);

CREATE TABLE contact_messages (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    order_number TEXT NOT NULL,
    subject TEXT NOT NULL,
    message TEXT NOT NULL,
    sent_on TEXT NOT NULL
);

-- For how long a category's products are under warranty.
CREATE TABLE warranties (category_id INTEGER PRIMARY KEY REFERENCES categories (id), months INTEGER NOT NULL);

-- The terms and conditions line by line.
CREATE TABLE terms (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('section', 'category', 'paragraph')),
    text TEXT NOT NULL
);

-- Notices for the next page that is shown, then gone.
CREATE TABLE notices (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
