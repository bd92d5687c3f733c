"""A run whose fuzzy matches a model grades: the outcomes, the calls' own record, and the wall around gold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.base import Asked, FakeServer, compared, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import results

from eval.__main__ import main
from reasoningbank.llm.offline import SimulatedLLM
from reasoningbank.types import Reply

JOB = [
    *("suite=webarena_mini", "suite.sites=[shopping]", "suite.task_ids=['30','34','58','65']", "memory=reasoningbank"),
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
    # no other call of the run has the reference that the grader is shown
    references = {one.messages[-1].content.partition("# Reference\n")[2].partition("\n")[0] for one in graded}
    assert all("# Reference" not in message.content for one in asked if one not in graded for message in one.messages)
    assert references == {"$11.26", "$126.92"} & references
    [lines] = results(tmp_path / "graded").values()
    tokens = [json.loads(text)["tokens"].get("grader", {"calls": 0})["calls"] for text in lines]
    assert sum(tokens) == len(graded)
    # and once more from the records, without a server
    assert main([*line, *remote, "run_name=again", f"llm.replay={tmp_path / 'graded'}"]) == 0
    assert results(tmp_path / "again") == results(tmp_path / "graded")


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
