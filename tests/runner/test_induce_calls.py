"""The calls of `python induce_memory.py`: recorded, within a budget, and answered from records, as a run's are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from arithmetic import Calculator
from fakes.base import Asked, FakeServer, Fault, always, at, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import TINY

from eval.__main__ import guarded
from eval.__main__ import main as run
from eval.banks.opened import read_experiences
from eval.config.settings import Settings
from induce_memory import main
from reasoningbank.llm.record import every_call
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Reply

pytestmark = pytest.mark.long

PRICES = "models:\n  openai:m@127.0.0.1: {input: 100, output: 800}\n"
JOB = [*TINY, "memory=reasoningbank", "scaling=parallel", "k=2", "limit=3", "progress=quiet"]


class Till:
    """Answers as the calculator does, and counts what it sold."""

    def __init__(self) -> None:
        self.costs: list[float] = []
        self._answer = simulated(Calculator())

    def __call__(self, asked: Asked) -> Reply:
        reply = self._answer(asked)
        self.costs.append((reply.usage.input_tokens * 100 + reply.usage.output_tokens * 800) / 1e6)
        return reply


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(settings: Settings) -> RetryPolicy:
        return RetryPolicy(attempts=1, first_wait=0.0)

    monkeypatch.setattr("eval.transport.retry_policy", policy)


@pytest.fixture
def till() -> Till:
    return Till()


@pytest.fixture
def server(till: Till) -> Iterator[FakeServer]:
    with FakeServer(OpenAIApp(till)) as server:
        yield server


@pytest.fixture
def remote(server: FakeServer, tmp_path: Path) -> list[str]:
    (tmp_path / "prices.yaml").write_text(PRICES)
    place = [f"llm.base_url={server.url}/v1", f"prices={tmp_path / 'prices.yaml'}"]
    assert run(["run", *JOB, f"results_dir={tmp_path / 'results'}", "run_name=one"]) == 0
    return ["one", "--judge", "llm", "llm=openai", "llm.model=m", *place, "--quiet", TINY[0]]


def induce(folder: Path, out: str, argv: list[str]) -> int:
    return guarded(lambda: main([*argv, "--results", str(folder / "results"), "--out", str(folder / out)]))


def test_a_budget_stops_it_and_a_larger_one_goes_on_and_pays_for_no_call_twice(
    remote: list[str], till: Till, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert induce(tmp_path, "whole.sqlite", remote) == 0
    whole, most = sum(till.costs), max(till.costs)
    calls = len(till.costs)
    till.costs.clear()
    for share in (0.2, 0.6, 0.6):
        assert induce(tmp_path, "parts.sqlite", [*remote, f"budget.usd={whole * share}"]) == 3
        assert "budget.usd=" in (said := capsys.readouterr().err)
        assert said.startswith("stopped: ")
        assert said.count("\n") == 1
        assert whole * share <= sum(till.costs) <= whole * share + most
        lost = [json.loads(path.read_bytes()) for path in (tmp_path / "parts.sqlite.calls").rglob("lost.json")]
        assert {each["retries"] for each in lost} == {0}, "to stop is no failure"
    assert induce(tmp_path, "parts.sqlite", [*remote, f"budget.usd={whole * 1.01}"]) == 0
    assert len(till.costs) == calls
    assert read_experiences(tmp_path / "parts.sqlite") == read_experiences(tmp_path / "whole.sqlite")


def test_what_failed_is_counted_when_it_goes_on(
    remote: list[str], server: FakeServer, till: Till, tmp_path: Path
) -> None:
    words = [*remote, "budget.tokens=1000000"]
    server.faults = at({3: Fault("status", status=500)})
    assert induce(tmp_path, "new.sqlite", words) == 3
    spent = len(till.costs)
    assert spent == 2
    assert induce(tmp_path, "new.sqlite", [*words, "budget.tokens=20"]) == 3
    assert len(till.costs) == spent, "it has spent that already"
    assert induce(tmp_path, "new.sqlite", words) == 0
    kept = [call for path in tmp_path.glob("new.sqlite.calls/**/*.calls.jsonl") for call in every_call(path)]
    assert len(kept) == len(till.costs)


def test_dollars_of_unknown_worth_are_no_budget(remote: list[str], till: Till, tmp_path: Path) -> None:
    words = [word for word in remote if not word.startswith("prices=")]
    assert induce(tmp_path, "new.sqlite", [*words, "budget.usd=1"]) == 2
    assert till.costs == []


def test_the_records_of_a_run_answer_in_place_of_models(
    tmp_path: Path, till: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    with FakeServer(OpenAIApp(till)) as server:
        words = ["llm=openai", "llm.model=m", f"llm.base_url={server.url}/v1", f"results_dir={results}"]
        assert run(["run", *JOB, *words, "run_name=real"]) == 0
        server.faults = always(Fault("status", status=500))
        asked = len(server.requests)
        argv = ["real", "--judge", "llm", f"llm.replay={results / 'real'}", "--quiet", TINY[0]]
        assert induce(tmp_path, "again.sqlite", argv) == 0
        assert induce(tmp_path, "other.sqlite", [*argv, "llm.model=n"]) == 2
        assert "was recorded with other models (llm.model: m -> n)" in capsys.readouterr().err
        assert not (tmp_path / "other.sqlite").exists()
        assert len(server.requests) == asked
    [bank] = (results / "real").glob("streams/*/bank.sqlite")
    assert read_experiences(tmp_path / "again.sqlite") == read_experiences(bank)
    assert not [path for path in os.listdir(tmp_path) if path.endswith(".calls")]
