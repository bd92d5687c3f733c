"""The published recording: it replays with no model and no network, and ends in the journal that was recorded."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import socket
from pathlib import Path
from typing import NoReturn

import pytest
from runner_helpers import ROOT

from eval.__main__ import main
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.providers.secrets import struck

TOUR = ROOT / "results/published/tour"
ANEW = "what models are asked has changed: run `python scripts/record_published.py` and commit what it makes"


def never(*args: object, **kwargs: object) -> NoReturn:
    raise AssertionError("a replay needs neither a model nor a network")


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedLLM, "complete", never)
    monkeypatch.setattr(socket.socket, "connect", never)
    monkeypatch.setattr(socket, "getaddrinfo", never)


def replay(folder: Path, source: Path, *words: str) -> int:
    line = ["run", "+exp=tour", f"llm.replay={source}", f"results_dir={folder}", "concurrency.workers=1"]
    return main([*line, "run_name=again", *words])


@pytest.mark.usefixtures("_alone")
def test_it_replays_to_an_equal_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = replay(tmp_path, TOUR)
    told = capsys.readouterr()
    assert code == 0, f"{told.err}\n{ANEW}"
    assert f"replayed: all 8 episodes are equal to those of {TOUR}" in told.out, f"{told.out}\n{ANEW}"
    assert json.loads((tmp_path / "again/meta.json").read_text())["simulated"], "as what was recorded"


@pytest.mark.usefixtures("_alone")
def test_what_is_not_equal_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(TOUR, tmp_path / "tour")
    journal = tmp_path / "tour/streams/shopping.t0/journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    lines[2]["result"]["attempts"][0]["steps"] += 1
    for line in lines:
        line["schema_version"] = 1
        del line["sha256"]
    journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert replay(tmp_path, tmp_path / "tour", "suite.sites=[shopping]") == 1, "so that a script can tell"
    assert "replayed: 3 of 4 episodes are equal" in capsys.readouterr().out
    journal.unlink()
    assert replay(tmp_path, tmp_path / "tour", "suite.sites=[shopping]") == 0
    assert f"nothing was compared, since {tmp_path / 'tour'} has no journal" in capsys.readouterr().out


@pytest.mark.usefixtures("_alone")
def test_another_prompt_is_named_by_the_first_call_that_it_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/agent_web_system.j2").write_text("Act.{{ memory }}{{ multi_actions }}")
    assert replay(tmp_path, TOUR, f"prompts.pack={tmp_path / 'pack'}") in (2, 3)
    error = capsys.readouterr().err
    assert "call 0 of role agent was another (message 1 has another text)" in error


def test_recording_it_anew_ends_in_a_line_for_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its runs are those that were made already."""
    spec = importlib.util.spec_from_file_location("record_published", ROOT / "scripts/record_published.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def made(place: str, *words: str) -> int:
        shutil.copytree(TOUR, Path(place) / "results" / words[-1].removeprefix("run_name="))
        return 0

    monkeypatch.setattr(script, "run", made)
    target = tmp_path / "tour"
    assert script.main([str(target)]) == 0
    compared, size = capsys.readouterr().out.splitlines()
    assert compared == f"replayed: all 8 episodes are equal to those of {target}"
    assert size.startswith(f"{target}: ")


def test_it_is_small_simulated_and_tells_of_no_machine() -> None:
    files = [path for path in TOUR.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 300_000
    assert json.loads((TOUR / "meta.json").read_text())["simulated"] is True
    assert "simulated" in (TOUR / "table.txt").read_text()
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(home|root|Users|tmp|work)/", text), path
        assert struck(text) == text, path
        assert set(re.findall(r'"host": ?"([^"]*)"', text)) <= {"elsewhere"}, path
