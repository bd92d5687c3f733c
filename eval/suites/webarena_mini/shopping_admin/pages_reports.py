"""Reports of a span of days, in intervals of a day, a month or a year.

The days are typed with the month first, and the last one does not count any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Flask, Response, request

from eval.suites.webarena_mini.shopping_admin import layout
from eval.suites.webarena_mini.shopping_admin.grid import Column
from eval.suites.webarena_mini.shopping_admin.vocabulary import STATES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields, month_first_date
from eval.suites.webarena_mini.site.words import say

PAGE_SIZE = 170
PERIODS = {"Day": 10, "Month": 7, "Year": 4}
"""How much of an ISO date names the interval."""


@dataclass(frozen=True)
class Report:
    """A report; its SQL has the columns' keys and `at`, the interval, and takes from, to, length of `at`, state."""

    name: str
    title: str
    columns: tuple[Column, ...]
    sql: str
    sums: tuple[str, ...]
    """Keys of columns that are added up in the last row."""
    by_state: bool = False


SALES = Report(
    "sales",
    "Orders Report",
    (
        Column("orders", "Orders", "", "number"),
        Column("units", "Items", "", "number"),
        Column("total", "Sales total", "", "money"),
        Column("invoiced", "Invoiced", "", "money"),
        Column("cancelled", "Cancelled", "", "money"),
    ),
    """
    SELECT substr(o.placed_on, 1, ?3) AS at, count(*) AS orders, sum(t.units) AS units, sum(t.total_cents) AS total,
        sum((SELECT coalesce(sum(v.total_cents), 0) FROM invoices v WHERE v.order_id = o.id)) AS invoiced,
        sum(CASE WHEN o.state = 'Cancelled' THEN t.total_cents ELSE 0 END) AS cancelled
    FROM orders o JOIN order_totals t ON t.order_id = o.id
    WHERE o.placed_on >= ?1 AND o.placed_on < ?2 AND (?4 = '' OR o.state = ?4) GROUP BY at ORDER BY at
    """,
    ("orders", "units", "total", "invoiced", "cancelled"),
    by_state=True,
)
BESTSELLERS = Report(
    "bestsellers",
    "Bestsellers Report",
    (
        Column("name", "Product", ""),
        Column("sku", "SKU", ""),
        Column("sold", "Quantity", "", "number"),
    ),
    """
    SELECT * FROM (
        SELECT at, name, sku, sold, row_number() OVER (PARTITION BY at ORDER BY sold DESC, name) AS place FROM (
            SELECT substr(o.placed_on, 1, ?3) AS at, i.name, i.sku, sum(i.invoiced) AS sold
            FROM orders o JOIN order_items i ON i.order_id = o.id
            WHERE o.placed_on >= ?1 AND o.placed_on < ?2 AND ?4 = '' GROUP BY at, i.sku
        ) WHERE sold > 0
    ) WHERE place <= 5 ORDER BY at, place
    """,
    (),
)
SEARCHES = Report(
    "search-terms",
    "Search Terms Report",
    (
        Column("term", "Search term", ""),
        Column("results", "Results", "", "number"),
        Column("uses", "Uses", "", "number"),
    ),
    """
    SELECT substr(u.used_on, 1, ?3) AS at, t.term, t.results, sum(u.uses) AS uses
    FROM search_uses u JOIN search_terms t ON t.id = u.term_id
    WHERE u.used_on >= ?1 AND u.used_on < ?2 AND ?4 = '' GROUP BY at, t.id ORDER BY at, t.term
    """,
    ("uses",),
)
REVIEWS = Report(
    "reviews",
    "Product Reviews Report",
    (
        Column("name", "Product", ""),
        Column("reviews", "Reviews", "", "number"),
        Column("rating", "Average rating", ""),
        Column("last", "Last review", "", "date"),
    ),
    """
    SELECT substr(r.posted_on, 1, ?3) AS at, p.name, count(*) AS reviews, printf('%.2f', avg(r.stars)) AS rating,
        max(r.posted_on) AS last
    FROM reviews r JOIN products p ON p.id = r.product_id
    WHERE r.posted_on >= ?1 AND r.posted_on < ?2 AND ?4 = '' GROUP BY at, p.id ORDER BY at, p.name
    """,
    ("reviews",),
)
REPORTS = (SALES, BESTSELLERS, SEARCHES, REVIEWS)


def interval(at: str) -> str:
    """`06/15/2024`, `06/2024` or `2024`."""
    year, *rest = at.split("-")
    return "/".join([*rest, year])


def report(report: Report) -> Response:
    """The form, and the report once it was asked for."""
    fields = Fields(request.args)
    typed = {name: fields.text(name, "", longest=20, required=False) for name in ("from", "to", "period", "state")}
    typed["period"] = typed["period"] if typed["period"] in PERIODS else "Day"
    typed["state"] = typed["state"] if report.by_state and typed["state"] in STATES else ""
    errors, asked = [], "from" in request.args or "to" in request.args
    days = {name: month_first_date(typed[name]) for name in ("from", "to")}
    for name, label in (("from", "From"), ("to", "To")):
        if asked and days[name] is None:
            missing = f"{say(label)} is a required field."
            errors.append(f"{say(label)}: '{typed[name]}' is not a valid date." if typed[name] else missing)
    rows: list[dict[str, object]] = []
    if asked and not errors:
        found = db.rows(report.sql, days["from"], days["to"], PERIODS[typed["period"]], typed["state"])
        rows = [{**dict(row), "interval": interval(row["at"])} for row in found]
    return _show(report, typed, rows, errors, asked and not errors)


def _show(
    report: Report, typed: Mapping[str, str], rows: list[dict[str, object]], errors: list[str], shown: bool
) -> Response:
    pages = max(1, -(-len(rows) // PAGE_SIZE))
    number = db.page_number("page", pages)
    path = f"/reports/{report.name}"

    def to(page: int) -> str:
        return db.link(path, **typed, page=page if page > 1 else None)

    return layout.page(
        "report.html",
        report.title,
        crumbs=[("Dashboard", "/")],
        errors=errors,
        path=path,
        typed=typed,
        periods=tuple(PERIODS),
        states=STATES if report.by_state else (),
        shown=shown,
        columns=report.columns,
        rows=rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE],
        total=len(rows),
        first=(number - 1) * PAGE_SIZE + 1,
        sums={key: sum(int(str(row[key])) for row in rows) for key in report.sums},
        page=number,
        page_links=[(at, to(at)) for at in range(1, pages + 1)],
    )


def register(app: Flask) -> None:
    """Adds the pages."""
    for entry in REPORTS:
        app.add_url_rule(f"/reports/{entry.name}", f"report_{entry.name}", report, defaults={"report": entry})
