"""Call records: every reply is on disk, under the key of its call, before it is used.

    logs = CallLogs(folder)                # of one episode
    log = logs(0)                          # its attempt 0: <folder>/0.calls.jsonl
    reply = log.find(request)              # None: the model must be asked
    log.keep(request, reply)

A key is (attempt, role, call number); a record also holds hashes of what was asked, and answers nothing else. An
attempt that was cut off is so begun again and comes, without a call made twice, to where it was. From the first call
on that is another than before (a page has changed meanwhile) models are asked anew.

Replies that were paid for and are no answer, such as empty ones, stand there too (`keep_unused`), on lines that answer
nothing: a command that goes on knows from them what it has spent.

With `source`, another run's records answer instead of models, and nothing is written: what they lack, or have for
another request, is a SetupError that says which call, and what is different.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from reasoningbank.errors import SetupError
from reasoningbank.types import EPISODE, Message, Record, Reply, Role, Stored, Tool, canonical_json, digest

_log = logging.getLogger("reasoningbank")


class Request(Record):
    """What a call asks, its messages hashed one by one: a record needs no second copy of every page."""

    role: Role
    number: int
    model: str
    temperature: float
    seed: int
    max_tokens: int
    messages: tuple[str, ...]
    tools: str = Field("", description="a hash of those that are offered", exclude_if=lambda tools: not tools)

    @property
    def key(self) -> tuple[Role, int]:
        """Its name within an attempt."""
        return self.role, self.number

    def difference(self, other: Request) -> str:
        """In which respects `other` asks for something else, for a person; empty where it does not."""
        found = [
            f"{name} {getattr(self, name)} -> {getattr(other, name)}"
            for name in ("model", "temperature", "seed", "max_tokens")
            if getattr(self, name) != getattr(other, name)
        ]
        if self.tools != other.tools:
            found.append("other tools")
        if len(self.messages) != len(other.messages):
            found.append(f"{len(self.messages)} -> {len(other.messages)} messages")
        else:
            pairs = zip(self.messages, other.messages, strict=True)
            found += [f"message {number} has another text" for number, (a, b) in enumerate(pairs, 1) if a != b]
        return ", ".join(found)


class RecordedCall(Stored):
    """A line of a record. `sha256` is of the two others, so that no edited reply passes for the model's."""

    request: Request
    reply: Reply
    sha256: str


class UnusedCall(Stored):
    """A line of a record, of a reply that is paid for and no answer. `sha256` is of the two others."""

    request: Request
    unused: Reply
    sha256: str


def hashed(messages: Sequence[Message]) -> tuple[str, ...]:
    """A hash for each message."""
    return tuple(digest([message.role, message.content, *_of_tools(message)]) for message in messages)


def _of_tools(message: Message) -> list[Any]:
    """What a message has of tools; nothing for most, whose hashes are as they were before there were any."""
    calls = [call.model_dump() for call in message.calls]
    return [calls, message.answers] if calls or message.answers else []


def hashed_tools(tools: Sequence[Tool]) -> str:
    """A hash of all tools; empty where there are none."""
    return digest([tool.model_dump() for tool in tools]) if tools else ""


class CallLog:
    """The record of one attempt, or of what concerns all attempts of an episode. Thread-safe; one process writes it."""

    def __init__(self, path: Path, *, source: Path | None = None) -> None:
        self.path = path
        self._source = source
        self._lock = threading.Lock()
        self._calls: dict[tuple[Role, int], RecordedCall] = {}
        self._unused: dict[tuple[Role, int], list[Reply]] = {}
        for call in _lines(path if source is None else source):
            if isinstance(call, UnusedCall):
                self._unused.setdefault(call.request.key, []).append(call.unused)
            else:
                self._set_aside(call.request.key)
                self._calls[call.request.key] = call

    def find(self, request: Request) -> Reply | None:
        """The reply that this very request got before; None where the model must be asked.

        SetupError where another run's record should have it and has not.
        """
        with self._lock:
            found = self._calls.get(request.key)
        if found is not None and found.request == request:
            return found.reply
        if self._source is not None:
            call = f"call {request.number} of role {request.role}"
            changed = "is missing" if found is None else f"was another ({found.request.difference(request)})"
            raise SetupError(f"llm.replay: {call} {changed} in {self._source}: the run cannot be repeated from there")
        return None

    def set_aside(self, request: Request) -> None:
        """Count the reply under the request's key, if another request got one, among those that are no answer."""
        with self._lock:
            found = self._set_aside(request.key)
        if found is not None:
            _log.warning(
                "%s: call %d of role %s is made again, for it asks for something else by now (%s)",
                *(self.path, request.number, request.role, found.request.difference(request)),
            )

    def unused(self, request: Request) -> list[Reply]:
        """All replies under the request's key that were paid for and are no answer. A replay pays for none."""
        with self._lock:
            return [] if self._source is not None else list(self._unused.get(request.key, []))

    def keep(self, request: Request, reply: Reply) -> None:
        """Append the call and see it onto the disk. OSError where that fails."""
        data = {"request": request.model_dump(mode="json"), "reply": reply.model_dump(mode="json")}
        call = RecordedCall(request=request, reply=reply, sha256=digest(data))
        with self._lock:
            # not the other way round: what is no record must not be found as one either
            self._append(data, call)
            self._calls[request.key] = call

    def keep_unused(self, request: Request, reply: Reply) -> None:
        """The same for a reply that is no answer."""
        data = {"request": request.model_dump(mode="json"), "unused": reply.model_dump(mode="json")}
        call = UnusedCall(request=request, unused=reply, sha256=digest(data))
        with self._lock:
            self._append(data, call)
            self._unused.setdefault(request.key, []).append(reply)

    def _append(self, data: dict[str, Any], call: RecordedCall | UnusedCall) -> None:
        append_line(
            self.path,
            canonical_json({**data, "schema_version": call.schema_version, "sha256": call.sha256}).encode(),
        )

    def _set_aside(self, key: tuple[Role, int]) -> RecordedCall | None:
        found = self._calls.pop(key, None)
        if found is not None:
            self._unused.setdefault(key, []).append(found.reply)
        return found


def append_line(path: Path, line: bytes) -> None:
    """Append a line, on a line of its own whatever a crash has left before it, and fsync it."""
    try:
        with _appending(path) as file:
            end = file.seek(0, os.SEEK_END)
            torn = end > 0 and os.pread(file.fileno(), 1, end - 1) != b"\n"
            left = memoryview((b"\n" if torn else b"") + line + b"\n")
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _appending(path: Path) -> FileIO:
    try:
        return path.open("a+b", buffering=0)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+b", buffering=0)


def read_calls(path: Path) -> dict[tuple[Role, int], RecordedCall]:
    """The answers of a record, the last one under each key. A line that is torn or was changed counts for nothing."""
    return {call.request.key: call for call in _lines(path) if isinstance(call, RecordedCall)}


def every_call(path: Path) -> list[tuple[Request, Reply]]:
    """All that a record's calls got, those that were made again later and those that are no answer too."""
    calls = _lines(path)
    return [(call.request, call.reply if isinstance(call, RecordedCall) else call.unused) for call in calls]


def _lines(path: Path) -> list[RecordedCall | UnusedCall]:
    """Its lines. A call that is answered is not made again: where its line stands twice it was copied, and counts once.
    (Of replies that are no answer two may be equal, and both are paid for.)"""
    calls: list[RecordedCall | UnusedCall] = []
    last: dict[tuple[Role, int], RecordedCall] = {}
    with suppress(FileNotFoundError):
        for line in path.read_bytes().splitlines():
            with suppress(ValidationError, ValueError, KeyError, TypeError, RecursionError):
                data = json.loads(line)
                kind, got = (UnusedCall, "unused") if "unused" in data else (RecordedCall, "reply")
                call = kind.model_validate_json(line)
                if call.sha256 != digest({"request": data["request"], got: data[got]}):
                    continue
                if isinstance(call, UnusedCall):
                    calls.append(call)
                elif last.get(call.request.key) != call:
                    calls.append(call)
                    last[call.request.key] = call
    return calls


class CallLogs:
    """The records of one episode: `logs(index)` is that attempt's. `source` is the same folder of a replayed run; `of`
    names records that are kept apart."""

    def __init__(self, folder: Path, *, of: str = "", source: Path | None = None) -> None:
        self._folder = folder
        self._ending = f"{of}.calls.jsonl" if of else "calls.jsonl"
        self._source = source
        self._logs: dict[int, CallLog] = {}
        self._lock = threading.Lock()

    def __call__(self, attempt: int) -> CallLog:
        name = f"{'episode' if attempt == EPISODE else attempt}.{self._ending}"
        source = None if self._source is None else self._source / name
        with self._lock:
            if attempt not in self._logs:
                self._logs[attempt] = CallLog(self._folder / name, source=source)
            return self._logs[attempt]


class RecordedModel:
    """Stands for a model whose calls a record answers: it is never asked."""

    def __init__(self, *, id: str, simulated: bool) -> None:
        self.id = id
        self.simulated = simulated

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        raise SetupError(f"llm.replay: a call of {self.id} came to the model, which a record should have answered")
