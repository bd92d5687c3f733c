"""Episodes that `on_infra_error=skip` left out are done when the same command runs again, and change nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner_helpers import TINY, bank_ids, results

from eval.__main__ import main
from eval.analysis.records import load_run
from eval.banks.opened import read_experiences
from induce_memory import main as induce

pytestmark = pytest.mark.long

RUN = ["run", *TINY, "memory=reasoningbank", "scaling=parallel", "k=2", "suite.count=5", "suite.fail_on='2'"]


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    (tmp_path / "broken").touch()
    return [*RUN, f"suite.fail_while={tmp_path / 'broken'}", "retries=0", f"results_dir={tmp_path}", "run_name=job"]


def test_a_skipped_episode_is_done_later_and_teaches_nobody(line: list[str], tmp_path: Path) -> None:
    job = tmp_path / "job"
    assert main([*line, "on_infra_error=skip"]) == 0
    [before] = results(job).values()
    banks = bank_ids(job)
    assert main([*line, "on_infra_error=skip"]) == 0
    assert list(results(job).values()) == [before], "it fails again, and the line that says so stands already"
    (tmp_path / "broken").unlink()
    assert main(line) == 0
    [after] = results(job).values()
    assert after[:5] == before, "a journal only grows"
    redone = json.loads(after[5])
    assert (len(after), redone["position"], redone["learnt"]) == (6, 2, [])
    taught = {episode["position"]: episode["teaches"] for episode in map(json.loads, after)}
    assert taught == {position: position != 2 for position in range(5)}
    assert all(attempt["outcome"] for attempt in redone["attempts"])
    assert {each["experience_id"].split("/")[1] for each in redone["recalled"]} <= {"0000", "0001"}
    assert bank_ids(job) == banks
    [stream] = load_run(job).streams
    assert [each.result.position for each in stream.lines] == list(range(5))
    assert json.loads((job / "summary.json").read_text())["overall"]["n"] == 5
    assert main(line) == 0
    assert list(results(job).values()) == [after], "once is enough"


def test_what_a_redone_episode_recalls_and_does_is_what_it_would_have(line: list[str], tmp_path: Path) -> None:
    assert main([*line, "on_infra_error=skip"]) == 0
    (tmp_path / "broken").unlink()
    assert main(line) == 0
    assert main([*line, "run_name=whole"]) == 0
    redone, whole = _only(tmp_path, "job")[5], _only(tmp_path, "whole")[2]
    for key in ("recalled", "attempts", "selected", "injected_tokens"):
        assert redone[key] == whole[key]
    assert whole["learnt"]


def test_the_runs_bank_is_induced_from_what_taught_in_the_run(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "on_infra_error=skip"]) == 0
    (tmp_path / "broken").unlink()
    assert main(line) == 0
    assert induce([str(tmp_path / "job"), "--out", str(tmp_path / "new.sqlite")]) == 0
    assert "done again after others had begun: 1 task" in capsys.readouterr().out
    [own] = (tmp_path / "job").glob("streams/*/bank.sqlite")
    assert read_experiences(tmp_path / "new.sqlite") == read_experiences(own)


def test_where_nothing_may_be_skipped_it_stops_there(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "on_infra_error=skip"]) == 0
    before = results(tmp_path / "job")
    assert main(line) == 3
    assert "sums.t0/0002/2" in capsys.readouterr().err
    assert results(tmp_path / "job") == before


def _only(folder: Path, run: str) -> list[dict[str, object]]:
    [lines] = results(folder / run).values()
    return [json.loads(each) for each in lines]
