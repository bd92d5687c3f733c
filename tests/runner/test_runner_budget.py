"""A budget stops a command between two calls; a larger one continues it, and the end is that of a run without any."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arithmetic import Calculator
from fakes.base import Asked, FakeServer, Fault, at, simulated
from fakes.openai_server import OpenAIApp
from hypothesis import given
from hypothesis import strategies as st
from runner_helpers import TINY, kill_at, results, run, start
from waiting import HANG
from watched_bench import bench_of, run_bench

from eval.__main__ import main
from eval.config.load import load_config
from eval.config.settings import Settings
from eval.runs.spending import spent_by
from reasoningbank.errors import BudgetSpent, SetupError
from reasoningbank.llm.budget import Budget, Ledger
from reasoningbank.llm.prices import read_prices
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Reply, Usage

OFFLINE = [*TINY, "memory=reasoningbank", "scaling=parallel", "k=2", "limit=4"]
PAID = [*OFFLINE, "llm=openai", "llm.model=m", "concurrency.workers=1"]
PRICES = "models:\n  openai:m@127.0.0.1: {input: 100, output: 800}\n"


def line(folder: Path, name: str, *more: str, job: Sequence[str] = OFFLINE) -> list[str]:
    return ["run", *job, f"results_dir={folder}", f"run_name={name}", *more]


def spent(said: str) -> int:
    found = re.search(r"spent since the command was first begun: ([\d,]+) tokens", said)
    assert found is not None, said
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("budget", ["budget.usd=1", "budget.tokens=5"])
def test_a_budget_needs_records(budget: str) -> None:
    """A run that is killed knows by nothing else what it has paid for."""
    with pytest.raises(SetupError, match=r"^llm\.record=false and a budget: .*leave out llm\.record, or the budget\Z"):
        load_config([budget, "llm.record=false"])
    load_config([budget])
    load_config([budget, "llm.record=true"])
    load_config(["llm.record=false"])


@pytest.mark.long
def test_a_stopped_run_is_continued_by_a_larger_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever of two processes spends it."""
    more = ["suite.sites=[a,b]", "concurrency.workers=2"]
    assert main(line(tmp_path, "whole", *more, "budget.tokens=1000000000")) == 0
    whole = spent(capsys.readouterr().out)
    ends = []
    for share in (0.3, 0.3, 0.6, 1.0):
        code = main(line(tmp_path, "parts", *more, f"budget.tokens={int(whole * share) + 1}"))
        told = capsys.readouterr()
        ends.append((code, spent(told.out)))
        if code:
            assert re.search(
                r"stopped: budget.tokens=\d+ is spent: .*, the same command with a larger one continues$", told.err
            )
            assert "error" not in told.err
    first, again, second, last = ends
    assert [code for code, _ in ends[:3]] == [3, 3, 3]
    assert whole * 0.3 <= first[1] < whole * 0.75, "what is under way is finished, and no more"
    assert again[1] == first[1], "nothing is asked where nothing is left"
    assert second[1] > first[1]
    # without a record the calls of attempts that were cut off are made again
    if last[0]:
        assert main(line(tmp_path, "parts", *more)) == 0
    assert results(tmp_path / "parts") == results(tmp_path / "whole")


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(settings: Settings) -> RetryPolicy:
        return RetryPolicy(attempts=settings.calls.tries, first_wait=0.0)

    monkeypatch.setattr("eval.transport.retry_policy", policy)


class Till:
    """Answers as the calculator does, and counts what it sold."""

    def __init__(self) -> None:
        self.calls = 0
        self.dollars = 0.0
        self._answer = simulated(Calculator())
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Reply:
        reply = self._answer(asked)
        with self._lock:
            self.calls += 1
            self.dollars += (reply.usage.input_tokens * 100 + reply.usage.output_tokens * 800) / 1e6
        return reply


@pytest.fixture
def till(tmp_path: Path) -> Iterator[tuple[Till, list[str]]]:
    (tmp_path / "prices.yaml").write_text(PRICES)
    made = Till()
    with FakeServer(OpenAIApp(made)) as server:
        yield made, [f"llm.base_url={server.url}/v1", f"prices={tmp_path / 'prices.yaml'}"]


def test_dollars_are_kept_to_and_no_call_is_paid_twice(till: tuple[Till, list[str]], tmp_path: Path) -> None:
    made, at = till
    assert main(line(tmp_path, "whole", *at, job=PAID)) == 0
    calls, dollars = made.calls, made.dollars
    made.calls, made.dollars = 0, 0.0
    largest = dollars / calls * 6
    for share in (0.1, 0.4, 0.4, 0.9):
        assert main(line(tmp_path, "parts", *at, f"budget.usd={dollars * share}", job=PAID)) == 3
        assert dollars * share <= made.dollars <= dollars * share + largest
    assert main(line(tmp_path, "parts", *at, f"budget.usd={dollars * 1.01}", job=PAID)) == 0
    assert made.calls == calls
    assert made.dollars == pytest.approx(dollars)
    assert results(tmp_path / "parts") == results(tmp_path / "whole")
    assert spent_by([tmp_path / "parts"], read_prices(tmp_path / "prices.yaml")).cost_usd == pytest.approx(dollars)


@pytest.mark.long
def test_what_a_killed_run_has_spent_is_known(till: tuple[Till, list[str]], tmp_path: Path) -> None:
    made, at = till
    kill_at("attempt", 13, tmp_path / "mark", *line(tmp_path, "killed", *at, job=PAID))
    cost = spent_by([tmp_path / "killed"], read_prices(tmp_path / "prices.yaml")).cost_usd
    assert cost == pytest.approx(made.dollars, rel=0.2), "the call under way has come to no record"
    assert 0 < cost <= made.dollars + 1e-9
    before = made.calls
    assert main(line(tmp_path, "killed", *at, f"budget.usd={cost}", job=PAID)) == 3
    assert made.calls == before, "it has spent that already"


STOPS = [signal.SIGKILL, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGINT, signal.SIGTERM))]


class BrokenOff(OpenAIApp):
    """Its replies have no reason to stop, and are refused by whoever reads them."""

    def _chat(self, asked: Asked, reply: Reply) -> dict[str, Any]:
        made = super()._chat(asked, reply)
        return {**made, "choices": [{**made["choices"][0], "finish_reason": None}]}


@pytest.mark.parametrize("app", [OpenAIApp, pytest.param(BrokenOff, marks=pytest.mark.long)])
@pytest.mark.parametrize("stop", STOPS)
def test_replies_of_no_use_are_spent_however_the_command_ends(
    stop: signal.Signals, app: type[OpenAIApp], tmp_path: Path
) -> None:
    silent = Reply(text="", usage=Usage(calls=1, input_tokens=50_000, output_tokens=4096), stop_reason="length")
    job = [*OFFLINE, "llm=openai", "llm.model=m", "concurrency.workers=1", "llm.tries=900", "scaling=single", "k=1"]
    hang = {number: Fault("hang", seconds=60) for number in range(3, 99)}
    with FakeServer(app(lambda asked: silent), faults=at(hang)) as server:
        words = line(tmp_path, "one", f"llm.base_url={server.url}/v1", job=job)
        with start(*words, "budget.tokens=900000") as process:
            until = time.monotonic() + HANG
            while len(server.requests) < 3 and process.poll() is None and time.monotonic() < until:
                time.sleep(0.02)
            os.killpg(process.pid, stop)
            process.communicate()
        asked = len(server.requests)
        assert spent_by([tmp_path / "one"], read_prices()).tokens == 2 * 54_096
        assert main([*words, "budget.tokens=100000"]) == 3
        assert len(server.requests) == asked, "it has spent that already"


def test_a_stop_is_no_call_made_again(till: tuple[Till, list[str]], tmp_path: Path) -> None:
    made, at = till
    assert main(line(tmp_path, "whole", *at, job=PAID)) == 0
    dollars = made.dollars
    for share in (0.2, 0.4, 0.6):
        assert main(line(tmp_path, "parts", *at, f"budget.usd={dollars * share}", job=PAID)) == 3
    assert main(line(tmp_path, "parts", *at, job=PAID)) == 0
    lines = [json.loads(text) for path in tmp_path.rglob("journal.jsonl") for text in path.read_bytes().splitlines()]
    assert {each["telemetry"]["retries"] for each in lines} == {0}


@pytest.mark.long
def test_dollars_of_unknown_worth_are_no_budget(till: tuple[Till, list[str]], tmp_path: Path) -> None:
    done = run(*line(tmp_path, "blind", till[1][0], "budget.usd=1", job=PAID))
    assert done.returncode == 2
    assert "no price is known for openai:m@127.0.0.1" in done.stderr
    assert "prices=FILE" in done.stderr
    assert not (tmp_path / "blind").exists()
    assert till[0].calls == 0


@pytest.mark.long
def test_a_budget_is_no_part_of_what_makes_a_run(tmp_path: Path) -> None:
    assert main(line(tmp_path, "one", "budget.tokens=1")) == 3
    assert main(line(tmp_path, "one", "budget.usd=3", "prices=null")) == 0, "a simulated model costs nothing"


def test_attempts_that_a_budget_cut_off_are_no_outcome(tmp_path: Path) -> None:
    bench = bench_of("memory=reasoningbank", "limit=2")
    budget = Budget(ledger=Ledger([0.0, 0.0], 0), tokens=15)
    with pytest.raises(BudgetSpent):
        run_bench(replace(bench, transport=replace(bench.transport, budget=budget)), tmp_path / "streams" / "sums.t0")
    assert not list(tmp_path.rglob("0.json"))
    run_bench(bench, tmp_path / "streams" / "sums.t0")
    run_bench(bench, tmp_path / "whole" / "streams" / "sums.t0")
    assert results(tmp_path) == results(tmp_path / "whole")


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10**6), st.floats(0, 10)), max_size=30))
def test_the_ledgers_of_all_places_tell_the_sum(entries: list[tuple[int, int, float]]) -> None:
    cells = [0.0] * 8
    ledgers = [Ledger(cells, place) for place in range(4)]
    for place, tokens, dollars in entries:
        ledgers[place].add(tokens, dollars)
    for ledger in ledgers:
        assert ledger.tokens == sum(tokens for _, tokens, _ in entries)
        assert ledger.cost_usd == pytest.approx(sum(dollars for _, _, dollars in entries))


def test_threads_lose_nothing() -> None:
    ledger = Ledger([0.0, 0.0], 0)
    budget = Budget(ledger=ledger)

    def add() -> None:
        for _ in range(500):
            budget.add(Usage(input_tokens=2, output_tokens=1), 0.5)

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (ledger.tokens, ledger.cost_usd) == (12_000, 2000.0)
