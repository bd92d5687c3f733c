"""Replies that a client refuses, though the server has counted them: each is told, recorded and paid for."""

from __future__ import annotations

from pathlib import Path

import pytest
from attempt_makers import make_scopes
from fakes.base import Asked, FakeServer, Fault, plain
from fakes.openai_server import OpenAIApp
from provider_models import ASK, TEXT, Way, ask, each_way, serving, without_reasons

from reasoningbank.errors import BudgetSpent, InfraError, ReasoningBankError
from reasoningbank.llm.budget import Budget, Ledger
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.limits import Limiter, Limits
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.prices import Price
from reasoningbank.llm.record import CallLogs
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Reply, Usage

ONE = Usage(calls=1, input_tokens=10, output_tokens=3)


@each_way
def test_its_tokens_are_in_the_account_and_in_the_record(way: Way, tmp_path: Path) -> None:
    with serving(way) as (model, _):
        with pytest.MonkeyPatch.context() as patch:
            without_reasons(patch)
            scope = make_scopes(model, logs=CallLogs(tmp_path), retry=RetryPolicy(attempts=2))(0)
            with pytest.raises(InfraError, match="is no reply") as caught:
                scope.ask("agent", ASK)
        assert caught.value.usage == ONE
        assert scope.failed == ONE + ONE
        # another process goes on from the record
        scope = make_scopes(model, logs=CallLogs(tmp_path))(0)
        assert scope.ask("agent", ASK).text == TEXT
        assert scope.failed == ONE + ONE
        assert scope.usage == {"agent": ONE}


def test_a_stream_that_breaks_off_has_told_what_was_asked() -> None:
    with serving("claude-stream") as (model, server):
        server.next.append(Fault("half"))
        scope = make_scopes(model)(0)
        assert scope.ask("agent", ASK).text == TEXT
        assert scope.failed == Usage(calls=1, input_tokens=10, output_tokens=1)


@each_way
def test_where_nothing_came_nothing_is_told(way: Way) -> None:
    with serving(way) as (model, server):
        for fault in (Fault("status", status=500), Fault("status", status=401), Fault("reset"), Fault("wrong_type")):
            server.next.append(fault)
            with pytest.raises(ReasoningBankError) as caught:
                ask(model)
            assert caught.value.usage is None


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("way", ["openai", "claude", "gemini", "responses"])
def test_a_budget_ends_it(way: str, stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the limits of the provider know of it."""
    ledger, limiter = Ledger([0.0, 0.0], 0), Limiter(Limits(tokens_per_minute=10**9))
    transport = Transport(
        retry=RetryPolicy(first_wait=0.0),
        limiters={"agent": limiter},
        prices={"agent": Price(input=1.0, output=10.0)},
        budget=Budget(ledger=ledger, tokens=1000),
    )
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task="1", attempt=0)
    large = plain(TEXT, tokens_in=1200, tokens_out=300)
    with serving(f"{way}-stream" if stream else way, answer=lambda asked: large) as (model, server):
        without_reasons(monkeypatch)
        scope = CallScope(llms={"agent": model}, key=key, transport=transport)
        with pytest.raises(BudgetSpent):
            scope.ask("agent", ASK)
        assert len(server.requests) == 1
    assert ledger.tokens == scope.failed.total == 1500
    assert ledger.cost_usd == scope.spent["agent"].cost_usd == pytest.approx((1200 + 3000) / 1e6)


def test_what_no_retry_mends_is_paid_for_too() -> None:
    """As where a gateway tells at a reply's end that its account is empty."""

    class Gateway(OpenAIApp):
        def _chat(self, asked: Asked, reply: Reply) -> dict[str, object]:
            choice = {"index": 0, "message": {"content": "half"}, "finish_reason": "error", "error": {"code": 402}}
            return {**super()._chat(asked, reply), "choices": [choice]}

    with FakeServer(Gateway(lambda asked: plain(TEXT))) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1")
        scope = make_scopes(model)(0)
        with pytest.raises(ReasoningBankError, match="nothing left to spend"):
            scope.ask("agent", ASK)
        assert scope.failed == ONE
        model.close()
