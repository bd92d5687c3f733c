"""Tables to texts, and cells to values."""

import datetime
from decimal import Decimal

import pytest
from rowdialect import CellError, Table, read, to_date, to_decimal, to_int, typed, write


def test_write() -> None:
    table = Table(["name", "says"], [["Ada", "a,b"], ["Alan", 'so "what"']])
    assert write(table) == 'name,says\nAda,"a,b"\nAlan,"so ""what"""\n'
    assert read(write(table)) == table


def test_converters() -> None:
    assert to_int("1 200") == 1200
    assert to_decimal("0.10") == Decimal("0.10")
    assert to_date("1815-12-10") == datetime.date(1815, 12, 10)
    with pytest.raises(CellError, match="twelve"):
        to_int("twelve")


def test_typed_rows() -> None:
    table = read("name,born\nAda,1815\nAnon,\n")
    assert typed(table, {"born": "int"}) == [{"name": "Ada", "born": 1815}, {"name": "Anon", "born": None}]
