"""Evidence can be taken in the middle of an attempt: what follows is as if nobody had looked."""

from __future__ import annotations

import contextlib
from typing import Any

import mini_suite as mini
import pytest

from eval.suites.base import Inspectable
from eval.suites.webarena_mini.site_tasks import solution_of
from eval.suites.webarena_mini.solutions.driver import Driver, LostError
from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.types import Task


class Looking:
    """Takes evidence after every step."""

    def __init__(self, inner: Environment) -> None:
        self.inner = inner
        self.looked: list[Evidence] = []

    def reset(self, task: Task, seed: int) -> Observation:
        return self.inner.reset(task, seed)

    def step(self, text: str) -> Observation:
        seen = self.inner.step(text)
        assert isinstance(self.inner, Inspectable)
        self.looked.append(self.inner.look("an answer"))
        return seen

    def finish(self, answer: str | None) -> Evidence:
        return self.inner.finish(answer)

    def close(self) -> None:
        self.inner.close()


def worked(env: Environment, task: Task) -> tuple[list[str], Evidence]:
    """What the known solution sees, and its evidence."""
    entry = mini.entries(0)[task.id]
    driver = Driver(env, env.reset(task, 0))
    with contextlib.suppress(LostError):
        solution_of(entry)(driver, entry.task.instantiation_dict)
    evidence = env.finish(driver.answer)
    env.close()
    return driver.observations, evidence


def chosen() -> list[Any]:
    """A task of each template; in the normal tests one of each sort of each site."""
    seen, found = set(), []
    for template, task_id in mini.one_of_each(0).items():
        sort = (mini.task(0, task_id).group, mini.entries(0)[task_id].kind)
        found.append(pytest.param(task_id, id=template, marks=[pytest.mark.long] if sort in seen else []))
        seen.add(sort)
    return found


@pytest.mark.parametrize("task_id", chosen())
def test_looking_changes_nothing(task_id: str) -> None:
    task, suite = mini.task(0, task_id), mini.suite(0)
    looking = Looking(suite.environment(task))
    assert worked(looking, task) == worked(suite.environment(task), task)
    assert looking.looked
