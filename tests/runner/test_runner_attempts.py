"""How attempts end: what the evaluator gets at each exit, that environments are closed, and k in the identity."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import TINY
from watched_bench import EnvironmentAround, SuiteAround, bench_of, run_bench

from eval.__main__ import main
from eval.config.load import load_config
from eval.journal import JournalLine
from eval.runs.identity import identity
from eval.suites.base import Suite
from eval.suites.webarena_mini.suite import WebArenaMini
from eval.workbench import Workbench, build_workbench
from reasoningbank.errors import AgentError, InfraError, LimitReached
from reasoningbank.interfaces import Calls, Environment, Evidence, Observation
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.types import Exit, Task, Trajectory


class Knowing:
    """An agent that knows the sum, and ends its attempt by `exit` all the same; or with an exception."""

    def __init__(self, exit: Exit, failing: BaseException | None = None) -> None:
        self._exit = exit
        self._failing = failing

    def run(self, task: Task, env: Environment, calls: Calls, *, attempt_id: str, memory: str, seed: int) -> Trajectory:
        seen = env.reset(task, seed)
        if self._failing is not None:
            raise self._failing
        left, right = task.intent.removeprefix("What is ").removesuffix("?").split(" + ")
        return Trajectory(
            attempt_id=attempt_id,
            task=task,
            steps=(),
            exit=self._exit,
            answer=str(int(left) + int(right)),
            final_observation=seen.text,
        )


class Counting(SuiteAround):
    """Counts what is done to its environments."""

    def __init__(self, inner: Suite, *, breaks_at: str = "") -> None:
        super().__init__(inner)
        self.done: Counter[str] = Counter()
        self.answers: list[str | None] = []
        self._breaks_at = breaks_at
        self._lock = threading.Lock()

    def environment(self, task: Task) -> Environment:
        self.note("open")
        return CountedEnvironment(self.inner.environment(task), self)

    def note(self, what: str) -> None:
        with self._lock:
            self.done[what] += 1
        if what == self._breaks_at:
            raise ZeroDivisionError(what)


class CountedEnvironment(EnvironmentAround):
    def __init__(self, inner: Environment, suite: Counting) -> None:
        super().__init__(inner)
        self._suite = suite

    def reset(self, task: Task, seed: int) -> Observation:
        self._suite.note("reset")
        return self.inner.reset(task, seed)

    def finish(self, answer: str | None) -> Evidence:
        self._suite.note("finish")
        self._suite.answers.append(answer)
        return self.inner.finish(answer)

    def close(self) -> None:
        self._suite.note("close")
        self.inner.close()


def counted(bench: Workbench, **changes: Any) -> tuple[Counting, Workbench]:
    suite = Counting(bench.suite, breaks_at=changes.pop("breaks_at", ""))
    return suite, replace(bench, suite=suite, **changes)


@pytest.mark.parametrize("exit", ["limit", "agent_error"])
def test_an_attempt_that_was_cut_short_has_given_no_answer(exit: Exit, tmp_path: Path) -> None:
    suite, bench = counted(bench_of("memory=none", "limit=2"), agent=Knowing(exit))
    for line in run_bench(bench, tmp_path):
        [attempt] = line.result.attempts
        assert attempt.exit == exit
        assert not attempt.solved
    assert suite.answers == [None, None]


def test_the_same_answer_given_is_solved(tmp_path: Path) -> None:
    suite, bench = counted(bench_of("memory=none", "limit=2"), agent=Knowing("answered"))
    assert all(line.result.attempts[0].solved for line in run_bench(bench, tmp_path))
    assert None not in suite.answers


@pytest.mark.parametrize(
    ("failing", "exit"),
    [
        (None, "answered"),
        (ZeroDivisionError("oops"), "agent_error"),
        (AgentError("lost"), "agent_error"),
        (LimitReached("too long"), "limit"),
    ],
)
def test_every_environment_is_closed_once(failing: Exception | None, exit: str, tmp_path: Path) -> None:
    suite, bench = counted(
        bench_of("memory=none", "limit=2", "scaling=parallel", "k=2"), agent=Knowing("answered", failing)
    )
    lines = run_bench(bench, tmp_path)
    assert {attempt.exit for line in lines for attempt in line.result.attempts} == {exit}
    assert suite.done == {"open": 4, "reset": 4, "finish": 4, "close": 4}


@pytest.mark.parametrize("failing", [InfraError("gone"), MemoryError(), KeyboardInterrupt()])
def test_an_environment_is_closed_where_no_result_comes_of_it(failing: BaseException, tmp_path: Path) -> None:
    suite, bench = counted(bench_of("memory=none", "retries=0"), agent=Knowing("answered", failing))
    with pytest.raises(KeyboardInterrupt if isinstance(failing, KeyboardInterrupt) else InfraError):
        run_bench(bench, tmp_path)
    assert suite.done == {"open": 1, "reset": 1, "close": 1}


@pytest.mark.parametrize("breaks_at", ["reset", "finish"])
def test_an_environment_that_breaks_is_closed_and_no_outcome(breaks_at: str, tmp_path: Path) -> None:
    suite, bench = counted(bench_of("memory=none", "retries=1", "retry_wait=0"), breaks_at=breaks_at)
    with pytest.raises(InfraError, match="environment: ZeroDivisionError"):
        run_bench(bench, tmp_path)
    assert suite.done["open"] == suite.done["close"] == 2
    assert (tmp_path / "journal.jsonl").read_bytes() == b""


class Elsewhere(CountedEnvironment):
    """What it has beside the methods of all environments is asked for where it is."""

    def __getattr__(self, name: str) -> Callable[[object], None]:
        self._suite.note(f"look for {name}")
        return lambda folder: self._suite.note(name)


class ManyElsewhere(Counting):
    def environment(self, task: Task) -> Environment:
        self.note("open")
        return Elsewhere(self.inner.environment(task), self)


@pytest.mark.parametrize("breaks_at", ["look for keep_images", "keep_images", "look for changes"])
def test_an_environment_that_breaks_before_its_attempt_is_closed(breaks_at: str, tmp_path: Path) -> None:
    bench = bench_of("memory=none", "retries=1", "retry_wait=0")
    suite = ManyElsewhere(bench.suite, breaks_at=breaks_at)
    with pytest.raises(InfraError, match=f"environment: ZeroDivisionError: {breaks_at}"):
        run_bench(replace(bench, suite=suite), tmp_path)
    assert suite.done["open"] == suite.done["close"] == 2


@pytest.mark.parametrize(
    ("action", "exit"),
    [
        ("report_infeasible('There is a button for it.')", "infeasible"),
        ("send_msg_to_user('It is as you wish.')", "answered"),
    ],
)
def test_reporting_a_task_infeasible_is_the_answer_to_impossible_tasks(action: str, exit: Exit, tmp_path: Path) -> None:
    """The web agent's action, whose reason says nothing of the kind, against one that leaves out the report."""
    bench = build_workbench(load_config(["memory=none", "embedder=hashing", "suite.sites=[shopping]"]))
    assert isinstance(bench.suite, WebArenaMini)
    impossible = {task_id for task_id, entry in bench.suite.suite_tasks.items() if entry.impossible}
    chosen = [*sorted(impossible)[:2], *sorted(set(bench.suite.suite_tasks) - impossible)[:2]]
    pupil = ScriptedLLM(lambda messages, temperature, seed: f"Thought: That is all.\nAction: {action}")
    bench = replace(bench, suite=Some(bench.suite, chosen), llms={**bench.llms, "agent": pupil})
    lines: list[JournalLine] = run_bench(bench, tmp_path)
    assert {line.result.attempts[0].exit for line in lines} == {exit}
    solved = {line.result.task_id for line in lines if line.result.attempts[0].solved}
    assert solved == ({*chosen} & impossible if exit == "infeasible" else set())


class Some(SuiteAround):
    """Some of a suite's tasks."""

    def __init__(self, inner: Suite, chosen: list[str]) -> None:
        super().__init__(inner)
        self._chosen = chosen

    def tasks(self) -> list[Task]:
        return [task for task in self.inner.tasks() if task.id in self._chosen]


def test_k_is_part_of_what_a_run_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two, three = (bench_of("scaling=parallel", f"k={k}") for k in (2, 3))
    assert identity(two) != identity(three)
    line = ["run", *TINY, "scaling=parallel", "limit=1", f"results_dir={tmp_path}", "run_name=mine"]
    assert main([*line, "k=2"]) == 0
    assert main([*line, "k=3"]) == 2
    assert "k: 2 -> 3" in capsys.readouterr().err
