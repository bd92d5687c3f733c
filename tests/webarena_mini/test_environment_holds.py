"""What can be had of an environment by following its attributes: pages and data, and no way to a task or its gold."""

from __future__ import annotations

from functools import partial
from types import FunctionType, ModuleType

import mini_suite as mini
import pytest
from object_walk import reached

from eval.suites.web.evaluators import EvalSpec
from eval.suites.webarena_mini import WebArenaMini
from eval.suites.webarena_mini.measure import solve
from eval.suites.webarena_mini.site_tasks import solutions_of, tasks_of
from eval.suites.webarena_mini.sites import SITES
from eval.suites.webarena_mini.tasks import shopping
from eval.suites.webarena_mini.tasks.base import SuiteTask, Template

PACKAGE = "eval.suites.webarena_mini"
GOLD = (SuiteTask, EvalSpec, WebArenaMini, Template)
GOLD_MODULES = tuple(f"{PACKAGE}.{name}" for name in ("tasks", "solutions", "site_tasks", "suite", "measure"))


def leads_to_gold(thing: object) -> bool:
    if isinstance(thing, ModuleType):
        return thing.__name__.startswith(GOLD_MODULES)
    if isinstance(thing, FunctionType | type):
        return (thing.__module__ or "").startswith(GOLD_MODULES)
    return isinstance(thing, GOLD)


@pytest.mark.parametrize("redesign_at", [None, 0])
def test_nothing_that_an_environment_holds_leads_to_gold(redesign_at: int | None) -> None:
    suite = WebArenaMini(sites=tuple(SITES), subset="pocket", redesign_at=redesign_at)
    for task in suite.tasks()[::30]:
        env = suite.environment(task)
        for at in ("before", "while it is worked on"):
            found = reached(env)
            assert [thing for thing in found if leads_to_gold(thing)] == [], at
            env.reset(task, 0)
        assert len(reached(env)) > 500
        env.close()


def test_the_opener_holds_names_alone() -> None:
    for task in mini.suite(0).tasks()[::12]:
        held = mini.suite(0).environment(task)._open_sites
        assert isinstance(held, partial)
        assert held.args == (mini.entries(0)[task.id].task.sites, 0, False)


@pytest.mark.parametrize(
    "held",
    [
        mini.suite(0),
        {"a": [partial(tasks_of, SITES["shopping"], 0)]},
        (lambda entry: lambda: entry)(next(iter(mini.entries(0).values()))),
        mini.suite(0).evaluate,
        solutions_of(SITES["shopping"]),
        partial(solve, mini.suite(0)),
        shopping,
    ],
)
def test_the_walk_would_find_it(held: object) -> None:
    assert any(leads_to_gold(thing) for thing in reached(held))
