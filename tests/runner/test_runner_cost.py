"""What a run costs: counted at each call, whatever became of its reply, and told by stream and role."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arithmetic import Calculator
from fakes.anthropic_server import AnthropicApp
from fakes.base import Asked, FakeServer, Fault, at_random, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import TINY, results

from eval.__main__ import main
from eval.config.settings import Settings
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Reply, Usage

pytestmark = pytest.mark.long

JOB = [*TINY, "llm=openai", "llm.model=m", "scaling=parallel", "k=2", "limit=3", "concurrency.workers=1"]
PRICES = "models:\n  openai:m@127.0.0.1: {input: 1, cached: 0.25, output: 8}\n"
EMPTY = Reply.model_validate(
    {"text": "", "usage": {"input_tokens": 1000, "output_tokens": 50, "thinking_tokens": 50}, "stop_reason": "length"}
)


class Till:
    """Answers as the calculator does, part of every prompt from a cache, and keeps what it charged."""

    def __init__(self) -> None:
        self.usage = Usage()
        self._answer = simulated(Calculator())

    def __call__(self, asked: Asked) -> Reply:
        reply = self._answer(asked)
        usage = reply.usage.model_copy(update={"calls": 1, "cached_tokens": reply.usage.input_tokens // 2})
        self.usage += usage
        return reply.model_copy(update={"usage": usage})

    @property
    def charged(self) -> float:
        fresh = self.usage.input_tokens - self.usage.cached_tokens
        return (fresh * 1 + self.usage.cached_tokens * 0.25 + self.usage.output_tokens * 8) / 1e6


class CachingTill:
    """As a provider that has some of a prompt in its cache, and writes some of the rest into it."""

    def __init__(self, shares: random.Random) -> None:
        self.usage = Usage()
        self._shares = shares
        self._answer = simulated(Calculator())

    def __call__(self, asked: Asked) -> Reply:
        reply = self._answer(asked)
        read = int(reply.usage.input_tokens * self._shares.random())
        written = int((reply.usage.input_tokens - read) * self._shares.random())
        usage = reply.usage.model_copy(update={"calls": 1, "cached_tokens": read, "cache_written_tokens": written})
        self.usage += usage
        return reply.model_copy(update={"usage": usage})

    @property
    def charged(self) -> float:
        fresh = self.usage.input_tokens - self.usage.cached_tokens - self.usage.cache_written_tokens
        cache = self.usage.cached_tokens * 0.25 + self.usage.cache_written_tokens * 1.5
        return (fresh * 1 + cache + self.usage.output_tokens * 8) / 1e6


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(settings: Settings) -> RetryPolicy:
        return RetryPolicy(attempts=settings.calls.tries, first_wait=0.0)

    monkeypatch.setattr("eval.transport.retry_policy", policy)


@pytest.fixture
def till() -> Iterator[tuple[Till, FakeServer]]:
    """With empty replies, each of which costs as much as any."""
    made = Till()

    def faults(request: Any) -> Fault | None:
        fault = chosen(request)
        if fault is not None:
            made.usage += EMPTY.usage
        return fault

    chosen = at_random(0.1, [Fault("reply", reply=EMPTY)], seed=3)
    with FakeServer(OpenAIApp(made), faults=faults) as server:
        yield made, server


def run_at(server: FakeServer, folder: Path, *more: str) -> dict[str, Any]:
    line = ["run", *JOB, f"llm.base_url={server.url}/v1", f"results_dir={folder}", "run_name=paid", *more]
    assert main(line) == 0
    summary: dict[str, Any] = json.loads((folder / "paid" / "summary.json").read_bytes())
    return summary


def test_every_token_that_is_charged_is_told(
    till: tuple[Till, FakeServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, server = till
    (tmp_path / "prices.yaml").write_text(PRICES)
    summary = run_at(server, tmp_path, f"prices={tmp_path / 'prices.yaml'}")
    assert server.failed
    overall, [stream] = summary["overall"], summary["streams"].values()
    assert overall["cost_usd"] == pytest.approx(made.charged, abs=2e-6)
    assert stream["cost_usd"] == overall["cost_usd"]
    assert {"agent", "judge", "extractor", "selector"} <= set(overall["spent"])
    by_role = [spent["cost_usd"] for spent in overall["spent"].values()]
    assert sum(by_role) == pytest.approx(overall["cost_usd"], abs=1e-5)
    for name in ("input_tokens", "output_tokens", "cached_tokens", "thinking_tokens"):
        assert sum(spent["usage"][name] for spent in overall["spent"].values()) == getattr(made.usage, name), name
    said = capsys.readouterr().out
    assert re.search(r"\[3/3\].*tokens [\d,]+  \$ \d+\.\d\d", said), "while it runs, too"
    assert "cost, US$" in said
    assert f"{overall['cost_usd']:.4f}" in said
    assert "no price is known" not in said


def test_what_a_cache_holds_and_takes_is_paid_for_and_is_in_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Equal runs find other things in the provider's cache."""
    (tmp_path / "prices.yaml").write_text(
        "models:\n  anthropic:m@127.0.0.1: {input: 1, cached: 0.25, written: 1.5, output: 8}\n"
    )
    bills = []
    for name in ("one", "two"):
        made = CachingTill(random.Random(name))
        with FakeServer(AnthropicApp(made)) as server:
            line = [*TINY, "llm=claude", "llm.model=m", f"llm.base_url={server.url}", "limit=3"]
            more = [f"prices={tmp_path / 'prices.yaml'}", f"results_dir={tmp_path}", f"run_name={name}"]
            assert main(["run", *line, *more, "concurrency.workers=1"]) == 0
        overall = json.loads((tmp_path / name / "summary.json").read_bytes())["overall"]
        assert overall["cost_usd"] == pytest.approx(made.charged, abs=2e-6)
        written = sum(spent["usage"]["cache_written_tokens"] for spent in overall["spent"].values())
        assert written == made.usage.cache_written_tokens > 0
        bills.append(overall["cost_usd"])
    assert bills[0] != bills[1]
    capsys.readouterr()
    assert main(["estimate", *line, *more[:2], "--from", "two", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost_usd"] == pytest.approx(bills[1], rel=0.01)
    assert results(tmp_path / "one") == results(tmp_path / "two")


@pytest.mark.long
def test_an_unknown_price_is_told_once_and_is_not_0(
    till: tuple[Till, FakeServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = run_at(till[1], tmp_path)
    assert summary["overall"]["cost_usd"] is None
    assert {spent["cost_usd"] for spent in summary["overall"]["spent"].values()} == {None}
    said = capsys.readouterr().out
    assert said.count("no price is known for openai:m@127.0.0.1") == 1
    assert "prices=FILE" in said
    assert "unknown" in said


@pytest.mark.long
def test_a_run_that_was_stopped_has_paid_for_no_call_twice(till: tuple[Till, FakeServer], tmp_path: Path) -> None:
    """Nor has the account of one that is continued any call twice: not those of its records, nor those that failed."""
    made, server = till
    (tmp_path / "prices.yaml").write_text(PRICES)
    more = [f"prices={tmp_path / 'prices.yaml'}", f"results_dir={tmp_path}", "run_name=paid", "retries=0"]
    chosen, rng = server.faults, random.Random(5)
    line = ["run", *JOB, f"llm.base_url={server.url}/v1", *more, "llm.tries=1"]
    stops = 0
    while True:
        # now and then the server is down for as long as an episode can bear
        server.faults = lambda request: (
            chosen(request) or (Fault("status", status=500) if rng.random() < 0.04 else None)
        )
        code = main(line)
        if code == 0:
            break
        assert code == 3
        stops += 1
        assert stops < 60
    assert stops > 1
    summary = json.loads((tmp_path / "paid" / "summary.json").read_bytes())
    assert summary["overall"]["cost_usd"] == pytest.approx(made.charged, abs=2e-6)
    assert run_at(server, tmp_path / "quiet", more[0])["overall"]["success_rate"] is not None
    assert results(tmp_path / "paid") == results(tmp_path / "quiet" / "paid")


def test_a_simulated_run_costs_nothing_that_could_be_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *TINY, "limit=2", f"results_dir={tmp_path}", "run_name=free", "concurrency.workers=1"]) == 0
    summary = json.loads((tmp_path / "free" / "summary.json").read_bytes())
    assert summary["overall"]["cost_usd"] is None
    assert summary["overall"]["spent"] == {}
    said = capsys.readouterr().out
    assert "cost," not in said
    assert "price" not in said


@pytest.mark.long
def test_a_replay_pays_nothing(till: tuple[Till, FakeServer], tmp_path: Path) -> None:
    run_at(till[1], tmp_path)
    line = ["run", *JOB, f"llm.base_url={till[1].url}/v1", f"results_dir={tmp_path}", "run_name=again"]
    assert main([*line, f"llm.replay={tmp_path / 'paid'}"]) == 0
    summary = json.loads((tmp_path / "again" / "summary.json").read_bytes())
    assert summary["overall"]["spent"] == {}
    assert summary["overall"]["cost_usd"] is None
    assert results(tmp_path / "again") == results(tmp_path / "paid")
