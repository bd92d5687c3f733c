"""`python memory_management.py`: a bank is looked at, and stays as it is to the byte."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from runner_helpers import ROOT, TINY, complete
from waiting import HANG

from eval.banks.opened import read_experiences
from memory_management import main
from reasoningbank.bank.bank import Bank
from reasoningbank.bank.copy import read_bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError, SetupError


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a run of one stream, one of two, and a copy of the first one's bank."""
    root = tmp_path_factory.mktemp("results")
    for name, sites in (("one", "sums"), ("two", "sums,more")):
        settings = ("suite.count=4", f"suite.sites=[{sites}]", "scaling=parallel", "k=2")
        complete("run", *TINY, *settings, f"results_dir={root}", f"run_name={name}")
    assert main(["export", "one", str(root / "copy.sqlite"), "--results", str(root)]) == 0
    return root


def told(root: Path, capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> list[str]:
    capsys.readouterr()
    assert main([*argv, "--results", str(root)]) == code
    return capsys.readouterr().out.splitlines()


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, with its content and the time of its last change."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_no_command_changes_a_byte(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(root)
    for bank in ("one", str(root / "one"), "copy.sqlite", str(root / "one/streams/sums.t0/bank.sqlite")):
        told(root, capsys, "list", bank)
        told(root, capsys, "show", bank, "0")
        told(root, capsys, "search", bank, "What is 3 + 4?")
        told(root, capsys, "lint", bank)
    for ending in ("json", "jsonl", "md", "sqlite"):
        told(root, capsys, "export", "one", str(tmp_path / f"out.{ending}"))
    assert tree(root) == before


def test_list_has_a_row_for_each_experience(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    about, head, *rows = told(root, capsys, "list", "one")
    assert "(simulated): 4 experiences" in about
    assert "hashing-256" in about
    assert head.split("\t") == ["id", "task", "kind", "items", "title"]
    _, experiences = read_experiences(root / "copy.sqlite")
    assert [row.split("\t")[0] for row in rows] == [each.id for each in experiences]
    assert all(row.split("\t")[4].startswith("Check the sum") for row in rows)


def test_show_finds_experiences_items_and_tasks(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, (first, *_) = read_experiences(root / "copy.sqlite")
    for wanted in (first.id, first.task_id, first.items[0].id):
        shown = "\n".join(told(root, capsys, "show", "one", wanted))
        assert first.query in shown
        assert first.items[0].content in shown
    with pytest.raises(SetupError, match=r"no experience or item 'sums\.t0/0000/0#7'.*did you mean"):
        told(root, capsys, "show", "one", "sums.t0/0000/0#7")


def test_search_ranks_with_the_banks_own_embedder(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, experiences = read_experiences(root / "copy.sqlite")
    for bank in ("one", "copy.sqlite"):  # told by the run's settings; found by the id in the file
        rows = [line.split("\t") for line in told(root, capsys, "search", bank, experiences[2].query, "-k", "2")[2:]]
        assert [rows[0][0], rows[0][1], len(rows)] == ["1.0000", experiences[2].id, 2]


def test_another_embedder_is_refused_with_both_ids(root: Path, tmp_path: Path) -> None:
    with pytest.raises(BankError, match=r"'hashing-256', not 'wordllama-l2-supercat-256'"):
        main(["search", "one", "sum", "--embedder", "wordllama", "--results", str(root)])
    with Bank.open(tmp_path / "odd.sqlite", HashingEmbedder(dims=64)):
        pass
    with pytest.raises(BankError, match=r"'hashing-64'; .*hashing is 'hashing-256', .*wordllama is 'wordllama-l2"):
        main(["search", str(tmp_path / "odd.sqlite"), "sum"])


def test_exports_hold_everything(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope, experiences = read_experiences(root / "one/streams/sums.t0/bank.sqlite")
    data = [each.model_dump(mode="json") for each in experiences]
    for ending in ("json", "jsonl", "md", "sqlite"):
        told(root, capsys, "export", "one", str(tmp_path / "deep" / f"out.{ending}"))
    whole = json.loads((tmp_path / "deep/out.json").read_text())
    assert (whole["experiences"], whole["simulated"], whole["meta"]["scope"]) == (data, True, scope)
    assert [json.loads(line) for line in (tmp_path / "deep/out.jsonl").read_text().splitlines()] == data
    text = (tmp_path / "deep/out.md").read_text()
    assert all(item.content in text for each in experiences for item in each.items)
    content = read_bank(tmp_path / "deep/out.sqlite", HashingEmbedder(), key="query")
    assert (content.scope, content.experiences) == (scope, experiences)
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == [
        *("out.json", "out.jsonl", "out.md", "out.sqlite")
    ]


def test_an_export_takes_nothings_place(root: Path, tmp_path: Path) -> None:
    for ending in ("json", "sqlite"):
        out = tmp_path / f"out.{ending}"
        out.write_text("mine")
        with pytest.raises(SetupError, match="exists and is left as it is"):
            main(["export", "one", str(out), "--results", str(root)])
        assert out.read_text() == "mine"
    with pytest.raises(SetupError, match="inside of the run"):
        main(["export", "one", str(root / "one/lessons.md"), "--results", str(root)])
    with pytest.raises(SetupError, match=r"\.jsonl"):
        main(["export", "one", str(tmp_path / "out.txt"), "--results", str(root)])


@pytest.mark.parametrize("words", [(), ("--stream", "sums.t0")])
def test_a_run_that_has_not_begun_has_no_stream(words: tuple[str, ...], root: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    meta = json.loads((root / "one/meta.json").read_text())
    (tmp_path / "new/meta.json").write_text(json.dumps({**meta, "streams": {}}))
    with pytest.raises(SetupError, match="new has no stream yet"):
        main(["list", "new", *words, "--results", str(tmp_path)])


def test_a_stream_is_named_where_there_are_several(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SetupError, match=r"2 streams.*sums\.t0, more\.t0"):
        told(root, capsys, "list", "two")
    assert "more.t0/0000" in told(root, capsys, "list", "two", "--stream", "more.t0")[2]
    with pytest.raises(SetupError, match="has no streams"):
        told(root, capsys, "list", "copy.sqlite", "--stream", "more.t0")


def test_a_bank_that_is_being_written_to_can_be_read(root: Path, tmp_path: Path) -> None:
    _, experiences = read_experiences(root / "copy.sqlite")
    with Bank.open(tmp_path / "live.sqlite", HashingEmbedder()) as bank:
        for number, each in enumerate(experiences, 1):
            bank.add(each)
            assert len(read_experiences(tmp_path / "live.sqlite")[1]) == number


def test_lint_tells_all_that_is_wrong(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(root, capsys, "lint", "one")[-1].endswith(": 0 faults")
    bad = tmp_path / "bad.sqlite"
    main(["export", "one", str(bad), "--results", str(root)])
    first, second, *_ = (each.id for each in read_experiences(bad)[1])
    with closing(sqlite3.connect(bad)) as db:
        db.execute("UPDATE experiences SET body = replace(body, 'sum', 'son') WHERE id = ?", (first,))
        db.execute("DELETE FROM vectors WHERE experience_id = ?", (second,))
        db.commit()
    *rows, last = told(root, capsys, "lint", str(bad), code=2)
    assert [row.split("\t")[0] for row in rows] == [first, second]
    assert last.endswith(": 2 faults")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "COMMAND"),
        (["delete", "one", "x"], "delete"),
        (["list", "oen"], "no bank 'oen'"),
        (["search", "one", "sum", "-k", "0"], "-k 0"),
        (["search", "one", ""], "TEXT is empty"),
        (["search", "one", " \t"], "TEXT is empty"),
        (["search", "one", "sum", "--embedder", "hasing"], "did you mean hashing"),
        (["list", "one", "--stream", "sums.t9"], "did you mean sums.t0"),
    ],
)
def test_what_is_wrong_is_one_line(root: Path, argv: list[str], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        main([*argv, *(["--results", str(root)] if argv else [])])


def test_as_a_program_it_has_the_exit_codes_of_all_commands(root: Path, tmp_path: Path) -> None:
    def program(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "memory_management.py"), *argv]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False)

    assert program("list", "one", "--results", str(root)).returncode == 0
    wrong = program("list", "one")
    assert (wrong.returncode, wrong.stdout, len(wrong.stderr.splitlines())) == (2, "", 1)
    assert "examples:" in program("--help").stdout
