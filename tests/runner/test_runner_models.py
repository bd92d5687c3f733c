"""A replay's models are the recorded run's: by saying nothing of models, and never by another one's name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from arithmetic import Calculator
from fakes.base import FakeServer, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import TINY, results

from eval.__main__ import main

JOB = [*(word for word in TINY if not word.startswith("llm=")), "memory=reasoningbank", "limit=2", "progress=quiet"]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A run of a model behind a wire, whose server is gone, and the words for its models."""
    folder = tmp_path_factory.mktemp("recorded")
    with FakeServer(OpenAIApp(simulated(Calculator()))) as server:
        words = ["llm=openai", "llm.model=fake-model", "llm.top_p=0.9", f"llm.base_url={server.url}/v1"]
        words += ["llm.requests_per_minute=60000"]
        assert main(["run", *JOB, *words, f"results_dir={folder}", "run_name=paid"]) == 0
    return folder / "paid", words


def replay(recorded: Path, folder: Path, *words: str) -> int:
    return main(["run", *JOB, *words, f"llm.replay={recorded}", f"results_dir={folder}", "run_name=again"])


@pytest.mark.parametrize("said", [False, True])
def test_the_models_of_a_replay_are_those_of_its_source(
    said: bool, recorded: tuple[Path, list[str]], tmp_path: Path
) -> None:
    source, words = recorded
    assert replay(source, tmp_path, *(words if said else ["llm.tries=3"])) == 0
    assert results(tmp_path / "again") == results(source)
    old, new = (json.loads((folder / "meta.json").read_text()) for folder in (source, tmp_path / "again"))
    assert new["choices"] == old["choices"]
    for each in (old, new):
        for key in ("replay", "tries", "requests_per_minute"):
            each["settings"]["llm"].pop(key, None)
    assert new["settings"]["llm"] == old["settings"]["llm"]
    assert new["identity"]["models"] == old["identity"]["models"]
    assert {**new["identity"]["llm"], "replay": None} == old["identity"]["llm"]


CHANGES = {
    "another model": (["llm.model=gpt-5"], "llm.model: fake-model -> gpt-5"),
    "what no request holds": (["llm.top_p=0.5"], "llm.top_p: 0.9 -> 0.5"),
    "what was not said": (["llm.reasoning_effort=low"], "llm.reasoning_effort: None -> low"),
    "more of the request": (["llm.extra_body={top_k: 4}"], "llm.extra_body"),
    "another address": (["llm.base_url=http://elsewhere.example/v1"], "llm.base_url"),
    "one role's": (["+llm@roles.judge=gemini_flash"], "roles.judge.type: not set -> gemini"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_another_model_than_the_recorded_one_is_refused(
    name: str, recorded: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, words = recorded
    more, said = CHANGES[name]
    assert replay(source, tmp_path, *words, *more) == 2
    error = capsys.readouterr().err
    assert said in error
    assert f"llm.replay={source}" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("words", [["llm=claude"], ["llm.advice_effect=0"], ["llm=gemini_flash", "llm.model=m"]])
def test_another_client_is_refused(
    words: list[str], recorded: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(recorded[0], tmp_path, *words) == 2
    assert "llm.type: openai -> " in capsys.readouterr().err


def test_a_sweep_over_models_is_no_replay_of_one(
    recorded: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, words = recorded
    words = ["-m", *(word for word in words if "model=" not in word), "llm.model=fake-model,gpt-5"]
    assert replay(source, tmp_path, *words) == 2
    assert "llm.model: fake-model -> gpt-5" in capsys.readouterr().err
