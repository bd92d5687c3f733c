"""A bank from another run, stream by stream, and one to which nothing is added."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import TINY, bank_ids, results

from eval.__main__ import main
from eval.analysis.origin import Origin, of_notes
from memory_management import main as manage
from reasoningbank.bank import files
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.hashing import HashingEmbedder

SITES = "suite.sites=[sums,more]"


def go(tmp_path: Path, name: str, *more: str) -> int:
    line = [f"results_dir={tmp_path}", f"run_name={name}", "limit=3", "concurrency.workers=1", *more]
    return main(["run", *TINY, *line])


def held(folder: Path) -> dict[str, set[str]]:
    """What each stream's bank holds, without the mark of what it started from."""
    return {stream: {name.removeprefix("init/") for _, name in ids} for stream, ids in bank_ids(folder).items()}


def episodes(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {stream: [json.loads(line) for line in lines] for stream, lines in results(folder).items()}


def meta(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "meta.json").read_text())
    return data


def test_each_stream_starts_from_the_bank_of_its_own_group_and_trial(tmp_path: Path) -> None:
    assert go(tmp_path, "first", SITES, "trials=2") == 0
    source = held(tmp_path / "first")
    assert set(source) == {"sums.t0", "sums.t1", "more.t0", "more.t1"}
    assert len({frozenset(names) for names in source.values()}) == 4
    for given in ("first", str(tmp_path / "first")):
        name = f"second-{len(given)}"
        assert go(tmp_path, name, SITES, "trials=3", f"bank.init_from={given}", "bank.frozen=true") == 0
        wanted = {**source, "sums.t2": source["sums.t0"], "more.t2": source["more.t0"]}
        assert held(tmp_path / name) == wanted


def test_a_frozen_bank_is_recalled_from_and_nothing_is_judged_or_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert go(tmp_path, "first") == 0
    frozen = ["seed=1", "bank.init_from=first", "bank.frozen=true"]
    assert go(tmp_path, "second", *frozen) == 0
    [lines] = episodes(tmp_path / "second").values()
    [before], [after] = held(tmp_path / "first").values(), held(tmp_path / "second").values()
    assert before == after
    for line in lines:
        assert line["recalled"]
        assert line["injected_tokens"] > 0
        assert line["learnt"] == []
        assert set(line["tokens"]) == {"agent"}
        assert all(attempt["verdict"] is None for attempt in line["attempts"])
    # what is recalled for a task does not depend on the tasks before it
    assert go(tmp_path, "turned", *frozen, "order=shuffled", "order_seed=3", "limit=8") == 0
    assert go(tmp_path, "straight", *frozen, "limit=8") == 0
    [turned], [straight] = episodes(tmp_path / "turned").values(), episodes(tmp_path / "straight").values()
    assert [line["task_id"] for line in turned] != [line["task_id"] for line in straight]
    outcomes = [
        {line["task_id"]: (line["recalled"], line["attempts"][0]["outcome"]) for line in some}
        for some in (turned, straight)
    ]
    assert outcomes[0] == outcomes[1]
    capsys.readouterr()
    assert main(["show", "second", f"--results={tmp_path}"]) == 0
    assert "bank: starts from first, frozen" in capsys.readouterr().out


def test_frozen_or_not_are_two_runs_and_a_sweep_over_both_is_one_command(tmp_path: Path) -> None:
    assert go(tmp_path, "first") == 0
    line = ["run", "-m", *TINY, f"results_dir={tmp_path}", "limit=2", "seed=1", "bank.init_from=first"]
    line += ["concurrency.workers=1"]
    assert main([*line, "run_name=both", "bank.frozen=true,false"]) == 0
    sizes = {value: len(bank_ids(tmp_path / "both" / f"bank.frozen={value}")["sums.t0"]) for value in ("true", "false")}
    assert sizes == {"true": 3, "false": 5}


@pytest.mark.long
def test_it_goes_on_without_the_run_it_started_from(tmp_path: Path) -> None:
    assert go(tmp_path, "first", SITES) == 0
    line = [SITES, "seed=1", f"bank.init_from={tmp_path / 'first'}"]
    assert go(tmp_path, "second", *line) == 0
    wanted = results(tmp_path / "second")
    shutil.rmtree(tmp_path / "first")
    shutil.rmtree(tmp_path / "second" / "streams" / "more.t0")
    assert go(tmp_path, "second", *line) == 0
    assert results(tmp_path / "second") == wanted
    assert go(tmp_path, "third", *line) == 2


def test_what_a_bank_was_made_by_is_stamped_on_the_run_that_starts_from_it(tmp_path: Path) -> None:
    """The doors in the gold wall are inherited, from a run and from a file of it."""
    assert go(tmp_path, "first", "judge=oracle") == 0
    assert go(tmp_path, "second", "bank.init_from=first", "bank.frozen=true") == 0
    assert go(tmp_path, "third", f"bank.init_from={tmp_path / 'first/streams/sums.t0/bank.sqlite'}") == 0
    assert go(tmp_path, "fourth", "bank.init_from=third") == 0
    for name in ("second", "third", "fourth"):
        assert meta(tmp_path / name)["gold_doors"] == ["judge=oracle of bank.init_from"]
        assert meta(tmp_path / name)["simulated"]


def test_a_banks_file_says_what_made_it_wherever_it_is_copied_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its stamps go with the file: to a copy outside the run, to what starts from that, and to what is made of it."""
    assert go(tmp_path, "first", "judge=oracle") == 0
    capsys.readouterr()
    copy, again = tmp_path / "elsewhere" / "copy.sqlite", tmp_path / "elsewhere" / "again.sqlite"
    copy.parent.mkdir()
    assert manage(["export", str(tmp_path / "first"), str(copy)]) == 0
    assert manage(["export", str(copy), str(again)]) == 0
    shutil.rmtree(tmp_path / "first")
    capsys.readouterr()
    for command in (["list", str(again)], ["lint", str(again)], ["search", str(again), "a sum"]):
        assert manage(command) == 0
        assert "(simulated; knows gold through judge=oracle)" in capsys.readouterr().out
    assert manage(["export", str(again), str(tmp_path / "out.json")]) == 0
    told = json.loads((tmp_path / "out.json").read_text())
    assert (told["simulated"], told["gold_doors"], told["origin_known"]) == (True, ["judge=oracle"], True)
    assert go(tmp_path, "second", f"bank.init_from={again}") == 0
    assert meta(tmp_path / "second")["gold_doors"] == ["judge=oracle of bank.init_from"]
    assert of_notes(files.check(next(tmp_path.glob("second/streams/*/bank.sqlite")))) == Origin(
        simulated=True, gold_doors=("judge=oracle of bank.init_from",)
    )


def test_a_bank_that_says_nothing_of_what_made_it_is_said_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = tmp_path / "mine.sqlite"
    Bank.open(bank, CachedEmbedder(embedder=HashingEmbedder())).close()
    assert manage(["list", str(bank)]) == 0
    assert "(what made it is unknown)" in capsys.readouterr().out
    assert go(tmp_path, "started", f"bank.init_from={bank}", "embedder=hashing") == 0
    assert not meta(tmp_path / "started")["origin_known"]
    assert "does not say what made it" in (tmp_path / "started" / "table.txt").read_text()
    assert go(tmp_path, "plain") == 0
    assert meta(tmp_path / "plain")["origin_known"]


def test_where_nothing_is_judged_no_door_is_open(tmp_path: Path) -> None:
    assert go(tmp_path, "first") == 0
    assert go(tmp_path, "frozen", "judge=oracle", "bank.init_from=first", "bank.frozen=true") == 0
    assert go(tmp_path, "none", "judge=oracle", "memory=none") == 0
    for name in ("frozen", "none"):
        assert meta(tmp_path / name)["gold_doors"] == []


def test_lessons_that_were_given_are_stamped_on_the_run(tmp_path: Path) -> None:
    lessons = tmp_path / "wise"
    lessons.mkdir()
    (lessons / "sums.md").write_text("# Memory Item 1\n## Title\nt\n## Description\nd\n## Content\nc\n")
    assert go(tmp_path, "told", "memory=oracle", f"memory.lessons={lessons}") == 0
    assert meta(tmp_path / "told")["given_lessons"] == ["wise"]
    assert json.loads((tmp_path / "told" / "summary.json").read_text())["given_lessons"] == ["wise"]
    assert "! lessons given (wise)" in (tmp_path / "told" / "table.txt").read_text()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a run, a sweep, half a run and an empty folder."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "empty").mkdir()
    assert go(folder, "first") == 0
    assert main(["run", "-m", *TINY, f"results_dir={folder}", "run_name=sweep", "limit=1", "seed=0,1"]) == 0
    shutil.copytree(folder / "first", folder / "half")
    journal = next(folder.glob("half/streams/*/journal.jsonl"))
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    return folder


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["bank.frozen=true"], "without bank.init_from"),
        (["bank.init_from=first", "suite.sites=[sums,other]"], "group of other.t0; name one bank for all"),
        (["bank.init_from=first", "stream.by=suite"], "group of arithmetic.t0; name one bank for all"),
        (["bank.init_from=sweep"], "it holds 2 runs; name one of them"),
        (["bank.init_from=empty"], "bank.init_from=empty: no run 'empty'"),
        (["bank.init_from=half"], "its stream sums.t0 has done 1 of 3 tasks: finish that run first"),
        (["bank.init_from=first", "bank.frozen=1"], "bank.frozen=1"),
    ],
)
def test_what_cannot_be_started_from_is_refused_in_a_line(
    more: list[str], said: str, sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert go(sources, "second", *more) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert not (sources / "second").exists()
