"""What the staff can change, through the forms and buttons; and that attempts share nothing."""

from __future__ import annotations

import threading

import pytest
from admin_site import Site
from waiting import HANG

STATE = "SELECT state FROM orders WHERE id = ?"


def an_order(site: Site, state: str) -> int:
    found: int = site.value("SELECT id FROM orders WHERE state = ? ORDER BY id DESC", state)
    return found


def buttons(site: Site) -> list[str]:
    return site.texts("//section[@id='order-actions']//*[self::a or self::button]")


def test_hold_and_unhold_lead_back() -> None:
    site = Site()
    for state in ("New", "Pending"):
        order = an_order(site, state)
        site.go(f"/sales/orders/{order}").press("Hold")
        assert site.texts("//span[@id='order-state']") == ["On Hold"]
        assert "Unhold" in buttons(site)
        assert "Invoice" not in buttons(site)
        site.press("Unhold")
        assert site.value(STATE, order) == state


def test_cancel_needs_an_order_of_which_nothing_is_invoiced() -> None:
    site = Site()
    order, pending = an_order(site, "New"), an_order(site, "Pending")
    site.go(f"/sales/orders/{order}").press("Cancel")
    assert site.value(STATE, order) == "Cancelled"
    assert buttons(site) == []
    assert "Your order is now Canceled." in site.texts("//section[@id='comments']//li")[-1]
    assert "Cancel" not in buttons(site.go(f"/sales/orders/{pending}"))
    site.send("POST", f"/sales/orders/{pending}/cancel")
    assert "The order cannot be cancelled." in site.main
    assert site.value(STATE, pending) == "Pending"


def test_invoice_and_ship_close_an_order() -> None:
    site = Site()
    order = an_order(site, "New")
    total = site.value("SELECT total_cents FROM order_totals WHERE order_id = ?", order)
    site.go(f"/sales/orders/{order}").follow("Invoice")
    assert site.value("SELECT count(*) FROM invoices WHERE order_id = ?", order) == 0
    site.press("Submit Invoice")
    assert site.value("SELECT total_cents FROM invoices WHERE order_id = ?", order) == total
    assert site.value(STATE, order) == "Pending"
    assert buttons(site) == ["Ship", "Hold"]
    site.follow("Ship").press("Submit Shipment", carrier="Blue Freight", tracking="ZZ 123-456")
    assert site.value(STATE, order) == "Closed"
    assert site.rows("order-shipments")[0]["Tracking number"] == "ZZ 123-456"
    assert site.go("/sales/shipments").rows("shipments")[0]["Tracking number"] == "ZZ 123-456"
    assert site.follow("View", "//table").texts("//span[@id='tracking']") == ["ZZ 123-456"]
    assert "Your order is now Complete." in site.go(f"/sales/orders/{order}").texts("//section[@id='comments']//li")[-1]


def test_a_part_of_an_order_is_invoiced_and_then_the_rest() -> None:
    site = Site()
    order = site.value(
        "SELECT order_id FROM order_items i JOIN orders o ON o.id=order_id WHERE state='New' AND quantity>1"
    )
    item, quantity, price = site.all("SELECT id, quantity, price_cents FROM order_items WHERE order_id = ?", order)[0]
    others = site.all("SELECT id FROM order_items WHERE order_id = ? AND id <> ?", order, item)
    site.go(f"/sales/orders/{order}/invoice")
    site.press("Submit Invoice", **{f"qty-{item}": "1"}, **{f"qty-{other}": "0" for (other,) in others})
    fees = site.value("SELECT shipping_cents - discount_cents FROM orders WHERE id = ?", order)
    assert site.value("SELECT total_cents FROM invoices WHERE order_id = ?", order) == price + fees
    assert site.value("SELECT invoiced FROM order_items WHERE id = ?", item) == 1
    site.follow("Invoice").press("Submit Invoice")
    assert site.value("SELECT sum(total_cents) FROM invoices WHERE order_id = ?", order) == site.value(
        "SELECT total_cents FROM order_totals WHERE order_id = ?", order
    )
    assert site.value("SELECT invoiced FROM order_items WHERE id = ?", item) == quantity


def test_an_invoice_shows_up_in_bestsellers_and_leaves_sold_alone() -> None:
    site = Site()
    order = an_order(site, "New")
    name, placed = site.all(
        "SELECT i.name, placed_on FROM order_items i JOIN orders o ON o.id = order_id WHERE o.id = ?", order
    )[0]
    path = f"/reports/bestsellers?from={placed[5:7]}/{placed[8:]}/{placed[:4]}&to=06/16/2024&period=Year"

    def sold() -> str:
        return site.go("/catalog/products").press("Search", name=name, status="").rows("products")[0]["Sold"]

    before, grid = site.go(path).main, sold()
    site.go(f"/sales/orders/{order}/invoice").press("Submit Invoice")
    assert site.go(path).main != before
    assert sold() == grid


def numbers(site: Site, *orders: int) -> set[str]:
    return {str(site.value("SELECT number FROM orders WHERE id = ?", order)) for order in orders}


def test_mass_cancel_tells_what_was_possible() -> None:
    site = Site()
    new, closed = an_order(site, "New"), an_order(site, "Closed")
    listed = [
        row for row in site.go("/sales/orders").all_rows("orders") if row["Order #"] in numbers(site, new, closed)
    ]
    site.send("POST", "/sales/orders/mass", {"row": [str(new), str(closed)], "action": "cancel", "do": "submit"})
    # they are asked for as they are listed, without box and link
    assert site.rows("chosen") == [
        {head: text for head, text in row.items() if head not in ("Select", "Action")} for row in listed
    ]
    site.press("Confirm")
    assert "1 order(s) were cancelled. 1 order(s) cannot be cancelled." in site.main
    assert (site.value(STATE, new), site.value(STATE, closed)) == ("Cancelled", "Closed")


def test_products_are_disabled_and_deleted() -> None:
    site = Site()
    site.go("/catalog/products").press("Clear filters").tick(1, 2).press("Submit", action="disable").press("Confirm")
    assert site.all("SELECT status FROM products WHERE id < 3") == [("Disabled",)] * 2
    sold = site.value("SELECT product_id FROM order_items")
    units = site.value("SELECT sum(quantity) FROM order_items")
    page = (sold - 1) // 20 + 1
    site.go(f"/catalog/products?page={page}").tick(sold).press("Submit", action="delete").press("Confirm")
    assert site.value("SELECT count(*) FROM products WHERE id = ?", sold) == 0
    assert site.value("SELECT sum(quantity) FROM order_items") == units
    assert site.go(f"/catalog/products/{sold}").status == 404


def test_a_product_is_edited() -> None:
    site = Site()
    typed = {
        "name": "A <b> & C",
        "price": "$1,234.5",
        "quantity": "7",
        "status": "Disabled",
        "description": "Two\nlines",
    }
    site.go("/catalog/products/9").press("Save", **typed)
    found = site.all("SELECT name, price_cents, quantity, status, description FROM products WHERE id = 9")
    assert found[0][:4] == ("A <b> & C", 123450, 7, "Disabled")
    assert found[0][4].split() == ["Two", "lines"]
    assert "You saved the product." in site.main
    assert "You saved the product." not in site.go("/catalog/products/9").main


def test_a_customer_is_edited_and_groups_are_assigned() -> None:
    site = Site()
    site.go("/customers/4").follow("Edit customer").press("Save", city="Fargo", group_name="Retailer")
    assert site.all("SELECT city, group_name FROM customers WHERE id = 4") == [("Fargo", "Retailer")]
    assert "Fargo" in site.texts("//section[@id='address']")[0]
    site.go("/customers").press("Clear filters").tick(1, 3).press("Submit", action="Wholesale").press("Confirm")
    assert site.all("SELECT group_name FROM customers WHERE id IN (1, 3)") == [("Wholesale",)] * 2


def test_a_coupon_is_made_edited_and_switched() -> None:
    site = Site()
    typed = {"code": "QUAY9", "percent": "9", "starts": "07/01/2024", "ends": "08/31/2024", "status": "Active"}
    site.go("/marketing/coupons").follow("Add New Coupon").press("Save", **typed)
    found = "SELECT id, percent, starts_on, ends_on, active FROM coupons WHERE code = 'QUAY9'"
    coupon = site.all(found)[0][0]
    assert site.all(found) == [(coupon, 9, "2024-07-01", "2024-08-31", 1)]
    site.go(f"/marketing/coupons/{coupon}").press("Save", percent="11")
    assert site.all(found)[0][1] == 11
    site.go("/marketing/coupons").tick(coupon).press("Submit", action="deactivate").press("Confirm")
    assert site.all(found)[0][4] == 0


def test_a_review_is_moderated() -> None:
    site = Site()
    review = site.value("SELECT id FROM reviews WHERE status = 'Pending'")
    site.go(f"/marketing/reviews/{review}").press("Save", status="Not Approved", title="Edited")
    assert site.all("SELECT status, title FROM reviews WHERE id = ?", review) == [("Not Approved", "Edited")]


def test_a_comment_is_added() -> None:
    site = Site()
    site.go("/sales/orders/5").press("Submit Comment", comment="Called <them>.")
    assert "Called <them>. | Customer not notified" in site.texts("//section[@id='comments']//li")[-1]


def test_two_attempts_share_nothing() -> None:
    first, second, untouched = Site(), Site(), Site()
    before = untouched.dump()
    first.go("/sales/orders").press("Search", state="Closed").press("Select All", action="print").press("Submit")
    assert second.dump() == before
    assert second.go("/sales/orders").found == second.value("SELECT count(*) FROM orders")
    assert first.dump() != before
    assert Site().dump() == before


def test_attempts_in_threads_see_their_own_worlds() -> None:
    barrier = threading.Barrier(4)
    seen: dict[int, list[str]] = {}

    def attempt(seed: int) -> None:
        site = Site(seed)
        for _ in range(5):
            barrier.wait(timeout=HANG)
            seen[seed] = [row["Order #"] for row in site.go("/sales/orders").rows("orders")]

    threads = [threading.Thread(target=attempt, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        newest = Site(seed).all("SELECT number FROM orders ORDER BY placed_on DESC, id DESC LIMIT 20")
        assert seen[seed] == [number for (number,) in newest]


@pytest.mark.parametrize(
    "path",
    ["/", "/sales/orders", "/catalog/products?sort=price&dir=desc", "/customers", "/marketing/coupons?status=Active"],
)
def test_looking_changes_nothing(path: str) -> None:
    site = Site()
    before = site.dump()
    first = site.go(path).main
    assert site.go(path).main == first
    assert site.dump() == before
