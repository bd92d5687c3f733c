"""What is sent to OpenAI's protocol and what is read from it: requests, stop reasons, tokens, many calls at once."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from attempt_makers import make_scopes
from fakes.base import Answer, Asked, FakeServer, plain, scripted
from fakes.openai_server import OpenAIApp
from openai_models import ASK, NAMES, TEXT, WAYS, Model, serving

from reasoningbank.errors import SetupError
from reasoningbank.llm.calls import DEFAULT_SETTINGS
from reasoningbank.llm.openai import OpenAIChat, chat_messages
from reasoningbank.llm.openai_responses import OpenAIResponses
from reasoningbank.types import Message, Reply, Usage

COUNTS = Usage(calls=1, input_tokens=100, output_tokens=40, cached_tokens=64, thinking_tokens=30)


def answering(reply: Reply) -> Answer:
    return lambda asked: reply


def ask(model: Model, seed: int = 1) -> Reply:
    return model.complete(ASK, temperature=0.7, seed=seed, max_tokens=50)


@pytest.mark.parametrize(("cls", "stream"), WAYS, ids=NAMES)
def test_text_tokens_and_stop_reasons(cls: type[Model], stream: bool) -> None:
    cases = [
        Reply(text=TEXT, usage=COUNTS),
        Reply(text=TEXT, usage=COUNTS, stop_reason="length"),
        Reply(text="", usage=COUNTS, stop_reason="length"),
        Reply(text="", usage=COUNTS, stop_reason="safety"),
        Reply(text="zwölf Äpfel \U0001f34e\n\n  and a tab\t", usage=COUNTS),
    ]
    with serving(cls, stream=stream, answer=scripted(cases)) as (model, _):
        assert [ask(model) for _ in cases] == cases


@pytest.mark.parametrize("stream", [False, True])
def test_a_stop_reason_of_another_kind(stream: bool) -> None:
    """A tool call is no answer: nobody has asked for one."""
    reply = Reply(text="", usage=COUNTS, stop_reason="other")
    with serving(OpenAIChat, stream=stream, answer=answering(reply)) as (model, _):
        assert ask(model) == reply


@pytest.mark.parametrize(("cls", "stream"), WAYS, ids=NAMES)
def test_a_reply_that_thinking_ate_is_asked_for_with_more_room(cls: type[Model], stream: bool) -> None:
    eaten = Reply(text="", usage=COUNTS, stop_reason="length")
    with serving(cls, stream=stream, answer=scripted([eaten, eaten, TEXT])) as (model, server):
        scope = make_scopes(model, sleep=lambda seconds: None)(0)
        assert scope.ask("agent", ASK).text == TEXT
        key = "max_completion_tokens" if cls is OpenAIChat else "max_output_tokens"
        room = DEFAULT_SETTINGS["agent"].max_tokens
        assert [request.body[key] for request in server.requests] == [room, 2 * room, 4 * room]
        assert scope.failed == COUNTS + COUNTS
        assert scope.usage["agent"] == Usage(calls=1, input_tokens=10, output_tokens=3)


@pytest.mark.parametrize(("cls", "stream"), WAYS, ids=NAMES)
def test_tokens_that_the_server_does_not_count_are_estimated_and_said_to_be(
    cls: type[Model], stream: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasoningbank.llm.counted._warned", set())
    with caplog.at_level(logging.WARNING), serving(cls, stream=stream, usage=False) as (model, _):
        replies = [ask(model), ask(model)]
    assert {reply.usage for reply in replies} == {Usage(calls=1, input_tokens=6, output_tokens=10)}
    assert [record.getMessage() for record in caplog.records].count(
        f"{model.id} does not say how many tokens a call took: they are estimated from its characters"
    ) == 1


def test_thinking_that_a_server_counts_beside_the_output_is_part_of_it() -> None:
    class Beside(OpenAIApp):
        def _counts(self, usage: Usage, *, chat: bool) -> dict[str, object]:
            counts = super()._counts(usage, chat=chat)
            return {**counts, "completion_tokens": 10, "total_tokens": 100 + 10 + 30}

    with FakeServer(Beside(answering(Reply(text=TEXT, usage=COUNTS)))) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1")
        assert ask(model).usage == COUNTS
        model.close()


def test_what_a_chat_request_holds() -> None:
    with serving(OpenAIChat) as (model, server):
        ask(model, seed=2**63 + 5)
        assert server.requests[0].body == {
            "model": "fake-model",
            "messages": [{"role": message.role, "content": message.content} for message in ASK],
            **{"temperature": 0.7, "seed": 5, "max_completion_tokens": 50},
        }
        other = OpenAIChat(
            model="m",
            base_url=f"{server.url}/v1/",
            max_tokens_key="max_tokens",
            send_seed=False,
            send_temperature=False,
            top_p=0.9,
            reasoning_effort="low",
            system_as="user",
            extra_body={"top_k": 40},
        )
        ask(other)
        other.close()
        assert server.requests[1].path == "/v1/chat/completions"
        assert server.requests[1].body == {
            "model": "m",
            "messages": [{"role": "user", "content": "You count.\n\nHow many?"}],
            **{"max_tokens": 50, "top_p": 0.9, "reasoning_effort": "low", "top_k": 40},
        }


def test_what_a_request_for_a_response_holds() -> None:
    with serving(OpenAIResponses) as (model, server):
        ask(model)
        assert server.requests[0].body == {
            **{"model": "fake-model", "store": False, "instructions": "You count.", "max_output_tokens": 50},
            **{"input": [{"role": "user", "content": "How many?"}], "reasoning": {"effort": "low"}},
        }


def test_a_template_without_a_system_message() -> None:
    system, user, assistant = (Message(role=role, content=role) for role in ("system", "user", "assistant"))
    as_user = chat_messages([system, user, assistant, user], "user")
    assert as_user[0] == {"role": "user", "content": "system\n\nuser"}
    assert [message["role"] for message in as_user] == ["user", "assistant", "user"]
    assert chat_messages([user], "user") == [{"role": "user", "content": "user"}]
    assert chat_messages([system, assistant], "user")[0] == {"role": "user", "content": "system"}
    assert chat_messages([system, user], "developer")[0] == {"role": "developer", "content": "system"}


def test_no_key_goes_to_a_server_that_was_not_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-alone")
    monkeypatch.setenv("OTHER_KEY", "for-the-other")
    with serving(OpenAIChat) as (model, server):
        ask(model)
        assert server.requests[-1].headers["authorization"] == "Bearer none"
    with serving(OpenAIChat, key_env="OTHER_KEY") as (model, server):
        ask(model)
        assert server.requests[-1].headers["authorization"] == "Bearer for-the-other"


def test_ids_name_the_host_where_it_is_not_the_providers() -> None:
    assert OpenAIChat(model="gpt-x").id == "openai:gpt-x"
    assert OpenAIResponses(model="gpt-x").id == "openai_responses:gpt-x"
    assert OpenAIChat(model="a/b", base_url="http://big.box:8000/v1").id == "openai:a/b@big.box"
    assert not OpenAIChat(model="gpt-x").simulated


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "ftp://host/v1",
        "http://",
        "http://host:port/v1",
        "http://me:secret@host/v1",
        "http://h/?k=secret",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SetupError, match=r"roles.judge.base_url") as caught:
        OpenAIChat(model="m", base_url=url, where="roles.judge")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("cls", "stream"), WAYS, ids=NAMES)
def test_sixty_four_calls_at_once(cls: type[Model], stream: bool) -> None:
    """Each gets its own reply, none waits for a connection, and connections serve again."""

    def echo(asked: Asked) -> Reply:
        return plain(asked.messages[-1].content * 3)

    with serving(cls, stream=stream, answer=echo, timeout=120.0) as (model, server):
        ask(model)

        def one(number: int) -> str:
            mine = (Message(role="user", content=f"<{number}>"),)
            return model.complete(mine, temperature=0.0, seed=number, max_tokens=50).text

        with ThreadPoolExecutor(64) as pool:
            texts = list(pool.map(one, range(256)))
        assert texts == [f"<{number}>" * 3 for number in range(256)]
        assert server.connections <= 65
