"""Atomic writes: the old content or the new, and nothing beside it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.files import path_name, write_atomic


@pytest.mark.parametrize("data", ["", "one\r\ntwo\n", "\ud800 é 漢", b"\x00\xff"])
def test_what_is_written_is_read(tmp_path: Path, data: str | bytes) -> None:
    path = tmp_path / "file"
    write_atomic(path, "before")
    write_atomic(path, data)
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace")
    assert path.read_bytes() == raw
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_write_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    (occupied / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="file"):
        write_atomic(occupied, "text")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    with pytest.raises(FileNotFoundError):
        write_atomic(tmp_path / "no folder" / "file", "text")


def test_a_reader_never_sees_a_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    sizes = (10, 200_000)
    write_atomic(path, "x" * sizes[0])
    seen: set[int] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(len(path.read_bytes()))

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(30):
        write_atomic(path, "x" * sizes[turn % 2])
    done.set()
    reader.join()
    assert seen <= set(sizes)


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_name_is_one_part_of_a_path_and_no_other_texts(one: str, two: str) -> None:
    name = path_name(one)
    assert Path("folder", name).parts == ("folder", name)
    assert Path(name).name == name
    assert name not in ("", ".", "..")
    assert len(name) <= 100
    assert name.isascii()
    assert path_name(name) != name or one == name
    assert (name == path_name(two)) == (one == two)


@pytest.mark.parametrize("text", ["17", "0003-17", "shopping.t0", "django__django-11099", "a.b_c-D"])
def test_a_plain_text_is_its_own_name(text: str) -> None:
    assert path_name(text) == text


@pytest.mark.parametrize(
    "text", ["", ".", "..", "../../evil", "django/django", "a b", "a\0", "~", "x" * 300, "-x", ".x"]
)
def test_any_other_gets_a_name_that_no_plain_text_has(text: str) -> None:
    assert "~" in path_name(text)
    assert path_name(path_name(text)) != path_name(text)
