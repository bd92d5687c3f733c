"""Whatever is typed, clicked or asked for: a page with a clear message, never a server error, and nothing lost."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from shopping_site import Site

SITE = Site()
SLUG = SITE.value("SELECT slug FROM products WHERE stock > 5")
NUMBER = SITE.value("SELECT number FROM orders")
LINE = SITE.value("SELECT id FROM cart_items")

PARAMETERS = {
    "/category/lighting": ("brand", "price", "sort", "page"),
    "/category/electronics": ("brand", "price", "sort", "page"),
    "/search": ("q", "category", "sort", "page"),
    f"/product/{SLUG}": ("reviews",),
    "/account/orders": ("status", "from", "to", "page"),
    "/account/wishlist": ("batches",),
    "/checkout/review": ("address", "shipping"),
}
FORMS = {
    f"/product/{SLUG}/cart": ("qty",),
    f"/product/{SLUG}/reviews": ("stars", "nickname", "title", "body"),
    "/cart": (f"qty-{LINE}", "remove"),
    "/checkout/place": ("address", "shipping"),
    "/account/addresses/new": ("name", "street", "city", "state", "zip", "country", "phone"),
    "/account/addresses/1": ("name", "street", "city", "state", "zip", "country", "phone"),
    "/account/subscriptions": ("frequency-1", "active-1"),
    "/contact": ("name", "email", "order_number", "subject", "message"),
}


@pytest.mark.parametrize("path", PARAMETERS)
@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_parameters(path: str, text: str) -> None:
    site = Site()
    for name in PARAMETERS[path]:
        site.go(f"{path}?{name}={quote_plus(text)}")
        assert site.status == 200, (path, name)
        assert site.texts("//h1")
        assert site.page.xpath("//script") == []


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_forms(path: str, text: str) -> None:
    site = Site()
    counted = "SELECT (SELECT count(*) FROM products), (SELECT count(*) FROM orders)"
    before = site.all(counted)
    site.send("POST", path, dict.fromkeys(FORMS[path], text))
    assert site.status == 200
    assert site.page.xpath("//script") == []
    assert site.all(counted) == before
    assert site.value("SELECT min(quantity) FROM cart_items") >= 1
    site.send("POST", path, {})
    assert site.status == 200


@given(st.text(max_size=60), st.sampled_from(sorted(PARAMETERS)))
def test_any_text_as_a_parameter(text: str, path: str) -> None:
    encoded = quote_plus(text, errors="replace")
    SITE.go(f"{path}?" + "&".join(f"{name}={encoded}" for name in PARAMETERS[path]))
    assert SITE.status == 200


@given(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60))
def test_any_text_searched_stands_in_the_box_again(text: str) -> None:
    site = SITE.go("/").press("Search", q=text)
    assert site.status == 200
    assert site.page.get_element_by_id("search").get("value") == text


@pytest.mark.parametrize("text", [odd for odd in ODD if odd.strip() and "/" not in odd and odd not in ("\r\n",)])
@pytest.mark.parametrize("path", ["/{}", "/category/{}", "/product/{}", "/account/orders/{}", "/account/addresses/{}"])
def test_unknown_addresses(path: str, text: str) -> None:
    site = Site()
    site.go(path.format(quote(text[:2000])))
    assert site.status == 404
    assert site.texts("//h1") == ["Page not found"]
    assert site.page.xpath("//main//a[@href='/']")


@pytest.mark.parametrize(
    "path", ["/account/orders/{}/reorder", "/account/wishlist/{}/remove", "/account/wishlist/{}/cart"]
)
def test_posts_to_what_is_not_there(path: str) -> None:
    for text in ("0", "-1", "99999", "9" * 40, "abc"):
        assert Site().send("POST", path.format(text)).status == 404


def test_a_wrong_method_and_a_huge_form() -> None:
    site = Site()
    assert site.go("/checkout/place").status == 405
    assert site.send("POST", "/").status == 405
    assert site.send("POST", "/contact", {"message": "x" * 2_000_000}).status == 413
    assert site.texts("//main//a[@href='/']")


@pytest.mark.parametrize("typed", ["0", "-3", "1.5", "many", "", "1000000"])
def test_a_bad_quantity_is_told_and_stores_nothing(typed: str) -> None:
    site = Site()
    before = site.dump_of("cart_items")
    site.go("/cart").press("Update Cart", **{f"qty_{LINE}": typed})
    assert site.status == 200
    assert "quantity" in site.texts("//div[@id='errors']")[0]
    assert site.page.xpath(f"//input[@name='qty-{LINE}']")[0].get("value") == typed
    site.go(f"/product/{SLUG}").press("Add to Cart", "//section[@id='details']", qty=typed)
    assert site.status == 200
    assert "quantity" in site.texts("//div[@id='errors']")[0]
    assert site.dump_of("cart_items") == before


def test_one_bad_quantity_keeps_the_others_from_being_stored() -> None:
    site = Site()
    before = site.dump_of("cart_items")
    lines = [line for (line,) in site.all("SELECT id FROM cart_items ORDER BY id")]
    site.go("/cart").press("Update Cart", **{f"qty_{lines[0]}": "2", f"qty_{lines[1]}": "none"})
    assert site.dump_of("cart_items") == before


def test_out_of_stock_cannot_be_bought() -> None:
    site = Site()
    slug = site.value("SELECT slug FROM products WHERE stock = 0")
    assert "Out of stock" in site.go(f"/product/{slug}").texts("//section[@id='details']")[0]
    site.send("POST", f"/product/{slug}/cart", {"qty": "1"})
    assert "is out of stock" in site.texts("//div[@id='errors']")[0]


@pytest.mark.parametrize(
    ("path", "button", "typed", "message"),
    [
        ("/contact", "Send Message", {"message": ""}, "Message is a required field."),
        ("/contact", "Send Message", {"email": "nobody"}, "Email 'nobody' is not valid"),
        ("/contact", "Send Message", {"order_number": "1"}, "There is no order with the number '1'."),
        ("/contact", "Send Message", {}, "Please choose a value for Subject."),
        ("/account/addresses/new", "Save Address", {"street": ""}, "Street address is a required field."),
        ("/account/addresses/1", "Save Address", {"zip": "!"}, "Zip code '!' is not valid"),
        ("/account/addresses/1", "Save Address", {"phone": "call me"}, "Phone number 'call me' is not valid"),
        (f"/product/{SLUG}", "Submit Review", {"nickname": "Me"}, "Please choose a value for Rating."),
        (f"/product/{SLUG}", "Submit Review", {"stars": "5", "title": "x" * 500}, "must not be longer than"),
    ],
)
def test_messages_and_what_was_typed_stays(path: str, button: str, typed: dict[str, str], message: str) -> None:
    site = Site()
    before = site.dump()
    site.go(path).press(button, **typed)
    assert message in site.texts("//div[@id='errors']")[0]
    for name, text in typed.items():
        shown = site.page.xpath(f"//main//*[@name='{name}']")[0]
        assert (shown.value or "") == text[:120] or name == "title"
    assert site.dump() == before


def test_an_empty_cart_cannot_be_checked_out() -> None:
    site = Site()
    orders = site.value("SELECT count(*) FROM orders")
    with site.db:
        site.db.execute("DELETE FROM cart_items")
    for path in ("/checkout", "/checkout/review?address=1&shipping=standard"):
        assert "no items" in site.go(path).main
    site.send("POST", "/checkout/place", {"address": "1", "shipping": "standard"})
    assert "no items" in site.main
    assert site.value("SELECT count(*) FROM orders") == orders
