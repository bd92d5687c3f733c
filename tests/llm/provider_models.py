"""Every way to ask a provider, at a fake server: each client, at once and as a stream, and by each of its doors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from fakes import anthropic_server, gemini_server, openai_server
from fakes.anthropic_server import AnthropicApp
from fakes.base import Answer, App, FakeServer, Faults, plain
from fakes.gemini_server import GeminiApp
from fakes.openai_server import OpenAIApp

from reasoningbank.llm.anthropic import Claude
from reasoningbank.llm.gemini import Gemini
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.openai_responses import OpenAIResponses
from reasoningbank.types import Message, Reply, Usage

Model = OpenAIChat | OpenAIResponses | Gemini | Claude
TEXT = "The answer is 42, as far as I can see."
ASK = (Message(role="system", content="You count."), Message(role="user", content="How many?"))


@dataclass(frozen=True)
class Way:
    """One of them. `path` follows the server's address; `room` is where a request says how much may be written."""

    name: str
    model: Callable[..., Model]
    app: Callable[..., App]
    path: str = ""
    room: tuple[str, ...] = ("max_output_tokens",)
    key_header: tuple[str, str] = ("authorization", "Bearer {}")
    settings: Mapping[str, Any] = field(default_factory=dict)
    empty: Reply | None = None
    """What an empty reply is, where that is no fault: the provider says why it stopped, and what it counted."""

    def room_of(self, body: Any) -> int:
        for name in self.room:
            body = body[name]
        assert isinstance(body, int)
        return body


def _ways() -> Iterator[Way]:
    for stream in (False, True):
        end = "-stream" if stream else ""
        settings = {"stream": stream}
        yield Way(f"openai{end}", OpenAIChat, OpenAIApp, path="/v1", room=("max_completion_tokens",), settings=settings)
        yield Way(f"responses{end}", OpenAIResponses, OpenAIApp, path="/v1", settings=settings)
        google = {"room": ("generationConfig", "maxOutputTokens"), "key_header": ("x-goog-api-key", "{}")}
        yield Way(f"gemini{end}", Gemini, GeminiApp, settings=settings, **google)  # type: ignore[arg-type]
        vertex = {**settings, "vertex": True, "key_env": "VERTEX_EXPRESS_KEY"}
        yield Way(f"gemini-vertex{end}", Gemini, GeminiApp, settings=vertex, **google)  # type: ignore[arg-type]
        yield Way(
            f"claude{end}",
            Claude,
            AnthropicApp,
            room=("max_tokens",),
            settings=settings,
            empty=Reply(text="", usage=Usage(calls=1, input_tokens=10)),
        )


WAYS = tuple(_ways())
BY_NAME = {way.name: way for way in WAYS}
each_way = pytest.mark.parametrize("way", WAYS, ids=[way.name for way in WAYS])


@contextmanager
def serving(
    way: Way | str,
    *,
    answer: Answer = lambda asked: plain(TEXT),
    faults: Faults = lambda request: None,
    usage: bool = True,
    **settings: Any,
) -> Iterator[tuple[Model, FakeServer]]:
    """A model and the server that it talks to."""
    way = BY_NAME[way] if isinstance(way, str) else way
    with (
        pytest.MonkeyPatch.context() as patch,
        FakeServer(way.app(answer, usage=usage), faults=faults) as server,
    ):
        patch.setenv("VERTEX_EXPRESS_KEY", "an-express-key")
        given = {"model": "fake-model", "base_url": f"{server.url}{way.path}", "timeout": 20.0, **way.settings}
        model = way.model(**{**given, **settings})
        try:
            yield model, server
        finally:
            model.close()


def without_reasons(patch: pytest.MonkeyPatch) -> None:
    """From now on no reply of the fake servers says why it stopped."""
    for fake, name in ((openai_server, "FINISH"), (gemini_server, "FINISH"), (anthropic_server, "STOPS")):
        patch.setattr(fake, name, dict.fromkeys(getattr(fake, name)))
    made = OpenAIApp._response
    patch.setattr(OpenAIApp, "_response", lambda *given: {**made(*given), "status": None})


def ask(model: Model, seed: int = 1) -> Reply:
    return model.complete(ASK, temperature=0.7, seed=seed, max_tokens=50)
