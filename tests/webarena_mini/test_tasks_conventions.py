"""Known solutions solve every task through the pages. Each convention of the site makes the naive way wrong, in several
templates, and only where a template says so."""

from __future__ import annotations

from collections import defaultdict

import mini_suite as mini
import pytest


def failed(seed: int, task_ids: list[str]) -> list[str]:
    found = []
    for task_id in task_ids:
        run = mini.solved(seed, task_id)
        if run.reward != 1 or run.gave_up:
            found.append(f"{task_id} {mini.entries(seed)[task_id].template}: {run.answer} {run.gave_up}")
    return found


def test_known_solutions_solve_one_task_of_each_template() -> None:
    assert failed(0, list(mini.one_of_each(0).values())) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1, 2, 100, 104])
def test_known_solutions_solve_every_task(seed: int) -> None:
    assert failed(seed, list(mini.entries(seed))) == []


def naive_runs_that_succeed(seed: int) -> list[str]:
    return [
        f"{task_id} {entry.template} without {convention}: {entry.task.intent}"
        for task_id, entry in mini.entries(seed).items()
        for convention in entry.needs
        if mini.solved(seed, task_id, frozenset((convention,))).reward == 1
    ]


@pytest.mark.long
@pytest.mark.parametrize("seed", mini.WORLDS)
def test_the_naive_way_is_wrong_for_every_task_that_needs_a_convention(seed: int) -> None:
    assert naive_runs_that_succeed(seed) == []


def test_matrix_of_lessons_and_templates() -> None:
    """Each convention is needed by three templates or more, each false friend by one; no template needs another."""
    matrix: dict[str, set[str]] = defaultdict(set)
    for template, task_id in mini.one_of_each(0).items():
        entry = mini.entries(0)[task_id]
        # where a solution never chooses by a convention, leaving it out is the same run
        for convention in mini.solved(0, task_id).consulted:
            if mini.solved(0, task_id, frozenset((convention,))).reward != 1:
                matrix[convention].add(template)
        needing = {convention for convention, templates in matrix.items() if template in templates}
        assert needing == set(entry.needs), template
    assert sorted(matrix) == sorted(mini.CONVENTIONS)
    assert all(len(templates) >= 3 for convention, templates in matrix.items() if not convention.startswith("F"))


@pytest.mark.parametrize(
    ("friend", "lesson", "template"),
    [
        ("F1", "C2", "search_cheapest"),
        ("F2", "C3", "orders_placed"),
        ("F3", "C4", "wishlist_count"),
        ("F4", "C6", "reviews_in_period"),
        ("FA1", "A1", "items_ordered"),
        ("FA2", "A2", "coupon_count"),
        ("FR1", "R1", "best_today"),
        ("FR2", "R2", "posts_in_forum"),
        ("FG1", "G1", "open_requests"),
        ("FG2", "G2", "requests_either"),
    ],
)
def test_a_lesson_carried_over_to_its_false_friend_misleads(friend: str, lesson: str, template: str) -> None:
    """Without the friend's own rule a solution does what the lesson says, which other templates need, and is wrong."""
    task_ids = [task_id for task_id, entry in mini.entries(0).items() if entry.template == template]
    assert all(mini.solved(0, task_id, frozenset((friend,))).reward == 0 for task_id in task_ids)
    assert any(lesson in entry.needs for entry in mini.entries(0).values())


@pytest.mark.long
def test_a_solver_without_any_lesson_still_solves_a_good_part() -> None:
    everything = frozenset(mini.CONVENTIONS)
    rewards = [mini.solved(0, task_id, everything).reward for task_id in mini.one_of_each(0).values()]
    assert 0.3 <= sum(rewards) / len(rewards) <= 0.6
