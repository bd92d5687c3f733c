"""Search for posts: every word must be in the title, the text or the link. It also finds people and forums by name."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_lists import paged
from eval.suites.webarena_mini.site import db

MOST_WORDS = 12
PEOPLE = "SELECT name, name AS title FROM users WHERE instr(lower(name), lower(?)) > 0 ORDER BY name LIMIT 6"
BOARDS = "SELECT name, title FROM forums WHERE instr(lower(name || ' ' || title), lower(?)) > 0 ORDER BY name LIMIT 6"


def search() -> Response:
    """The posts that are found, newest first."""
    query = "".join(letter for letter in request.args.get("q", "") if letter.isprintable()).strip()[:200]
    words = query.split()[:MOST_WORDS]
    posts, more = list[sqlite3.Row](), ""
    if words:
        where = " AND ".join(["instr(lower(title || ' ' || body || ' ' || url), lower(?)) > 0"] * len(words))
        posts, more = paged(where, words, "created_at DESC, id DESC", "/search", q=query)
    return layout.page(
        "search.html",
        "Search",
        crumbs=[("Home", "/")],
        q=query,
        people=db.rows(PEOPLE, query),
        boards=db.rows(BOARDS, query),
        posts=posts,
        more=more,
    )


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/search", "search", search)
