"""Folders that a run may use, and those it may not: nothing is lost, nothing is left, and there is a way out."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from runner_helpers import TINY, results

from eval import workbench
from eval.__main__ import main
from eval.runs import folders

pytestmark = pytest.mark.long


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    return ["run", *TINY, f"results_dir={tmp_path}", "limit=1", "progress=quiet"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said: one line, with exit code 2."""
    capsys.readouterr()
    assert main(argv) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said


def only_empty_streams(folder: Path) -> None:
    (folder / "streams" / "sums.t0").mkdir(parents=True)


def only_a_lock(folder: Path) -> None:
    folder.mkdir()
    (folder / "run.lock").write_text("")


def half_of_a_file(folder: Path) -> None:
    only_a_lock(folder)
    (folder / ".meta.json.abc.tmp").write_text('{"identi')


@pytest.mark.parametrize("leave", [only_empty_streams, only_a_lock, half_of_a_file])
def test_what_a_killed_start_leaves_is_no_hindrance(
    leave: Callable[[Path], None], line: list[str], tmp_path: Path
) -> None:
    leave(tmp_path / "mine")
    assert main([*line, "run_name=mine"]) == 0
    assert len(results(tmp_path / "mine")) == 1


def test_a_disk_that_is_full_leaves_nothing(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, data: bytes | str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(folders, "write_atomic", full)
        assert "No space left" in refused([*line, "run_name=above/mine"], capsys)
    assert not list(tmp_path.iterdir())
    assert main([*line, "run_name=above/mine"]) == 0


BROKEN = ['{"identity": null}', "'abc'", "[1]", '"abc"', "{", "", "\xff", "[" * 100_000]


@pytest.mark.parametrize("content", [*BROKEN, None, "a folder"], ids=range(len(BROKEN) + 2))
def test_a_damaged_meta_json_has_a_way_out(
    content: str | None, line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "run_name=mine"]) == 0
    meta = tmp_path / "mine" / "meta.json"
    meta.unlink()
    if content == "a folder":
        meta.mkdir()
    elif content is not None:
        meta.write_text(content, encoding="latin-1")
    before = files(tmp_path / "mine")
    said = refused([*line, "run_name=mine"], capsys)
    assert str(meta) in said
    assert "fresh=true" in said
    assert main([*line, "run_name=mine", "fresh=true"]) == 0
    assert {**files(tmp_path / ".old" / "mine-1"), "run.lock": b""} == {**before, "run.lock": b""}


@pytest.mark.parametrize("more", [[], ["fresh=true"], ["-m", "seed=0,1"], ["-m", "seed=0,1", "fresh=true"]])
def test_a_folder_of_somebody_s_stays_as_it_is(
    more: list[str], line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine" / "streams").mkdir(parents=True)
    for name in ("thesis.tex", "summary.json", "meta.json", "streams/river.txt"):
        (tmp_path / "mine" / name).write_text("{}")
    before = files(tmp_path)
    assert "thesis.tex" in refused([*line, "run_name=mine", *more], capsys)
    assert files(tmp_path) == before


@pytest.mark.parametrize("more", [[], pytest.param(["fresh=true"], marks=pytest.mark.long)])
def test_runs_and_sweeps_keep_out_of_each_other(
    more: list[str], line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "run_name=one"]) == 0
    assert main([*line, "run_name=many", "-m", "seed=0,1"]) == 0
    before = files(tmp_path)
    sweep = ["-m", "seed=0,1"]
    for name, extra, said in (
        ("one", sweep, "is a single run"),
        ("many", [], "holds runs, such as seed=0"),
        ("one/inside", [], "a run holds no other"),
        ("one/inside", sweep, "a run holds no other"),
        ("'many/seed=0/streams/x'", [], "a run holds no other"),
    ):
        assert said in refused([*line, f"run_name={name}", *extra, *more], capsys)
        assert files(tmp_path) == before
    assert "a run holds no other" in refused([*line, f"results_dir={tmp_path / 'one'}", *more], capsys)
    # a sweep grows, and begins again
    assert main([*line, "run_name=many", "-m", "seed=1,2", *more]) == 0
    assert len(list(tmp_path.glob("many/*/meta.json"))) == 3


def test_a_sweep_of_which_one_run_is_refused_makes_none(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "run_name=many", "-m", "seed=1,2"]) == 0
    assert "order_seed: 0 -> 7" in refused([*line, "run_name=many", "-m", "seed=0,1", "order_seed=7"], capsys)
    assert not (tmp_path / "many" / "seed=0").exists()


def test_the_stored_command_is_the_one_that_was_given(line: list[str], tmp_path: Path) -> None:
    assert main([*line, "run_name=mine"]) == 0
    command = json.loads((tmp_path / "mine" / "meta.json").read_text())["command"]
    assert command.startswith("python -m eval run --config-dir=")
    assert command.endswith("progress=quiet run_name=mine")


def test_names_that_differ_in_a_slash_are_two_folders(line: list[str], tmp_path: Path) -> None:
    for name in ("a_b", "a/b"):
        (tmp_path / "packs" / name).mkdir(parents=True)
        (tmp_path / "packs" / name / "agent_web_system.j2").write_text(f"{name} {{{{ memory }}}}")
    packs = ",".join(str(tmp_path / "packs" / name) for name in ("a_b", "a/b"))
    assert main([*line, "run_name=many", "-m", f"prompts.pack={packs}"]) == 0
    assert len(list(tmp_path.glob("many/*/meta.json"))) == 2


@pytest.mark.parametrize("below", ["x", "x/y/z"])
def test_a_place_where_nothing_can_be_written_is_told_before_anything_is_made(
    below: str, line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr(workbench, "build_workbench", lambda *parts: pytest.fail("tasks were made first"))
    assert str(tmp_path / "file") in refused([*line, f"results_dir={tmp_path}/file/{below}"], capsys)
    assert files(tmp_path) == {"file": b"mine"}


def test_looking_whether_something_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    folders.check_writable(tmp_path / "a" / "b")
    assert not list(tmp_path.iterdir())
    (tmp_path / "a").mkdir()
    folders.check_writable(tmp_path / "a")
    assert (tmp_path / "a").is_dir()
