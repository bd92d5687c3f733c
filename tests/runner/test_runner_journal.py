"""The journal's file: what is repaired, what is refused, and that refusing changes nothing."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.analysis.records import read_lines
from eval.journal import AttemptResult, EpisodeResult, JournalLine, Telemetry, chained
from eval.runs.journal_file import JournalFile, check_journal
from reasoningbank.errors import SetupError
from reasoningbank.types import canonical_json


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
    assert journal.count == len(journal.lines)
    return journal.count, journal.repaired


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
    assert [each.model_copy(update={"sha256": ""}) for each in journal.lines] == [line(0), line(1), line(2)]
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
    assert "line 3 is torn" in repaired
    assert path.read_bytes() == whole[:-cut], "until a line takes its place, it stays"
    assert len(read_lines(path)) == 2
    journal = JournalFile(path)
    journal.append(line(2))
    journal.close()
    assert path.read_bytes() == whole


@given(data=st.data())
def test_an_edited_line_is_refused_by_the_run_and_by_its_reports(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "edited.jsonl"
    lines = write(path, 3).splitlines(keepends=True)
    number = data.draw(st.integers(min_value=1, max_value=3))
    changed = json.loads(lines[number - 1])
    key = data.draw(st.sampled_from(["group", "task_id", "template_id", "injected_tokens", "selected"]))
    changed["result"][key] = 7 if key in ("injected_tokens", "selected") else f"{changed['result'][key]}x"
    lines[number - 1] = canonical_json(changed).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(SetupError, match=f"line {number} or one before it was changed"):
        JournalFile(path)
    with pytest.raises(SetupError, match=f"line {number} or one before it was changed"):
        read_lines(path)


def old(text: bytes) -> bytes:
    """The line as version 1 wrote it."""
    data = json.loads(text) | {"schema_version": 1}
    del data["sha256"]
    return json.dumps(data).encode() + b"\n"


def test_lines_of_version_1_without_hashes_are_read_and_followed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b"".join(map(old, write(path, 2).splitlines())))
    journal = JournalFile(path)
    journal.append(line(2))
    journal.close()
    assert [bool(each.sha256) for each in read_lines(path)] == [False, False, True]
    assert read(path) == (3, "")


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("way", ["empty", "absent", "as version 1"])
def test_a_hash_cannot_be_left_out(way: str, number: int, tmp_path: Path) -> None:
    """Of a line of today's version never, and of one that says version 1 not where lines with hashes are around it."""
    path = tmp_path / "j"
    lines = write(path, 3).splitlines(keepends=True)
    data = json.loads(lines[number - 1])
    data["result"]["injected_tokens"] = 7
    data |= {"sha256": ""} if way == "empty" else {}
    if way == "absent":
        del data["sha256"]
    edited = json.dumps(data).encode() + b"\n" if way != "as version 1" else old(json.dumps(data).encode())
    path.write_bytes(b"".join([*lines[: number - 1], edited, *lines[number:]]))
    for opened in (JournalFile, read_lines):
        with pytest.raises(SetupError, match="or one before it was changed"):
            opened(path)


def test_a_line_that_does_not_fit_on_the_disk_leaves_no_part(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = write(path, 2)
    journal = JournalFile(path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as failed:
            journal.append(line(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert failed.value.filename == str(path)
    assert path.read_bytes() == whole
    journal.append(line(2))
    journal.close()
    assert len(read_lines(path)) == 3


@pytest.mark.parametrize("text", [b"[" * 200_000, b"{" * 200_000, b'{"a":' * 200_000])
@pytest.mark.parametrize("last", [True, False])
def test_json_of_any_depth_is_a_broken_line(text: bytes, last: bool, tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = write(path, 2)
    path.write_bytes(whole + text + b"\n" if last else text + b"\n" + whole)
    if last:
        assert read(path)[0] == len(read_lines(path)) == 2
        return
    with pytest.raises(SetupError, match="line 1 is not JSON"):
        JournalFile(path)
    with pytest.raises(SetupError, match="line 1 is not JSON"):
        read_lines(path)


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
    for opened in (JournalFile, check_journal):
        with pytest.raises(SetupError, match=f"line {number} "):
            opened(path)
    assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize("torn", [b"", b'{"resu', b'{"resu\n', b"\xff\n"])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_look_before_the_start_passes_what_opening_passes(torn: bytes, hashed: bool, tmp_path: Path) -> None:
    path = tmp_path / "j"
    check_journal(path)
    whole = write(path, 3).splitlines(keepends=True)
    path.write_bytes(b"".join(whole if hashed else map(old, whole)) + torn)
    check_journal(path)
    assert read(path)[0] == 3


def test_a_newer_schema_is_refused_even_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = write(path, 2)
    newer = json.loads(whole.splitlines()[1]) | {"schema_version": 3}
    path.write_bytes(whole.splitlines(keepends=True)[0] + json.dumps(newer).encode() + b"\n")
    before = path.read_bytes()
    for opened in (JournalFile, check_journal):
        with pytest.raises(SetupError, match="schema version 3"):
            opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("hashed", [True, False])
def test_double_and_missing_positions_are_refused(hashed: bool, tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = write(path, 3).splitlines(keepends=True)
    first, second, third = whole if hashed else map(old, whole)
    for lines, number in (((first, first, second), 2), ((first, third), 2), ((second,), 1)):
        path.write_bytes(b"".join(lines))
        said = "or one before it was changed, removed or doubled" if hashed else "is of position"
        for opened in (JournalFile, read_lines, check_journal):
            with pytest.raises(SetupError, match=f"line {number} {said}"):
                opened(path)


def test_positions_are_checked_behind_right_hashes_too(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for positions, number in (((0, 0, 1), 2), ((0, 2), 2), ((1,), 1), ((0, 1, 0), 3)):
        before, pieces = "", []
        for position in positions:
            result = line(position).result
            before = chained(before, result.model_dump(mode="json"))
            made = line(position).model_copy(update={"sha256": before})
            pieces.append(canonical_json(made.model_dump(mode="json")).encode() + b"\n")
        path.write_bytes(b"".join(pieces))
        for opened in (JournalFile, read_lines):
            with pytest.raises(SetupError, match=f"line {number} is of position"):
                opened(path)


def test_a_skipped_episodes_line_and_no_other_is_superseded(tmp_path: Path) -> None:
    path = tmp_path / "j"
    attempt = AttemptResult(
        **{"attempt_id": "a", "index": 0, "exit": "infra_error", "answer": None, "steps": 0, "errors": 0},
        **{"trajectory_hash": "", "verdict": None, "outcome": None},
    )
    plain = line(1)
    skipped = plain.model_copy(update={"result": plain.result.model_copy(update={"attempts": (attempt,)})})
    write(path, 1)
    journal = JournalFile(path)
    for each in (skipped, line(2), plain):
        journal.append(each)
    for number in (0, 1, 2, 4):
        with pytest.raises(ValueError, match=f"position {number} cannot follow 3 lines"):
            journal.append(line(number))
    journal.close()
    assert (journal.count, len(journal.lines)) == (3, 1), "what is appended is not kept in memory"
    again = JournalFile(path)
    again.close()
    assert again.lines == list(read_lines(path))
    assert [each.result.skipped for each in again.lines] == [False] * 3
    assert path.read_bytes().count(b"\n") == 4


def test_one_process_writes(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "j")
    with pytest.raises(SetupError, match="another process"):
        JournalFile(tmp_path / "j")
    journal.close()
    JournalFile(tmp_path / "j").close()
