"""What every change of this library has to keep."""

from pathlib import Path

import pytest
import spantree
from spantree import Span, SpanTree

ROOT = Path(spantree.__file__).resolve().parent.parent


def test_the_old_name_of_merge_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="merge"):
        assert spantree.union([Span(0, 2), Span(1, 5)]) == [Span(0, 5)]
    assert {"union", "covered"} <= set(spantree.__all__)


def test_the_old_name_of_discard_works_and_warns() -> None:
    tree = SpanTree([Span(0, 2), Span(1, 5)])
    with pytest.warns(DeprecationWarning, match="discard"):
        assert tree.remove(Span(0, 2))
    assert list(tree) == [Span(1, 5)]


def test_the_older_names_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="coverage"):
        assert spantree.covered([Span(0, 2)]) == 2
    with pytest.warns(DeprecationWarning, match="at"):
        assert SpanTree([Span(0, 2)]).stab(1) == [Span(0, 2)]


def test_a_span_that_ends_too_early_is_an_error_of_ours() -> None:
    with pytest.raises(spantree.SpanTreeError, match="from 9 to 4"):
        Span(9, 4)
    with pytest.raises(spantree.SpanTreeError, match="from 12 to 2"):
        spantree.read("12..2 backwards\n")


@pytest.mark.parametrize("line", ["3-9", "a..b", "7", "1..2..3", "1..x4", "x1..2"])
def test_a_line_that_is_no_span_is_an_error_of_ours(line: str) -> None:
    with pytest.raises(spantree.SpanTreeError) as caught:
        spantree.read(f"0..4 intro\n{line}\n")
    assert line in str(caught.value)


def test_every_change_is_in_the_changelog() -> None:
    """Four things have changed since 1.2.0."""
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert unreleased.startswith("Unreleased\n")
    assert len([line for line in unreleased.splitlines() if line.startswith("- ")]) >= 4
