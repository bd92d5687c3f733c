"""What every change of this library has to keep."""

import inspect

import linediff
import pytest
from linediff import DiffError, diff, formats, hunks

OLD = ["one", "two", "three", "four", "five"]
NEW = ["1", "two", "four", "five", "six"]


def test_every_format_is_registered_and_public() -> None:
    made = {
        name: value
        for name, value in vars(formats).items()
        if inspect.isfunction(value) and value.__module__ == formats.__name__ and name not in ("render", "span")
    }
    made = {name: value for name, value in made.items() if list(inspect.signature(value).parameters)[:1] == ["ops"]}
    assert set(formats.FORMATS.values()) == set(made.values())
    assert {"inline", "side_by_side", "stat", "unified"} <= set(formats.FORMATS) & set(linediff.__all__)
    for name in formats.FORMATS:
        assert linediff.render(diff(OLD, NEW), name) == formats.FORMATS[name](diff(OLD, NEW))


def test_applying_leaves_the_text_as_it_is() -> None:
    old = list(OLD)
    patch = hunks(diff(OLD, NEW), 0)
    linediff.apply(old, patch)
    assert old == OLD
    assert patch == hunks(diff(OLD, NEW), 0)


def test_reversing_leaves_the_diff_as_it_is() -> None:
    ops = diff(OLD, NEW)
    linediff.reverse(ops)
    assert ops == diff(OLD, NEW)


def test_a_header_that_is_none_is_an_error_of_ours() -> None:
    for header in ("@@ -1,x +1 @@", "@@ -1,2 @@", "@@ one @@", "@@"):
        with pytest.raises(DiffError) as caught:
            linediff.parse(f"{header}\n-a\n+b\n")
        assert repr(header) in str(caught.value)


def test_a_hunk_that_is_cut_off_is_an_error_of_ours() -> None:
    for text in ("@@ -1,3 +1,3 @@\n a\n-b\n+c\n", "@@ -1,2 +0,0 @@\n-a\n@@ -9 +9 @@\n-x\n+y\n"):
        with pytest.raises(DiffError) as caught:
            linediff.parse(text)
        assert repr(text.splitlines()[0]) in str(caught.value)


def test_a_hunk_that_fits_nowhere_is_an_error_of_ours() -> None:
    patch = hunks(diff(OLD, NEW))
    with pytest.raises(DiffError, match="three"):
        linediff.apply(["one", "two", "four", "five"], patch)
