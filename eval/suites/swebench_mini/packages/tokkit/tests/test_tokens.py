"""Texts to tokens."""

import pytest
from tokkit import LanguageError, LexError, Place, highlight, language_names, strip_comments, tokenize


def kinds(text: str, of: str) -> list[str]:
    return [token.kind for token in tokenize(text, of)]


def test_kinds() -> None:
    assert kinds("limit = 10 ; per page", "ini") == ["name", "operator", "number", "comment"]
    assert kinds("SELECT name FROM t", "sql") == ["keyword", "name", "keyword", "name"]
    assert kinds('{"a": [1, true]}', "json")[1:5] == ["string", "operator", "operator", "number"]
    assert kinds("12.5% * 3", "calc") == ["percent", "operator", "number"]


def test_the_longest_operator() -> None:
    assert [token.text for token in tokenize("a<=b<>c", "sql")] == ["a", "<=", "b", "<>", "c"]


def test_places() -> None:
    tokens = tokenize("a =\n  12", "calc")
    assert [token.place for token in tokens] == [Place(1, 1), Place(1, 3), Place(2, 3)]
    assert str(tokens[2].place) == "2:3"
    assert tokens[2].end == 8


def test_what_is_no_token() -> None:
    with pytest.raises(LexError, match="1:5"):
        tokenize("1 + ?", "calc")
    with pytest.raises(LanguageError, match="cobol"):
        tokenize("", "cobol")
    assert "sql" in language_names()


def test_highlight() -> None:
    assert highlight("limit = 10", "ini") == "limit <blue>=</blue> <cyan>10</cyan>"


def test_strip_comments() -> None:
    assert strip_comments("a = 1 ; one\nb = 2\n", "ini") == "a = 1\nb = 2\n"
