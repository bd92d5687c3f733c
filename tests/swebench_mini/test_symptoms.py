"""From failing tests to what a user writes; and patches, and what one text quotes of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.suites.swebench_mini.runs import Told, run_programs, run_tests, write_files
from eval.suites.swebench_mini.statements import can_be_told, statement
from eval.suites.swebench_mini.symptoms import Example, example_of

TESTS = """
import pytest
from lib import Box, fill
from lib.inner import secret

SIZE = 3


def made(count):
    return Box(count + SIZE)


def test_plain():
    box = Box(2)
    other = Box(1)
    assert box.add(5)
    box.close()
    assert not box.total(
        twice=True
    )


def test_helper():
    assert made(2).total() == fill(made(2))


@pytest.mark.parametrize("text", ["a", "b"])
def test_given(text):
    with pytest.raises(ValueError, match="x"):
        fill(text)


def test_loop():
    for number in range(3):
        assert fill(number)


def test_secret():
    assert secret(1) == 2


def test_private():
    assert Box(1)._rows == []


def test_fixture(tmp_path):
    assert fill(tmp_path)
"""


def line(text: str) -> int:
    return next(number for number, each in enumerate(TESTS.splitlines(), 1) if text in each)


def shown(at: str, **parameters: str) -> Example | None:
    return example_of(TESTS, line(at), parameters, module="lib/inner.py")


def test_an_example_has_what_it_needs_and_no_test() -> None:
    assert shown("assert not box.total") == Example(
        "from lib import Box\nbox = Box(2)\nbox.add(5)\nbox.close()", "box.total(\n    twice=True\n)"
    )
    helper = shown("assert made(2)")
    assert helper is not None
    assert helper.setup == "from lib import Box\nSIZE = 3\ndef made(count):\n    return Box(count + SIZE)"
    assert helper.expression == "made(2).total()"
    for at in ("with pytest.raises", "        fill(text)"):
        assert shown(at, text="'a'") == Example("from lib import fill\ntext = 'a'", "fill(text)")


@pytest.mark.parametrize("at", ["assert fill(number)", "assert secret", "assert Box(1)", "fill(tmp_path)", "SIZE = 3"])
def test_what_no_user_would_show_is_no_example(at: str) -> None:
    assert shown(at) is None


OTHERS = """
import unittest

import lib as li
from lib import Box, fill as filled
from .near import helper


class Case(unittest.TestCase):
    def setUp(self):
        self.box = Box(1)

    def test_equal(self):
        for given, wanted in [(1, 2), (3, 4)]:
            size = given + 1
            with self.subTest(given=given):
                self.assertEqual(wanted, filled(size, given))

    def test_raises(self):
        with self.assertRaises(ValueError):
            li.fill(0)
        self.assertRaisesRegex(KeyError, "no", li.fill, 1, twice=True)

    def test_own(self):
        self.assertTrue(self.box.add(1))

    def test_near(self):
        self.assertEqual(helper(1), 1)

    def test_many(self):
        for given in things():
            self.assertEqual(filled(given), 1)
"""


def shown_local(at: str, **local: str) -> Example | None:
    number = next(number for number, each in enumerate(OTHERS.splitlines(), 1) if at in each)
    return example_of(OTHERS, number, {}, local=local)


def test_with_local_variables_tests_in_classes_and_loops_are_shown() -> None:
    assert shown_local("filled(size, given)", given="3", wanted="4") == Example(
        "from lib import fill as filled\ngiven = 3\nsize = given + 1", "filled(size, given)"
    )
    assert shown_local("li.fill(0)") == Example("import lib as li", "li.fill(0)")
    assert shown_local("KeyError") == Example("import lib as li", "li.fill(1, twice=True)")
    assert shown_local("self.box.add") is None, "what a test keeps in itself"
    assert shown_local("helper(1)") is None, "a helper beside the test"
    assert shown_local("filled(given)", given="<object>") is None
    assert shown_local("filled(given)") is None
    number = next(number for number, each in enumerate(OTHERS.splitlines(), 1) if "li.fill(0)" in each)
    assert example_of(OTHERS, number, {}) is None, "only with local variables"


def test_a_parameter_that_cannot_be_written_down_is_no_example() -> None:
    assert shown("        fill(text)", text="<object at 0x1>") is None


def test_programs_tell_values_and_errors_and_those_without_end_tell_nothing(tmp_path: Path) -> None:
    write_files(tmp_path / "tree", {"lib/__init__.py": "def half(n):\n    return 7 // n\n"})
    texts = {
        "good": Example("from lib import half", "half(2)").program,
        "bad": Example("from lib import half", "half(\n0)").program,
        "odd": Example("from lib import half", "half(").program,
        "left": Example("import os", "os._exit(0)").program,
    }
    told = run_programs({tmp_path / "tree": texts})["tree"]
    assert told["good"] == Told("3", False)
    assert told["bad"] == Told("ZeroDivisionError: integer division or modulo by zero", True)
    assert told["odd"].is_error
    assert "left" not in told


@pytest.mark.long
def test_tests_of_a_tree_are_told_with_the_lines_where_they_fail(tmp_path: Path) -> None:
    text = "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    assert n == 1\n"
    good = write_files(tmp_path / "good", {"tests/test_a.py": text, "hidden/test_b.py": "def test_b(): pass\n"})
    hidden = "def test_b():\n    test_c()\n\n\ndef test_c():\n    n = 0\n    while True:\n        n += 1\n"
    endless = write_files(tmp_path / "endless", {"tests/test_a.py": text, "hidden/test_b.py": hidden})
    ran = run_tests([good, endless])
    assert ran["good"].statuses == {
        "tests/test_a.py::test_a[1]": "PASSED",
        "tests/test_a.py::test_a[2]": "FAILED",
        "hidden/test_b.py::test_b": "PASSED",
    }
    failure = ran["good"].failures["tests/test_a.py::test_a[2]"]
    assert (failure.line, failure.parameters) == (6, {"n": "2"})
    assert not ran["endless"].statuses


CALL = Example("from lib import half", "half(2)")


def test_a_report_shows_what_was_run_and_what_should_come_of_it() -> None:
    texts = {
        statement(CALL, Told("3", False), Told("3.5", False), library="lib", about=(0, str(number)))
        for number in range(60)
    }
    assert len(texts) > 50
    for text in texts:
        for part in ("half(2)", "from lib import half", "`3.5`", "```python"):
            assert part in text, text
        assert "3" in text.replace("`3.5`", "")


def test_what_should_do_nothing_is_not_called_a_value() -> None:
    text = statement(CALL, Told("E: x", True), Told("None", False), library="lib", about=(0,))
    assert "None" not in text


def test_what_is_shown_reads_as_somebody_types_it() -> None:
    helper = Example("from lib import half\ndef twice(n):  # type: ignore\n    return half(n)\ntwo = 2", "twice(two)")
    nothing = Told("None", False)
    for number in range(20):
        text = statement(helper, nothing, Told("3", False), library="lib", about=(number,))
        assert "import half\n\ndef twice(n):\n    return half(n)\n\ntwo = 2\ntwice(two)\n```" in text
        assert ">>>" not in statement(CALL, nothing, Told("3", False), library="lib", about=(number,)), (
            "it shows no None"
        )


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (Told("3", False), Told("3", False)),
        (Told("<lib.Box at 0x7f>", False), Told("3", False)),
        (Told("3", False), Told("a\nb", False)),
        (Told("3" * 500, False), Told("3", False)),
        (Told("TypeError: part_helper() takes 1 argument", True), Told("3", False)),
        (Told("AttributeError: no attribute '_rows'", True), Told("3", False)),
    ],
)
def test_what_a_user_cannot_tell_is_not_told(got: Told, wanted: Told) -> None:
    assert not can_be_told(got, wanted, {"part_helper"})
    assert can_be_told(Told("TypeError: part() takes 1 argument", True), Told("3", False), {"part_helper"})
