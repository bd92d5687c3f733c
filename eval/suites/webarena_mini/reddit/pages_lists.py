"""Lists of posts: of all boards, of the subscribed ones and of one; sorted, and within a range of time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

PAGE = 12
SORTS = {"hot": "Hot", "new": "Newest", "top": "Top rated", "most_commented": "Most commented"}
RANGES = {"day": "Past day", "week": "Past week", "month": "Past month", "year": "Past year", "all": "All time"}
SINCE = {"day": "-1 day", "week": "-7 days", "month": "-1 month", "year": "-1 year"}
ORDERS = {
    "hot": "CAST(strftime('%s', created_at) AS INTEGER) + 9000 * score DESC, id DESC",
    "new": "created_at DESC, id DESC",
    "top": "score DESC, id DESC",
    "most_commented": "comments_ever DESC, id DESC",
}
RANGED = ("top", "most_commented")
SUBSCRIBED = "forum_id IN (SELECT forum_id FROM subscriptions)"


def find_forum(name: str) -> sqlite3.Row:
    """A forum by its name, in whatever case."""
    found = db.row("SELECT * FROM forums WHERE name = ?", name)
    if found is None:
        abort(404)
    return found


def front() -> Response:
    """Where somebody who signs in begins: all boards."""
    return everything("hot")


def everything(sort: str = "hot") -> Response:
    """The posts of all boards."""
    return _list("All forums", "/all", sort, "1", first_range="all")


def subscribed(sort: str = "hot") -> Response:
    """The posts of the boards that the person reads."""
    return _list("Subscribed forums", "/subscribed", sort, SUBSCRIBED, first_range="all")


def forum(name: str, sort: str = "hot") -> Response:
    """The posts of one board. Its best and its most discussed posts are at first those of the last day."""
    found = find_forum(name)
    return _list(
        found["title"],
        f"/f/{found['name']}",
        sort,
        "forum_id = ?",
        found["id"],
        first_range="day",
        crumbs=[("Forums", "/forums")],
        forum=found,
        subscribed=db.value("SELECT count(*) FROM subscriptions WHERE forum_id = ?", found["id"]),
        submissions=db.value("SELECT count(*) FROM posts WHERE forum_id = ? AND state <> 'draft'", found["id"]),
    )


def _list(title: str, path: str, sort: str, where: str, *values: object, first_range: str, **more: Any) -> Response:
    if sort == "sort":
        return see(f"{path}/{request.args.get('by') if request.args.get('by') in SORTS else 'hot'}")
    if sort not in SORTS:
        abort(404)
    chosen = request.args.get("t", "")
    span = chosen if chosen in RANGES else first_range
    clauses, bound = [where], list(values)
    if sort in RANGED and span in SINCE:
        clauses.append("created_at > datetime((SELECT value FROM world WHERE key = 'now'), ?)")
        bound.append(SINCE[span])
    posts, address = paged(" AND ".join(clauses), bound, ORDERS[sort], f"{path}/{sort}", t=chosen)
    return layout.page(
        "list.html",
        title,
        posts=posts,
        more=address,
        sort=sort,
        sorts=SORTS,
        sort_path=f"{path}/sort",
        ranges=[(label, f"{path}/{sort}?t={key}") for key, label in RANGES.items()] if sort in RANGED else [],
        **more,
    )


def paged(
    where: str, values: Iterable[object], order: str, path: str, **parameters: object
) -> tuple[list[sqlite3.Row], str]:
    """The posts of the page that the address names, and the address of the one behind it, if there is one."""
    total = db.value(f"SELECT count(*) FROM shown_posts WHERE {where}", *values)
    at = db.page_number("page", max(1, -(-total // PAGE)))
    sql = f"SELECT * FROM shown_posts WHERE {where} ORDER BY {order} LIMIT {PAGE} OFFSET ?"
    more = db.link(path, **parameters, page=at + 1) if at * PAGE < total else ""
    return db.rows(sql, *values, (at - 1) * PAGE), more


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/", "front", front)
    for path, view in (("/all", everything), ("/subscribed", subscribed), ("/f/<name>", forum)):
        app.add_url_rule(path, view.__name__, view)
        app.add_url_rule(f"{path}/<sort>", view.__name__, view)
