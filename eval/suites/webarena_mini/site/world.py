"""How a world becomes bytes, the same ones for the same data, of which each attempt gets its own copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path


def serialized(schema: Path, fill: Callable[[sqlite3.Connection], None]) -> bytes:
    """A database of a schema with what `fill` puts into it."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(schema.read_text(encoding="utf-8"))
        with connection:
            fill(connection)
        connection.execute("ANALYZE")
        connection.commit()
        return connection.serialize()
    finally:
        connection.close()
