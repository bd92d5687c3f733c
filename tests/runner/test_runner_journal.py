"""The journal's file: what is repaired, what is refused, and that refusing changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.journal import EpisodeResult, JournalFile, JournalLine, Telemetry
from reasoningbank.errors import SetupError


def line(position: int) -> JournalLine:
    result = EpisodeResult(
        stream="a.t0",
        position=position,
        task_id=str(position),
        template_id="",
        group="a",
        recalled=(),
        injected_tokens=0,
        attempts=(),
        selected=None,
        learnt=(),
        refused=(),
        tokens={},
    )
    return JournalLine(result=result, telemetry=Telemetry(started="2026-01-01T00:00:00+00:00", seconds=0.0))


def write(path: Path, count: int) -> bytes:
    path.unlink(missing_ok=True)
    journal = JournalFile(path)
    for position in range(count):
        journal.append(line(position))
    journal.close()
    return path.read_bytes()


def read(path: Path) -> tuple[int, str]:
    journal = JournalFile(path)
    journal.close()
    return len(journal.lines), journal.repaired


def test_a_new_journals_name_is_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def noting(handle: int) -> None:
        synced.append((os.fstat(handle).st_dev, os.fstat(handle).st_ino))
        real(handle)

    monkeypatch.setattr(os, "fsync", noting)
    JournalFile(tmp_path / "j").close()
    assert (tmp_path.stat().st_dev, tmp_path.stat().st_ino) in synced


def test_lines_come_back(tmp_path: Path) -> None:
    write(tmp_path / "j", 3)
    journal = JournalFile(tmp_path / "j")
    assert journal.lines == [line(0), line(1), line(2)]
    assert journal.repaired == ""
    with pytest.raises(ValueError, match="position 1 cannot follow 3 lines"):
        journal.append(line(1))
    journal.close()


@given(cut=st.integers(min_value=1, max_value=250))
def test_a_torn_end_is_cut_off_and_said(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "torn.jsonl"
    whole = write(path, 3)
    path.write_bytes(whole[:-cut])
    kept, repaired = read(path)
    assert kept == 2
    assert "line 3 was torn" in repaired
    assert read(path) == (2, "")


@given(data=st.data())
def test_a_broken_middle_is_refused_with_its_line_and_left_alone(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "broken.jsonl"
    lines = write(path, 4).splitlines(keepends=True)
    number = data.draw(st.integers(min_value=1, max_value=3))
    at = data.draw(st.integers(min_value=0, max_value=len(lines[number - 1]) - 2))
    lines[number - 1] = lines[number - 1][:at] + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(SetupError, match=f"line {number} "):
        JournalFile(path)
    assert path.read_bytes() == b"".join(lines)


def test_a_newer_schema_is_refused_even_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = write(path, 2)
    newer = json.loads(whole.splitlines()[1]) | {"schema_version": 2}
    path.write_bytes(whole.splitlines(keepends=True)[0] + json.dumps(newer).encode() + b"\n")
    before = path.read_bytes()
    with pytest.raises(SetupError, match="schema version 2"):
        JournalFile(path)
    assert path.read_bytes() == before


def test_double_and_missing_positions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "j"
    first, second, third = write(path, 3).splitlines(keepends=True)
    for lines, number in (((first, first, second), 2), ((first, third), 2), ((second,), 1)):
        path.write_bytes(b"".join(lines))
        with pytest.raises(SetupError, match=f"line {number} is of position"):
            JournalFile(path)


def test_one_process_writes(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "j")
    with pytest.raises(SetupError, match="another process"):
        JournalFile(tmp_path / "j")
    journal.close()
    JournalFile(tmp_path / "j").close()
