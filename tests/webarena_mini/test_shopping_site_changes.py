"""What a customer can change, through the forms; what needs its second button (C5); and that attempts share nothing."""

from __future__ import annotations

import threading

import pytest
from shopping_site import Site
from waiting import HANG

CART = "SELECT product_id, quantity FROM cart_items ORDER BY id"
ADDRESS = "SELECT name, street, city, state, zip, country, phone FROM addresses WHERE id = ?"


def in_stock(site: Site) -> tuple[int, str, str]:
    """(id, slug, name) of a product that is there and not in the cart."""
    found = "SELECT id, slug, name FROM products WHERE stock > 5 AND id NOT IN (SELECT product_id FROM cart_items)"
    product, slug, name = site.all(found)[0]
    return product, slug, name


def test_c5_cart_quantities_count_once_the_cart_is_updated() -> None:
    site = Site()
    before = site.all(CART)
    line = site.value("SELECT id FROM cart_items ORDER BY id LIMIT 1")
    site.go("/cart").page.xpath(f"//input[@name='qty-{line}']")[0].set("value", "3")
    site.follow("Proceed to Checkout")
    assert site.all(CART) == before
    site.go("/cart").press("Update Cart", **{f"qty_{line}": "3"})
    assert site.value("SELECT quantity FROM cart_items WHERE id = ?", line) == 3
    assert site.page.xpath(f"//input[@name='qty-{line}']")[0].get("value") == "3"


def test_c5_addresses_count_once_they_are_confirmed() -> None:
    site = Site()
    before = site.dump_of("addresses")
    site.go("/account/addresses").follow("Edit address", "//section[@id='default-address']")
    site.press("Save Address", street="7 New Road", city="Fargo")
    assert "7 New Road" in site.texts("//section[@id='preview']")[0]
    assert "7 New Road" not in site.go("/account/addresses").main
    assert site.dump_of("addresses") == before
    site.go("/account/addresses").follow("Edit address", "//section[@id='default-address']")
    site.press("Save Address", street="7 New Road", city="Fargo").press("Confirm Address")
    assert "7 New Road" in site.texts("//section[@id='default-address']")[0]
    assert "7 New Road" in site.go("/account").texts("//section[@id='default-address']")[0]


def test_c5_preferences_count_once_they_are_saved() -> None:
    site = Site()
    before = site.dump_of("subscriptions")
    site.go("/account/subscriptions").page.xpath("//select[@name='frequency-1']")[0].set("value", "Daily")
    site.follow("My Orders")
    assert site.dump_of("subscriptions") == before
    wanted = next(name for name in ("Daily", "Quarterly") if name != site.value("SELECT frequency FROM subscriptions"))
    site.go("/account/subscriptions").press("Save Preferences", frequency_1=wanted)
    assert site.value("SELECT frequency FROM subscriptions WHERE id = 1") == wanted
    assert site.texts("//table[@id='subscriptions']//tr[1]//option[@selected]") == [wanted]


def test_boxes_of_the_preferences() -> None:
    site = Site()
    ticked = [topic for (topic,) in site.all("SELECT id FROM subscriptions WHERE active")]
    site.go("/account/subscriptions")
    for box in site.page.xpath("//input[@type='checkbox']"):
        box.checked = not box.checked
    site.press("Save Preferences")
    assert [topic for (topic,) in site.all("SELECT id FROM subscriptions WHERE NOT active")] == ticked


def test_a_new_address_other_default_and_delete() -> None:
    site = Site()
    count = site.value("SELECT count(*) FROM addresses")
    typed = {
        "name": "Ada Finch",
        "street": "1 Quay",
        "city": "Bath",
        "state": "ME",
        "zip": "04530",
        "phone": "555-1234",
    }
    site.go("/account/addresses").follow("Add new address").press("Save Address", **typed)
    assert site.value("SELECT count(*) FROM addresses") == count
    site.press("Confirm Address")
    new = site.value("SELECT max(id) FROM addresses")
    assert site.all(ADDRESS, new) == [("Ada Finch", "1 Quay", "Bath", "ME", "04530", "United States", "555-1234")]
    site.send("POST", f"/account/addresses/{new}/default")
    assert "1 Quay" in site.texts("//section[@id='default-address']")[0]
    site.send("POST", f"/account/addresses/{new}/delete")
    assert "cannot be deleted" in site.main
    assert site.value("SELECT count(*) FROM addresses") == count + 1
    site.press("Make default").send("POST", f"/account/addresses/{new}/delete")
    assert site.value("SELECT count(*) FROM addresses") == count
    assert site.value("SELECT count(*) FROM addresses WHERE is_default") == 1


def test_cart_add_remove_and_the_header() -> None:
    site = Site()
    product, slug, name = in_stock(site)
    before = site.value("SELECT sum(quantity) FROM cart_items")
    site.go(f"/product/{slug}").press("Add to Cart", "//section[@id='details']", qty="2")
    assert f"You added {name} to your shopping cart." in site.main
    assert f"My Cart ({before + 2})" in site.texts("//header//a")
    site.press("Add to Cart", "//section[@id='details']", qty="1")
    assert site.value("SELECT quantity FROM cart_items WHERE product_id = ?", product) == 3
    row = f"//table[@id='cart-lines']//tr[td/a[text()='{name}']]"
    site.go("/cart").press("Remove", row)
    assert name not in site.texts("//table[@id='cart-lines']//a")
    assert site.value("SELECT sum(quantity) FROM cart_items") == before
    assert "was removed" in site.main
    assert "was removed" not in site.go("/cart").main


def test_an_order_from_cart_to_order_page() -> None:
    site = Site()
    lines = site.all("SELECT p.name, quantity FROM cart_items i JOIN products p ON p.id = product_id ORDER BY i.id")
    address = site.value("SELECT id FROM addresses WHERE NOT is_default")
    site.go("/cart").follow("Proceed to Checkout").press("Review Order", address=str(address), shipping="express")
    total = site.texts("//span[@id='order-total']")
    assert site.value("SELECT count(*) FROM cart_items") == len(lines)
    site.press("Place Order")
    number = site.value("SELECT number FROM orders ORDER BY id DESC")
    assert site.url == f"/account/orders/{number}"
    assert site.texts("//span[@id='order-number']") == [number]
    assert site.texts("//span[@id='order-status']") == ["Pending"]
    assert site.texts("//span[@id='order-total']") == total
    assert site.all("SELECT address_id, shipping_cents, placed_on FROM orders ORDER BY id DESC")[0] == (
        address,
        1499,
        "2024-06-15",
    )
    assert site.all("SELECT name, quantity FROM order_items WHERE order_id = (SELECT max(id) FROM orders)") == lines
    assert site.value("SELECT count(*) FROM cart_items") == 0
    assert "no items" in site.go("/cart").main
    assert site.go("/account/orders").rows("orders")[0][0] == number


def test_reorder_puts_the_lines_into_the_cart() -> None:
    site = Site()
    order, number = site.all(
        "SELECT o.id, number FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_items i JOIN products p"
        " ON p.id = product_id WHERE order_id = o.id AND stock < 10)"
    )[0]
    site.db.execute("DELETE FROM cart_items")
    site.go(f"/account/orders/{number}").press("Reorder")
    ordered = site.all("SELECT product_id, quantity FROM order_items WHERE order_id = ? ORDER BY id", order)
    assert site.all(CART) == ordered
    assert site.url == "/cart"


def test_wish_list_add_twice_remove_one_and_to_cart() -> None:
    site = Site()
    product, slug, name = in_stock(site)
    for _ in range(2):
        site.go(f"/product/{slug}").press("Add to Wish List", "//section[@id='details']")
    assert site.url == "/account/wishlist"
    assert [row[0] for row in site.rows("wishlist")[:2]] == [name, name]
    site.press("Remove", "//table[@id='wishlist']")
    assert site.value("SELECT count(*) FROM wishlist_items WHERE product_id = ?", product) == 1
    site.press("Add to Cart", "//table[@id='wishlist']")
    assert site.value("SELECT quantity FROM cart_items WHERE product_id = ?", product) == 1
    assert site.value("SELECT count(*) FROM wishlist_items WHERE product_id = ?", product) == 1


def test_a_written_review_is_the_first_one() -> None:
    site = Site()
    _, slug, _ = in_stock(site)
    typed = {"stars": "4", "nickname": "Me & <b>", "title": "Fine", "body": "Good, 'really'.\nTwo lines."}
    site.go(f"/product/{slug}").press("Submit Review", **typed)
    assert site.texts("//section[@id='reviews']//li[1]/*") == [
        "Fine", "4 stars", "Good, 'really'. Two lines.", "Review by Me & <b>, 06/15/2024",
    ]  # fmt: skip


def test_a_message_is_listed_on_the_contact_page() -> None:
    site = Site()
    number = site.value("SELECT number FROM orders")
    site.go("/contact").press("Send Message", order_number=number, subject="Damaged item", message="The lid is bent.")
    sent = site.texts("//section[@id='messages']//li")[0]
    assert number in sent
    assert "The lid is bent." in sent
    customer = site.all("SELECT name, email FROM customer")
    assert site.all("SELECT name, email FROM contact_messages") == customer


def test_two_attempts_share_nothing() -> None:
    first, second, untouched = Site(), Site(), Site()
    _, slug, _ = in_stock(first)
    before = untouched.dump()
    first.go(f"/product/{slug}").press("Add to Cart", "//section[@id='details']")
    first.send("POST", f"/product/{slug}/wishlist")
    assert second.dump() == before
    assert second.go("/cart").texts("//header//a") == untouched.go("/cart").texts("//header//a")
    assert first.dump() != before
    assert Site().dump() == before


def test_attempts_in_threads_see_their_own_worlds() -> None:
    barrier = threading.Barrier(4)
    seen: dict[int, list[str]] = {}

    def attempt(seed: int) -> None:
        site = Site(seed)
        for _ in range(5):
            barrier.wait(timeout=HANG)
            seen[seed] = site.go("/cart").texts("//table[@id='cart-lines']//a")

    threads = [threading.Thread(target=attempt, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        sql = "SELECT name FROM cart_items i JOIN products p ON p.id = product_id ORDER BY i.id"
        assert seen[seed] == [name for (name,) in Site(seed).all(sql)]


@pytest.mark.parametrize(
    "path", ["/", "/cart", "/account", "/account/orders", "/account/wishlist", "/contact", "/checkout"]
)
def test_looking_changes_nothing(path: str) -> None:
    site = Site()
    before = site.dump()
    first = site.go(path).main
    assert site.go(path).main == first
    assert site.dump() == before
