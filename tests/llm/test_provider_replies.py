"""What every provider's client makes of a reply: text, stop reasons, tokens, more room, many calls at once."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from attempt_makers import make_scopes
from fakes.base import Asked, plain, scripted
from provider_models import ASK, TEXT, Way, ask, each_way, serving, without_reasons

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.llm.calls import DEFAULT_SETTINGS
from reasoningbank.types import Message, Reply, Usage

COUNTS = Usage(calls=1, input_tokens=100, output_tokens=40, cached_tokens=64, thinking_tokens=30)


@each_way
def test_text_tokens_and_stop_reasons(way: Way) -> None:
    cases = [
        Reply(text=TEXT, usage=COUNTS),
        Reply(text=TEXT, usage=COUNTS, stop_reason="length"),
        Reply(text="", usage=COUNTS, stop_reason="length"),
        Reply(text="", usage=COUNTS, stop_reason="safety"),
        Reply(text="zwölf Äpfel \U0001f34e\n\n  and a tab\t and \u2028 a separator", usage=COUNTS),
    ]
    with serving(way, answer=scripted(cases)) as (model, _):
        assert [ask(model) for _ in cases] == cases


@each_way
def test_a_reply_without_a_reason_to_stop_is_asked_for_again(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once as in a stream: who broke off has not said all."""
    without_reasons(monkeypatch)
    with serving(way) as (model, _), pytest.raises(InfraError, match="is no reply"):
        ask(model)


@each_way
def test_a_reply_that_thinking_ate_is_asked_for_with_more_room(way: Way) -> None:
    eaten = Reply(text="", usage=COUNTS, stop_reason="length")
    with serving(way, answer=scripted([eaten, eaten, TEXT])) as (model, server):
        scope = make_scopes(model, sleep=lambda seconds: None)(0)
        assert scope.ask("agent", ASK).text == TEXT
        room = DEFAULT_SETTINGS["agent"].max_tokens
        assert [way.room_of(request.body) for request in server.requests] == [room, 2 * room, 4 * room]
        assert scope.failed == COUNTS + COUNTS
        assert scope.usage["agent"] == Usage(calls=1, input_tokens=10, output_tokens=3)


@each_way
def test_tokens_that_the_server_does_not_count_are_estimated_and_said_to_be(
    way: Way, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasoningbank.llm.counted._warned", set())
    with caplog.at_level(logging.WARNING), serving(way, usage=False) as (model, _):
        replies = [ask(model), ask(model)]
    assert {reply.usage for reply in replies} == {Usage(calls=1, input_tokens=6, output_tokens=10)}
    assert [record.getMessage() for record in caplog.records] == [
        f"{model.id} does not say how many tokens a call took: they are estimated from its characters"
    ]


@each_way
def test_no_key_goes_to_a_server_that_was_not_meant(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "for-the-provider-alone")
    monkeypatch.setenv("OTHER_KEY", "for-the-other")
    header, form = way.key_header
    with serving(way) as (model, server):
        ask(model)
        assert "alone" not in str(server.requests[-1].headers)
    with serving(way, key_env="OTHER_KEY") as (model, server):
        ask(model)
        assert server.requests[-1].headers[header] == form.format("for-the-other")


@each_way
def test_before_a_call_it_says_what_it_goes_by_and_which_models_there_are(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", "for-the-other")
    with serving(way, key_env="OTHER_KEY", extra_headers={"x-team": "blue"}) as (model, server):
        assert model.check() == "key: OTHER_KEY"
        assert not server.requests
        assert model.models() == ["fake-model"]
        ask(model)
        assert [request.headers["x-team"] for request in server.requests] == ["blue", "blue"]
        monkeypatch.delenv("OTHER_KEY")
        with pytest.raises(SetupError, match="set the environment variable OTHER_KEY"):
            model.check()


@each_way
def test_sixty_four_calls_at_once(way: Way) -> None:
    """Each gets its own reply, none waits for a connection, and connections serve again."""

    def echo(asked: Asked) -> Reply:
        return plain(asked.messages[-1].content * 3)

    with serving(way, answer=echo, timeout=120.0) as (model, server):
        ask(model)

        def one(number: int) -> str:
            mine = (Message(role="user", content=f"<{number}>"),)
            return model.complete(mine, temperature=0.0, seed=number, max_tokens=50).text

        with ThreadPoolExecutor(64) as pool:
            texts = list(pool.map(one, range(128)))
        assert texts == [f"<{number}>" * 3 for number in range(128)]
        assert server.connections <= 65
