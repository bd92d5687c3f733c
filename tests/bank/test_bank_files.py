"""What may lie at a bank's path, and that what is refused stays as it was to the byte."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from bank_makers import make_experience as make
from waiting import HANG

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.copy import examine
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError


def state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def fill(path: Path, count: int = 30) -> None:
    with Bank.open(path, HashingEmbedder()) as bank:
        for number in range(count):
            bank.add(make(number, f"query {number}"))


def sql(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    try:
        for statement in statements:
            db.execute(statement)
        db.commit()
    finally:
        db.close()


def not_a_database(path: Path) -> None:
    path.write_bytes(b"[{'query': 'one'}]" * 40)


def short_text(path: Path) -> None:
    path.write_text("x")


def empty(path: Path) -> None:
    path.touch()


def another_database(path: Path) -> None:
    sql(path, "CREATE TABLE experiences (id TEXT)")


def newer_schema(path: Path) -> None:
    fill(path)
    sql(path, "PRAGMA user_version = 7")


def torn_pages(path: Path) -> None:
    fill(path)
    content = bytearray(path.read_bytes())
    content[4096:] = random.Random(3).randbytes(len(content) - 4096)
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[:6000])


def header_only(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[:100])


def wrong_length_vector(path: Path) -> None:
    fill(path)
    sql(path, "UPDATE vectors SET vector = x'00000000' WHERE seq = 4")


def unnormalised_vector(path: Path) -> None:
    fill(path)
    sql(path, f"UPDATE vectors SET vector = x'{'0000003f' * 256}' WHERE seq = 4")


def no_meta_table(path: Path) -> None:
    fill(path)
    sql(path, "DROP TABLE meta")


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (not_a_database, "is not a bank: it begins with"),
        (short_text, "is not a bank"),
        (empty, "is an empty file"),
        (another_database, "not a bank of this project"),
        (newer_schema, "schema version 7, newer than the 1"),
        (torn_pages, "is damaged"),
        (cut_short, "is damaged"),
        (header_only, "is damaged"),
        (wrong_length_vector, "is damaged: experience 'shop.t0/0003/3#3': its content or its vectors"),
        (unnormalised_vector, "its vectors are not what was added"),
        (no_meta_table, "is damaged: no such table"),
    ],
)
def test_an_unusable_file_is_refused_and_left_as_it_was(
    spoil: Callable[[Path], None], found: str, tmp_path: Path
) -> None:
    path = tmp_path / "bank.sqlite"
    spoil(path)
    before = state(tmp_path)
    with pytest.raises(BankError) as caught:
        Bank.open(path, HashingEmbedder())
    assert found in str(caught.value)
    assert str(path) in str(caught.value)
    assert state(tmp_path) == before


def test_a_bank_of_other_settings_is_refused_with_both_values(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path)
    before = state(tmp_path)
    with pytest.raises(BankError, match=r"dims is '256' there, '64' here") as caught:
        Bank.open(path, HashingEmbedder(dims=64))
    assert "embedder is 'hashing-256' there, 'hashing-64' here" in str(caught.value)
    with pytest.raises(BankError, match="key is 'query' there, 'item' here"):
        Bank.open(path, HashingEmbedder(), key="item")
    assert state(tmp_path) == before


def test_paths_that_cannot_hold_a_bank(tmp_path: Path) -> None:
    with pytest.raises(BankError, match="is a folder"):
        Bank.open(tmp_path, HashingEmbedder())
    (tmp_path / "file").write_text("x")
    with pytest.raises(BankError, match="cannot be made"):
        Bank.open(tmp_path / "file" / "bank.sqlite", HashingEmbedder())
    with pytest.raises(BankError, match="no bank at"):
        Bank.open(tmp_path / "none" / "bank.sqlite", HashingEmbedder(), create=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("name", ["two words.sqlite", "bänk-銀行.sqlite", "a?b#c%20d.sqlite", "it's.sqlite"])
def test_paths_with_special_characters(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a folder ü" / name
    fill(path, 3)
    with Bank.open(path, HashingEmbedder(), create=False) as bank:
        assert len(bank) == 3
    assert [entry.name for entry in path.parent.iterdir()] == [name]


def test_the_list_of_operations_cannot_be_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path, 2)
    for statement in ("DELETE FROM ops", "UPDATE ops SET op = 'remove'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            sql(path, statement)


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path, 3)
    child = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, 'tests/bank')\n"
        "from bank_makers import make_experience\n"
        "from reasoningbank.bank.bank import Bank\n"
        "from reasoningbank.embed.hashing import HashingEmbedder\n"
        "from reasoningbank.errors import InfraError\n"
        "bank = Bank.open(Path(sys.argv[1]), HashingEmbedder())\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "try:\n"
        "    for number in range(3, 40):\n"
        "        bank.add(make_experience(number, 'word ' * 400))\n"
        "except InfraError as error:\n"
        "    print(len(bank), len(bank.search('query 1', 99, exclude_task=None)), error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", child, str(path)], capture_output=True, text=True, timeout=HANG)
    assert "what is stored is whole" in ended.stdout.lower(), ended.stderr
    with Bank.open(path, HashingEmbedder()) as bank:
        assert len(bank) == int(ended.stdout.split()[0]) == int(ended.stdout.split()[1])


def test_many_openings_of_a_new_path_at_once_make_one_bank(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    ready = threading.Barrier(8)
    added: list[bool] = []

    def open_and_add(number: int) -> None:
        ready.wait()
        with Bank.open(path, HashingEmbedder()) as bank:
            added.append(bank.add(make(number)))

    threads = [threading.Thread(target=open_and_add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert added == [True] * 8
    with Bank.open(path, HashingEmbedder()) as bank:
        assert len(bank) == 8
    assert examine(path) == []
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_locked_bank_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path, 2)
    other = sqlite3.connect(path)
    with Bank.open(path, HashingEmbedder()) as bank:
        with bank.store._using() as own:
            own.execute("PRAGMA busy_timeout = 50")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BankError, match="database is locked; nothing was changed"):
            bank.add(make(2))
        other.rollback()
        assert bank.add(make(2))
    other.close()


@pytest.mark.parametrize("passage", [1, 4])
def test_a_kill_inside_the_commit_leaves_all_of_an_experience_or_nothing(passage: int, tmp_path: Path) -> None:
    path, reached = tmp_path / "bank.sqlite", tmp_path / "reached"
    child = (
        "import sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, 'tests/bank')\n"
        "from bank_makers import make_experience\n"
        "from reasoningbank.bank.bank import Bank\n"
        "from reasoningbank.embed.hashing import HashingEmbedder\n"
        "bank = Bank.open(Path(sys.argv[1]), HashingEmbedder())\n"
        "for number in range(6):\n"
        "    bank.add(make_experience(number))\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", child, str(path)],
        env={**os.environ, "REASONINGBANK_FAILPOINT": f"bank.commit@{passage}:{reached}"},
    )
    try:
        deadline = time.monotonic() + HANG
        while not reached.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert reached.exists()
    learnt = [make(number) for number in range(6)]
    with Bank.open(path, HashingEmbedder()) as bank:
        assert bank.all() == learnt[: passage - 1]
        assert len(bank.search("shoes", 99, exclude_task=None)) == passage - 1
        with closing(sqlite3.connect(path)) as db:
            for table in ("vectors", "ops WHERE op = 'add'"):
                assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (passage - 1,)
        for experience in bank.pending(learnt):
            bank.add(experience)
        assert bank.all() == learnt


def test_a_damaged_file_beside_a_left_over_wal_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.sqlite", tmp_path / "torn" / "bank.sqlite"
    path.parent.mkdir()
    with Bank.open(whole, HashingEmbedder()) as bank:
        bank.add(make(0))
        content = bytearray(whole.read_bytes())
        (path.parent / "bank.sqlite-wal").write_bytes(whole.with_name("whole.sqlite-wal").read_bytes()[:3000])
    content[2000:] = random.Random(3).randbytes(len(content) - 2000)
    path.write_bytes(content)
    before = state(path.parent)
    with pytest.raises(BankError, match="is damaged"):
        Bank.open(path, HashingEmbedder())
    assert state(path.parent) == before


def test_a_killed_runs_bank_refused_for_its_settings_keeps_what_was_not_yet_folded_in(tmp_path: Path) -> None:
    live, path = tmp_path / "live.sqlite", tmp_path / "killed" / "bank.sqlite"
    path.parent.mkdir()
    with Bank.open(live, HashingEmbedder()) as bank:
        bank.add(make(0))
        for suffix in ("", "-wal", "-shm"):
            content = live.with_name(live.name + suffix).read_bytes()
            path.with_name(path.name + suffix).write_bytes(content)
    before = state(path.parent)
    with pytest.raises(BankError, match="dims is '256' there, '8' here"):
        Bank.open(path, HashingEmbedder(dims=8))
    after = state(path.parent)
    for name in ("bank.sqlite", "bank.sqlite-wal"):
        assert after[name] == before[name]
    with Bank.open(path, HashingEmbedder()) as bank:
        assert bank.all() == [make(0)]
