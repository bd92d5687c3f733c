"""Call records in a run: what was cut off goes on without a call paid twice, and a run can be made again from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from runner_helpers import TINY, kill_at, results, run
from watched_bench import bench_of, run_bench

from eval.__main__ import main
from eval.config.load import load_config
from eval.workbench import Workbench
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import LLM
from reasoningbank.llm.record import read_calls
from reasoningbank.types import Message, Reply

PARALLEL = ["memory=reasoningbank", "scaling=parallel", "k=3", "limit=4", "retry_wait=0"]


class Counted:
    """A model that counts what it is asked, and fails at its call number `fails`."""

    def __init__(self, inner: LLM, *, simulated: bool = True, fails: int | None = None) -> None:
        self.id = inner.id
        self.simulated = simulated
        self.replies = 0
        self._inner = inner
        self._fails = fails

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        if self.replies == self._fails:
            self._fails = None
            raise InfraError("the line is dead")
        self.replies += 1
        return self._inner.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)


def counted(bench: Workbench, **keys: object) -> tuple[Workbench, Counted]:
    model = Counted(bench.llms["agent"], **keys)  # type: ignore[arg-type]
    return replace(bench, llms=dict.fromkeys(bench.llms, model)), model


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.calls.jsonl"))


@pytest.mark.parametrize("record", [True, False])
def test_an_episode_that_failed_pays_for_no_call_twice(record: bool, tmp_path: Path) -> None:
    bench, model = counted(bench_of(*PARALLEL))
    whole = run_bench(bench, tmp_path / "whole" / "streams" / "sums.t0")
    twice = []
    for fails in range(0, model.replies, 7):
        flaky, again = counted(bench_of(*PARALLEL, "llm.tries=1", f"llm.record={record}", "retries=1"), fails=fails)
        lines = run_bench(flaky, tmp_path / str(fails) / "streams" / "sums.t0")
        assert results(tmp_path / str(fails)) == results(tmp_path / "whole")
        lost = sum(line.telemetry.failed_tokens.calls for line in lines)
        assert again.replies == model.replies + lost
        twice.append(lost)
    assert (sum(twice) == 0) is record
    assert sum(line.telemetry.failed_tokens.calls for line in whole) == 0


def test_remote_models_are_recorded_and_simulated_ones_only_when_asked(tmp_path: Path) -> None:
    one = ["limit=1", "memory=reasoningbank"]
    for name, simulated, more, recorded in (
        ("simulated", True, [], False),
        ("asked", True, ["llm.record=true"], True),
        ("remote", False, [], True),
        ("unwanted", False, ["llm.record=false"], False),
    ):
        bench, _ = counted(bench_of(*one, *more), simulated=simulated)
        run_bench(bench, tmp_path / name / "streams" / "sums.t0")
        assert bool(files(tmp_path / name)) is recorded, name


def line_of(tmp_path: Path, name: str) -> list[str]:
    return ["run", *TINY, *PARALLEL, "llm.record=true", f"results_dir={tmp_path}", f"run_name={name}"]


@pytest.mark.parametrize(("place", "passage"), [("attempt", 7), ("judge", 4), ("journal.bank", 2)])
def test_a_killed_run_makes_only_the_calls_that_are_not_recorded(place: str, passage: int, tmp_path: Path) -> None:
    assert main(line_of(tmp_path, "whole")) == 0
    kill_at(place, passage, tmp_path / "mark", *line_of(tmp_path, "killed"))
    job = tmp_path / "killed"
    before = {name: (job / name).read_bytes() for name in files(job)}
    assert before
    assert main(line_of(tmp_path, "killed")) == 0
    assert results(job) == results(tmp_path / "whole")
    assert files(job) == files(tmp_path / "whole")
    for name in files(job):
        after = (job / name).read_bytes()
        assert after.startswith(before.get(name, b"")), "what stood there stands there still"
        assert len(after.splitlines()) == len(read_calls(job / name)), "and no key has a second line"


def test_a_journal_that_lost_its_last_line_is_made_whole_from_the_record(tmp_path: Path) -> None:
    assert main(line_of(tmp_path, "whole")) == 0
    [journal] = (tmp_path / "whole").glob("streams/*/journal.jsonl")
    whole = results(tmp_path / "whole")
    calls = {name: (tmp_path / "whole" / name).read_bytes() for name in files(tmp_path / "whole")}
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    assert main(line_of(tmp_path, "whole")) == 0
    assert results(tmp_path / "whole") == whole
    assert calls == {name: (tmp_path / "whole" / name).read_bytes() for name in files(tmp_path / "whole")}


def replay_of(tmp_path: Path, *overrides: str) -> list[str]:
    line = [*line_of(tmp_path, "again")[:-1], f"llm.replay={tmp_path / 'whole'}", *overrides]
    line.remove("llm.record=true")
    return [*line, "run_name=again"]


def test_a_run_is_made_again_from_its_records(tmp_path: Path) -> None:
    assert main(line_of(tmp_path, "whole")) == 0
    assert main(replay_of(tmp_path)) == 0
    assert results(tmp_path / "again") == results(tmp_path / "whole")
    assert files(tmp_path / "again") == []
    summaries = [json.loads((tmp_path / name / "summary.json").read_text()) for name in ("whole", "again")]
    assert summaries[0]["overall"] == summaries[1]["overall"]
    assert summaries[1]["simulated"] is True, "what simulated replies came to is simulated, whoever repeats them"


def test_a_run_is_replayed_by_its_name_as_by_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = ["limit=1", "progress=quiet"]
    assert main([*line_of(tmp_path, "deep/whole"), *one]) == 0
    line = [*line_of(tmp_path, "again"), *one]
    assert main([*line, "llm.replay=deep/whole"]) == 0
    before = (tmp_path / "again" / "meta.json").read_bytes()
    assert main([*line, f"llm.replay={tmp_path / 'deep/whole'}"]) == 0, "the same settings"
    assert (tmp_path / "again" / "meta.json").read_bytes() == before
    assert json.loads(before)["identity"]["llm"]["replay"] == str(tmp_path / "deep/whole")
    capsys.readouterr()
    for name, said in (("deep/hole", "did you mean deep/whole"), ("deep", "it holds 1 run; name")):
        assert main([*line, f"llm.replay={name}"]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"error: llm.replay={name}: ")
        assert said in error
        assert error.count("\n") == 1


def test_a_run_without_records_cannot_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = ["limit=1", "progress=quiet"]
    assert main([word for word in (*line_of(tmp_path, "bare"), *one) if word != "llm.record=true"]) == 0
    assert not list((tmp_path / "bare").rglob("*.calls.jsonl"))
    capsys.readouterr()
    line = [*line_of(tmp_path, "again"), *one, "llm.replay=bare"]
    assert main(line) == 2
    error = capsys.readouterr().err
    assert f"llm.replay={tmp_path / 'bare'}: the run has no records of its calls" in error
    assert "llm.record=true" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("fresh", [[], ["fresh=true"]], ids=["goes on", "fresh"])
@pytest.mark.parametrize("through", ["link", "linked/whole"])
@pytest.mark.parametrize("key", ["llm.replay", "bank.init_from"])
def test_no_run_is_made_from_what_its_own_folder_holds(
    key: str, through: str, fresh: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be moved away, or compared with itself."""
    one = ["limit=1", "progress=quiet"]
    assert main([*line_of(tmp_path, "whole"), *one]) == 0
    (tmp_path / "link").symlink_to(tmp_path / "whole")
    (tmp_path / "linked").symlink_to(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "whole").rglob("*")}
    capsys.readouterr()
    line = [*line_of(tmp_path, "whole"), *one, f"{key}={tmp_path / through}", *fresh]
    assert main(line) == 2
    if key == "llm.replay" or fresh:
        assert capsys.readouterr().err == (
            f"error: {key}={tmp_path / through} is in the folder of this run itself: choose another run_name\n"
        )
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "whole").rglob("*")} == before
    assert not (tmp_path / ".old").exists()


def test_a_replay_that_comes_to_another_call_says_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line_of(tmp_path, "whole")) == 0
    capsys.readouterr()
    changes = {
        "temperature.judge=0.5": "call 0 of role judge was another (temperature 0.0 -> 0.5)",
        "seed=1": "call 0 of role agent was another (seed ",
        "k=4": "call 0 of role agent is missing",
        "memory.max_items_contrast=1": "call 0 of role extractor was another (message ",
    }
    for change, said in changes.items():
        assert main([*replay_of(tmp_path, change), "fresh=true"]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert str(tmp_path / "whole") in error
        assert error.count("\n") <= 2


@pytest.mark.parametrize(
    "value", ["llm.replay=nowhere", "llm.replay=''", "llm.record=maybe", "llm.record=1", "llm.replay=3"]
)
def test_bad_values_are_refused(value: str, tmp_path: Path) -> None:
    done = run("run", *TINY, value, f"results_dir={tmp_path}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert value.partition("=")[0] in done.stderr


def test_records_are_no_part_of_what_makes_runs_the_same() -> None:
    from eval.runs.identity import identity

    def of(*overrides: str) -> dict[str, object]:
        return identity(bench_of(*overrides))

    assert of("llm.record=true") == of("llm.record=false") == of()
    with pytest.raises(SetupError, match="record"):
        bench_of("+llm@roles.judge=arithmetic", "+roles.judge.record=true")
    assert load_config([*TINY, "llm.record=true"]).client("agent").keys() == {"type", "slow"}
