"""Both models that speak to OpenAI's protocol, at a fake server, with and without streams."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fakes.base import Answer, FakeServer, Faults, plain
from fakes.openai_server import OpenAIApp

from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.openai_responses import OpenAIResponses
from reasoningbank.types import Message

Model = OpenAIChat | OpenAIResponses
TEXT = "The answer is 42, as far as I can see."
ASK = (Message(role="system", content="You count."), Message(role="user", content="How many?"))
WAYS = [(cls, stream) for cls in (OpenAIChat, OpenAIResponses) for stream in (False, True)]
NAMES = [f"{cls.__name__}{'-stream' if stream else ''}" for cls, stream in WAYS]


@contextmanager
def serving(
    cls: type[Model],
    *,
    stream: bool = False,
    answer: Answer = lambda asked: plain(TEXT),
    faults: Faults = lambda request: None,
    usage: bool = True,
    timeout: float = 20.0,
    key_env: str | None = None,
) -> Iterator[tuple[Model, FakeServer]]:
    """A model and the server that it talks to."""
    with FakeServer(OpenAIApp(answer, usage=usage), faults=faults) as server:
        model = cls(model="fake-model", base_url=f"{server.url}/v1", stream=stream, timeout=timeout, key_env=key_env)
        try:
            yield model, server
        finally:
            model.close()
