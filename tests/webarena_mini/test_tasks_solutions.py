"""Known solutions solve every task through the pages; doing nothing solves none."""

from __future__ import annotations

import ast
from pathlib import Path

import mini_suite as mini
import pytest

from eval.grading import normalised_grader
from eval.suites.webarena_mini import solutions, tasks

SOLUTIONS = Path(solutions.__file__).parent
TASKS = Path(tasks.__file__).parent
SHARED = ("eval.suites.webarena_mini.site", "eval.suites.webarena_mini.sites")
"""What pages are made with, and where data can be had."""


def failed(seed: int, task_ids: list[str]) -> list[str]:
    found = []
    for task_id in task_ids:
        run = mini.solved(seed, task_id)
        if run.reward != 1 or run.gave_up:
            found.append(f"{task_id} {mini.entries(seed)[task_id].template}: {run.answer} {run.gave_up}")
    return found


def test_known_solutions_solve_every_task_of_the_default_world() -> None:
    assert failed(0, list(mini.entries(0))) == []


def test_known_solutions_solve_one_task_of_each_template_of_another_world() -> None:
    assert failed(1, list(mini.one_of_each(1).values())) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 100, 104])
def test_known_solutions_solve_every_task_of_other_worlds(seed: int) -> None:
    assert failed(seed, list(mini.entries(seed))) == []


def rewards_of_doing_nothing(seed: int, answer: str | None) -> set[float]:
    suite = mini.suite(seed)
    rewards = set()
    for task in suite.tasks():
        env = suite.environment(task)
        env.reset(task, 0)
        rewards.add(suite.evaluate(task, env.finish(answer), normalised_grader).reward)
        env.close()
    return rewards


@pytest.mark.parametrize("answer", [None, "", "Done."])
def test_doing_nothing_solves_nothing(answer: str | None) -> None:
    assert rewards_of_doing_nothing(0, answer) == {0.0}


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_doing_nothing_solves_nothing_in_other_worlds(seed: int) -> None:
    assert rewards_of_doing_nothing(seed, "") == {0.0}


def test_refusing_solves_the_impossible_tasks_alone() -> None:
    suite = mini.suite(0)
    for task in suite.tasks():
        env = suite.environment(task)
        env.reset(task, 0)
        reward = suite.evaluate(task, env.finish("N/A"), normalised_grader).reward
        env.close()
        assert (reward == 1) == mini.entries(0)[task.id].impossible, task


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", sorted(SOLUTIONS.glob("*.py")), ids=lambda path: path.stem)
def test_solutions_see_neither_database_nor_gold(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith(
            ("sqlite3", "eval.suites.webarena_mini.tasks", "eval.suites.webarena_mini.shopping", *SHARED)
        )
        assert not module.startswith(("eval.suites.webarena_mini.suite", "eval.suites.web.evaluators"))


@pytest.mark.parametrize("path", sorted(TASKS.glob("*.py")), ids=lambda path: path.stem)
def test_gold_shares_no_code_with_the_pages(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith(
            ("eval.suites.webarena_mini.shopping", "eval.suites.webarena_mini.solutions", "flask", *SHARED)
        )


def test_solutions_hold_no_answer() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOLUTIONS.glob("*.py"))
    for seed in mini.WORLDS:
        for entry in mini.entries(seed).values():
            answers = entry.task.eval["reference_answers"] or {}
            texts = [answers.get("exact_match", ""), *answers.get("must_include", ())]
            assert not [text for text in texts if len(text) > 3 and text in source]
