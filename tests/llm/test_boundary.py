"""The boundary: what an attempt's edge lets out, what a thread hands over, what a host agent is spared."""

from __future__ import annotations

import logging
from functools import partial
from typing import Literal, NoReturn

import pytest

from reasoningbank.boundary import attempt_edge, capture, guard, one_line, traceback_text
from reasoningbank.errors import AgentError, BankError, InfraError, LimitReached, SetupError, UnusableReply

Source = Literal["agent", "environment", "model"]


def throw(error: BaseException) -> NoReturn:
    raise error


@pytest.mark.parametrize("source", ["agent", "environment", "model"])
@pytest.mark.parametrize("kind", [SetupError, BankError, InfraError, AgentError, LimitReached, KeyboardInterrupt])
def test_what_the_runner_knows_passes_unchanged(kind: type[BaseException], source: Source) -> None:
    error = kind("as it is")
    with pytest.raises(kind) as caught:
        attempt_edge(lambda: throw(error), source=source)
    assert caught.value is error


@pytest.mark.parametrize("error", [KeyError("bid"), RecursionError(), UnusableReply("no action", "text")])
def test_the_unexpected_is_the_fault_of_its_source(error: Exception) -> None:
    with pytest.raises(AgentError, match=type(error).__name__):
        attempt_edge(lambda: throw(error), source="agent")
    around: tuple[Source, ...] = ("environment", "model")
    for source in around:
        with pytest.raises(InfraError, match=type(error).__name__) as caught:
            attempt_edge(lambda: throw(error), source=source)
        assert caught.value.__cause__ is error
        assert "throw" in traceback_text(caught.value)


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left on device"), ConnectionResetError()])
def test_want_of_resources_is_never_the_agents_fault(error: Exception) -> None:
    with pytest.raises(InfraError):
        attempt_edge(lambda: throw(error), source="agent")


def test_a_value_passes() -> None:
    assert attempt_edge(lambda: 3, source="agent") == 3
    assert capture(lambda: 3).unwrap() == 3
    assert capture(lambda: None).unwrap() is None
    assert guard(lambda: 3, doing="learn").unwrap() == 3


def test_a_thread_hands_over_whatever_it_raised() -> None:
    for error in (InfraError("x"), KeyError("y"), SystemExit(1)):
        with pytest.raises(type(error)) as caught:
            capture(partial(throw, error)).unwrap()
        assert caught.value is error


def test_a_failing_learn_is_logged_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("broken")
    with caplog.at_level(logging.ERROR, logger="reasoningbank"):
        result = guard(lambda: throw(error), doing="learn")
    assert result.error is error
    assert "learn failed" in caplog.text
    assert "ValueError: broken" in caplog.text


def test_a_guard_lets_through_what_only_the_caller_can_mend() -> None:
    for kind in (SetupError, BankError, KeyboardInterrupt):
        with pytest.raises(kind):
            guard(partial(throw, kind("x")), doing="learn")


def test_one_line_is_one_line_with_its_place() -> None:
    error = capture(lambda: throw(ValueError("two\nlines"))).error
    assert error is not None
    assert one_line(error).startswith("ValueError: two lines (test_boundary.py:")
    assert "\n" not in one_line(error)
    assert one_line(ValueError()) == "ValueError"
