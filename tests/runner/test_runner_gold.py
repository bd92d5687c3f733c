"""The gold wall: nothing that talks to a model, or learns, can reach a task's gold or an outcome."""

from __future__ import annotations

import gc
import types
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from arithmetic import CANARY
from runner_helpers import TINY

from eval.config.load import load_config
from eval.journal import JournalLine
from eval.plan import plan_streams
from eval.stream import run_stream
from eval.suites.base import Suite
from eval.suites.webarena_mini.suite import WebArenaMini
from eval.workbench import Workbench, build_workbench
from reasoningbank.interfaces import LLM, Calls, Rollout
from reasoningbank.types import JudgedAttempt, Message, Reply, Selection, SuccessMetric


class Recorder:
    """A model that keeps every prompt."""

    def __init__(self, inner: LLM, prompts: list[str]) -> None:
        self.id = inner.id
        self.simulated = inner.simulated
        self._inner = inner
        self._prompts = prompts

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        self._prompts += [message.content for message in messages]
        return self._inner.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)


def bench_of(*overrides: str) -> Workbench:
    return build_workbench(load_config([*TINY, *overrides]))


@pytest.mark.parametrize("judge", ["llm", "oracle", "noisy"])
@pytest.mark.parametrize("memory", ["none", "synapse", "awm", "reasoningbank"])
def test_gold_is_in_no_prompt(judge: str, memory: str, tmp_path: Path) -> None:
    bench = bench_of(f"judge={judge}", f"memory={memory}", "scaling=parallel", "k=2", "limit=4")
    prompts: list[str] = []
    bench = replace(bench, llms={role: Recorder(llm, prompts) for role, llm in bench.llms.items()})
    assert CANARY in repr(vars(bench.suite))
    [plan] = plan_streams(bench.settings, bench.suite)
    run_stream(bench, plan, tmp_path, report=lambda line, old: None, note=print)
    assert prompts
    assert not [prompt for prompt in prompts if CANARY in prompt]
    stored = "".join(path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY not in stored


def test_gold_of_the_web_suite_is_in_no_prompt_either(tmp_path: Path) -> None:
    bench = build_workbench(
        load_config(["suite.sites=[shopping]", "embedder=hashing", "scaling=parallel", "k=2", "limit=5"])
    )
    assert isinstance(bench.suite, WebArenaMini)
    for entry in bench.suite.suite_tasks.values():
        entry.task.eval["reference_answers"] = {"must_include": [CANARY]}
        entry.task.eval["eval_types"] = ["string_match"]
    prompts: list[str] = []
    bench = replace(bench, llms={role: Recorder(llm, prompts) for role, llm in bench.llms.items()})
    [plan] = plan_streams(bench.settings, bench.suite)
    lines: list[JournalLine] = []
    run_stream(bench, plan, tmp_path, report=lambda line, old: lines.append(line), note=print)
    assert len(lines) == 5
    assert {attempt.outcome.status for line in lines for attempt in line.result.attempts if attempt.outcome} == {
        "unsolved"
    }
    assert len(prompts) > 20
    assert not [prompt for prompt in prompts if CANARY in prompt]


def test_what_talks_or_learns_reaches_neither_suite_nor_gold() -> None:
    bench = bench_of("scaling=parallel", "k=2")
    for part in (bench.agent, bench.memory, bench.scaling, bench.judge, *bench.llms.values(), bench.prompts):
        for thing in reachable(part):
            assert not isinstance(thing, Suite)
            assert not (isinstance(thing, str) and CANARY in thing)


def test_what_functions_hold_is_reached() -> None:
    gold = object()
    holders = (partial(print, gold), partial(print, end=gold), lambda: gold, lambda one=gold: one, Holder(gold).get)
    for holder in holders:
        assert any(thing is gold for thing in reachable([holder]))


class Holder:
    def __init__(self, held: object) -> None:
        self._held = held

    def get(self) -> object:
        return self._held


class Curious:
    """A scaling that keeps what it is handed."""

    k = 1
    attempts = 1
    success_metric: SuccessMetric = "pass_at_1"

    def __init__(self) -> None:
        self.given: list[Rollout] = []

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        self.given.append(rollout)
        return (rollout(0),)

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        return Selection()


def test_no_attribute_of_a_rollout_leads_to_gold(tmp_path: Path) -> None:
    """A wall against mistakes. It is no sandbox: code that digs in a function's closure finds what it closes over."""
    bench = replace(bench_of("limit=2"), scaling=Curious())
    [plan] = plan_streams(bench.settings, bench.suite)
    run_stream(bench, plan, tmp_path, report=lambda line, old: None, note=print)
    assert isinstance(bench.scaling, Curious)
    assert len(bench.scaling.given) == 2
    for rollout in bench.scaling.given:
        assert isinstance(rollout, types.FunctionType), "a bound method has its object as an attribute"
        plain = [getattr(rollout, name) for name in dir(rollout) if not name.startswith("__")]
        assert not plain
        assert not vars(rollout)


def reachable(start: object) -> list[object]:
    """Everything an object holds, at any depth: what functions close over and are bound to among it. Modules and
    classes are not followed."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, (type, types.ModuleType, types.CodeType)):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, types.FunctionType):  # its globals are a module's
            todo += [*(thing.__closure__ or ()), *(thing.__defaults__ or ()), thing.__kwdefaults__, vars(thing)]
        else:
            todo += gc.get_referents(thing)
    return list(seen.values())
