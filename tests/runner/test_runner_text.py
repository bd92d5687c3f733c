"""Any text in any field of an episode survives being written and read: journal line, attempt file, bank."""

from __future__ import annotations

import types
import typing
from pathlib import Path
from typing import Any, Literal, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval.attempt import AttemptRecord, load_attempt, save_attempt
from eval.journal import JournalLine
from eval.runs.journal_file import JournalFile
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.types import Experience, Record

TEXT = st.text(st.characters(codec=None) | st.characters(categories=["Cs"]) | st.sampled_from("\0\n\r\u2028'\"\\"))
FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of an annotation, with any text wherever there may be one."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind in (str, Any):
        return TEXT
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values, args))
    if origin is tuple:
        return st.lists(values(args[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(values(args[0]), values(args[1]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Record):
        return st.deferred(lambda: records(kind))
    plain = {int: st.integers(0, 99), float: st.floats(0, 1), bool: st.booleans(), type(None): st.none()}
    return plain[kind]


def records(kind: type[Record]) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{name: values(field.annotation) for name, field in kind.model_fields.items()})


def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text") / "file"


@FEW
@given(line=records(JournalLine))
def test_journal_lines(line: JournalLine, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = fresh(tmp_path_factory)
    line = line.model_copy(update={"result": line.result.model_copy(update={"position": 0})})
    journal = JournalFile(path)
    journal.append(line)
    journal.close()
    again = JournalFile(path)
    again.close()
    assert (again.count, again.repaired) == (journal.count, "")
    assert [(kept.result, kept.telemetry) for kept in again.lines] == [(line.result, line.telemetry)]


@FEW
@given(record=records(AttemptRecord))
def test_attempt_files(record: AttemptRecord, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = fresh(tmp_path_factory)
    save_attempt(path, record)
    assert load_attempt(path, record.trajectory.attempt_id, record.trajectory.task) == record


@FEW
@given(experience=records(Experience))
def test_banks(experience: Experience, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = fresh(tmp_path_factory)
    with Bank.open(path, HashingEmbedder()) as bank:
        bank.add(experience)
    with Bank.open(path, HashingEmbedder()) as bank:
        assert bank.all() == [experience]
        assert bank.get(experience.id) == experience
