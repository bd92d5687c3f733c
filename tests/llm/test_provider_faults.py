"""What becomes of a call for each thing that can go wrong: one table, for every provider, at once and as a stream."""

from __future__ import annotations

import socket
import time
import traceback
from contextlib import suppress
from typing import Any

import pytest
from attempt_makers import make_scopes
from fakes.base import FakeServer, Fault, plain
from fakes.openai_server import OpenAIApp
from provider_models import ASK, TEXT, WAYS, Way, ask, each_way, serving

from reasoningbank.errors import InfraError, Outage, RateLimited, ReasoningBankError, SetupError, UnusableReply
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.types import Reply, Usage


def status(number: int, message: str = "no", code: str = "", **headers: str) -> Fault:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Fault("status", status=number, message=message, code=code, headers=named)


AGAIN: dict[str, tuple[Fault, type[InfraError], str]] = {
    "429": (status(429), RateLimited, "answered 429"),
    "429-wait": (status(429, retry_after="7"), RateLimited, "answered 429"),
    "500": (status(500), InfraError, "answered 500"),
    "502-page": (status(502, "<html><body>Bad gateway"), InfraError, "answered 502: no reason given"),
    "503": (status(503), InfraError, "answered 503"),
    "503-wait": (status(503, retry_after="2"), RateLimited, "answered 503"),
    "529": (status(529), RateLimited, "answered 529"),
    "408": (status(408), InfraError, "answered 408"),
    "409": (status(409), InfraError, "answered 409"),
    "reset": (Fault("reset"), InfraError, "broke off"),
    "half": (Fault("half"), InfraError, "broke off"),
    "invalid-json": (Fault("invalid_json"), InfraError, "is no reply"),
    "wrong-type": (Fault("wrong_type"), InfraError, "is no reply"),
    "empty": (Fault("empty"), InfraError, "is no reply"),
}
"""What is tried again, and so ends well here."""

WHOLE = 40.0
SLOW = {"hang": Fault("hang", seconds=WHOLE), "drip": Fault("drip", seconds=WHOLE / 300)}
"""Each would go on for about WHOLE seconds: a reply has some 300 bytes."""

SETUP: dict[str, tuple[Fault, str]] = {
    "400": (status(400, "no such thing"), "compare the keys of llm"),
    "401": (status(401, "Incorrect API key"), "put another into the environment variable A_KEY"),
    "402": (status(402, "Insufficient credits"), "nothing left to spend"),
    "403": (status(403, "not for you"), "environment variable A_KEY, or set llm.model"),
    "404-model": (status(404, "The model `x` does not exist", "model_not_found"), "set llm.model"),
    "404-path": (status(404, "Not Found"), "set llm.base_url"),
    "405": (status(405), "set llm.base_url"),
    "302": (status(302, location="http://elsewhere/v1"), "set llm.base_url"),
    "context-code": (status(400, "too much", "context_length_exceeded"), "set llm.model"),
    "context-words": (status(400, "This model's maximum context length is 8192 tokens"), "agent.history_budget"),
    "413": (status(413), "agent.history_budget"),
    "429-money": (status(429, "You exceeded your quota", "insufficient_quota"), "nothing left to spend"),
    "temperature": (status(400, "Unsupported value: 'temperature' is not 0.7"), "set llm.send_temperature=false"),
}
"""What no retry mends: told at once, with what to change."""

SAFETY = {
    "content-filter": status(400, "The response was filtered", "content_filter"),
    "policy": status(400, "Invalid prompt: flagged as violating our usage policy", "invalid_prompt"),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "a-key")


@each_way
def test_what_is_tried_again(way: Way) -> None:
    with serving(way) as (model, server):
        for name, (fault, kind, words) in AGAIN.items():
            server.next.append(fault)
            if name == "empty" and way.empty is not None:
                assert ask(model) == way.empty
                assert ask(model).text == TEXT
                continue
            with pytest.raises(kind, match=words) as caught:
                ask(model)
            assert type(caught.value) is kind, name
            assert caught.value.status == (fault.status if fault.kind == "status" else None), name
            waits = dict(fault.headers).get("retry-after")
            assert getattr(caught.value, "retry_after", None) == (float(waits) if waits else None), name
            assert caught.value.__context__ is None or caught.value.__suppress_context__, name
            assert ask(model).text == TEXT, name
        assert len(server.requests) == 2 * len(AGAIN)  # the client library has tried nothing again


@each_way
def test_a_scope_tries_again_and_counts_what_came(way: Way) -> None:
    with serving(way) as (model, server):
        for name, (fault, _, _) in AGAIN.items():
            server.next.append(fault)
            scope = make_scopes(model, sleep=lambda seconds: None)(0)
            assert scope.ask("agent", ASK).text == TEXT, name
            assert scope.retries == 1, name
            assert scope.usage["agent"] == Usage(calls=1, input_tokens=10, output_tokens=3), name
            first, second = (request.body for request in server.requests[-2:])
            assert first == second, name


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=[pytest.mark.long] if "-" in way.name else [], id=way.name) for way in WAYS],
)
def test_a_reply_has_a_time_limit_as_a_whole(way: Way) -> None:
    with serving(way, timeout=0.8) as (model, server):
        with suppress(InfraError):
            ask(model)  # the first call loads the client library
        for name, fault in SLOW.items():
            server.next.append(fault)
            start = time.monotonic()
            with pytest.raises(InfraError, match=r"no whole answer in time \(llm.timeout"):
                ask(model)
            assert time.monotonic() - start < 0.25 * WHOLE, name


@each_way
def test_a_slow_reply_in_time_is_a_reply(way: Way) -> None:
    with serving(way) as (model, server):
        server.next.append(Fault("drip", seconds=0.0003))
        assert ask(model).text == TEXT


@each_way
def test_what_the_user_must_mend(way: Way) -> None:
    with serving(way, key_env="A_KEY") as (model, server):
        for fault, words in SETUP.values():
            server.next.append(fault)
            scope = make_scopes(model, sleep=lambda seconds: None)(0)
            with pytest.raises(SetupError, match=words.replace(".", r"\.")) as caught:
                scope.ask("agent", ASK)
            assert caught.value.status == fault.status
        assert len(server.requests) == len(SETUP)


@each_way
def test_a_declined_prompt_is_this_calls_affair_only(way: Way) -> None:
    """One page that a provider's filter takes for something else must not end a run of a thousand tasks."""
    with serving(way) as (model, server):
        scope = make_scopes(model)(0)
        for fault in SAFETY.values():
            server.next.append(fault)
            with pytest.raises(UnusableReply, match="declined"):
                scope.ask("agent", ASK)
        assert len(server.requests) == len(SAFETY)
        assert scope.ask("agent", ASK).text == TEXT


@each_way
def test_nothing_reached_is_an_outage(way: Way) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        urls = [f"http://127.0.0.1:{taken.getsockname()[1]}/v1", "http://no-such-host.invalid/v1"]
        for url in urls:
            with (
                serving(way, base_url=url, connect_timeout=5.0) as (model, _),
                pytest.raises(Outage, match="cannot be reached"),
            ):
                ask(model)


@each_way
def test_what_was_sent_and_must_not_be_told_is_in_no_error(way: Way) -> None:
    """Gateways repeat in an error what they were sent."""
    planted = ("a-key-0123456789", "in-a-header-0123", "in-the-body-0123")
    said = "who sent {0}, x-gateway: {1}, api_key {2}? Bearer {0}".format(*planted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("A_KEY", planted[0])
        more: dict[str, Any] = {"extra_headers": {"x-gateway": planted[1]}, "extra_body": {"api_key": planted[2]}}
        with serving(way, key_env="A_KEY", **more) as (model, server):
            for number in (400, 401, 404, 429, 500):
                server.next.append(status(number, said))
                with pytest.raises(ReasoningBankError, match="who sent") as caught:
                    ask(model)
                told = "".join(traceback.format_exception(caught.value))
                assert not [secret for secret in planted if secret in told], number
            assert server.requests[-1].headers["x-gateway"] == planted[1]
            assert server.requests[-1].body["api_key"] == planted[2]


def test_the_key_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "B_KEY"):
        monkeypatch.delenv(name, raising=False)
    for model, name in ((OpenAIChat(model="m"), "OPENAI_API_KEY"), (OpenAIChat(model="m", key_env="B_KEY"), "B_KEY")):
        with pytest.raises(SetupError, match=f"set the environment variable {name}"):
            ask(model)


@pytest.mark.parametrize("value", ["two words", "line\nend", "schlüssel"])
def test_a_key_that_no_header_takes_is_refused_unseen(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", value)
    with pytest.raises(SetupError, match="A_KEY holds no key") as caught:
        ask(OpenAIChat(model="m", key_env="A_KEY"))
    assert value not in str(caught.value)


def test_an_error_inside_a_reply_of_status_200() -> None:
    """As gateways tell of what went wrong behind them."""

    class Gateway(OpenAIApp):
        def _chat(self, asked: Any, reply: Reply) -> dict[str, Any]:
            return {"error": {"code": 429, "message": "slow down"}}

    with FakeServer(Gateway(lambda asked: plain(TEXT))) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1")
        with pytest.raises(RateLimited, match="slow down"):
            ask(model)
        model.close()
