"""What is sent to Claude and what is read from it alone: requests by both doors, the cache's mark, reasons to stop."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attempt_makers import make_scopes
from fakes.anthropic_server import AnthropicApp
from fakes.base import FakeServer, Fault, Faults, Request, Response, at, plain, scripted
from fakes.gemini_server import TOKEN, service_account
from fakes.openai_server import events
from provider_models import ASK, TEXT, ask, serving

from reasoningbank.agents.web import WebAgent
from reasoningbank.errors import InfraError, RateLimited, SetupError
from reasoningbank.interfaces import Evidence, Observation
from reasoningbank.llm.anthropic import STOPS, Claude
from reasoningbank.types import Message, Reply, Task, Usage

COUNTS = Usage(calls=1, input_tokens=100, output_tokens=40, cached_tokens=64, thinking_tokens=30)
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["at-once", "stream"])


@contextmanager
def at_app(app: AnthropicApp, faults: Faults = lambda request: None, **settings: Any) -> Iterator[Claude]:
    with FakeServer(app, faults=faults) as server:
        model = Claude(**{"model": "fake-model", "base_url": server.url, **settings})
        try:
            yield model
        finally:
            model.close()


class Says(AnthropicApp):
    """Sends the events, or the message, that it is given."""

    def __init__(self, *said: dict[str, Any]) -> None:
        super().__init__(lambda asked: plain(TEXT))
        self._said = said

    def respond(self, request: Request, given: Reply | None) -> Response:
        return events(self._said) if request.body.get("stream") else Response.json(self._said[-1])


def test_what_a_request_holds() -> None:
    with serving("claude") as (model, server):
        ask(model)
        assert server.requests[0].path == "/v1/messages"
        assert server.requests[0].body == {
            **{"model": "fake-model", "max_tokens": 50, "temperature": 0.7},
            "system": [{"type": "text", "text": "You count.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": "How many?"}],
        }
        other = Claude(
            model="m",
            base_url=f"{server.url}/",
            cache=None,
            send_temperature=False,
            top_p=0.9,
            effort="low",
            extra_body={"top_k": 40},
        )
        other.complete([*ASK, Message(role="assistant", content="Two.")], temperature=0.7, seed=1, max_tokens=50)
        other.close()
        assert server.requests[1].body == {
            **{"model": "m", "max_tokens": 50, "top_p": 0.9, "top_k": 40, "output_config": {"effort": "low"}},
            "system": [{"type": "text", "text": "You count."}],
            "messages": [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": "Two."}],
        }


@pytest.mark.parametrize(
    ("settings", "thinking", "room", "temperature"),
    [
        ({}, None, 50, 0.7),
        ({"thinking": "disabled"}, {"type": "disabled"}, 50, 0.7),
        ({"thinking": "adaptive"}, {"type": "adaptive"}, 50, None),
        ({"thinking_budget": 2000}, {"type": "enabled", "budget_tokens": 2000}, 2050, None),
    ],
)
def test_a_model_that_thinks_has_room_to_write_and_its_own_temperature(
    settings: dict[str, Any], thinking: dict[str, Any] | None, room: int, temperature: float | None
) -> None:
    with serving("claude", **settings) as (model, server):
        ask(model)
        body = server.requests[0].body
        assert (body.get("thinking"), body["max_tokens"], body.get("temperature")) == (thinking, room, temperature)


def test_a_long_reply_may_come_at_once() -> None:
    """The library refuses to wait for one that may take ten minutes, unless it is told a timeout."""
    with serving("claude", timeout=600.0) as (model, server):
        model.complete(ASK, temperature=0.7, seed=1, max_tokens=100_000)
        assert server.requests[0].body["max_tokens"] == 100_000


def test_without_the_library_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    for tried in (lambda: ask(Claude(model="m", base_url="http://host")), Claude(model="m", base_url="http://h").check):
        with pytest.raises(SetupError, match=r'pip install "reasoningbank\[claude\]"'):
            tried()


def test_two_ways_to_think_are_one_too_many() -> None:
    with pytest.raises(SetupError, match=r"roles.judge.thinking_budget are both set"):
        Claude(model="m", thinking="adaptive", thinking_budget=2000, where="roles.judge")


def test_the_cache_may_be_kept_for_longer() -> None:
    with serving("claude", cache="1h") as (model, server):
        ask(model)
        assert server.requests[0].body["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}


@BOTH
@pytest.mark.parametrize(("cache", "hour"), [("5m", 0), ("1h", 20), (None, 0)])
def test_what_is_written_into_the_cache_is_counted_apart(cache: str | None, hour: int, stream: bool) -> None:
    counts = COUNTS.model_copy(update={"cache_written_tokens": 20, "cache_written_1h_tokens": hour})
    app = AnthropicApp(lambda asked: Reply(text=TEXT, usage=counts))
    with at_app(app, stream=stream, cache=cache) as model:
        assert ask(model).usage == (counts if cache else COUNTS)


def test_the_cache_is_told_where_what_recurs_ends() -> None:
    """Each prompt's blocks begin with those of the one before, up to where that was marked."""
    goal, first, second, page = "# Goal\nG\n\n", "## Step 1\n\n", "## Step 2\n\n", "# Page\n\n"
    prompts = [
        (goal + page, ()),
        (goal + first + page, (len(goal),)),
        (goal + first + second + page, (len(goal), len(goal + first))),
    ]
    mark = {"cache_control": {"type": "ephemeral"}}
    with serving("claude") as (model, server):
        for text, heads in prompts:
            user = Message(role="user", content=text, heads=heads)
            model.complete([ASK[0], user], temperature=0.7, seed=1, max_tokens=50)
        contents = [request.body["messages"][0]["content"] for request in server.requests]
    assert contents[0] == goal + page
    assert contents[1] == [{"type": "text", "text": goal, **mark}, {"type": "text", "text": first + page}]
    assert contents[2] == [
        *({"type": "text", "text": goal}, {"type": "text", "text": first, **mark}),
        {"type": "text", "text": second + page},
    ]
    with serving("claude", cache=None) as (model, server):
        model.complete([ASK[0], user], temperature=0.7, seed=1, max_tokens=50)
        assert server.requests[0].body["messages"][0]["content"] == prompts[2][0]
    with serving("claude") as (model, server):  # a block of blanks alone would be refused
        blank = Message(role="user", content="a\n\n \n\nb", heads=(3, 6))
        model.complete([blank], temperature=0.7, seed=1, max_tokens=50)
        assert server.requests[0].body["messages"][0]["content"] == blank.content


class Pages:
    """An environment that shows another page at each step."""

    def __init__(self) -> None:
        self._shown = 0

    def reset(self, task: Task, seed: int) -> Observation:
        return self.step("")

    def step(self, text: str) -> Observation:
        self._shown += 1
        return Observation(text=f"RootWebArea 'Page {self._shown}'\n\n\tlink 'more'")

    def finish(self, answer: str | None) -> Evidence:
        return Evidence()

    def close(self) -> None:
        """Nothing to close."""


def kept_of(requests: Sequence[Request]) -> list[int]:
    """Characters of each prompt that the provider has kept from those before, by its rules: what ends at a mark is
    kept, and found again from a mark at most 20 blocks later."""
    kept: set[str] = set()
    found = []
    for request in requests:
        content = request.body["messages"][0]["content"]
        blocks = [*request.body["system"], *([{"text": content}] if isinstance(content, str) else content)]
        ends = ["\x00".join(each["text"] for each in blocks[: end + 1]) for end in range(len(blocks))]
        marks = [place for place, block in enumerate(blocks) if "cache_control" in block]
        assert len(marks) <= 4
        read = [end for mark in marks for end in ends[max(0, mark - 20) : mark + 1] if end in kept]
        found.append(max(map(len, read), default=0))
        kept |= {ends[mark] for mark in marks}
    return found


def test_the_cache_is_hit_across_the_steps_and_the_attempts() -> None:
    task = Task(id="1", suite="any", group="any", intent="Find the number of pears")
    replies = [f"Thought: I see page {number},\n\nand go on.\nAction: click('{number}')" for number in range(25)]
    end = "Thought: done\nAction: send_msg_to_user('3')"
    with serving("claude", answer=scripted([*replies, end, *replies, end])) as (model, server):
        for attempt in range(2):
            scope = make_scopes(model)(attempt)
            WebAgent().run(task, Pages(), scope, attempt_id=f"a/{attempt}", memory="", seed=0)
        requests = server.requests
    assert len(requests) == 52
    one, two = kept_of(requests)[:26], kept_of(requests)[26:]
    system = len(requests[0].body["system"][0]["text"])
    assert one[:2] == [0, system]
    assert all(later > earlier for earlier, later in pairwise(one[1:]))
    told = "".join(block["text"] for block in requests[25].body["messages"][0]["content"])
    assert one[-1] > system + 0.9 * told.index("# Current page")
    assert two[0] == system
    assert all(again > first for again, first in zip(two[1:], one[1:]))


def test_a_system_message_alone_is_the_users() -> None:
    with serving("claude") as (model, server):
        model.complete(ASK[:1], temperature=0.7, seed=1, max_tokens=50)
        assert "system" not in server.requests[0].body
        assert server.requests[0].body["messages"] == [{"role": "user", "content": "You count."}]


@BOTH
@pytest.mark.parametrize("text", ["", TEXT])
@pytest.mark.parametrize("reason", [*STOPS, "tool_use", "pause_turn", "a_new_one"])
def test_every_reason_to_stop(reason: str, text: str, stream: bool) -> None:
    class Ends(AnthropicApp):
        def stop_reason(self, reply: Reply) -> str:
            return reason

    reply = Reply(text=text, usage=COUNTS)
    with at_app(Ends(lambda asked: reply), stream=stream) as model:
        assert ask(model) == reply.model_copy(update={"stop_reason": STOPS.get(reason, "other")})


@BOTH
def test_what_is_no_text_is_none_and_texts_are_joined(stream: bool) -> None:
    blocks = [
        {"type": "redacted_thinking", "data": "abc"},
        *({"type": "text", "text": "a"}, {"type": "tool_use", "id": "t", "name": "f", "input": {}}),
        {"type": "text", "text": "b"},
    ]
    usage = {"input_tokens": 10, "output_tokens": 3}
    whole = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": blocks, "usage": usage}
    told: list[dict[str, Any]] = [{"type": "message_start", "message": {**whole, "content": []}}]
    for index, block in enumerate(blocks):
        told += [
            {"type": "content_block_start", "index": index, "content_block": block},
            {"type": "content_block_stop", "index": index},
        ]
    told.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}})
    said = [*told, {"type": "message_stop"}] if stream else [{**whole, "stop_reason": "end_turn"}]
    with at_app(Says(*said), stream=stream) as model:
        assert ask(model) == Reply(text="ab", usage=Usage(calls=1, input_tokens=10, output_tokens=3))


@pytest.mark.parametrize(
    ("kind", "error"),
    [("overloaded_error", RateLimited), ("rate_limit_error", RateLimited), ("api_error", InfraError)],
)
@BOTH
def test_an_error_after_a_reply_began_well(kind: str, error: type[InfraError], stream: bool) -> None:
    begun = {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}}
    told = {"type": "error", "error": {"type": kind, "message": "Overloaded, or so"}}
    with at_app(Says(begun, told), stream=stream) as model, pytest.raises(error, match="Overloaded, or so") as caught:
        ask(model)
    assert type(caught.value) is error


@pytest.mark.parametrize("left", [1, 2])
def test_a_stream_without_its_end_is_half_a_reply(left: int) -> None:
    from fakes.anthropic_server import stream_events

    whole = AnthropicApp(lambda asked: plain(TEXT)).whole(plain(TEXT), marked=False)
    told = list(stream_events(whole))[:-left]
    with at_app(Says(*told), stream=True) as model, pytest.raises(InfraError, match="without a reason to stop"):
        ask(model)


def test_an_empty_reply_is_asked_for_again_and_paid_for() -> None:
    with serving("claude", faults=at({1: Fault("empty")})) as (model, server):
        scope = make_scopes(model, sleep=lambda seconds: None)(0)
        assert scope.ask("agent", ASK).text == TEXT
        assert scope.failed == Usage(calls=1, input_tokens=10)
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "message", "words"),
    [
        (401, "invalid x-api-key", "the environment variable A_KEY"),
        (404, "model: claude-x", "set llm.model"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", "agent.page_budget"),
        (400, "Your credit balance is too low to access the Anthropic API", "nothing left to spend"),
        (400, "`temperature` may only be set to 1 when thinking is enabled.", "set llm.send_temperature=false"),
        (400, "`temperature` and `top_p` cannot both be specified for this model.", "set llm."),
        (400, "thinking.enabled.budget_tokens: not supported by this model", "set llm.thinking_budget"),
        (400, "adaptive thinking is not supported on this model", "set llm.thinking"),
        (400, "This model does not support the effort parameter.", "set llm.effort"),
    ],
)
def test_what_anthropic_says_leads_to_the_key_to_change(
    status: int, message: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "a-key")
    faults = at({1: Fault("status", status=status, message=message)})
    with (
        serving("claude", faults=faults, key_env="A_KEY") as (model, _),
        pytest.raises(SetupError, match=words.replace(".", r"\.")),
    ):
        ask(model)


def test_the_key_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(SetupError, match="set the environment variable ANTHROPIC_API_KEY"):
        ask(Claude(model="m"))


def test_ids_do_not_tell_by_which_door() -> None:
    assert Claude(model="claude-x").id == "anthropic:claude-x"
    assert Claude(model="claude-x", vertex=True, project="p", location="us-east5").id == "anthropic:claude-x"
    assert Claude(model="claude-x", base_url="http://big.box:80").id == "anthropic:claude-x@big.box"
    with pytest.raises(SetupError, match=r"llm.key_env: Claude on Vertex AI takes a login"):
        Claude(model="claude-x", vertex=True, key_env="A_KEY")


@BOTH
def test_vertex_with_a_login(stream: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A service account's key signs for a token, at a token server of its own, by Google's library."""
    for name in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "ANTHROPIC_VERTEX_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-for-vertex")
    faults = [Fault("status", status=429), Fault("status", status=529), Fault("reset"), Fault("half")]
    with FakeServer(AnthropicApp(lambda asked: Reply(text=TEXT, usage=COUNTS))) as server:
        (tmp_path / "account.json").write_text(service_account(f"{server.url}/token"))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
        model = Claude(model="fake-model", vertex=True, base_url=server.url, location="us-east5", stream=stream)
        assert model.check() == "login, project the-accounts-project"
        with pytest.raises(NotImplementedError, match="does not list"):
            model.models()
        assert ask(model) == Reply(text=TEXT, usage=COUNTS)
        for fault in faults:
            server.next.append(fault)
            with pytest.raises(InfraError):
                ask(model)
            assert ask(model).text == TEXT
        model.close()
        token, *calls = server.requests
        assert token.path == "/token"
        assert len(calls) == 1 + 2 * len(faults)
        way = "streamRawPredict" if stream else "rawPredict"
        place = "/v1/projects/the-accounts-project/locations/us-east5/publishers/anthropic/models/fake-model"
        assert {call.path for call in calls} == {f"{place}:{way}"}
        assert {call.headers["authorization"] for call in calls} == {f"Bearer {TOKEN}"}
        assert "not-for-vertex" not in str(server.requests)
