"""What can be had of an environment on real sites by following its attributes: where to look, and not for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType, ModuleType

import pytest
from task_files import written

from eval.suites.web.evaluators import EvalSpec, ReferenceAnswers, RequiredContents
from eval.suites.webarena import WebArena
from eval.suites.webarena.task_file import RealTask, TaskFile
from reasoningbank.interfaces import Environment

GOLD = (EvalSpec, ReferenceAnswers, RequiredContents, RealTask, TaskFile, WebArena)
URLS = {name: f"http://{name.replace('_', '-')}.test" for name in ("shopping", "shopping_admin", "gitlab", "reddit")}


def inner(thing: object) -> Iterator[object]:
    """What an attribute, an index or a function's cells lead to from here; no module's globals."""
    if isinstance(thing, ModuleType | type):
        return
    if isinstance(thing, partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    if isinstance(thing, MethodType):
        yield from (thing.__self__, thing.__func__)
    if isinstance(thing, FunctionType):
        yield from (cell.cell_contents for cell in thing.__closure__ or ())
        yield from (thing.__defaults__ or (), thing.__kwdefaults__ or {})
    if isinstance(thing, Mapping):
        yield from (*thing.keys(), *thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    else:
        yield from getattr(thing, "__dict__", {}).values()
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(thing, name, None)


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


def environments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Environment]:
    monkeypatch.setattr(WebArena, "_program", Path("chromium"))
    suite = WebArena(task_file=written(folder), urls=URLS)
    return {task.id: suite.environment(task) for task in suite.tasks()}


def test_no_gold_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = environments(tmp_path, monkeypatch)
    assert len(found) == 6
    for env in found.values():
        things = reached(env)
        assert not [thing for thing in things if isinstance(thing, GOLD)]
        texts = {thing for thing in things if isinstance(thing, str)}
        assert not {text for text in texts if "Tea" in text or "Hello" in text or text == "tea"}


def test_but_it_would_be_found(tmp_path: Path) -> None:
    suite = WebArena(task_file=written(tmp_path), urls=URLS)
    assert suite.tasks()
    things = reached({"kept": partial(suite.evaluate)})
    assert any(isinstance(thing, EvalSpec) for thing in things)
    assert "Hello" in things
