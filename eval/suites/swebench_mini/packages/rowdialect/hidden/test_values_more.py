"""Writing and values, wider than the visible tests."""

import datetime
from decimal import Decimal

import pytest
import rowdialect
from rowdialect import COMMA, SEMICOLON, TAB, CellError, Dialect, RowError, read, scan, typed, write

PADDED = Dialect("padded", ",", trim=True, comment="--")
ODD = ["", " ", "  a", "b  ", "a,b", "a;b", '"', "'", '""', "#x", "--x", "two\nlines", "tab\there", "|", "plain"]


def test_what_is_written_is_read_as_it_was() -> None:
    for dialect in (COMMA, SEMICOLON, TAB):
        for rows in ([[cell, "x"] for cell in ODD], [["x", cell] for cell in ODD], [[cell] for cell in ODD]):
            assert list(scan(write(rows, dialect), dialect)) == rows, dialect.name


def test_what_is_written_with_padding_is_read_as_it_was() -> None:
    for rows in ([[cell, "x"] for cell in ODD], [["x", cell] for cell in ODD], [[cell] for cell in ODD]):
        assert list(scan(write(rows, PADDED), PADDED)) == rows


def test_no_more_quotes_than_needed() -> None:
    assert write([["a b", "it's", "#1"]]) == "a b,it's,#1\n"
    assert write([["a", "#1"]], TAB) == "a\t#1\n"
    assert write([["#1", "a"]], TAB) == '"#1"\ta\n'
    assert write([["", ""]]) == ",\n"
    assert write([[""]]) == '""\n'
    assert write([]) == ""
    with pytest.raises(RowError):
        write([[]])


def test_whole_numbers() -> None:
    assert rowdialect.to_int("-12") == -12
    assert rowdialect.to_int("1_000 000") == 1000000
    for text in ("", "1.5", "--1", "0x10", "1e3"):
        with pytest.raises(CellError):
            rowdialect.to_int(text)


def test_decimals() -> None:
    assert str(rowdialect.to_decimal(" 1.50 ")) == "1.50"
    assert rowdialect.to_decimal("1e3") == Decimal(1000)
    for text in ("", "abc", "1,5", "nan", "inf"):
        with pytest.raises(CellError):
            rowdialect.to_decimal(text)


def test_yes_and_no() -> None:
    for text in ("yes", "TRUE", " on ", "y", "1"):
        assert rowdialect.to_bool(text) is True
    for text in ("no", "False", "OFF", "n", " 0"):
        assert rowdialect.to_bool(text) is False


def test_neither_yes_nor_no() -> None:
    for text in ("", "maybe", "2", "yess", "10"):
        with pytest.raises(CellError):
            rowdialect.to_bool(text)


def test_dates() -> None:
    assert rowdialect.to_date(" 2024-02-29 ") == datetime.date(2024, 2, 29)
    for text in ("2023-02-29", "29.2.2024", ""):
        with pytest.raises(CellError):
            rowdialect.to_date(text)


def test_typed_columns() -> None:
    table = read("a,b,c\n1,2.50,\n , ,x\n")
    assert typed(table, {"a": "int", "b": "decimal"}) == [
        {"a": 1, "b": Decimal("2.50"), "c": ""},
        {"a": None, "b": None, "c": "x"},
    ]
    assert typed(table, {})[0] == {"a": "1", "b": "2.50", "c": ""}
    with pytest.raises(CellError, match="'x'"):
        typed(table, {"c": "int"})
    with pytest.raises(RowError, match="'number'"):
        typed(table, {"a": "number"})
