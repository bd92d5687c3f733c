"""Whatever is typed or asked for: a page with a clear message, never a server error, and nothing lost."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest
from admin_site import Site
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.suites.web.browser import TextBrowser
from eval.suites.web.transport import Site as WebSite
from eval.suites.webarena_mini.shopping_admin import (
    pages_coupons,
    pages_customers,
    pages_orders,
    pages_parcels,
    pages_products,
    pages_reviews,
)
from eval.suites.webarena_mini.shopping_admin.app import create_app
from eval.suites.webarena_mini.shopping_admin.fields import cents
from eval.suites.webarena_mini.site.fields import month_first_date
from reasoningbank.agents.actions import Action

SITE = Site()
NEW = SITE.value("SELECT id FROM orders WHERE state = 'New'")
GRIDS = {
    grid.path: grid
    for grid in (
        pages_orders.GRID,
        pages_parcels.INVOICES,
        pages_parcels.SHIPMENTS,
        pages_products.GRID,
        pages_customers.GRID,
        pages_coupons.GRID,
        pages_reviews.GRID,
    )
}
REPORTS = tuple(f"/reports/{name}" for name in ("sales", "bestsellers", "search-terms", "reviews"))
FIELDS = [*sorted({name for grid in GRIDS.values() for name in grid.field_names()}), "row", "action", "do", "page"]
PARAMETERS = {
    **dict.fromkeys(GRIDS, ("sort", "dir", "page", "select", "action", "code", "status")),
    **dict.fromkeys(REPORTS, ("from", "to", "period", "state", "page")),
}
FORMS = {
    **{f"{path}/search": FIELDS for path, grid in GRIDS.items() if grid.kept},
    **{f"{path}/mass": FIELDS for path, grid in GRIDS.items() if grid.actions},
    f"/sales/orders/{NEW}/invoice": ["qty-1"],
    f"/sales/orders/{NEW}/ship": ["carrier", "tracking"],
    f"/sales/orders/{NEW}/comment": ["comment"],
    "/catalog/products/1": ["name", "sku", "price", "quantity", "status", "description"],
    "/customers/1/edit": ["name", "email", "group_name", "phone", "street", "city", "state", "zip"],
    "/marketing/coupons/new": ["code", "description", "percent", "starts", "ends", "status"],
    "/marketing/coupons/1": ["code", "description", "percent", "starts", "ends", "status"],
    "/marketing/reviews/1": ["status", "stars", "nickname", "title", "body"],
}
ODD = (
    "",
    " ",
    "0",
    "-1",
    "1.5",
    "1e3",
    "²",
    "٣",
    "9" * 30,
    "9" * 5000,
    "' OR 1=1 --",
    '"; DROP TABLE orders;',
    "%",
    "\x00",
    "a\x00b",
    "日本語 🙂",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "x" * 20_000,
    "99/99/9999",
    "02/30/2023",
    "01/01/0000",
    "\r\n",
    "all",
    "asc",
)


@pytest.mark.parametrize("path", PARAMETERS)
def test_odd_parameters(path: str) -> None:
    site = Site()
    # the lists share their code, and so do the reports: one by one for one of each, all at once for the others
    alone = path in ("/sales/orders", "/marketing/coupons", "/reports/sales")
    for text in ODD:
        for names in [(name,) for name in PARAMETERS[path]] if alone else [PARAMETERS[path]]:
            site.go(f"{path}?{'&'.join(f'{name}={quote_plus(text)}' for name in names)}")
            assert site.status == 200, (names, text)
            assert site.texts("//h1")
            assert site.page.xpath("//script") == []


@pytest.mark.parametrize("path", FORMS)
def test_odd_forms(path: str) -> None:
    site = Site()
    counted = "SELECT (SELECT count(*) FROM products), (SELECT count(*) FROM orders), (SELECT count(*) FROM coupons)"
    before = site.all(counted)
    for text in ODD:
        site.send("POST", path, dict.fromkeys(FORMS[path], text))
        assert site.status == 200, text
        assert site.page.xpath("//script") == []
        assert site.all(counted) == before
        site.send("POST", path, {})
        assert site.status == 200


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60), st.sampled_from(sorted(PARAMETERS)))
def test_any_text_as_a_parameter(text: str, path: str) -> None:
    encoded = quote_plus(text, errors="replace")
    SITE.go(f"{path}?" + "&".join(f"{name}={encoded}" for name in PARAMETERS[path]))
    assert SITE.status == 200


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60))
def test_any_text_searched_stands_in_the_field_again(text: str) -> None:
    site = SITE.go("/sales/orders").press("Search", customer=text)
    assert site.status == 200
    assert site.page.get_element_by_id("filter-customer").get("value") == text


@given(st.dates())
def test_dates_are_read_back(day: object) -> None:
    iso = str(day)
    assert month_first_date(f"{iso[5:7]}/{iso[8:]}/{iso[:4]}") == iso


@given(st.integers(0, 10**9 - 1))
def test_amounts_are_read_back(amount: int) -> None:
    assert cents(f"${amount / 100:,.2f}") == amount
    assert cents(f"{amount // 100}.{amount % 100:02d}") == amount


@pytest.mark.parametrize(
    "text", [odd for odd in ODD if odd.strip() and "/" not in odd and len(odd) < 3000 and odd != "0"]
)
@pytest.mark.parametrize(
    "path", ["/{}", "/sales/orders/{}", "/sales/invoices/{}", "/catalog/products/{}", "/customers/{}/edit"]
)
def test_unknown_addresses(path: str, text: str) -> None:
    site = Site()
    site.go(path.format(quote(text)))
    assert site.status == 404
    assert site.texts("//h1") == ["Page not found"]
    assert site.page.xpath("//main//a[@href='/']")


@pytest.mark.parametrize("path", ["/sales/orders/{}/hold", "/sales/orders/{}/invoice", "/marketing/reviews/{}"])
def test_posts_to_what_is_not_there(path: str) -> None:
    for text in ("0", "-1", "99999", "9" * 40, "abc"):
        assert Site().send("POST", path.format(text)).status == 404


def test_a_wrong_method_and_a_huge_form() -> None:
    site = Site()
    assert site.send("POST", "/").status == 405
    assert site.send("POST", "/catalog/products/1", {"description": "x" * 2_000_000}).status == 413
    # the address of a form opened by hand, and a confirmation of nothing
    assert site.go("/sales/orders/search").url == "/sales/orders"
    assert site.go("/sales/orders/confirm").url == "/sales/orders"
    assert site.send("POST", "/sales/orders/confirm").url == "/sales/orders"


@pytest.mark.parametrize(
    ("path", "button", "typed", "message"),
    [
        ("/catalog/products/1", "Save", {"price": "cheap"}, "Price: 'cheap' is not a valid amount."),
        ("/catalog/products/1", "Save", {"quantity": "-3"}, "Quantity: '-3' is not a valid number."),
        ("/catalog/products/1", "Save", {"name": ""}, "Product Name is a required field."),
        ("/customers/1/edit", "Save", {"email": "nobody"}, "Email 'nobody' is not valid"),
        ("/marketing/coupons/new", "Save", {"percent": "0"}, "Discount percent: '0' is not a whole number"),
        ("/marketing/coupons/1", "Save", {"starts": "2024-01-01"}, "Start: '2024-01-01' is not a valid date."),
        (f"/sales/orders/{NEW}/ship", "Submit Shipment", {"tracking": ""}, "Tracking number is a required field."),
        (f"/sales/orders/{NEW}", "Submit Comment", {"comment": ""}, "Comment is a required field."),
        ("/sales/orders", "Search", {"total-from": "much"}, "Grand total from: 'much' is not a valid value."),
        ("/sales/orders", "Search", {"placed_on-to": "31/12/2023"}, "'31/12/2023' is not a valid date."),
    ],
)
def test_messages_and_what_was_typed_stays(path: str, button: str, typed: dict[str, str], message: str) -> None:
    site = Site()
    before = site.dump()
    site.go(path).press(button, **typed)
    assert message in site.texts("//div[@id='errors']")[0]
    for name, text in typed.items():
        assert (site.page.xpath(f"//main//*[@name='{name}']")[0].value or "") == text
    assert site.dump() == before


def test_too_many_units_and_no_unit() -> None:
    site = Site()
    before = site.dump()
    item = site.value("SELECT id FROM order_items WHERE order_id = ?", NEW)
    for count in ("99", "-1", "1.5", "many"):
        site.go(f"/sales/orders/{NEW}/invoice").press("Submit Invoice", **{f"qty-{item}": count})
        assert "The quantity of" in site.texts("//div[@id='errors']")[0]
    site.send("POST", f"/sales/orders/{NEW}/invoice", {f"qty-{item}": "0"})
    assert "at least one item" in site.main
    assert site.dump() == before


def test_a_mass_action_needs_an_action_and_items() -> None:
    site = Site()
    assert "Please select an action." in site.go("/sales/orders").tick().press("Submit").main
    assert "Please select items." in site.press("Submit", action="hold").main


def test_enter_in_the_field_of_the_coupons_and_in_a_filter() -> None:
    site = Site()
    browser = TextBrowser({"http://shopping-admin.test": WebSite(create_app().wsgi_app, {"site.db": site.db})})

    def named(name: str) -> str:
        return next(bid for bid, element in browser.page.document.by_bid.items() if element.attrs.get("name") == name)

    code = site.value("SELECT code FROM coupons ORDER BY id DESC")
    browser.goto("http://shopping-admin.test/marketing/coupons")
    for action in (Action("fill", (named("code"), code.lower())), Action("press", (named("code"), "Enter"))):
        assert browser.act(action) == ""
    assert "1 record found" in browser.tree()
    browser.goto("http://shopping-admin.test/sales/orders")
    number = site.value("SELECT number FROM orders")
    for action in (Action("fill", (named("number"), number)), Action("press", (named("number"), "Enter"))):
        assert browser.act(action) == ""
    assert browser.url == "http://shopping-admin.test/sales/orders"
    assert "1 record found" in browser.tree()
