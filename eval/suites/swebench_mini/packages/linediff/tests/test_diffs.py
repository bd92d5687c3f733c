"""Finding and showing differences."""

import pytest
from linediff import FormatError, Op, diff, hunks, ratio, render

OLD = ["one", "two", "three"]
NEW = ["one", "2", "three", "four"]


def test_a_diff() -> None:
    assert diff(OLD, NEW) == [
        Op("keep", ("one",)),
        Op("drop", ("two",)),
        Op("add", ("2",)),
        Op("keep", ("three",)),
        Op("add", ("four",)),
    ]
    assert diff(OLD, OLD) == [Op("keep", tuple(OLD))]


def test_blanks_can_be_ignored() -> None:
    assert diff(["a  b "], ["a b"], ignore_blanks=True) == [Op("keep", ("a b",))]


def test_ratio() -> None:
    assert ratio(OLD, OLD) == 1
    assert ratio(OLD, ["x"]) == 0
    assert ratio(OLD, NEW) == pytest.approx(4 / 7)


def test_unified() -> None:
    assert render(diff(OLD, NEW)) == "@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four"
    with pytest.raises(FormatError, match="html"):
        render([], "html")


def test_far_changes_are_hunks_of_their_own() -> None:
    old = [str(number) for number in range(20)]
    new = ["first", *old[1:-1], "last"]
    assert [(hunk.old_start, len(hunk.old)) for hunk in hunks(diff(old, new))] == [(0, 4), (16, 4)]


def test_side_by_side() -> None:
    assert render(diff(OLD, NEW), "side_by_side") == "one     one\ntwo   | 2\nthree   three\n      > four"
