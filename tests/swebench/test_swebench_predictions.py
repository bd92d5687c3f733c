"""The predictions that a run keeps beside its journals, line by line."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patch_runs import JOB, kill_at

from eval.__main__ import main
from eval.analysis.records import load_run
from eval.journal import JournalLine
from eval.runs.predictions import StreamPredictions
from eval.suites.code.environment import CodeEnvironment
from eval.suites.swebench.predictions import read_predictions, write_predictions

BESIDE = Path(__file__).parents[2].parent / "shared" / "realdata"
THEIRS = Path(os.environ.get("REASONINGBANK_REALDATA", BESIDE)) / "mini_v2_deepseek" / "preds.json"
FIXED = ["pears__first", "pears__second"]


def carry_out(folder: Path, *more: str) -> Path:
    assert main(["run", *JOB, f"results_dir={folder}", *more]) in (0, 3)
    return folder / "one"


def as_score_writes(run: Path) -> bytes:
    """What the file holds after `score` has made it anew from the journals."""
    (run / "preds.json").unlink(missing_ok=True)
    assert main(["score", str(run), "--by", "nobody"]) == 0
    return (run / "preds.json").read_bytes()


def test_a_run_keeps_what_score_would_write(tmp_path: Path) -> None:
    run = carry_out(tmp_path)
    kept = (run / "preds.json").read_bytes()
    assert list(json.loads(kept)) == ["pears__already", *FIXED], "an infra error is no empty prediction"
    assert kept == as_score_writes(run)


def test_a_kill_between_a_line_and_its_prediction_is_made_good(tmp_path: Path) -> None:
    kill_at("journal.bank", 3, tmp_path / "mark", "run", *JOB, f"results_dir={tmp_path}")
    run = tmp_path / "one"
    (journal,) = run.glob("streams/*/journal.jsonl")
    assert journal.read_bytes().count(b"\n") == 3
    assert list(json.loads((run / "preds.json").read_bytes())) == ["pears__already"]
    carry_out(tmp_path)
    kept = (run / "preds.json").read_bytes()
    assert list(json.loads(kept)) == ["pears__already", *FIXED]
    assert kept == as_score_writes(run)


@pytest.mark.parametrize("left", [b"", b"{not JSON", None])
def test_whatever_is_left_of_the_file_a_run_that_goes_on_mends_it(tmp_path: Path, left: bytes | None) -> None:
    run = carry_out(tmp_path)
    kept = (run / "preds.json").read_bytes()
    (run / "preds.json").unlink()
    if left is not None:
        (run / "preds.json").write_bytes(left)
    carry_out(tmp_path)
    assert (run / "preds.json").read_bytes() == kept


def test_streams_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    """As workers do, each with the lines of its own stream."""
    run = carry_out(tmp_path)
    kept = (run / "preds.json").read_bytes()
    (stream,) = load_run(run).streams
    (run / ".preds.json.killed.tmp").write_text("{")

    def follow(line: JournalLine) -> None:
        mine = StreamPredictions(run, stream.name, [line.result.task_id], lambda data: str(data["patch"] or ""))
        for _ in range(20):
            mine.begin([])
            mine.add(line)

    with ThreadPoolExecutor() as pool:
        list(pool.map(follow, stream.lines))
    assert (run / "preds.json").read_bytes() == kept
    assert not list(run.glob(".*.tmp"))


def test_a_prediction_whose_line_is_lost_goes_until_its_task_is_done_again(tmp_path: Path) -> None:
    run = carry_out(tmp_path)
    (journal,) = run.glob("streams/*/journal.jsonl")
    whole = journal.read_bytes()
    kept = (run / "preds.json").read_bytes()
    journal.write_bytes(whole[: whole.index(b"\n", whole.index(b"pears__first")) + 1])
    for attempt in run.glob("streams/*/attempts/*second"):
        attempt.rename(tmp_path / "elsewhere")
    kill_at("attempt", 1, tmp_path / "mark", "run", *JOB, f"results_dir={tmp_path}")
    assert list(json.loads((run / "preds.json").read_bytes())) == ["pears__already", "pears__first"]
    carry_out(tmp_path)
    assert (run / "preds.json").read_bytes() == kept


def test_a_task_that_was_skipped_gets_its_prediction_when_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = carry_out(tmp_path)
    down = sys.modules["patch_tasks"].Down
    monkeypatch.setattr(down, "reset", CodeEnvironment.reset)
    assert carry_out(tmp_path) == run
    kept = (run / "preds.json").read_bytes()
    assert list(json.loads(kept)) == ["pears__already", "pears__down", *FIXED]
    assert kept == as_score_writes(run)


def test_what_the_file_has_of_an_attempt_that_was_deleted_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders of attempts are large; a run goes on without them."""
    run = carry_out(tmp_path)
    kept = (run / "preds.json").read_bytes()
    (attempt,) = run.glob("streams/*/attempts/*first/0.json")
    attempt.unlink()
    carry_out(tmp_path)
    assert (run / "preds.json").read_bytes() == kept
    (run / "preds.json").unlink()
    capsys.readouterr()
    carry_out(tmp_path, "progress=plain")
    assert "1 prediction missing: " in capsys.readouterr().out
    assert list(json.loads((run / "preds.json").read_bytes())) == ["pears__already", "pears__second"]


def test_what_another_tool_adds_costs_no_entry_and_what_nobody_can_read_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "preds.json"
    entry = {"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": "+1"}
    path.write_text(json.dumps({"a__b-1": {**entry, "cost": 0.1}}))
    assert {name: vars(each) for name, each in read_predictions(path).items()} == {"a__b-1": entry}
    path.write_text('{"a__b-1": ')
    assert read_predictions(path) == {}
    assert [each.name for each in tmp_path.iterdir()] == ["preds.json.broken"]


@pytest.mark.skipif(
    not THEIRS.is_file(), reason="there are no files of other tools: REASONINGBANK_REALDATA names their folder"
)
def test_the_file_is_as_mini_swe_agent_writes_it(tmp_path: Path) -> None:
    found = read_predictions(THEIRS)
    assert found
    write_predictions(tmp_path / "preds.json", found.values())
    assert json.loads((tmp_path / "preds.json").read_text()) == json.loads(THEIRS.read_text())


@pytest.mark.long
@pytest.mark.parametrize(
    ("more", "files"),
    [
        (["k=2", "scaling=parallel"], ["preds.json"]),
        (["k=2", "scaling=parallel", "scaling.select=false"], ["preds.a1.json", "preds.json"]),
        (["k=2", "scaling=sequential"], ["preds.json"]),
        (["trials=2", "concurrency.workers=2"], ["preds.json", "preds.t1.json"]),
    ],
)
def test_further_trials_and_attempts_have_files_of_their_own(tmp_path: Path, more: list[str], files: list[str]) -> None:
    run = carry_out(tmp_path, *more)
    found = {path.name: path.read_bytes() for path in sorted(run.glob("preds*"))}
    assert list(found) == files
    for kept in found.values():
        assert list(json.loads(kept)) == ["pears__already", *FIXED]
    assert main(["score", str(run), "--by", "nobody"]) == 0
    assert {path.name: path.read_bytes() for path in sorted(run.glob("preds*"))} == found
