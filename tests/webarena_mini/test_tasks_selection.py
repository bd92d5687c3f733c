"""Selectors of the suite: what they leave, that they combine, and what they say of mistakes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import mini_suite as mini
import pytest

from eval.build import build_suite
from eval.config.load import load_config
from eval.suites.webarena_mini import WebArenaMini
from eval.suites.webarena_mini.selection import DIFFICULTIES, stratified
from eval.suites.webarena_mini.tasks.base import SuiteTask
from reasoningbank.errors import SetupError


def chosen(**keys: Any) -> WebArenaMini:
    """All sites, with selectors."""
    return WebArenaMini(sites=mini.ALL, **keys)


def ids(suite: WebArenaMini) -> list[str]:
    return [task.id for task in suite.tasks()]


def test_templates_keep_their_tasks_under_their_ids() -> None:
    suite = chosen(templates=["cart_two", "low_star_count"])
    wanted = [task for task in mini.suite(0).tasks() if task.template_id in ("cart_two", "low_star_count")]
    assert suite.tasks() == wanted


def test_task_ids_may_be_numbers_or_text_in_any_order() -> None:
    assert ids(chosen(task_ids=[17, "3", 17])) == ["3", "17"]


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_difficulty(difficulty: str) -> None:
    wanted = [task_id for task_id, entry in mini.entries(0).items() if entry.difficulty == difficulty]
    assert ids(chosen(difficulty=difficulty)) == wanted


@pytest.mark.parametrize("seed", mini.WORLDS)
def test_pocket_has_the_same_sixty_ids_in_every_world(seed: int) -> None:
    found = ids(chosen(seed=seed, subset="pocket"))
    assert len(found) == 60
    assert found == ids(chosen(subset="pocket"))
    assert found == sorted(found, key=int)


def test_pocket_keeps_the_shares_of_all_tasks() -> None:
    pocket, everything = chosen(subset="pocket").suite_tasks, mini.entries(0)

    def counts(entries: dict[str, SuiteTask], key: str) -> Counter[object]:
        return Counter(getattr(entry, key) for entry in entries.values())

    for key in ("kind", "difficulty", "impossible"):
        for value, number in counts(everything, key).items():
            assert abs(counts(pocket, key)[value] / len(pocket) - number / len(everything)) < 0.04


def test_pocket_of_the_shop_and_its_back_office_needs_every_convention() -> None:
    suite = WebArenaMini(sites=["shopping", "shopping_admin"], subset="pocket")
    assert {code for entry in suite.suite_tasks.values() for code in entry.needs} == set(suite.conventions)


def test_a_subset_of_more_tasks_than_there_are_is_all_of_them() -> None:
    entries = mini.entries(0)
    assert stratified(entries, len(entries) + 1) == set(entries)


@pytest.mark.parametrize("number", [1, 7, 59, 106])
def test_strata_add_up(number: int) -> None:
    assert len(stratified(mini.entries(0), number)) == number


def test_selectors_combine() -> None:
    pocket = set(ids(chosen(subset="pocket")))
    hard = set(ids(chosen(difficulty="hard")))
    assert set(ids(chosen(subset="pocket", difficulty="hard"))) == pocket & hard


def test_selectors_are_settings() -> None:
    suite = build_suite(load_config(["suite.task_ids=[3,17]"]))
    assert [task.id for task in suite.tasks()] == ["3", "17"]
    assert len(build_suite(load_config(["suite.subset=pocket"])).tasks()) == 60


def test_a_task_that_was_not_chosen_is_refused() -> None:
    other = mini.task(0, "4")
    with pytest.raises(SetupError, match="task 4 is not in"):
        chosen(task_ids=[3]).environment(other)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"templates": ["cart_tow"]}, "no template 'cart_tow'; did you mean cart_two"),
        ({"templates": "cart_two"}, "a list is needed"),
        ({"templates": []}, "a list is needed"),
        ({"task_ids": [3, 9999]}, "no task 9999; there are 0 to"),
        ({"task_ids": []}, "a list is needed"),
        ({"difficulty": "hrad"}, "no 'hrad'; did you mean hard"),
        ({"subset": "all"}, "no 'all'; there are: pocket"),
        ({"templates": ["cart_two"], "difficulty": "easy"}, r"no task fulfils all of suite\.templates=.*difficulty"),
    ],
)
def test_mistakes_are_told(keys: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        chosen(**keys).tasks()
