"""Sequential scaling as a run: k=1 is a single attempt, every answer is kept and evaluated, a kill changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import kill_at, results, run
from watched_bench import EnvironmentAround, SuiteAround, bench_of, run_bench

from eval.__main__ import main
from eval.analysis.records import load_run
from eval.config.load import load_config
from eval.journal import AttemptResult, EpisodeResult
from eval.suites.base import Suite
from eval.workbench import Workbench, build_workbench
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Environment, Observation
from reasoningbank.types import Task

SHOP = ["suite=webarena_mini", "suite.sites=[shopping]", "embedder=hashing", "progress=quiet"]
SEQUENTIAL = [*SHOP, "scaling=sequential", "k=3"]


def episodes(folder: Path) -> list[EpisodeResult]:
    return [line.result for stream in load_run(folder).streams for line in stream.lines]


def attempts(folder: Path) -> list[AttemptResult]:
    found = []
    for episode in episodes(folder):
        [attempt] = episode.attempts
        found.append(attempt)
    return found


def stored(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_bytes())["attempt"] for path in sorted(folder.glob("streams/*/attempts/*/*.json"))]


def go(root: Path, name: str, *words: str) -> Path:
    assert main(["run", *words, f"results_dir={root}", f"run_name={name}"]) == 0
    return root / name


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three answers a task, never interrupted."""
    return go(tmp_path_factory.mktemp("whole"), "job", *SEQUENTIAL, "limit=12")


def test_one_answer_is_a_single_attempt_to_the_byte(tmp_path: Path) -> None:
    one = stored(go(tmp_path, "one", *SHOP, "scaling=sequential", "k=1", "limit=6"))
    single = stored(go(tmp_path, "single", *SHOP, "scaling=single", "limit=6"))
    assert [json.dumps(each["trajectory"]) for each in one] == [json.dumps(each["trajectory"]) for each in single]
    assert [each["verdict"] for each in one] == [each["verdict"] for each in single]


def test_every_answer_is_recorded_and_evaluated(whole: Path) -> None:
    turns = 0
    for attempt, kept in zip(attempts(whole), stored(whole), strict=True):
        steps = kept["trajectory"]["steps"]
        assert 0 <= len(attempt.rounds) <= 3
        assert attempt.steps <= 30
        held = [number for number, step in enumerate(steps) if step.get("check")]
        assert held == [each.step for each in attempt.rounds if each.step < len(steps) - 1]
        assert all(each.outcome is not None for each in attempt.rounds)
        if attempt.rounds:
            last = attempt.rounds[-1]
            assert (attempt.exit, attempt.answer) == (last.exit, last.answer)
            if last.step == len(steps) - 1:
                assert attempt.outcome == last.outcome
        turns += len({each.answer for each in attempt.rounds}) > 1
    assert turns, "no check changed an answer"


def test_what_counts_one_attempt_of_several_is_null(whole: Path) -> None:
    overall = json.loads((whole / "summary.json").read_text())["overall"]
    for key in ("pass_at_1", "one_random_attempt", "best_of_n", "pass_at_k"):
        assert overall[key] is None, key
    assert (overall["success_metric"], overall["k"]) == ("last_answer", 3)
    answers = overall["answers"]
    assert (answers["n"], answers["most"]) == (12, 3)
    gained = answers["wrong_to_right"] - answers["right_to_wrong"]
    assert overall["success_rate"] == pytest.approx(answers["solved_after"]["1"] + gained / 12)
    table = (whole / "table.txt").read_text()
    for row in ("success (last answer)", "solved after answer 3", "answers turned right", "answers turned wrong"):
        assert row in table, row
    assert "agent" in overall["tokens"]
    assert "refiner" in overall["tokens"]


def test_show_tells_every_answer(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = next(each for each in episodes(whole) if len(each.attempts[0].rounds) == 3)
    assert main(["show", str(whole), task.task_id, "--full"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\nAnswer {number}: " in shown for number in (1, 2, 3))
    assert "\nHeld back: Your answer was held back" in shown
    assert "# Check of the answer\nYour answer was held back again" in shown
    assert "WARNING" not in shown


@pytest.mark.parametrize(
    "place", [*(pytest.param(name, marks=pytest.mark.long) for name in ("attempt", "judge")), "journal.bank"]
)
def test_killed_and_continued_it_ends_the_same(place: str, whole: Path, tmp_path: Path) -> None:
    command = ["run", *SEQUENTIAL, "limit=3", f"results_dir={tmp_path}", "run_name=job"]
    for passage in {"attempt": (3, 20)}.get(place, (1,)):
        kill_at(place, passage, tmp_path / "here", *command)
    done = run(*command)
    assert done.returncode == 0, done.stderr
    # the limit is part of the settings, not of what happens before it
    assert results(tmp_path / "job")["shopping.t0"] == results(whole)["shopping.t0"][:3]


@pytest.mark.parametrize(
    "memory", ["none", "reasoningbank", *(pytest.param(name, marks=pytest.mark.long) for name in ("synapse", "awm"))]
)
@pytest.mark.parametrize("env", ["reset", "reflect_only"])
def test_every_memory_method_takes_it(memory: str, env: str, tmp_path: Path) -> None:
    folder = go(tmp_path, "job", *SEQUENTIAL, f"memory={memory}", f"scaling.env={env}", "limit=3")
    assert len(attempts(folder)) == 3
    assert all(attempt.outcome is not None for attempt in attempts(folder))
    if env == "reflect_only":
        for kept in stored(folder):
            steps = kept["trajectory"]["steps"]
            first = next((number for number, step in enumerate(steps) if step.get("check")), len(steps))
            assert len({step["observation"] for step in steps[first:]}) <= 1


def test_the_experiment_is_a_valid_one() -> None:
    settings = load_config(["+exp=matts_sequential"])
    assert (settings.k, settings.scaling["type"], settings.scaling["env"]) == (5, "sequential", "continue")
    assert settings.memory["type"] == "reasoningbank"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["scaling.env=foo"], "scaling.env=foo"),
        (["scaling.env=reflect"], "reflect_only"),
        (["k=0"], "k=0"),
        (["k=two"], "k=two"),
        (["scaling.select=true"], "scaling.select"),
    ],
)
def test_bad_input_is_refused_in_a_line(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *SEQUENTIAL, *words, "limit=1", f"results_dir={tmp_path}"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


def test_an_agent_that_takes_no_check_is_refused(tmp_path: Path) -> None:
    bench = bench_of("scaling=sequential", "k=2", "limit=1")
    with pytest.raises(SetupError, match=r"Pupil\.run cannot"):
        run_bench(bench, tmp_path)


def test_answers_that_follow_each_other_need_no_temperature() -> None:
    assert bench_of("scaling=sequential", "k=3", "temperature.agent=0").scaling.k == 3
    with pytest.raises(SetupError, match="equal attempts"):
        bench_of("scaling=parallel", "k=3", "temperature.agent=0")


class Unseen(SuiteAround):
    """Its environments cannot be looked at before the end. The `failing` ones do not start at all."""

    def __init__(self, inner: Suite, *, failing: bool = False) -> None:
        super().__init__(inner)
        self._failing = failing

    def environment(self, task: Task) -> Environment:
        return Down(self.inner.environment(task)) if self._failing else EnvironmentAround(self.inner.environment(task))


class Down(EnvironmentAround):
    def reset(self, task: Task, seed: int) -> Observation:
        raise InfraError("the site is down")


def unseen(*words: str, failing: bool = False) -> Workbench:
    bench = build_workbench(load_config([*SEQUENTIAL, *words]))
    return replace(bench, suite=Unseen(bench.suite, failing=failing))


def test_an_environment_that_cannot_be_looked_at_has_its_last_answer_evaluated(whole: Path, tmp_path: Path) -> None:
    lines = run_bench(unseen("limit=3"), tmp_path)
    for line, same in zip(lines, episodes(whole), strict=False):
        [attempt], [other] = line.result.attempts, same.attempts
        assert attempt.model_dump(exclude={"rounds"}) == other.model_dump(exclude={"rounds"})
        last = attempt.steps - 1
        for each, seen in zip(attempt.rounds, other.rounds, strict=True):
            assert each.outcome == (seen.outcome if each.step == last else None)


def test_a_task_that_is_given_up_has_one_attempt(tmp_path: Path) -> None:
    words = ("limit=1", "retries=0", "on_infra_error=skip")
    [line] = run_bench(unseen(*words, failing=True), tmp_path)
    assert [(attempt.exit, attempt.rounds) for attempt in line.result.attempts] == [("infra_error", ())]
