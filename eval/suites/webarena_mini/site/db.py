"""The attempt's own database, found in the request; and the words of a page's address."""

from __future__ import annotations

import re
import sqlite3
from typing import Any
from urllib.parse import urlencode

from flask import request


def connection() -> sqlite3.Connection:
    """The connection that whoever sends the request put into its WSGI environment."""
    found = request.environ["site.db"]
    assert isinstance(found, sqlite3.Connection)
    return found


def rows(sql: str, *values: object) -> list[sqlite3.Row]:
    """All rows, with names. The connection itself is left as it was given."""
    cursor = connection().cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(sql, values).fetchall()


def row(sql: str, *values: object) -> sqlite3.Row | None:
    """The first row or None."""
    found = rows(sql, *values)
    return found[0] if found else None


def value(sql: str, *values: object) -> Any:
    """The first column of the first row; None where there is no row."""
    found = connection().execute(sql, values).fetchone()
    return found[0] if found else None


def today() -> str:
    """The world's date as ISO text."""
    return str(value("SELECT value FROM world WHERE key = 'now'"))


def notice(text: str) -> None:
    """Says something on the next page that is shown."""
    with connection() as db:
        db.execute("INSERT INTO notices (text) VALUES (?)", (text,))


def take_notices() -> list[str]:
    """What there is to say now; each notice is shown once."""
    found = [str(line["text"]) for line in rows("SELECT text FROM notices ORDER BY id")]
    if found:
        with connection() as db:
            db.execute("DELETE FROM notices")
    return found


def whole_number(text: str | None, highest: int = 9999) -> int | None:
    """A plain number from 0 to `highest`; None for anything else (signs, letters, other scripts' digits, too large)."""
    if text is None or not re.fullmatch(r"[0-9]{1,9}", text.strip(), re.ASCII):
        return None
    number = int(text.strip())
    return number if number <= highest else None


def page_number(name: str, last: int) -> int:
    """A page parameter of the address, within 1 and `last`; nonsense means the first page."""
    return max(1, min(whole_number(request.args.get(name), 999_999_999) or 1, last))


def link(path: str, **parameters: object) -> str:
    """An address with its parameters in the given order, without the empty ones."""
    query = urlencode([(key, text) for key, text in parameters.items() if text not in ("", None)])
    return f"{path}?{query}" if query else path
