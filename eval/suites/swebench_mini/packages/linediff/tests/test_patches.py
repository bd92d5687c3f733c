"""Applying differences."""

import pytest
from linediff import ApplyError, apply, diff, hunks, parse, render, reverse

OLD = ["one", "two", "three", "four", "five"]
NEW = ["one", "2", "three", "four", "five", "six"]


def test_what_is_shown_can_be_applied() -> None:
    assert apply(list(OLD), parse(render(diff(OLD, NEW)))) == NEW


def test_back_again() -> None:
    assert apply(list(NEW), hunks(reverse(diff(OLD, NEW)))) == OLD


def test_a_hunk_that_has_moved() -> None:
    patch = hunks(diff(OLD, ["one", "2", *OLD[2:]]))
    assert apply(["zero", *OLD], patch) == ["zero", "one", "2", *OLD[2:]]


def test_a_hunk_that_fits_nowhere() -> None:
    patch = hunks(diff(OLD, NEW))
    with pytest.raises(ApplyError, match="two"):
        apply(["one", "three"], patch)


def test_file_names_are_skipped() -> None:
    text = "--- a.txt\n+++ b.txt\n@@ -1 +1 @@\n-one\n+1\n"
    assert apply(["one"], parse(text)) == ["1"]
