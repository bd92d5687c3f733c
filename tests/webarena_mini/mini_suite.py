"""Suites for tests, made once a process, and runs of known solutions on them."""

from __future__ import annotations

from functools import cache

from eval.suites.webarena_mini import WebArenaMini
from eval.suites.webarena_mini.measure import solve
from eval.suites.webarena_mini.profile import Measured
from eval.suites.webarena_mini.sites import MULTI, SITES
from eval.suites.webarena_mini.tasks.base import SuiteTask
from reasoningbank.types import Task

WORLDS = (0, 1, 2)
ALL = (*SITES, MULTI)
"""All sites, and the tasks of several of them."""
CONVENTIONS = WebArenaMini(sites=ALL).conventions


@cache
def suite(seed: int) -> WebArenaMini:
    """All tasks that there are."""
    return WebArenaMini(seed=seed, sites=ALL)


@cache
def solved(seed: int, task_id: str, without: frozenset[str] = frozenset()) -> Measured:
    return solve(suite(seed), task(seed, task_id), without)


def task(seed: int, task_id: str) -> Task:
    return _tasks(seed)[task_id]


@cache
def _tasks(seed: int) -> dict[str, Task]:
    return {found.id: found for found in suite(seed).tasks()}


def entries(seed: int) -> dict[str, SuiteTask]:
    return suite(seed).suite_tasks


def one_of_each(seed: int) -> dict[str, str]:
    """A task id for each template."""
    return {entry.template: task_id for task_id, entry in reversed(entries(seed).items())}
