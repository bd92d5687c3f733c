"""A model that answers from a script: a list of replies, or a function of the messages. For tests and examples."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from reasoningbank.errors import SetupError
from reasoningbank.llm.offline.usage import reply_of
from reasoningbank.types import Message, Reply

Scripted = str | Reply | Exception
Script = Callable[[Sequence[Message], float, int], str]


class ScriptedLLM:
    """Answers with the next reply of a sequence, whoever asks, or with what `script(messages, temperature, seed)` says.

    A sequence is handed out in the order of the calls, so with several threads a function is the one that is
    repeatable. An exception among the replies is raised instead of answered, and a Reply is handed over as it is.
    """

    simulated = True

    def __init__(self, script: Sequence[Scripted] | Script, *, id: str = "scripted") -> None:
        self.id = id
        self.requests: list[tuple[Message, ...]] = []
        self._script = script
        self._replies: Iterator[Scripted] | None = None if callable(script) else iter(tuple(script))
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """The scripted answer; SetupError when a sequence has none left."""
        with self._lock:
            self.requests.append(tuple(messages))
            number = len(self.requests)
            reply = next(self._replies, None) if self._replies is not None else None
        if self._replies is None:
            assert callable(self._script)
            reply = self._script(messages, temperature, seed)
        if reply is None:
            raise SetupError(
                f"the script of model {self.id!r} has ended: call {number} finds none of its {number - 1} replies left;"
                " give it more replies or a function"
            )
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else reply_of(messages, reply)
