"""A bank whose content is not what was written is refused, and never answers differently without a word."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from bank_makers import make_experience as make

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.copy import examine
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError
from reasoningbank.types import Experience, Hit

UNGUARD = "DROP TRIGGER ops_no_update; DROP TRIGGER ops_no_delete;"
SWAP = (
    "UPDATE {table} SET {column} = (SELECT other.{column} FROM {table} other WHERE other.seq = 5 - {table}.seq) "
    "WHERE seq IN (2, 3)"
)
DAMAGE = [
    "DELETE FROM vectors",
    "DELETE FROM vectors WHERE seq = 2",
    "UPDATE vectors SET vector = zeroblob(256)",
    "UPDATE vectors SET vector = 7 WHERE seq = 3",
    "UPDATE vectors SET vector = 'text' WHERE seq = 3",
    "UPDATE vectors SET item = 0 WHERE seq = 3",
    "UPDATE vectors SET seq = 99 WHERE seq = 1",
    SWAP.format(table="vectors", column="vector"),
    "INSERT INTO vectors (experience_id, item, vector) SELECT experience_id, 4, vector FROM vectors WHERE seq = 1",
    "INSERT INTO vectors (experience_id, item, vector) SELECT 'nobody', 4, vector FROM vectors WHERE seq = 1",
    "UPDATE experiences SET items = 0",
    "UPDATE experiences SET position = position + 1 WHERE seq = 2",
    "UPDATE experiences SET attempt = 1 WHERE seq = 2",
    "UPDATE experiences SET task_id = 'other' WHERE seq = 2",
    "UPDATE experiences SET template_id = 'other' WHERE seq = 2",
    "UPDATE experiences SET body = replace(body, 'Sort', 'Never sort') WHERE seq = 2",
    "UPDATE experiences SET body = CAST(body AS BLOB) WHERE seq = 2",
    "UPDATE experiences SET body = '{' WHERE seq = 2",
    "UPDATE experiences SET body = CAST(x'ff' AS TEXT) WHERE seq = 2",
    "UPDATE experiences SET seq = 99 WHERE seq = 1; UPDATE vectors SET seq = 99 WHERE seq = 1",
    "DELETE FROM experiences WHERE seq = 2; DELETE FROM vectors WHERE seq = 2",
    "UPDATE meta SET value = 'another' WHERE key = 'scope'",
    "INSERT INTO meta VALUES ('more', '1')",
    "DROP INDEX experiences_position",
    "CREATE TRIGGER t AFTER INSERT ON vectors BEGIN DELETE FROM vectors; END",
    "INSERT INTO ops (op, experience_id, detail) SELECT op, experience_id, detail FROM ops",
    "INSERT INTO ops (op, experience_id, detail) VALUES ('forget', 'x', '')",
    f"{UNGUARD} DELETE FROM ops",
    f"{UNGUARD} UPDATE ops SET detail = 'x' WHERE seq = 3",
]


def fill(path: Path, count: int = 4) -> list[Experience]:
    learnt = [make(number, f"query number {number}", items=1 + number % 2) for number in range(count)]
    with Bank.open(path, HashingEmbedder(dims=64)) as bank:
        for experience in learnt:
            bank.add(experience)
    return learnt


def script(path: Path, statements: str) -> None:
    db = sqlite3.connect(path)
    try:
        db.executescript(statements)
    finally:
        db.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_rows_that_are_not_as_written_are_refused_and_the_file_is_left(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path)
    script(path, damage)
    before = path.read_bytes()
    with pytest.raises(BankError, match=r"is damaged: .*restore it .*filled again from the run's journal"):
        Bank.open(path, HashingEmbedder(dims=64))
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_refused_is_listed_and_the_file_is_left(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path)
    assert examine(path) == []
    script(path, damage)
    before = path.read_bytes()
    assert examine(path)
    assert (path.read_bytes(), [entry.name for entry in tmp_path.iterdir()]) == (before, [path.name])


def test_every_damage_of_a_file_is_listed_with_its_experience(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    learnt = fill(path, 6)
    doubled = learnt[5].items[0].id
    with Bank.open(path, HashingEmbedder(dims=64)) as bank:
        other = make(7)
        bank.add(other.model_copy(update={"items": (other.items[0].model_copy(update={"id": doubled}),)}))
    script(
        path,
        f"""
        DELETE FROM vectors WHERE experience_id = '{learnt[0].id}';
        UPDATE experiences SET body = replace(body, 'Sort', 'Never sort') WHERE id = '{learnt[1].id}';
        UPDATE vectors SET vector = substr(vector, 1, 9) WHERE experience_id = '{learnt[2].id}';
        DELETE FROM experiences WHERE id = '{learnt[3].id}';
        UPDATE experiences SET body = CAST(x'ff' AS TEXT) WHERE id = '{learnt[4].id}';
        """,
    )
    content = "its content or its vectors are not what was added"
    found = [(fault.experience_id, fault.detail) for fault in examine(path)]
    assert found == [
        *((learnt[number].id, content) for number in (0, 1, 2, 4)),
        (learnt[3].id, "added by an operation, but not there"),
        (learnt[3].id, "a vector of it is there without it"),
        (other.id, f"its item {doubled!r} has the id of an item of {learnt[5].id!r}"),
    ]


def test_a_page_that_cannot_be_read_is_a_fault_and_what_is_no_bank_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path, 200)
    content = path.read_bytes()
    path.write_bytes(content[:8192] + bytes(len(content) - 8192))
    assert any(not fault.experience_id for fault in examine(path))
    path.write_text("no bank")
    with pytest.raises(BankError, match="is not a bank"):
        examine(path)


def test_a_file_with_any_byte_changed_is_refused_or_answers_as_before(tmp_path: Path) -> None:
    path, embedder, rng = tmp_path / "bank.sqlite", HashingEmbedder(dims=64), random.Random(7)
    learnt = fill(path)
    more = make(9, "query number nine")

    def answers() -> tuple[list[Experience], list[Hit], list[Experience], list[Experience], list[Hit]]:
        with Bank.open(path, embedder) as bank:
            before = (bank.all(), bank.search("query number 2", 9, exclude_task="1"), bank.pending([*learnt, more]))
            bank.add(more)
            return *before, [bank.get(each.id) for each in learnt], bank.search("number nine", 9, exclude_task=None)

    whole = path.read_bytes()
    wanted = answers()
    refused = 0
    places = [*range(100), *(rng.randrange(100, len(whole)) for _ in range(300))]
    for place in places:
        content = bytearray(whole)
        content[place] ^= rng.randrange(1, 256)
        path.write_bytes(content)
        try:
            assert answers() == wanted, place
        except BankError:
            refused += 1
        for entry in tmp_path.iterdir():
            entry.unlink()
    assert refused > len(places) // 10


def test_damaged_tables_of_contents_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill(path)
    content = path.read_bytes()
    for word in (b"CREATE TABLE experiences", b"seq INTEGER PRIMARY", b"vector BLOB", b"UNIQUE (experience_id"):
        at = content.index(word)
        for junk in (b"\xff\xfe\xfd", b"\x00\x00\x00", b"@@@"):
            path.write_bytes(content[:at] + junk + content[at + 3 :])
            with pytest.raises(BankError, match="bank"):
                Bank.open(path, HashingEmbedder(dims=64))


def test_a_bank_belongs_to_a_journal_by_its_whole_content(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    learnt = fill(path)
    with Bank.open(path, HashingEmbedder(dims=64)) as bank:
        assert bank.pending(learnt) == []
        for field, value in {"query": "another", "template_id": "T", "items": (), "attempt": 3}.items():
            other = [learnt[0], learnt[1].model_copy(update={field: value}), *learnt[2:]]
            with pytest.raises(BankError, match=rf"entry 1 is .*the journal has it with another {field}; nothing"):
                bank.pending(other)


def test_a_left_over_wal_is_not_mixed_into_a_new_bank(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder(dims=64)) as bank:
        bank.add(make(0))
        wal = path.with_name("bank.sqlite-wal").read_bytes()
    path.unlink()
    path.with_name("bank.sqlite-wal").write_bytes(wal)
    with pytest.raises(BankError, match=r"is gone, but bank.sqlite-wal is there"):
        Bank.open(path, HashingEmbedder(dims=64))
    assert not path.exists()


def test_a_new_bank_has_its_scope_and_refuses_another(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    Bank.open(path, HashingEmbedder(), scope="shop:0").close()
    for scope in ("shop:0", None):
        with Bank.open(path, HashingEmbedder(), scope=scope) as bank:
            assert bank.scope == "shop:0"
    with pytest.raises(BankError, match="scope is 'shop:0' there, 'shop:1' here"):
        Bank.open(path, HashingEmbedder(), scope="shop:1")
    with Bank.open(None, HashingEmbedder()) as bank:
        assert bank.scope == ""
