"""Tokens one by one."""

import pytest
from tokkit import TokenStream, UnexpectedError, tokenize


def test_a_walk() -> None:
    stream = TokenStream(tokenize("select name -- all\nfrom people", "sql"))
    assert stream.expect("select").kind == "keyword"
    assert stream.expect_kind("name").text == "name"
    assert stream.accept("where") is None
    assert stream.accept("where", "FROM") is not None
    assert not stream.done
    assert stream.next().text == "people"
    assert stream.done
    assert stream.peek() is None


def test_what_was_not_expected() -> None:
    stream = TokenStream(tokenize("select 1", "sql"))
    stream.next()
    with pytest.raises(UnexpectedError, match="1:8: a name was expected, not '1'"):
        stream.expect_kind("name")
