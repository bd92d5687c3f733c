"""The order of tasks: hardest last where a suite says how hard they are; and without memory it makes no difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner_helpers import TINY

from eval.__main__ import main
from eval.analysis.records import load_run, load_trajectory
from eval.config.load import load_config
from eval.plan import StreamPlan, plan_streams
from eval.suites.webarena_mini.suite import WebArenaMini
from eval.workbench import build_workbench

SITES = ("shopping", "shopping_admin")
RANKS = {"easy": 0, "standard": 1, "hard": 2}
ORDERS = {
    "ascending": ["order=ascending"],
    "shuffled": ["order=shuffled"],
    "shuffled otherwise": ["order=shuffled", "order_seed=1"],
    "hardest last": ["order=hardest_last"],
}


def plans(*overrides: str) -> list[StreamPlan]:
    settings = load_config([f"suite.sites=[{','.join(SITES)}]", "order=hardest_last", *overrides])
    return plan_streams(settings, build_workbench(settings).suite)


@pytest.mark.parametrize("by", ["site", "suite", "sites_in_order"])
def test_hardest_last_keeps_the_order_of_equally_hard_tasks(by: str) -> None:
    suite = WebArenaMini(sites=SITES)
    ranks = {task_id: RANKS[entry.difficulty] for task_id, entry in suite.suite_tasks.items()}
    ascending = [task.id for task in suite.tasks()]
    assert set(ranks.values()) == {0, 1, 2}
    streams = {plan.name: [task.id for task in plan.tasks] for plan in plans(f"stream.by={by}")}
    assert sorted(task_id for ids in streams.values() for task_id in ids) == sorted(ascending)
    sites = {task.id: task.group for task in suite.tasks()}

    def hardest_last(ids: list[str]) -> list[str]:
        return [task_id for rank in range(3) for task_id in ids if ranks[task_id] == rank]

    of_site = {site: hardest_last([each for each in ascending if sites[each] == site]) for site in SITES}
    assert (
        streams
        == {
            "site": {f"{site}.t0": ids for site, ids in of_site.items()},
            "suite": {"webarena_mini.t0": hardest_last(ascending)},
            "sites_in_order": {"webarena_mini.t0": [each for site in SITES for each in of_site[site]]},
        }[by]
    )


def test_a_limit_takes_the_easiest_ones() -> None:
    whole, first = plans(), plans("limit=5")
    assert [plan.tasks[:5] for plan in whole] == [plan.tasks for plan in first]


def test_a_suite_that_does_not_say_how_hard_its_tasks_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *TINY, "order=hardest_last", f"results_dir={tmp_path}"]) == 2
    said = capsys.readouterr().err
    assert "order=hardest_last: suite arithmetic does not say how hard its tasks are" in said
    assert "order=ascending" in said
    assert not list(tmp_path.iterdir())


def by_task(folder: Path) -> dict[tuple[int, str], str]:
    """What became of each task in each trial: outcomes, and trajectories but for the position in their ids."""
    run = load_run(folder)
    found = {}
    for stream in run.streams:
        for line in stream.lines:
            told = []
            for attempt in line.result.attempts:
                trajectory = load_trajectory(run, line.result, attempt)
                assert trajectory is not None
                assert attempt.outcome is not None
                assert attempt.trajectory_hash == trajectory.digest()
                bare = trajectory.model_copy(update={"attempt_id": ""}).digest()
                told.append([attempt.exit, attempt.outcome.model_dump(mode="json"), bare])
            trial = int(stream.name.rpartition(".t")[2])
            found[trial, line.result.task_id] = json.dumps(told)
    return found


def ran(orders: dict[str, list[str]], line: list[str], folder: Path) -> list[dict[tuple[int, str], str]]:
    for name, order in orders.items():
        given = [*line, *order, "trials=2", "progress=quiet", "concurrency.workers=1"]
        assert main(["run", *given, f"results_dir={folder}", f"run_name={name.replace(' ', '-')}"]) == 0
    return [by_task(folder / name.replace(" ", "-")) for name in orders]


@pytest.mark.parametrize("each", [1, pytest.param(8, marks=pytest.mark.long)])
def test_without_memory_no_order_changes_what_becomes_of_a_task(each: int, tmp_path: Path) -> None:
    entries = WebArenaMini(sites=SITES).suite_tasks
    chosen: list[str] = []
    for difficulty in RANKS:
        chosen += [task_id for task_id, entry in entries.items() if entry.difficulty == difficulty][:each]
    line = [f"suite.sites=[{','.join(SITES)}]", f"suite.task_ids=[{','.join(chosen)}]", "memory=none"]
    first, *others = ran(ORDERS, [*line, "agent.max_steps=6"], tmp_path)
    assert len(first) == 2 * len(chosen)
    assert all(other == first for other in others)
    trials = [[told for (trial, _), told in first.items() if trial == number] for number in (0, 1)]
    assert trials[0] != trials[1], "a trial has its own seeds: what is compared is not the same throughout"


@pytest.mark.long
def test_several_attempts_without_memory_are_the_same_in_every_order_and_with_memory_not(tmp_path: Path) -> None:
    orders = {name: order for name, order in ORDERS.items() if name != "hardest last"}
    line = [*TINY, "scaling=parallel", "k=3"]
    first, *others = ran(orders, [*line, "memory=none"], tmp_path / "none")
    assert all(other == first for other in others)
    first, *others = ran(orders, [*line, "memory=reasoningbank"], tmp_path / "some")
    assert all(other != first for other in others), "what is compared shows what a bank does"
