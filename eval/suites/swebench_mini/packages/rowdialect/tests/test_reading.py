"""Texts to tables."""

import pytest
from rowdialect import COMMA, SEMICOLON, TAB, Dialect, DialectError, WidthError, dialect, guess, read, scan


def test_rows() -> None:
    assert list(scan("a,b\n1,2\n")) == [["a", "b"], ["1", "2"]]
    assert list(scan("a,b\r\n\r\n1,\r\n")) == [["a", "b"], ["1", ""]]


def test_quotes() -> None:
    assert list(scan('"a,b",c\n')) == [["a,b", "c"]]
    assert list(scan('"say ""hi""",x\n"two\nlines",y')) == [['say "hi"', "x"], ["two\nlines", "y"]]


def test_dialects() -> None:
    assert list(scan('"a;b";c', SEMICOLON)) == [["a;b", "c"]]
    assert list(scan("# copied\na\tb\n", TAB)) == [["a", "b"]]
    assert dialect("comma") == COMMA
    with pytest.raises(DialectError, match="colon"):
        dialect("colon")


def test_trimmed_cells() -> None:
    padded = Dialect("padded", ",", trim=True)
    assert list(scan("a , b\n 1,2 \n", padded)) == [["a", "b"], ["1", "2"]]


def test_tables() -> None:
    table = read("name,born\nAda,1815\nAlan,1912\n")
    assert len(table) == 2
    assert table.column("born") == ["1815", "1912"]
    assert table.records()[0] == {"name": "Ada", "born": "1815"}
    assert table.select("born").rows == [["1815"], ["1912"]]
    assert read("1,2", header=["a", "b"]).column("b") == ["2"]


def test_rows_that_are_too_short() -> None:
    with pytest.raises(WidthError, match="row 2"):
        read("a,b\n1,2\n3\n")


def test_guess() -> None:
    assert guess("a,b,c\n1,2,3\n") == COMMA
    assert guess("a;b\n1,5;2\n") == SEMICOLON
