"""Reading, wider than the visible tests."""

import pytest
import rowdialect
from rowdialect import COMMA, SEMICOLON, TAB, Dialect, DialectError, QuoteError, RowError, Table, guess, read, scan

PADDED = Dialect("padded", ",", trim=True)


def test_the_last_line_needs_no_newline() -> None:
    assert list(scan("a,b")) == [["a", "b"]]
    assert list(scan("a,")) == [["a", ""]]
    assert list(scan(",\n,")) == [["", ""], ["", ""]]
    assert list(scan("")) == []
    assert list(scan('""')) == [[""]]


def test_blank_lines_and_comments() -> None:
    assert list(scan("\n  \na\n\n")) == [["a"]]
    assert list(scan("a\tb\n#x\ty\n1\t#2\n", TAB)) == [["a", "b"], ["1", "#2"]]
    assert list(scan("#a,b\n")) == [["#a", "b"]]


def test_quotes() -> None:
    assert list(scan('a"b,c\n')) == [['a"b', "c"]]
    assert list(scan('"",""""\n')) == [["", '"']]
    assert list(scan('"a\r\nb",c\r\nd,e')) == [["a\nb", "c"], ["d", "e"]]
    assert list(scan(' "a",b')) == [[' "a"', "b"]]


def test_text_after_a_quoted_cell() -> None:
    with pytest.raises(QuoteError, match="line 2"):
        list(scan('a,b\n"c"d,e\n'))


def test_a_quote_that_is_never_closed() -> None:
    for text in ('a,"b\nc,d\n', '"', 'x\n"a""'):
        with pytest.raises((ValueError, EOFError)):
            list(scan(text))


def test_padded_cells() -> None:
    assert list(scan("a , b c ,  \n", PADDED)) == [["a", "b c", ""]]
    assert list(scan(' "a" , "b,c"\n', PADDED)) == [["a", "b,c"]]


def test_blanks_inside_quotes_belong_to_the_cell() -> None:
    assert list(scan('" a "," b"\n', PADDED)) == [[" a ", " b"]]
    assert list(scan('  "  "  , x\n', PADDED)) == [["  ", "x"]]


def test_pipes() -> None:
    text = "-- people\nname | born\nAda  | 1815\n"
    assert list(scan(text, rowdialect.PIPE)) == [["name", "born"], ["Ada", "1815"]]
    assert list(scan('"a|b" | c', rowdialect.PIPE)) == [["a|b", "c"]]
    assert rowdialect.PIPE.delimiter == "|"


def test_dialects_that_cannot_be() -> None:
    for delimiter, quote in ((";;", '"'), (";", ""), ("'", "'")):
        with pytest.raises(DialectError):
            Dialect("odd", delimiter, quote=quote)


def test_guess() -> None:
    assert guess("a\tb,c\n1\t2\n") == TAB
    assert guess("a;b;c\n1,5;2,5;3\n4,5;5,5;6\n") == SEMICOLON
    with pytest.raises(DialectError):
        guess("one\ntwo\n")
    with pytest.raises(DialectError):
        guess("")


def test_guess_looks_past_quotes() -> None:
    assert guess('a,b\n"1;2;3",4\n"5;6;7",8\n') == COMMA
    assert guess('"x;1;2;3",b\n"1;2;3;4",4\n') == COMMA
    assert guess('a;b\n"1,2,3";4\n"5,6,7";8\n') == SEMICOLON
    assert guess('"x,y,z";b\n"5,6,7";8\n') == SEMICOLON


def test_guess_looks_past_comments() -> None:
    assert guess("# copied\na\tb\n1\t2\n") == TAB
    assert guess("a,b\n# 1,2\n3,4\n") == COMMA


def test_tables() -> None:
    table = read("a,b\n2,x\n10,y\n2,w\n")
    assert table.sorted_by("a").column("b") == ["y", "x", "w"]
    assert table.sorted_by("a", "b").column("b") == ["y", "w", "x"]
    assert table.column("b") == ["x", "y", "w"]
    assert table.select("b", "a").header == ["b", "a"]
    assert len(read("a\n")) == 0


def test_a_missing_column() -> None:
    table = read("a,b\n1,2\n")
    for use in (table.column, table.select, table.sorted_by):
        with pytest.raises((ValueError, KeyError)) as caught:
            use("c")
        assert "column" in str(caught.value)


def test_tables_that_cannot_be() -> None:
    with pytest.raises(RowError, match="row 1 has 3"):
        read("a,b\n1,2,3\n")
    with pytest.raises(RowError, match="'a'"):
        Table(["a", "b", "a"], [])
    with pytest.raises(RowError, match="header"):
        read("\n\n")
