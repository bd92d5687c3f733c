"""A run whose fuzzy matches a model grades: the outcomes, the calls' own record, and the wall around gold."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from fakes.base import Asked, FakeServer, compared, plain, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import results

from eval.__main__ import main
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.llm.offline import SimulatedLLM
from reasoningbank.types import Reply, Usage

JOB = [
    *(
        "suite=webarena_mini",
        "suite.sites=[shopping]",
        "suite.templates=[vague_price_paid,phone_of_address]",
        "memory=reasoningbank",
    ),
    *("embedder=hashing", "progress=quiet", "retry_wait=0"),
]


def outcomes(folder: Path) -> dict[str, str]:
    [lines] = results(folder).values()
    rows = [json.loads(line) for line in lines]
    return {row["task_id"]: row["attempts"][0]["outcome"]["status"] for row in rows}


def grades(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.grader.calls.jsonl"))


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    return ["run", *JOB, f"results_dir={tmp_path}"]


def test_a_model_grades_what_has_to_be_compared(line: list[str], tmp_path: Path) -> None:
    assert main([*line, "run_name=offline"]) == 0
    inner, asked = compared(simulated(SimulatedLLM())), []

    def answer(one: Asked) -> Reply:
        asked.append(one)
        return inner(one)

    with FakeServer(OpenAIApp(answer)) as server:
        remote = ["llm=openai", "llm.model=fake-model", f"llm.base_url={server.url}/v1"]
        assert main([*line, *remote, "run_name=remote", "+llm@roles.grader=offline"]) == 0
        assert grades(tmp_path / "remote") == []
        del asked[:]
        assert main([*line, *remote, "run_name=graded"]) == 0
        assert main([*line, *remote, "run_name=graded"]) == 0
    assert outcomes(tmp_path / "graded") == outcomes(tmp_path / "remote")
    assert "solved" in outcomes(tmp_path / "graded").values(), "else nothing was compared with success"
    graded = [one for one in asked if "# Reference" in one.messages[-1].content]
    assert len(graded) == sum(len(path.read_text().splitlines()) for path in grades(tmp_path / "graded")) > 0
    [lines] = results(tmp_path / "graded").values()
    tokens = [json.loads(text)["tokens"].get("grader", {"calls": 0})["calls"] for text in lines]
    assert sum(tokens) == len(graded)
    # and once more from the records, without a server
    assert main([*line, *remote, "run_name=again", f"llm.replay={tmp_path / 'graded'}"]) == 0
    assert results(tmp_path / "again") == results(tmp_path / "graded")


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> str:
    """A word that every reference of the suite has, and nothing else in the world."""
    word = "vermilion-0417"
    make = WebArenaMini.__init__

    @wraps(make)
    def with_it(suite: WebArenaMini, **keys: Any) -> None:
        make(suite, **keys)
        for entry in suite.suite_tasks.values():
            gold = entry.task.eval
            answers = gold.get("reference_answers") or {}
            if isinstance(answers.get("fuzzy_match"), list):
                answers["fuzzy_match"] = [f"{reference} {word}" for reference in answers["fuzzy_match"]]
            if gold.get("string_note"):
                gold["string_note"] += f" {word}"

    monkeypatch.setattr(WebArenaMini, "__init__", with_it)
    return word


@pytest.mark.parametrize("scaling", [["scaling=parallel", "k=2"], ["scaling=sequential", "k=2"]])
def test_the_grader_alone_is_shown_gold(scaling: list[str], planted: str, line: list[str], tmp_path: Path) -> None:
    inner, lock = compared(simulated(SimulatedLLM())), Lock()
    shown: list[str] = []
    hidden: list[str] = []

    def answer(one: Asked) -> Reply:
        text = one.messages[-1].content
        grades = "# Reference\n" in text or "# Why it cannot be done\n" in text
        with lock:
            (shown if grades else hidden).append(repr(one))
        last = one.messages[-1].model_copy(update={"content": text.replace(f" {planted}", "")})
        return inner(replace(one, messages=(*one.messages[:-1], last)))

    with FakeServer(OpenAIApp(answer)) as server:
        remote = ["llm=openai", "llm.model=fake-model", f"llm.base_url={server.url}/v1"]
        assert main([*line, *remote, *scaling, "run_name=one"]) == 0
    assert "solved" in outcomes(tmp_path / "one").values(), "else nothing was learnt from a right answer"
    assert shown
    assert all(planted in each for each in shown)
    assert len(hidden) > 20
    assert not [each for each in hidden if planted in each]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if planted.encode() in path.read_bytes()]


UNREADABLE = {
    "words": plain("It may be right."),
    "declined": Reply(text="", usage=Usage(calls=1, input_tokens=9), stop_reason="safety"),
    "cut off": Reply(text="Grade: correct", usage=Usage(calls=1, output_tokens=9), stop_reason="length"),
}


@pytest.mark.parametrize(("kind", "tries"), [*((kind, 3) for kind in UNREADABLE), ("declined", 1)])
def test_answers_that_are_not_graded_are_counted(kind: str, tries: int, line: list[str], tmp_path: Path) -> None:
    """`tries`: of how many replies in a row none can be read; the grader takes the first of three that can be."""
    inner, asked, lock = compared(simulated(SimulatedLLM())), Counter[str](), Lock()

    def answer(one: Asked) -> Reply:
        text = one.messages[-1].content
        if "# Reference\n" not in text and "# Why it cannot be done\n" not in text:
            return inner(one)
        with lock:
            asked[text] += 1
        return UNREADABLE[kind] if asked[text] <= tries else inner(one)

    with FakeServer(OpenAIApp(answer)) as server:
        remote = [
            "llm=openai",
            "llm.model=fake-model",
            f"llm.base_url={server.url}/v1",
            "memory=none",
            "suite.templates=[vague_price_paid]",
        ]
        assert main([*line, *remote, "run_name=one"]) == 0
    answers = len(asked) if tries == 3 else 0
    [rows] = results(tmp_path / "one").values()
    assert asked
    assert not [row for row in rows if "It may be right." in row], "a grader's words may repeat gold"
    assert sum(json.loads(row).get("ungraded", 0) for row in rows) == answers
    assert json.loads((tmp_path / "one" / "summary.json").read_bytes())["overall"]["ungraded"] == answers
    assert ("answers not graded" in (tmp_path / "one" / "table.txt").read_text()) is bool(answers)
    calls = sum(json.loads(row)["tokens"].get("grader", {"calls": 0})["calls"] for row in rows)
    assert calls == len(asked) * (3 if tries == 3 else 2)


def test_a_grade_is_not_paid_for_twice(line: list[str], tmp_path: Path) -> None:
    with FakeServer(OpenAIApp(compared(simulated(SimulatedLLM())))) as server:
        remote = ["llm=openai", "llm.model=fake-model", f"llm.base_url={server.url}/v1", "run_name=one"]
        assert main([*line, *remote]) == 0
        whole, calls = results(tmp_path / "one"), len(server.requests)
        [journal] = (tmp_path / "one").glob("streams/*/journal.jsonl")
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
        assert main([*line, *remote]) == 0
        assert results(tmp_path / "one") == whole
        assert len(server.requests) == calls
