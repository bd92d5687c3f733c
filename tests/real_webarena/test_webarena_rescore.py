"""A run of WebArena evaluated again: by another task file, without its sites, and in BrowserGym's way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted_session import ScriptedSession, surroundings
from task_files import entry, written

from eval.__main__ import main
from eval.grading.rescoring import Rescored
from eval.suites.base import NotEvaluated
from eval.suites.webarena import WebArena
from eval.suites.webarena.environment import RealEnvironment

END = "http://shop-a.test/tea.html"


def at(url: str) -> dict[str, Any]:
    one = entry(0, "shopping", eval_types=["url_match"], reference_url=url)
    return {**one, "intent": "Open the coffee and then the milk."}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of one task in a session that goes over the right page to another one; the suite evaluates each step."""

    def environment(suite: WebArena, task: Any) -> RealEnvironment:
        session = ScriptedSession(url="http://shop-a.test/")
        pages = iter([END, "http://shop-a.test/milk.html"])

        def go() -> None:
            session.url = next(pages)

        session.at_step = go
        return RealEnvironment(
            sites=("shopping",), looks=(), session=session, around=surroundings(tmp_path, each_step=True)
        )

    monkeypatch.setattr(WebArena, "environment", environment)
    monkeypatch.setattr(WebArena, "check", lambda suite: "")
    monkeypatch.setattr(WebArena, "begin_stream", lambda suite, tasks, fresh: None)
    (tmp_path / "first").mkdir()
    line = [
        *("suite=webarena", "suite.sites=[shopping]", "suite.evaluate=each_step", "memory=none", "embedder=hashing"),
        *(f"suite.task_file={written(tmp_path / 'first', [at('__SHOPPING__/tea.html')])}", "agent.max_steps=2"),
        *(f"results_dir={tmp_path}", "run_name=one", "progress=quiet", "concurrency.workers=1"),
    ]
    assert main(["run", *line]) == 0
    return tmp_path / "one"


def rescored(run: Path, *words: str) -> Rescored:
    for path in run.glob("rescored/*.json"):
        path.unlink()
    assert main(["rescore", str(run), *words]) == 0
    [path] = run.glob("rescored/*.json")
    return Rescored.model_validate_json(path.read_bytes())


def test_as_it_was_once_at_the_end_and_by_another_file(run: Path, tmp_path: Path) -> None:
    same = rescored(run)
    assert (same.overall.old.success_rate, same.overall.new.success_rate) == (1.0, 1.0)
    end = rescored(run, "suite.evaluate=end")
    assert (end.overall.old.success_rate, end.overall.new.success_rate) == (1.0, 0.0)
    other = written(tmp_path, [at("__SHOPPING__/milk.html")])
    found = rescored(run, "suite.evaluate=end", f"suite.task_file={other}")
    assert found.overall.new.success_rate == 1.0
    assert found.suite["task_file"] != same.suite["task_file"]


def test_what_cannot_be_evaluated_is_left_out_and_told(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate(suite: WebArena, task: Any, evidence: Any, grader: Any) -> Any:
        raise NotEvaluated("it is in no reference")

    monkeypatch.setattr(WebArena, "evaluate", evaluate)
    found = rescored(run)
    assert found.not_rescored == {"it is in no reference": 1}
    assert (found.overall.left_out, found.changes) == (1, ())


def test_a_file_that_looks_elsewhere_finds_no_evidence(run: Path, tmp_path: Path) -> None:
    target = {"url": "last", "locator": "document.title", "required_contents": {"exact_match": "Tea"}}
    other = written(tmp_path, [entry(0, "shopping", eval_types=["program_html"], program_html=[target])])
    found = rescored(run, f"suite.task_file={other}")
    assert found.overall.left_out == 1
    assert found.not_rescored == {"its evidence lacks last document.title": 1}
    (tmp_path / "third").mkdir()
    found = rescored(run, f"suite.task_file={written(tmp_path / 'third', [entry(5, 'shopping')])}")
    assert found.not_rescored == {"the suite has no such task now": 1}
