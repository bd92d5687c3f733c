"""What can be had of an environment on real sites by following its attributes: where to look, and not for what."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from object_walk import reached
from task_files import written

from eval.suites.web.evaluators import EvalSpec, ReferenceAnswers, RequiredContents
from eval.suites.webarena import WebArena
from eval.suites.webarena.task_file import RealTask, TaskFile
from reasoningbank.interfaces import Environment

GOLD = (EvalSpec, ReferenceAnswers, RequiredContents, RealTask, TaskFile, WebArena)
URLS = {name: f"http://{name.replace('_', '-')}.test" for name in ("shopping", "shopping_admin", "gitlab", "reddit")}


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
