"""Differences, wider than the visible tests."""

from itertools import pairwise

import linediff
import pytest
from linediff import FormatError, Op, diff, hunks, ratio, reverse
from linediff.ops import new_lines, old_lines

PAIRS = [
    ("", ""),
    ("", "ab"),
    ("ab", ""),
    ("abc", "abc"),
    ("abc", "xyz"),
    ("abcabba", "cbabac"),
    ("aaaa", "aa"),
    ("abcdefgh", "bcdxfgy"),
    ("aXbXc", "XaXbXcX"),
]
NUMBERS = [str(number) for number in range(20)]


def test_a_diff_leads_from_the_old_to_the_new() -> None:
    for old, new in PAIRS:
        ops = diff(list(old), list(new))
        assert old_lines(ops) == list(old)
        assert new_lines(ops) == list(new)
        assert all(len(op) for op in ops)
        assert all(one.kind != other.kind for one, other in pairwise(ops))


def test_a_diff_is_as_short_as_it_can_be() -> None:
    kept = [sum(len(op) for op in diff(list(old), list(new)) if op.kind == "keep") for old, new in PAIRS]
    assert kept == [0, 0, 0, 3, 0, 4, 2, 5, 5]


def test_drops_come_before_adds() -> None:
    kinds = [op.kind for op in diff(list("abcd"), list("aXYd"))]
    assert kinds == ["keep", "drop", "add", "keep"]


def test_blanks() -> None:
    old, new = ["  a", "b\t c", "d"], ["a  ", "b c", "d e"]
    assert diff(old, new, ignore_blanks=True) == [
        Op("keep", ("a  ", "b c")),
        Op("drop", ("d",)),
        Op("add", ("d e",)),
    ]
    assert diff(["ab"], ["a b"], ignore_blanks=True)[0].kind == "drop"
    assert diff(["a "], ["a"])[0].kind == "drop"
    assert diff(["", "x"], [" ", "x"], ignore_blanks=True) == [Op("keep", (" ", "x"))]


def test_reverse() -> None:
    for old, new in PAIRS:
        ops = reverse(diff(list(old), list(new)))
        assert old_lines(ops) == list(new)
        assert new_lines(ops) == list(old)
        kinds = [op.kind for op in ops]
        assert not [pair for pair in pairwise(kinds) if pair == ("add", "drop")]
        assert reverse(ops) == diff(list(old), list(new))


def test_ratio() -> None:
    assert ratio([], []) == 1
    assert ratio([], ["a"]) == 0
    assert ratio(list("abcd"), list("bcde")) == 0.75


def test_hunks_that_meet_are_one() -> None:
    new = ["x" if number in (3, 9) else str(number) for number in range(20)]
    assert [(hunk.old_start, len(hunk.old)) for hunk in hunks(diff(NUMBERS, new))] == [(0, 13)]
    new = ["x" if number in (3, 11) else str(number) for number in range(20)]
    assert [(hunk.old_start, len(hunk.old)) for hunk in hunks(diff(NUMBERS, new))] == [(0, 7), (8, 7)]


def test_hunks_without_context() -> None:
    new = [*NUMBERS[:4], "x", "y", *NUMBERS[4:10], *NUMBERS[12:]]
    found = hunks(diff(NUMBERS, new), 0)
    assert [(hunk.old_start, hunk.new_start, hunk.old, hunk.new) for hunk in found] == [
        (4, 4, [], ["x", "y"]),
        (10, 12, ["10", "11"], []),
    ]
    assert hunks(diff(NUMBERS, NUMBERS)) == []
    with pytest.raises(FormatError, match="-1"):
        hunks([], -1)


def test_headers() -> None:
    def header(old: str, new: str) -> str:
        return linediff.unified(diff(list(old), list(new))).partition("\n")[0]

    assert header("a", "b") == "@@ -1 +1 @@"
    assert header("", "ab") == "@@ -0,0 +1,2 @@"
    assert header("a", "") == "@@ -1 +0,0 @@"
    assert header("abcdefgh", "abcdefgX") == "@@ -5,4 +5,4 @@"
    assert linediff.unified(diff(["a"], ["a"])) == ""


def test_side_by_side() -> None:
    def shown(old: str, new: str) -> list[str]:
        return linediff.side_by_side(diff(list(old), list(new))).split("\n")

    assert shown("abc", "ac") == ["a   a", "b <", "c   c"]
    assert shown("abc", "aXYc") == ["a   a", "b | X", "  > Y", "c   c"]
    assert shown("abcd", "aXd") == ["a   a", "b | X", "c <", "d   d"]
    assert shown("ab", "") == ["a <", "b <"]
    assert shown("", "a") == [" > a"]


def test_stat() -> None:
    assert linediff.stat(diff(list("abc"), list("aXYc"))) == "+2 -1"
    assert linediff.stat(diff([], ["a"])) == "+1 -0"
    assert linediff.stat(diff(["a", "b"], ["a"])) == "+0 -1"
    assert linediff.stat(diff(["a"], ["a"])) == "no change"
    assert linediff.stat([]) == "no change"


def test_inline() -> None:
    assert linediff.inline(diff(["one", "two"], ["one", "2"])) == "one\n[-two-]\n{+2+}"
    assert linediff.inline(diff([], ["a", "b"])) == "{+a+}\n{+b+}"
    assert linediff.inline([]) == ""
