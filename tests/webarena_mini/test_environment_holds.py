"""What can be had of an environment by following its attributes: pages and data, and no way to a task or its gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import FunctionType, MethodType, ModuleType

import mini_suite as mini
import pytest
from werkzeug.local import LocalProxy

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


def inner(thing: object) -> Iterator[object]:
    """What an attribute, an index, a call's frame or a function's globals lead to from here."""
    if type(thing) is LocalProxy:  # stands for a request, of which there is none
        return
    if isinstance(thing, partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    if isinstance(thing, MethodType):
        yield from (thing.__self__, thing.__func__)
    if isinstance(thing, FunctionType):
        yield from (cell.cell_contents for cell in thing.__closure__ or ())
        yield from (thing.__defaults__ or (), thing.__kwdefaults__ or {})
        if ours(thing.__module__):
            yield from thing.__globals__.values()
    if isinstance(thing, Mapping):
        yield from (*thing.keys(), *thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    elif isinstance(thing, type):
        if ours(thing.__module__):
            yield from vars(thing).values()
    elif not isinstance(thing, ModuleType):
        yield type(thing)
        yield from getattr(thing, "__dict__", {}).values()
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(thing, name, None)


def ours(module: str | None) -> bool:
    return (module or "").startswith("eval.suites.")


def reached(start: object) -> list[object]:
    """All that is reached, at any depth."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing
            todo += inner(thing)
    return list(seen.values())


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
