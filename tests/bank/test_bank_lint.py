"""`lint` finds each kind of damage it names, and nothing in a whole bank."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

import pytest
from bank_makers import make_experience as make

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.lint import lint
from reasoningbank.embed.hashing import HashingEmbedder

UNGUARD = "DROP TRIGGER ops_no_update; DROP TRIGGER ops_no_delete;"


@pytest.mark.parametrize("key", ["query", "item"])
def test_a_whole_bank_has_no_findings(key: Literal["query", "item"]) -> None:
    with Bank.open(None, HashingEmbedder(), key=key) as bank:
        bank.add(make(0, items=0))
        bank.add(make(1, items=3))
        bank.add(make(2, "?!"))
        assert lint(bank) == []


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("DELETE FROM vectors WHERE seq = 2", "missing_vector"),
        ("DELETE FROM experiences WHERE position = 1", "stray_vector"),
        (
            "INSERT INTO vectors (experience_id, item, vector) SELECT id, 5, x'00' FROM experiences LIMIT 1",
            "wrong_vector",
        ),
        ("UPDATE vectors SET vector = zeroblob(8) WHERE seq = 2", "wrong_vector"),
        (f"UPDATE vectors SET vector = x'{'0000803f' * 256}' WHERE seq = 2", "wrong_vector"),
        ("UPDATE experiences SET body = replace(body, '0001/1#1.0', '0000/0#0.0') WHERE position = 1", "duplicate_id"),
        (UNGUARD + "DELETE FROM ops WHERE seq = 1", "ops_mismatch"),
        (UNGUARD + "UPDATE ops SET detail = 'x' WHERE seq = 1", "ops_mismatch"),
        ("UPDATE experiences SET body = replace(body, 'Sort', 'Never sort') WHERE position = 1", "ops_mismatch"),
        ("UPDATE experiences SET body = 'not JSON' WHERE position = 1", "unreadable"),
    ],
)
def test_each_kind_of_damage_is_found(damage: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder()) as bank:
        for number in range(3):
            bank.add(make(number))
        db = sqlite3.connect(path)
        db.executescript(damage)
        db.close()
        findings = lint(bank)
    assert kind in {finding.kind for finding in findings}
    assert all(finding.detail for finding in findings)
