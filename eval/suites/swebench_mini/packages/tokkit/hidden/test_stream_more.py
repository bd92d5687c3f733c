"""Streams, wider than the visible tests."""

import pytest
from tokkit import EndError, Token, TokenError, TokenStream, UnexpectedError, tokenize


def stream(text: str) -> TokenStream:
    return TokenStream(tokenize(text, "sql"))


def test_peek_and_back() -> None:
    walk = stream("a b -- c\n d")
    assert [token.text if token else None for token in map(walk.peek, range(4))] == ["a", "b", "d", None]
    kept = walk.position
    walk.next()
    walk.next()
    walk.position = kept
    assert walk.next().text == "a"
    assert not walk.done


def test_accept() -> None:
    walk = stream("Select Name")
    assert walk.accept("from", "select")
    assert walk.accept("name") is None
    assert walk.accept("Name")
    assert walk.accept("x") is None
    assert walk.done


def test_expect() -> None:
    walk = stream("order\n  by 1")
    walk.expect("ORDER")
    with pytest.raises(UnexpectedError, match="2:3: 'x' was expected, not 'by'"):
        walk.expect("x")
    assert walk.expect_kind("number").text == "1"


def test_the_end() -> None:
    walk = stream("-- nothing")
    assert walk.done
    assert walk.peek(3) is None
    for use in (walk.next, lambda: walk.expect("a"), lambda: walk.expect_kind("name")):
        with pytest.raises((TokenError, EOFError, ValueError)):
            use()
    with pytest.raises((TokenError, EOFError, ValueError)):
        stream("a").peek(0) and stream("").next()


def test_texts_of_keywords_in_any_case() -> None:
    keyword, name = tokenize("FROM From_", "sql")
    assert keyword.is_text("from", "x")
    assert not name.is_text("from_")
    assert isinstance(name, Token)
    assert issubclass(EndError, TokenError)
