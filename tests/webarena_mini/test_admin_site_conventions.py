"""What the back office does without saying so, through its pages: conventions, and look-alikes that do the opposite."""

from __future__ import annotations

import datetime

import pytest
from admin_site import Site

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2])
LAST_DAY = "SELECT placed_on FROM orders WHERE strftime('%d', placed_on, '+1 day') = '01' ORDER BY placed_on"


def typed(iso: str) -> str:
    return f"{iso[5:7]}/{iso[8:]}/{iso[:4]}"


def after(iso: str) -> str:
    return (datetime.date.fromisoformat(iso) + datetime.timedelta(days=1)).isoformat()


def days(site: Site, count: int) -> tuple[str, str]:
    """A span whose first and last day hold orders."""
    found = [day for (day,) in site.all(f"SELECT DISTINCT placed_on FROM ({LAST_DAY})")]
    return found[1], found[1 + count]


@SEEDS
def test_a1_reports_want_the_month_first_and_leave_the_last_day_out(seed: int) -> None:
    site = Site(seed)
    first, last = days(site, 4)
    count = "SELECT count(*) FROM orders WHERE placed_on BETWEEN ? AND ?"
    inside, whole = (
        site.value(f"{count} AND placed_on <> ?", first, last, last),
        site.value(count, first, last),
    )
    assert inside < whole
    site.go("/reports/sales").press("Show Report", **{"from": typed(first), "to": typed(last), "period": "Year"})
    assert sum(int(row["Orders"]) for row in site.rows("report")) == inside
    site.press("Show Report", to=typed(after(last)))
    assert sum(int(row["Orders"]) for row in site.rows("report")) == whole
    assert site.texts("//table[@id='report']/tfoot//td")[0] == str(whole)
    site.press("Show Report", **{"from": "31/12/2022"})
    assert "From: '31/12/2022' is not a valid date." in site.texts("//div[@id='errors']")[0]
    assert site.rows("report") == []


@SEEDS
@pytest.mark.parametrize(
    ("path", "column", "total"),
    [
        ("/reports/search-terms", "Uses", "SELECT sum(uses) FROM search_uses WHERE used_on >= ? AND used_on < ?"),
        ("/reports/reviews", "Reviews", "SELECT count(*) FROM reviews WHERE posted_on >= ? AND posted_on < ?"),
    ],
)
def test_a1_holds_for_the_other_reports(seed: int, path: str, column: str, total: str) -> None:
    site = Site(seed)
    last = "2023-09-30"
    assert site.value(total, "2023-01-01", last) < site.value(total, "2023-01-01", after(last))
    site.go(path).press("Show Report", **{"from": "01/01/2023", "to": "09/30/2023", "period": "Month"})
    assert sum(int(row[column]) for row in site.all_rows("report")) == site.value(total, "2023-01-01", last)


@SEEDS
def test_fa1_the_date_filter_of_a_grid_holds_its_last_day(seed: int) -> None:
    site = Site(seed)
    first, last = days(site, 4)
    dates = {"placed_on-from": typed(first), "placed_on-to": typed(last)}
    site.go("/sales/orders").press("Search", **dates)
    assert site.found == site.value("SELECT count(*) FROM orders WHERE placed_on BETWEEN ? AND ?", first, last)
    assert last in {
        datetime.datetime.strptime(row["Purchase date"], "%b %d, %Y").date().isoformat()
        for row in site.all_rows("orders")
    }


@SEEDS
def test_a2_filters_apply_on_search_only(seed: int) -> None:
    site = Site(seed)
    everything, closed = (site.value(f"SELECT count(*) FROM orders {where}") for where in ("", "WHERE state='Closed'"))
    site.go("/sales/orders").page.xpath("//select[@name='state']")[0].set("value", "Closed")
    assert site.follow("Grand total").found == everything
    assert site.follow("Page 3").found == everything
    site.press("Search", state="Closed")
    assert site.found == closed
    # the sort stays
    assert site.texts("//th[@aria-sort='ascending']") == ["Grand total"]


@SEEDS
def test_a2_an_applied_filter_stays_until_it_is_cleared(seed: int) -> None:
    site = Site(seed)
    closed = site.value("SELECT count(*) FROM orders WHERE state='Closed'")
    site.go("/sales/orders").press("Search", state="Closed")
    site.go("/customers").go("/sales/orders")
    assert site.found == closed
    assert site.follow("Customer").found == closed
    # the next search does not start from nothing
    site.press("Search", **{"total-from": "100"})
    assert site.found < closed
    assert {row["State"] for row in site.rows("orders")} == {"Closed"}
    site.press("Clear filters")
    assert site.found == site.value("SELECT count(*) FROM orders")


@SEEDS
def test_a2_a_world_starts_with_two_filters(seed: int) -> None:
    site = Site(seed)
    assert site.go("/catalog/products").found == site.value("SELECT count(*) FROM products WHERE status='Enabled'")
    assert site.texts("//select[@name='status']/option[@selected]") == ["Enabled"]
    assert site.go("/customers").found == site.value("SELECT count(*) FROM customers WHERE group_name='General'")
    assert site.press("Clear filters").found == site.value("SELECT count(*) FROM customers")


@SEEDS
def test_fa2_coupon_filters_apply_at_once_and_are_gone_at_the_next_visit(seed: int) -> None:
    site = Site(seed)
    everything, active = (site.value(f"SELECT count(*) FROM coupons {where}") for where in ("", "WHERE active"))
    assert site.go("/marketing/coupons").found == everything
    assert not site.page.xpath("//button[text()='Search' or text()='Clear filters']")
    assert site.follow("Active").found == active
    assert site.follow("Discount").found == active
    assert {row["Status"] for row in site.rows("coupons")} == {"Active"}
    assert site.go("/customers").follow("Coupons", "//nav").found == everything


@SEEDS
def test_a3_what_the_customer_is_told_and_what_the_state_is_called(seed: int) -> None:
    site = Site(seed)
    for state, told in (("New", "Pending"), ("Pending", "Processing"), ("Closed", "Complete")):
        site.go(f"/sales/orders/{site.value('SELECT id FROM orders WHERE state = ?', state)}")
        assert site.texts("//span[@id='order-state']") == [state]
        notified = [
            text for text in site.texts("//section[@id='comments']//li") if text.endswith("| Customer notified")
        ]
        assert f"Your order is now {told}." in notified[-1]
        assert state != told


@SEEDS
def test_a4_select_all_ticks_the_visible_page_alone(seed: int) -> None:
    site = Site(seed)
    new = [row for (row,) in site.all("SELECT id FROM orders WHERE state = 'New' ORDER BY placed_on DESC, id DESC")]
    assert len(new) > 20
    site.go("/sales/orders").press("Search", state="New").press("Select All", action="hold")
    assert site.boxes() == new[:20]
    assert site.press("Unselect All").boxes() == []
    site.tick(new[0]).follow("Page 2")
    assert site.boxes() == []
    site.tick(new[20]).press("Submit", action="hold").press("Confirm")
    changed = "SELECT id FROM orders WHERE state = 'On Hold' AND held_from = 'New' AND id IN (SELECT order_id FROM"
    assert site.all(f"{changed} order_comments WHERE written_on = '2024-06-15')") == [(new[20],)]
    site.go("/sales/orders").press("Select All", action="hold").press("Submit").press("Confirm")
    assert site.value("SELECT count(*) FROM orders WHERE state = 'New'") == max(0, len(new) - 21)


@SEEDS
def test_a5_a_mass_action_counts_after_submit_and_confirm(seed: int) -> None:
    site = Site(seed)
    review, other = (
        row
        for (row,) in site.all("SELECT id FROM reviews WHERE status='Pending' ORDER BY posted_on DESC, id DESC LIMIT 2")
    )
    before = site.all("SELECT * FROM reviews")
    site.go("/marketing/reviews").press("Search", status="Pending").tick(review, other)
    site.press("Submit", action="Approved")
    assert "2 reviews" in site.texts("//section[@id='confirmation']")[0]
    assert site.all("SELECT * FROM reviews") == before
    site.follow("Back to Reviews")
    assert site.all("SELECT * FROM reviews") == before
    site.tick(review, other).press("Submit", action="Approved").press("Confirm")
    assert {site.value("SELECT status FROM reviews WHERE id = ?", row) for row in (review, other)} == {"Approved"}
    assert "2 record(s) were updated." in site.main


@SEEDS
def test_totals_of_the_grid_are_those_of_the_orders(seed: int) -> None:
    site = Site(seed)
    totals = {
        number: (str(units), f"${cents / 100:,.2f}")
        for number, units, cents in site.all(
            "SELECT number, units, total_cents FROM orders o JOIN order_totals t ON t.order_id = o.id"
        )
    }
    rows = site.go("/sales/orders").all_rows("orders")
    assert {row["Order #"]: (row["Items"], row["Grand total"]) for row in rows} == totals
    number, cents = site.all(
        "SELECT number, total_cents FROM orders o JOIN order_totals t ON t.order_id = o.id ORDER BY 2 DESC"
    )[0]
    exact = f"{cents / 100:.2f}"
    site.go("/sales/orders").press("Search", **{"total-from": exact, "total-to": exact})
    assert [row["Order #"] for row in site.rows("orders")] == [number]


def test_a5_a_form_counts_after_save() -> None:
    site = Site()
    before = site.dump()
    site.go("/catalog/products/5").page.xpath("//input[@name='price']")[0].set("value", "1.00")
    site.follow("Back")
    assert site.dump() == before
    site.go("/catalog/products/5").press("Save", price="1.00")
    assert site.value("SELECT price_cents FROM products WHERE id = 5") == 100


@SEEDS
def test_a6_bestsellers_count_invoiced_units_and_the_products_grid_ordered_ones(seed: int) -> None:
    site = Site(seed)
    ordered = dict(site.all("SELECT name, sum(quantity) FROM order_items GROUP BY name"))
    invoiced = dict(
        site.all(
            "SELECT i.name, sum(invoiced) FROM order_items i JOIN orders o ON o.id = order_id"
            " WHERE placed_on LIKE '2023%' GROUP BY i.name"
        )
    )
    site.go("/catalog/products").press("Clear filters")
    for row in site.all_rows("products"):
        assert int(row["Sold"]) == ordered.get(row["Name"], 0)
    site.go("/reports/bestsellers").press("Show Report", **{"from": "01/01/2023", "to": "01/01/2024", "period": "Year"})
    rows = site.rows("report")
    best = sorted(invoiced.items(), key=lambda pair: (-pair[1], pair[0]))[:5]
    assert [(row["Product"], int(row["Quantity"])) for row in rows] == best
    naive = "SELECT sum(quantity) FROM order_items i JOIN orders o ON o.id = order_id WHERE placed_on LIKE '2023%'"
    assert any(site.value(f"{naive} AND name = ?", name) > count for name, count in best)


def test_no_page_states_a_convention() -> None:
    site = Site()
    paths = ["/", "/sales/orders", "/sales/orders/7", "/sales/invoices", "/sales/shipments", "/catalog/products"]
    paths += ["/catalog/products/3", "/customers", "/customers/3", "/customers/3/edit", "/marketing/coupons"]
    paths += ["/marketing/coupons/new", "/marketing/reviews", "/marketing/reviews/4"]
    paths += [f"/reports/{name}" for name in ("sales", "bestsellers", "search-terms", "reviews")]
    for path in paths:
        text = site.go(path).main.lower()
        for word in ("mm/dd", "dd/mm", "exclusive", "inclusive", "not saved", "this page only", "units invoiced"):
            assert word not in text, (path, word)
