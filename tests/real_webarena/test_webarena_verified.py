"""webarena-verified as second scorer, where an interpreter has it: WEBARENA_VERIFIED_PYTHON names one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from chromium_here import needs_chromium
from task_files import entry, written
from test_webarena_browser import SECONDS

from eval.grading.normalised import normalised_grader
from eval.journal import Outcome
from eval.suites.base import NotEvaluated
from eval.suites.webarena import WebArena
from eval.suites.webarena.evidence import RealEvidence
from eval.suites.webarena.practice import PracticeServer
from eval.suites.webarena.task_file import RealTask
from eval.suites.webarena.verified import Verified, made_response, own_response
from reasoningbank.errors import SetupError

START = {
    "request": {"method": "GET", "url": "http://shop.test/", "headers": [{"name": "accept", "value": "text/html"}]},
    "response": {"status": 200, "redirectURL": "", "headers": []},
}


@cache
def python() -> str:
    named = os.environ.get("WEBARENA_VERIFIED_PYTHON", "")
    if not named and not any(distributions(name="webarena-verified")):
        pytest.skip("webarena-verified is not installed; WEBARENA_VERIFIED_PYTHON names an interpreter that has it")
    return named or sys.executable


def references() -> list[dict[str, Any]]:
    """The package's tasks that are answered, and by nothing else."""
    where = "distribution('webarena-verified').locate_file('webarena_verified/assets/dataset/webarena-verified.json')"
    code = f"from importlib.metadata import distribution; print({where})"
    place = subprocess.run([python(), "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    every = json.loads(Path(place).read_text(encoding="utf-8"))
    return [task for task in every if len(task["eval"]) == 1 and len(task["sites"]) == 1]


def suite_of(folder: Path, *entries: dict[str, Any], **keys: Any) -> WebArena:
    return WebArena(task_file=written(folder, list(entries)), evaluator="verified", **keys)


def test_its_own_references_are_met_and_other_answers_are_not(tmp_path: Path) -> None:
    tasks = references()[:40]
    suite = suite_of(
        tmp_path, *(entry(task["task_id"], task["sites"][0]) for task in tasks), verified_python=python(), sites=SITES
    )
    faces = {task.id: task for task in suite.tasks()}

    def score(task: dict[str, Any], answer: str) -> float:
        site = task["sites"][0]
        evidence = RealEvidence(answer=answer, sites={site: f"http://{site}.test"}, traced=True, trace=(START,))
        return suite.evaluate(faces[str(task["task_id"])], evidence, normalised_grader).reward

    right = []
    for task in tasks:
        expected = task["eval"][0]["expected"]
        data = expected["retrieved_data"]
        first = None if data is None else [each[0] if isinstance(each, list) else each for each in data]
        right.append(score(task, json.dumps({**expected, "retrieved_data": first})))
        assert score(task, "something else altogether") == 0.0
    assert sum(right) >= 0.9 * len(right), "some references are patterns, which no answer is"


SITES = ("shopping", "shopping_admin", "gitlab", "reddit", "map")


def test_what_is_made_of_an_answer(tmp_path: Path) -> None:
    path = written(tmp_path, [entry(0, "shopping"), entry(1, "shopping", eval_types=["url_match"], reference_url="x")])
    asked, opened = WebArena(task_file=path).chosen.values()
    made = [
        made_response(asked, RealEvidence(answer="tea")),
        made_response(asked, RealEvidence(answer="N/A")),
        made_response(asked, RealEvidence(answer=None)),
        made_response(opened, RealEvidence(answer="it is open")),
    ]
    assert [each["status"] for each in made] == ["SUCCESS", "NOT_FOUND_ERROR", "UNKNOWN_ERROR", "SUCCESS"]
    assert [each["retrieved_data"] for each in made] == [["tea"], None, None, None]
    assert made[3]["task_type"] == "NAVIGATE"
    own = {"task_type": "NAVIGATE", "status": "SUCCESS"}
    assert own_response(RealEvidence(answer=json.dumps(own))) == own
    assert [own_response(RealEvidence(answer=text)) for text in (None, "tea", "[]", '{"a": 1}', "[" * 9999)] == [
        None
    ] * 5


def test_without_the_package_or_the_trace_it_is_said(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, entry(0, "shopping"), verified_python="/no/such/python")
    [task] = suite.tasks()
    evidence = RealEvidence(answer="tea", sites={"shopping": "http://shop.test"})
    assert suite.lacks(task, evidence) == ["what the browser has sent (suite.network_trace=true)"]
    with pytest.raises(SetupError, match="cannot be started"):
        suite.evaluate(task, evidence, normalised_grader)
    nothing = tmp_path / "python"
    nothing.write_text("#!/bin/sh\nexit 1\n")
    nothing.chmod(0o755)
    suite = suite_of(tmp_path, entry(0, "shopping"), verified_python=str(nothing))
    with pytest.raises(SetupError, match="has no package webarena-verified"):
        suite.evaluate(task, evidence, normalised_grader)
    nothing.write_text("#!/bin/sh\necho >&2 'ModuleNotFoundError: no numbers'; exit 1\n")
    with pytest.raises(SetupError, match="ModuleNotFoundError: no numbers"):
        suite.evaluate(task, evidence, normalised_grader)
    with pytest.raises(SetupError, match="each_step"):
        suite_of(tmp_path, entry(0, "shopping"), evaluate="each_step")


STUB = """
import json, sys, time
print('{"ready": true}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    said = str(asked["response"].get("retrieved_data"))
    if "dies" in said:
        sys.exit("out of memory")
    if "sleeps" in said:
        time.sleep(600)
    fault = "no such task" if asked["task_id"] == 9 else "no list" if "odd" in said or "?" in asked["response"] else ""
    print(json.dumps({"fault": fault} if fault else {"score": 0.5}), flush=True)
"""
"""A scorer that fails at one task, and at some answers: it does not like them, dies, or never comes to an end."""


@pytest.fixture
def stub(tmp_path: Path) -> Verified:
    (tmp_path / "stub.py").write_text(STUB)
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path / 'stub.py'}\n")
    python.chmod(0o755)
    return Verified(str(python), within=5.0)


def test_what_cannot_be_evaluated_has_no_outcome(stub: Verified, tmp_path: Path) -> None:
    good, unknown = WebArena(task_file=written(tmp_path, [entry(0, "shopping"), entry(9, "shopping")])).chosen.values()

    def outcome(answer: str | None, task: RealTask = good) -> Outcome:
        return stub.outcome(task, RealEvidence(answer=answer, traced=True))

    for answer in ("tea", None, '{"status": "SUCCESS"}'):
        with pytest.raises(NotEvaluated, match="could not evaluate task 9: no such task") as told:
            outcome(answer, unknown)
        assert "\n" not in str(told.value)
    with pytest.raises(NotEvaluated, match="no score for task 0: its process has ended: out of memory"):
        outcome("he dies")
    assert outcome("tea").model_dump() == {"reward": 0.5, "status": "unsolved", "checks": {"verified": 0.5}}
    stub._within = 0.3
    with pytest.raises(NotEvaluated, match=r"no score for task 0: it said nothing within 0\.3 s"):
        outcome("she sleeps")
    stub._within = 5.0
    assert outcome(None).reward == 0.5, "another process has come"


def test_an_answer_that_cannot_be_compared_is_wrong(
    stub: Verified, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    [task] = WebArena(task_file=written(tmp_path, [entry(0, "shopping")])).chosen.values()
    found = stub.outcome(task, RealEvidence(answer="it is odd", traced=True))
    assert found.model_dump() == {"reward": 0.0, "status": "unsolved", "checks": {"verified": 0.0, "evaluated": 0.0}}
    assert "could not evaluate task 0: no list: it could without the answer" in caplog.text
    assert stub.outcome(task, RealEvidence(answer='{"status": "SUCCESS", "?": 1}', traced=True)).reward == 0.5


def test_an_object_that_cannot_be_read_is_a_text_like_any_other(tmp_path: Path) -> None:
    task = next(task for task in references() if "shopping" in task["sites"])
    suite = suite_of(tmp_path, entry(task["task_id"], "shopping"), verified_python=python())
    [face] = suite.tasks()
    evidence = RealEvidence(sites={"shopping": "http://shop.test"}, traced=True, trace=(START,))
    for answer in ('{"status": 5}', '{"status": null}', '{"status": {"a": []}, "task_type": [1]}'):
        assert suite.evaluate(face, evidence.model_copy(update={"answer": answer}), normalised_grader).reward == 0.0
    with pytest.raises(NotEvaluated, match="Trace content list is empty"):
        suite.evaluate(face, evidence.model_copy(update={"answer": "tea", "trace": ()}), normalised_grader)


@pytest.mark.long
@needs_chromium
def test_what_the_browser_sends_is_kept_without_cookies_and_passwords(tmp_path: Path) -> None:
    shop = PracticeServer("shopping")
    suite = WebArena(
        task_file=written(tmp_path, [entry(0, "shopping")]),
        urls={"shopping": shop.url},
        evaluator="verified",
        answer_form="verified",
        **SECONDS,
    )
    [task] = suite.tasks()
    assert "retrieved_data" in task.note
    env = suite.environment(task)
    shown = env.reset(task, 0)
    box = next(line for line in shown.text.splitlines() if "textbox 'Search'" in line).split("]")[0].strip("\t[")
    env.step(f"fill('{box}', 'lamp')\npress('{box}', 'Enter')")
    evidence = env.finish("tea")
    env.close()
    shop.close()
    assert isinstance(evidence, RealEvidence)
    kept = [(each["request"]["method"], each["request"]["url"], each["response"]["status"]) for each in evidence.trace]
    assert kept[0] == ("GET", f"{shop.url}/", 200)
    assert kept[-1][1].startswith(f"{shop.url}/")
    assert "lamp" in kept[-1][1]
    names = {header["name"].lower() for each in evidence.trace for header in each["request"]["headers"]}
    assert {"accept", "referer", "sec-fetch-dest"} <= names
    assert not names & {"cookie", "authorization"}
    assert "Password.123" not in evidence.model_dump_json()
