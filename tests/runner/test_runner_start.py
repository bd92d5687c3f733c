"""The bank that a run starts from, and a run's own bank that is not what its journal says."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from runner_helpers import TINY, bank_ids, results

from eval.__main__ import main
from eval.runs.first_banks import as_given
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.types import Experience, MemoryItem

JOB = [*TINY, "limit=6", "run_name=job", "memory=reasoningbank"]


def state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def killed_copy(source: Path, folder: Path) -> Path:
    """The bank as a killed process leaves it: half of it still in the -wal."""
    held = source.with_name("held.sqlite")
    held.write_bytes(source.read_bytes())
    folder.mkdir()
    with Bank.open(held, HashingEmbedder()) as bank:
        last = bank.all()[-1]
        bank.add(last.model_copy(update={"id": "more#0", "items": (), "position": 99}))
        for suffix in ("", "-wal"):
            (folder / f"bank.sqlite{suffix}").write_bytes(held.with_name(held.name + suffix).read_bytes())
    return folder / "bank.sqlite"


def first_run(tmp_path: Path, *more: str) -> Path:
    assert main(["run", *TINY, f"results_dir={tmp_path}", "limit=3", "run_name=first", *more]) == 0
    return next(tmp_path.glob("first/streams/*/bank.sqlite"))


@pytest.mark.parametrize("named", [["run_name=second"], []])
def test_the_file_and_its_folder_are_left_alone_and_a_run_goes_on_without_them(
    named: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = killed_copy(first_run(tmp_path), tmp_path / "users")
    before = state(source.parent)
    line = ["run", *TINY, f"results_dir={tmp_path / 'out'}", "limit=3", "seed=1", *named, f"bank.init_from={source}"]
    assert main(line) == 0
    assert state(source.parent) == before
    [meta] = (tmp_path / "out").glob("*/meta.json")
    [held] = bank_ids(meta.parent).values()
    assert [name for _, name in held].count("init/more#0") == 1
    wanted = results(meta.parent)
    next(meta.parent.glob("streams/*/journal.jsonl")).unlink()
    for path in meta.parent.glob("streams/*/bank.sqlite"):
        path.unlink()
    for entry in source.parent.iterdir():
        entry.unlink()
    assert main(line) == 0
    assert [path.parent for path in (tmp_path / "out").glob("*/meta.json")] == [meta.parent]
    assert results(meta.parent) == wanted
    assert main([*line, "run_name=third"]) == 2
    assert "users/bank.sqlite" in capsys.readouterr().err


def test_the_identity_is_of_the_content_and_not_of_the_file(tmp_path: Path) -> None:
    source = first_run(tmp_path)
    hashes = []
    for name, change in {"a": "", "b": "VACUUM", "c": "PRAGMA page_size = 8192; VACUUM"}.items():
        copy = tmp_path / f"{name}.sqlite"
        copy.write_bytes(source.read_bytes())
        db = sqlite3.connect(copy)
        db.executescript(f"PRAGMA journal_mode = DELETE; {change}; PRAGMA user_version = 1")
        db.close()
        out = tmp_path / f"out-{name}"
        assert main(["run", *TINY, f"results_dir={out}", "limit=1", f"bank.init_from={copy}"]) == 0
        [meta] = out.glob("*/meta.json")
        hashes.append(json.loads(meta.read_text())["identity_hash"])
    assert len(set(hashes)) == 1


@pytest.mark.parametrize(("seed", "shared"), [(0, True), (5, False)])
def test_own_tasks_are_left_out_and_those_of_another_world_are_not(seed: int, shared: bool, tmp_path: Path) -> None:
    """Equal task ids are one task in one world, and two tasks in two."""
    source = first_run(tmp_path, "limit=8")
    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=second", f"suite.seed={seed}", "retrieval.k=99"]
    assert main([*line, "limit=1", f"bank.init_from={source}"]) == 0
    [[first]] = results(tmp_path / "second").values()
    recalled = {each["experience_id"] for each in json.loads(first)["recalled"]}
    assert recalled
    with Bank.open(source, HashingEmbedder()) as bank:
        taught = {f"init/{each.id}": each.task_id for each in bank.all() if each.items}
    assert set(taught) - recalled == {name for name, task in taught.items() if shared and task == "0"}


def test_a_task_is_known_by_its_world_over_many_hands() -> None:
    item = MemoryItem(id="e#0.0", title="t", description="d", content="c", polarity="success")
    given = Experience(
        id="e#0", query="q", task_id="17", kind="success", verdicts=(), items=(item,), source_attempts=(), position=4
    )
    away = as_given(given, "shop:0", "shop:1")
    assert (away.task_id, away.position, away.id, away.items[0].id) == ("shop:0::17", -1, "init/e#0", "init/e#0.0")
    assert as_given(away, "shop:1", "shop:0").task_id == "17"
    assert as_given(away, "shop:1", "shop:2").task_id == "shop:0::17"
    assert as_given(given, "shop:0", "shop:0").task_id == "17"
    assert as_given(given, "", "shop:0").task_id == "17"
    assert as_given(as_given(given, "shop:0", "shop:0"), "shop:0", "shop:1").task_id == "shop:0::17"


def sql(statement: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        db = sqlite3.connect(path)
        db.executescript(statement)
        db.close()

    return spoil


def another_run(path: Path) -> None:
    root = path.parents[4] / "other"
    assert main(["run", *TINY, f"results_dir={root}", "limit=3", "run_name=x", "seed=8"]) == 0
    path.write_bytes(next(root.glob("x/streams/*/bank.sqlite")).read_bytes())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing has befallen."""
    root = tmp_path_factory.mktemp("whole")
    assert main(["run", *JOB, f"results_dir={root}"]) == 0
    return root / "job"


@pytest.mark.parametrize(
    "spoil",
    [
        another_run,
        sql("DELETE FROM vectors"),
        sql("UPDATE vectors SET vector = zeroblob(1024)"),
        sql("UPDATE vectors SET vector = (SELECT v.vector FROM vectors v WHERE v.seq = 3 - vectors.seq) WHERE seq < 3"),
        sql("UPDATE experiences SET items = 0"),
        sql("UPDATE experiences SET body = replace(body, 'Check', 'Mock')"),
    ],
)
def test_a_run_does_not_go_on_with_a_bank_that_is_not_its_own(
    spoil: Callable[[Path], None], whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *JOB, f"results_dir={tmp_path / 'out'}"]
    folder = tmp_path / "out" / "job"
    shutil.copytree(whole, folder)
    wanted, ids = results(folder), bank_ids(folder)
    journal, bank = next(folder.glob("streams/*/journal.jsonl")), next(folder.glob("streams/*/bank.sqlite"))
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    for path in folder.glob("streams/*/attempts/000[345]-*/*"):
        path.unlink()
    spoil(bank)
    assert main(line) == 2
    said = capsys.readouterr().err
    assert "filled again from the" in said
    assert str(bank) in said
    bank.unlink()
    assert main(line) == 0
    assert results(folder) == wanted
    assert bank_ids(folder) == ids
