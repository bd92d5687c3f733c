"""What goes wrong around an attempt: it is nobody's outcome, changes no result, and every token it cost is counted."""

from __future__ import annotations

import json
import logging
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from watched_bench import EnvironmentAround, Seeds, SuiteAround, bench_of, run_bench

from eval.attempt import AttemptRecord
from eval.journal import JournalLine, RoleTokens
from eval.workbench import Workbench
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import LLM, AnswerCheck, Calls, Environment, Evidence
from reasoningbank.memory.base import Learning, LearningMethod
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Reply, Role, Task, Trajectory, Usage

THREE = ["scaling=parallel", "k=3", "limit=4", "retry_wait=0"]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call is made once, so that every failure reaches the episode."""
    monkeypatch.setattr("eval.transport.retry_policy", lambda settings: RetryPolicy(attempts=1))


class Flaky:
    """A model that mumbles now and then, by the seed alone, and fails at the calls numbered in `fails`."""

    simulated = True

    def __init__(self, inner: LLM, error: Exception, fails: Sequence[int] = (), mumbles: float = 0.0) -> None:
        self.id = inner.id
        self.replies = 0
        self.tokens = 0
        self.failures = 0
        self._inner = inner
        self._error = error
        self._fails = fails
        self._mumbles = mumbles
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        with self._lock:
            if self.replies + self.failures in self._fails:
                self.failures += 1
                raise self._error
            reply = self._inner.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)
            if random.Random(seed).random() < self._mumbles:
                reply = reply.model_copy(update={"text": "Well, well."})
            self.replies += 1
            self.tokens += reply.usage.input_tokens + reply.usage.output_tokens
        return reply


def flaky_bench(role: Role | None, fails: Sequence[int], error: Exception, *more: str) -> Workbench:
    """Judge, selector and extractor often mumble; the model of `role` also fails."""
    bench = bench_of(*THREE, "memory.tries=2", *more)
    llms: dict[Role, LLM] = {
        each: Flaky(llm, error, fails if each == role else (), 0.0 if each == "agent" else 0.4)
        for each, llm in bench.llms.items()
    }
    return replace(bench, llms=llms)


def flaky(bench: Workbench) -> list[Flaky]:
    return [llm for llm in bench.llms.values() if isinstance(llm, Flaky)]


def run_until_done(bench: Workbench, folder: Path) -> list[JournalLine]:
    """As the same command given again and again."""
    for _ in range(20):
        try:
            return run_bench(bench, folder)
        except InfraError:
            continue
    raise AssertionError("it never ends")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[JournalLine]:
    lines = run_bench(flaky_bench(None, (), InfraError("never")), tmp_path_factory.mktemp("whole"))
    roles = Counter(refused.role for line in lines for refused in line.result.refused)
    assert set(roles) == {"judge", "selector", "extractor"}, "all that can mumble has"
    return lines


ERRORS = [InfraError("the network is down"), KeyError("choices")]


@pytest.mark.parametrize("retries", [0, 5], ids=["stopped", "retried"])
@pytest.mark.parametrize("error", ERRORS, ids=["infra", "unclassified"])
@pytest.mark.parametrize("role", ["agent", "judge", "selector", "extractor"])
def test_failing_calls_change_no_result_and_every_token_is_counted(
    role: Role, error: Exception, retries: int, undisturbed: list[JournalLine], tmp_path: Path
) -> None:
    bench = flaky_bench(role, (1, 4, 5), error, f"retries={retries}")
    lines = run_until_done(bench, tmp_path)
    assert [line.result for line in lines] == [line.result for line in undisturbed]
    counted: list[RoleTokens | Usage] = [line.telemetry.failed_tokens for line in lines]
    counted += [tokens for line in lines for tokens in line.result.tokens.values()]
    assert sum(each.calls for each in counted) == sum(model.replies for model in flaky(bench))
    assert sum(each.input_tokens + each.output_tokens for each in counted) == sum(
        model.tokens for model in flaky(bench)
    )
    failures = sum(model.failures for model in flaky(bench))
    assert failures == 3
    # attempts at the same time may fail together, and are then one failed try
    assert 1 <= sum(line.telemetry.retries for line in lines) <= failures


def test_an_episode_that_is_given_up_has_cost_what_it_cost(tmp_path: Path) -> None:
    bench = flaky_bench("selector", range(100), InfraError("down"), "retries=2", "on_infra_error=skip")
    for line in run_bench(bench, tmp_path):
        assert {attempt.exit for attempt in line.result.attempts} == {"infra_error"}
        assert line.result.tokens["agent"].calls == 9
        assert line.result.tokens["judge"].calls >= 3
        assert line.telemetry.retries == 3
        assert line.telemetry.attempt_seconds


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("role", ["agent", "judge", "extractor"])
def test_what_a_try_that_was_cut_off_has_cost_is_told(role: Role, record: bool, tmp_path: Path) -> None:
    words = ["retries=2", "on_infra_error=skip", "limit=1", f"llm.record={str(record).lower()}"]
    bench = flaky_bench(role, range(1, 100), InfraError("down"), *words)
    [line] = run_bench(bench, tmp_path)
    counted: list[RoleTokens | Usage] = [line.telemetry.failed_tokens, *line.result.tokens.values()]
    assert sum(each.calls for each in counted) == sum(model.replies for model in flaky(bench))


def test_refused_replies_stand_in_a_fixed_order(undisturbed: list[JournalLine]) -> None:
    """The judges' by attempt, then the selector's, then the extractor's."""
    order = ["judge", "selector", "extractor"]
    for line in undisturbed:
        places = [order.index(refused.role) for refused in line.result.refused]
        assert places == sorted(places)


def test_a_choice_by_lot_is_marked(undisturbed: list[JournalLine], tmp_path: Path) -> None:
    assert not all(line.result.selected_by_lot for line in undisturbed)
    bench = bench_of(*THREE)
    bench = replace(bench, llms={**bench.llms, "selector": Flaky(bench.llms["selector"], InfraError("x"), (), 1.0)})
    for line in run_bench(bench, tmp_path):
        assert line.result.selected_by_lot
        assert line.result.selected in range(3)
        assert [refused.role for refused in line.result.refused].count("selector") == 3


def test_the_order_of_candidates_is_drawn_apart_from_the_selectors_replies(tmp_path: Path) -> None:
    seeds = Seeds()
    run_bench(seeds.watching(bench_of(*THREE)), tmp_path)
    assert not {*seeds.given["order of candidates"]} & {*seeds.given["selector"]}


class Breaking(SuiteAround):
    """A suite whose environments break in these methods."""

    broken: frozenset[str] = frozenset()

    def environment(self, task: Task) -> Environment:
        return _Breaking(self.inner.environment(task), self.broken)


class _Breaking(EnvironmentAround):
    def __init__(self, inner: Environment, broken: frozenset[str]) -> None:
        super().__init__(inner)
        self._broken = broken

    def finish(self, answer: str | None) -> Evidence:
        if "finish" in self._broken:
            raise RuntimeError("cannot finish")
        return self.inner.finish(answer)

    def close(self) -> None:
        if "close" in self._broken:
            raise InfraError("cannot close")


def breaking(bench: Workbench, *methods: str) -> Workbench:
    suite = Breaking(bench.suite)
    suite.broken = frozenset(methods)
    return replace(bench, suite=suite)


def kept(folder: Path) -> list[dict[str, object]]:
    return [json.loads(path.read_bytes())["attempt"] for path in sorted(folder.glob("attempts/*/[0-9].json"))]


def test_an_environment_that_cannot_be_closed_spoils_no_attempt(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = bench_of("limit=2", "retries=0")
    whole = run_bench(bench, tmp_path / "whole")
    lines = run_bench(breaking(bench, "close"), tmp_path / "broken")
    assert [line.result for line in lines] == [line.result for line in whole]
    for record in kept(tmp_path / "broken"):
        assert "InfraError: cannot close" in str(record["faults"])
    assert "could not be closed" in caplog.text
    assert all(record["faults"] == [] for record in kept(tmp_path / "whole"))


def test_the_first_fault_is_the_one_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(InfraError, match="cannot finish"):
        run_bench(breaking(bench_of("limit=1", "retries=0"), "finish", "close"), tmp_path)


class Crashing:
    """An agent with a mistake in it, found after two actions."""

    def run(
        self,
        task: Task,
        env: Environment,
        calls: Calls,
        *,
        attempt_id: str,
        memory: str,
        seed: int,
        check: AnswerCheck | None = None,
    ) -> Trajectory:
        env.reset(task, seed)
        for number in range(2):
            calls.ask("agent", [Message(role="user", content=f"Add the numbers. {task.intent}")])
            env.step(f"write({number})")
        parts: dict[str, Trajectory] = {}
        return parts["trajectory"]


def test_a_crash_of_the_agent_keeps_its_steps_and_its_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="reasoningbank"):
        [line] = run_bench(replace(bench_of("limit=1"), agent=Crashing()), tmp_path)
    [attempt] = line.result.attempts
    assert (attempt.exit, attempt.steps) == ("agent_error", 2)
    assert attempt.outcome is not None
    assert line.result.tokens["agent"].calls == 2
    [record] = kept(tmp_path)
    trajectory = record["trajectory"]
    assert isinstance(trajectory, dict)
    assert [step["action"] for step in trajectory["steps"]] == ["write(0)", "write(1)"]
    assert trajectory["final_observation"].endswith("write(1)")
    [fault] = AttemptRecord.model_validate_json(json.dumps(record)).faults
    for text in (fault, caplog.text):
        assert "KeyError: 'trajectory'" in text
        assert 'return parts["trajectory"]' in text


@pytest.mark.parametrize("memory", ["none", "reasoningbank"])
@pytest.mark.parametrize("setting", ["scaling.store=two", "scaling.aggregate=sometimes", "scaling.aggregate=1"])
def test_how_to_learn_is_checked_whatever_the_method(memory: str, setting: str) -> None:
    with pytest.raises(SetupError, match=rf"^{setting}: [^\n]+$"):
        bench_of(f"memory={memory}", setting)


@pytest.mark.parametrize("scaling", ["single", "parallel"])
def test_a_scaling_file_need_not_say_how_to_learn(scaling: str) -> None:
    method = bench_of(f"scaling={scaling}", "~scaling.aggregate", "~scaling.store").memory
    assert isinstance(method, LearningMethod)
    assert method.learning == Learning(aggregate=True, store="one")
