"""What a command prints is the same at any time; what it says of the task stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.suites.code.printed import repeatable


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("=== 3 passed, 1 failed in 0.12s ===", "=== 3 passed, 1 failed in 12.90s ==="),
        ("10 passed in 61.20s (0:01:01)", "10 passed in 0.20s"),
        ("Ran 3 tests in 0.001s", "Ran 3 tests in 0.104s"),
        ("0.25s call     tests/test_a.py::test_a", "0.31s call     tests/test_a.py::test_a"),
        ("real\t0m0.012s\nuser\t0m0.002s\nsys\t0m0.001s", "real\t1m0.112s\nuser\t0m2.002s\nsys\t0m0.003s"),
        ("1000 loops, best of 5: 2.31 usec per loop", "1000 loops, best of 5: 412 nsec per loop"),
        ("<a.B object at 0x7f3a1c0d2e50>", "<a.B object at 0x7fffee12a010>"),
        ("open('/tmp/tmpab12_x9z/a.py')", "open('/tmp/tmpq0000000/a.py')"),
        ("/tmp/tmp.8h49LYEU2n", "/tmp/tmp.aaaaaaaaaa"),
    ],
)
def test_what_changes_from_one_time_to_the_next_is_gone(first: str, second: str) -> None:
    assert repeatable(first) == repeatable(second)


@pytest.mark.parametrize(
    "text",
    ["passed in 3 steps", "in 0.5 seconds it", "x = 0x7f3a1c", "at 0x1F", "/tmp/tmp", "/tmp/report.txt", "real 0m"],
)
def test_what_does_not_stays(text: str) -> None:
    assert repeatable(text) == text


@given(st.text())
def test_twice_is_the_same_as_once(text: str) -> None:
    assert repeatable(repeatable(text)) == repeatable(text)
