"""Estimates of what real models and their records would be paid for: which calls are counted, which cost nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arithmetic import Calculator
from fakes.base import FakeServer, Fault, at_random, simulated
from fakes.embedding_server import OpenAIEmbeddingsApp
from fakes.openai_server import OpenAIApp
from runner_helpers import ROOT, TINY

from eval.__main__ import main
from eval.config.load import load_config
from eval.config.settings import Settings
from eval.estimates.samples import thinkers
from eval.workbench import build_workbench
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Reply, Usage

TOUR = ROOT / "results/published/tour"
FUZZY = ["suite.sites=[shopping]", "suite.templates=[vague_price_paid]", "memory=none"]
EMPTY = Reply(text="", usage=Usage(calls=1, input_tokens=4000, output_tokens=900), stop_reason="length")
PRICES = "models:\n  openai:m@127.0.0.1: {input: 100, output: 800}\n"


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(settings: Settings) -> RetryPolicy:
        return RetryPolicy(attempts=settings.calls.tries, first_wait=0.0)

    monkeypatch.setattr("eval.transport.retry_policy", policy)


@pytest.fixture
def paid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """A finished run of a real model, of whose replies some were empty and paid for all the same."""
    (tmp_path / "prices.yaml").write_text(PRICES)
    empty = at_random(0.2, [Fault("reply", reply=EMPTY)], seed=2)
    with FakeServer(OpenAIApp(simulated(Calculator())), faults=empty) as server:
        model = ["llm=openai", "llm.model=m", f"llm.base_url={server.url}/v1"]
        line = [*TINY, *model, "limit=4", f"results_dir={tmp_path}", f"prices={tmp_path / 'prices.yaml'}"]
        assert main(["run", *line, "run_name=paid", "progress=quiet", "concurrency.workers=1"]) == 0
        assert server.failed
        asked = len(server.requests)
        capsys.readouterr()
        yield line
        assert len(server.requests) == asked


def estimated(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["estimate", *argv, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_graders_calls_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    found = estimated(capsys, *FUZZY, "llm=gemini_flash")
    grader = found["roles"]["grader"]
    assert 1 <= grader["calls"] <= 2
    assert grader["input_tokens"] > 50 * grader["calls"], "a prompt's size"
    assert grader["cost_usd"] > 0
    assert "grader" not in estimated(capsys, *FUZZY)["roles"], "offline none is asked"


def test_a_role_that_the_trial_has_not_seen_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["suite.sites=[shopping]", "limit=1"]
    notes = estimated(capsys, *few, "memory=none", "llm=gemini_flash")["notes"]
    assert [note for note in notes if "no call of role grader, which a run may ask" in note]
    assert not [note for note in estimated(capsys, *few)["notes"] if "no call of role" in note]


def test_replies_of_which_nothing_came_are_in_what_an_earlier_run_took(
    paid: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overall = json.loads((tmp_path / "paid" / "summary.json").read_bytes())["overall"]
    found = estimated(capsys, *paid, "--from", "paid")
    assert found["cost_usd"] == pytest.approx(overall["cost_usd"], rel=1e-3)
    used = sum(each["input_tokens"] + each["output_tokens"] for each in overall["tokens"].values())
    assert found["tokens"] > 1.2 * used
    assert main(["estimate", *paid, "--from", "paid", f"budget.usd={0.95 * overall['cost_usd']}"]) == 0
    assert "would stop it" in capsys.readouterr().out


def test_a_replay_is_as_its_recording_and_costs_nothing(
    paid: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = estimated(capsys, *paid, f"llm.replay={tmp_path / 'paid'}")
    assert {each["model"] for each in found["roles"].values()} == {"openai:m@127.0.0.1"}
    assert {each["cost_usd"] for each in found["roles"].values()} == {0.0}
    assert (found["cost_usd"], found["seconds"]) == (None, None)
    assert any(note.startswith("as in paid: 4 episodes") for note in found["notes"])


@pytest.mark.parametrize("words", [[], ["--from", str(TOUR)], ["memory=none"]])
def test_the_published_recording_can_be_estimated(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = estimated(capsys, "+exp=tour", f"llm.replay={TOUR}", *words)
    assert found["episodes"] == 8
    assert found["roles"]["agent"]["model"] == "offline"
    assert found["cost_usd"] is None


def test_a_replay_under_other_models_is_refused_as_by_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "+exp=tour", f"llm.replay={TOUR}", "llm=gemini_flash"]) == 2
    assert "was recorded with other models" in capsys.readouterr().err


def test_what_is_counted_nowhere_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [*(word for word in TINY if not word.startswith("embedder=")), "limit=2", f"results_dir={tmp_path}"]
    said = "may take for its embeddings is in no cost and no budget"
    with FakeServer(OpenAIEmbeddingsApp(dims=64)) as server:
        remote = [*few, "embedder=openai", "embedder.dims=64", f"embedder.base_url={server.url}/v1"]
        assert said in str(estimated(capsys, *remote)["notes"])
        assert not server.requests
        for words in ([*remote, "memory=none"], few):
            assert said not in str(estimated(capsys, *words)["notes"])
        for words, times in (([*remote, "budget.tokens=100000"], 1), (remote, 0), ([*few, "budget.tokens=100000"], 0)):
            assert main(["run", *words, "run_name=any", "fresh=true", "concurrency.workers=1"]) == 0
            assert capsys.readouterr().out.count(said) == times


THINKERS = {
    "gemini_flash": True,
    "gemini_flash llm.thinking_budget=0": False,
    "gemini_flash llm.thinking_budget=-1": True,
    "gemini_flash llm.model=gemini-2.5-flash-lite": False,
    "gemini_flash llm.model=gemini-3-flash-preview llm.thinking_level=low": True,
    "openai": False,
    "openai llm.model=gpt-5": True,
    "openai llm.model=vendor/o3-mini": True,
    "openai llm.model=gpt-5.1": False,
    "openai llm.model=gpt-5.1 llm.reasoning_effort=low": True,
    "openai_responses": True,
    "openai_responses llm.reasoning_effort=none": False,
    "claude": False,
    "claude llm.thinking=adaptive": True,
    "claude llm.thinking_budget=2048": True,
    "claude llm.thinking=disabled": False,
    "offline": False,
}


@pytest.mark.parametrize("words", THINKERS)
def test_which_models_think(words: str) -> None:
    bench = build_workbench(load_config([f"llm={words.split()[0]}", *words.split()[1:], "memory=none"]), asked=False)
    assert thinkers(bench) == ([bench.llms["agent"].id] if THINKERS[words] else [])


def test_a_model_that_thinks_is_named_and_may_cost_more(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["suite.sites=[shopping]", "limit=1", "memory=none", "llm=gemini_flash"]
    found, thoughtless = estimated(capsys, *few), estimated(capsys, *few, "llm.thinking_budget=0")
    assert found["cost_usd"] == thoughtless["cost_usd"]
    assert found["cost_high"] > 2 * thoughtless["cost_high"]
    named = [each for each in (found, thoughtless) if "gemini:gemini-2.5-flash thinks" in str(each["notes"])]
    assert named == [found]
