"""A workbench of the tiny suite whose parts a test replaces or watches, run without a process of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner_helpers import TINY

from eval.config.load import load_config
from eval.journal import JournalLine, Outcome
from eval.plan import plan_streams
from eval.stream import run_stream
from eval.suites.base import Grader, Suite
from eval.workbench import Workbench, build_workbench
from reasoningbank.interfaces import LLM, Calls, Environment, Evidence, Observation, Rollout, ScalingStrategy
from reasoningbank.types import JudgedAttempt, Message, Reply, Selection, Task, Verdict


def bench_of(*overrides: str) -> Workbench:
    return build_workbench(load_config([*TINY, *overrides]))


def run_bench(bench: Workbench, folder: Path, *, trial: int = 0) -> list[JournalLine]:
    """The lines of the trial's one stream, those that stood there before too."""
    folder.mkdir(parents=True, exist_ok=True)
    [plan] = [plan for plan in plan_streams(bench.settings, bench.suite) if plan.trial == trial]
    lines: list[JournalLine] = []
    run_stream(bench, plan, folder, report=lambda line, old: lines.append(line), note=lambda text: None)
    return lines


class SuiteAround:
    """Another suite, to be changed in one respect by a subclass."""

    def __init__(self, inner: Suite) -> None:
        self.inner = inner
        self.id = inner.id
        self.seed = inner.seed
        self.version = inner.version
        self.agent = inner.agent

    def tasks(self) -> list[Task]:
        return self.inner.tasks()

    def environment(self, task: Task) -> Environment:
        return self.inner.environment(task)

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        return self.inner.evaluate(task, evidence, grader)

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return self.inner.load_evidence(data)


class EnvironmentAround:
    """Another environment, to be changed in one respect by a subclass."""

    def __init__(self, inner: Environment) -> None:
        self.inner = inner

    def reset(self, task: Task, seed: int) -> Observation:
        return self.inner.reset(task, seed)

    def step(self, text: str) -> Observation:
        return self.inner.step(text)

    def finish(self, answer: str | None) -> Evidence:
        return self.inner.finish(answer)

    def close(self) -> None:
        self.inner.close()


class Seeds:
    """Every seed that a run hands out, by who gets it: the models' roles, environments, selection, outcome judge."""

    def __init__(self) -> None:
        self.given: dict[str, list[int]] = defaultdict(list)

    def watching(self, bench: Workbench) -> Workbench:
        """The bench with all of them noted."""
        return replace(
            bench,
            llms={role: _NotingLLM(llm, self.given[role]) for role, llm in bench.llms.items()},
            suite=_NotingSuite(bench.suite, self.given["environment"]),
            scaling=_NotingScaling(bench.scaling, self.given["order of candidates"]),
            outcome_judge=_NotingJudge(self.given["outcome judge"]) if bench.outcome_judge is not None else None,
        )

    def taken(self) -> dict[str, frozenset[int]]:
        """The seeds of those that got any."""
        return {name: frozenset(seeds) for name, seeds in self.given.items() if seeds}


class _NotingLLM:
    def __init__(self, inner: LLM, seeds: list[int]) -> None:
        self.id = inner.id
        self.simulated = inner.simulated
        self._inner = inner
        self._seeds = seeds

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        self._seeds.append(seed)
        return self._inner.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)


class _NotingSuite(SuiteAround):
    def __init__(self, inner: Suite, seeds: list[int]) -> None:
        super().__init__(inner)
        self._seeds = seeds

    def environment(self, task: Task) -> Environment:
        return _NotingEnvironment(self.inner.environment(task), self._seeds)


class _NotingEnvironment(EnvironmentAround):
    def __init__(self, inner: Environment, seeds: list[int]) -> None:
        super().__init__(inner)
        self._seeds = seeds

    def reset(self, task: Task, seed: int) -> Observation:
        self._seeds.append(seed)
        return self.inner.reset(task, seed)


class _NotingScaling:
    def __init__(self, inner: ScalingStrategy, seeds: list[int]) -> None:
        self.k = inner.k
        self.attempts = inner.attempts
        self.success_metric = inner.success_metric
        self._inner = inner
        self._seeds = seeds

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        return self._inner.run(rollout)

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        self._seeds.append(seed)
        return self._inner.select(attempts, calls, seed=seed)


class _NotingJudge:
    def __init__(self, seeds: list[int]) -> None:
        self._seeds = seeds

    def verdict(self, outcome: Outcome, *, seed: int) -> Verdict:
        self._seeds.append(seed)
        return Verdict(label="success" if seed % 2 else "failure")
