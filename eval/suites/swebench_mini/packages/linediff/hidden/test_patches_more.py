"""Patches, wider than the visible tests."""

import pytest
from linediff import apply, diff, hunks, parse, render

NUMBERS = [str(number) for number in range(30)]
EDITED = ["first", *NUMBERS[1:8], *NUMBERS[11:20], "x", "y", *NUMBERS[20:28], "last"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("", "ab"), ("ab", ""), ("a", "b"), ("abcdefgh", "abXcdefg"), ("aaaa", "aba"), ("", "")],
    ids=["made", "emptied", "one", "more", "equal", "nothing"],
)
def test_what_is_shown_can_be_applied(old: str, new: str) -> None:
    assert apply(list(old), parse(render(diff(list(old), list(new))))) == list(new)


def test_several_hunks() -> None:
    ops = diff(NUMBERS, EDITED)
    for context in (0, 1, 3):
        assert apply(list(NUMBERS), hunks(ops, context)) == EDITED
    assert len(hunks(ops, 1)) == 4
    assert apply(list(NUMBERS), parse(render(ops))) == EDITED


def test_several_hunks_that_have_moved() -> None:
    patch = hunks(diff(NUMBERS, EDITED), 1)
    assert apply(["title", "", *NUMBERS], patch) == ["title", "", *EDITED]
    assert apply(NUMBERS[4:], patch[1:]) == EDITED[4:]


def test_the_nearest_place_is_taken() -> None:
    old = ["a", "x", "b", "x", "c", "x"]
    patch = hunks(diff(old, ["a", "x", "b", "y", "c", "x"]), 0)
    assert apply(list(old), patch) == ["a", "x", "b", "y", "c", "x"]
    assert apply(["new", *old], hunks(diff(old, ["a", "x", "b", "y", "c", "x"]), 1))[4] == "y"


def test_positions_of_what_is_read() -> None:
    (hunk,) = parse("@@ -0,0 +1,2 @@\n+a\n+b")
    assert (hunk.old_start, hunk.new_start, hunk.old, hunk.new) == (0, 0, [], ["a", "b"])
    (hunk,) = parse("@@ -5,2 +4,0 @@ def f\n-a\n-b")
    assert (hunk.old_start, hunk.new_start) == (4, 4)
    (hunk,) = parse("@@ -3 +3 @@\n-a\n+b")
    assert (hunk.old_start, hunk.new_start) == (2, 2)


def test_lines_that_look_like_marks() -> None:
    old, new = ["-a", "+b", "@@ -1 +1 @@", " c"], ["-a", "++b", "", " c"]
    assert apply(list(old), parse(render(diff(old, new)))) == new


def test_a_blank_line_that_lost_its_blank() -> None:
    assert apply(["a", "", "b"], parse("@@ -1,3 +1,3 @@\n a\n\n-b\n+c")) == ["a", "", "c"]


def test_no_hunks() -> None:
    assert parse("") == []
    assert parse("only in a: b.txt\n") == []
    assert apply(["a"], []) == ["a"]


@pytest.mark.parametrize(
    "text",
    ["@@ -1,x +1 @@\n-a", "@@\n-a", "@@ -1,3 +1,3 @@\n a\n-b\n+c", "@@ -1 +1 @@\n-a\n*b"],
    ids=["number", "empty", "short", "mark"],
)
def test_what_is_no_diff(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)
