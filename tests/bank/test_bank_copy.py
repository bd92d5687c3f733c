"""A bank is copied whole, whatever state its file is in, and the original is left as it is."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import pytest
from bank_makers import make_experience as make

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.copy import copy_bank, read_bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError

EMBEDDER = HashingEmbedder()


def state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def test_a_bank_in_use_is_copied_with_what_is_in_its_wal(tmp_path: Path) -> None:
    source, target = tmp_path / "users" / "bank.sqlite", tmp_path / "copy.sqlite"
    learnt = [make(number) for number in range(5)]
    with Bank.open(source, EMBEDDER, scope="shop:3") as bank:
        for experience in learnt:
            bank.add(experience)
        before = state(source.parent)
        assert "bank.sqlite-wal" in before
        copy_bank(source, target)
        assert state(source.parent) == before
    content = read_bank(target, EMBEDDER, key="query")
    assert (content.experiences, content.scope) == (learnt, "shop:3")
    copy_bank(source, tmp_path / "again.sqlite")
    assert read_bank(tmp_path / "again.sqlite", EMBEDDER, key="query").digest() == content.digest()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["again.sqlite", "copy.sqlite", "users"]
    with Bank.open(target, EMBEDDER) as bank:
        assert bank.add(make(9))
    assert read_bank(target, EMBEDDER, key="query").digest() != content.digest()


def test_a_bank_that_is_written_to_is_copied_as_it_was_at_one_moment(tmp_path: Path) -> None:
    source = tmp_path / "bank.sqlite"
    Bank.open(source, EMBEDDER).close()
    done = threading.Event()

    def write() -> None:
        for number in range(200):
            with Bank.open(source, EMBEDDER) as bank:
                bank.add(make(number))
            if done.is_set():
                return

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(8):
        target = tmp_path / f"copy-{number}.sqlite"
        try:
            copy_bank(source, target)
        except BankError as error:
            assert "being written to" in str(error)  # noqa: PT017
            continue
        held = read_bank(target, EMBEDDER, key="query").experiences
        assert held == [make(position) for position in range(len(held))]
    done.set()
    writer.join()


def test_what_cannot_be_copied_is_told_by_its_own_name(tmp_path: Path) -> None:
    source, target = tmp_path / "users.sqlite", tmp_path / "copy.sqlite"
    with pytest.raises(BankError, match=r"no bank at .*users.sqlite"):
        copy_bank(source, target)
    source.write_text("no bank at all, only text" * 10)
    with pytest.raises(BankError, match=r"users.sqlite is not a bank"):
        copy_bank(source, target)
    source.unlink()
    Bank.open(source, EMBEDDER).close()
    copy_bank(source, target)
    with pytest.raises(BankError, match=r"users.sqlite was made by other settings: embedder is 'hashing-256' there"):
        read_bank(target, HashingEmbedder(dims=8), key="query", name=source)
