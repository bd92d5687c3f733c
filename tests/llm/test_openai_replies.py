"""What is sent to OpenAI's protocol and what is read from it alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fakes.base import Asked, FakeServer
from fakes.openai_server import OpenAIApp
from provider_models import ASK, TEXT, ask, serving

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.llm.openai import OpenAIChat, chat_messages
from reasoningbank.llm.openai_responses import OpenAIResponses
from reasoningbank.types import Message, Reply, Usage

COUNTS = Usage(calls=1, input_tokens=100, output_tokens=40, cached_tokens=64, thinking_tokens=30)


@pytest.mark.parametrize("way", ["openai", "openai-stream"])
def test_a_stop_reason_of_another_kind(way: str) -> None:
    """A tool call is no answer: nobody has asked for one."""
    reply = Reply(text="", usage=COUNTS, stop_reason="other")
    with serving(way, answer=lambda asked: reply) as (model, _):
        assert ask(model) == reply


def test_thinking_that_a_server_counts_beside_the_output_is_part_of_it() -> None:
    class Beside(OpenAIApp):
        def _counts(self, usage: Usage, *, chat: bool) -> dict[str, object]:
            counts = super()._counts(usage, chat=chat)
            return {**counts, "completion_tokens": 10, "total_tokens": 100 + 10 + 30}

    with FakeServer(Beside(lambda asked: Reply(text=TEXT, usage=COUNTS))) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1")
        assert ask(model).usage == COUNTS
        model.close()


class Written(OpenAIApp):
    """Writes `content` where a text is expected, at once or as the one piece of a stream."""

    def __init__(self, content: object) -> None:
        super().__init__(lambda asked: Reply(text=TEXT, usage=COUNTS))
        self.content = content

    def _chat(self, asked: Asked, reply: Reply) -> dict[str, Any]:
        whole = super()._chat(asked, reply)
        whole["choices"][0]["message"]["content"] = self.content
        return whole

    def _chat_events(self, asked: Asked, reply: Reply) -> Iterator[dict[str, Any] | None]:
        first, *_, end, counts, mark = super()._chat_events(asked, reply)
        assert first is not None
        yield {**first, "choices": [{**first["choices"][0], "delta": {"content": self.content}}]}
        yield from (end, counts, mark)


def asked_for(content: object, *, stream: bool) -> Reply:
    with FakeServer(Written(content)) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1", stream=stream)
        try:
            return ask(model)
        finally:
            model.close()


def part(text: object, kind: object = "text") -> dict[str, object]:
    return {"type": kind, "text": text}


@pytest.mark.parametrize("stream", [False, True])
def test_a_text_in_parts_is_that_text(stream: bool) -> None:
    parts = [part(TEXT[:9]), part(""), part(TEXT[9:])]
    whole: tuple[object, ...] = (TEXT, [part(TEXT)], parts, [part([], "thinking"), part(TEXT)])
    empty: tuple[object, ...] = (None, "", [], [part("")])
    for content in (*whole, *empty):
        assert asked_for(content, stream=stream) == Reply(text="" if content in empty else TEXT, usage=COUNTS)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "content",
    [
        5,
        0,
        True,
        {"a": 1},
        part(TEXT),
        [TEXT],
        [5],
        [None],
        [part(5)],
        [part(None)],
        [part(TEXT), part(TEXT, "image_url")],
    ],
    ids=repr,
)
def test_what_is_no_text_is_no_reply(content: object, stream: bool) -> None:
    with pytest.raises(InfraError, match="in the place of a text") as caught:
        asked_for(content, stream=stream)
    assert caught.value.usage == (None if stream else COUNTS)


def test_what_a_chat_request_holds() -> None:
    with serving("openai") as (model, server):
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
    with serving("responses") as (model, server):
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
