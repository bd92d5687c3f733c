"""Trajectories from whatever an agent keeps of its run: chat messages, (thought, action, observation)s, plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from reasoningbank.types import Message, Step, Task, Trajectory

Turn: TypeAlias = tuple[str, str, str]
"""Thought, action, and the observation that followed."""

Transcript: TypeAlias = Trajectory | str | Sequence[Message] | Sequence[Mapping[str, object]] | Sequence[Turn]

_ASSISTANT = {"assistant", "ai", "model"}
_SYSTEM = {"system", "developer"}
_ENVIRONMENT = {"user", "human", "tool", "function", "environment", "exit"}
_PIECE = 4_000  # characters of one step of a plain text: small enough that no single step fills a model's budget
_ACTION = re.compile(r"^\s*Action:[ \t]*", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*Thought:[ \t]*")


def to_trajectory(transcript: Transcript, *, task: Task, attempt_id: str, answer: str | None = None) -> Trajectory:
    """The transcript as a trajectory of `task`. `answer` is what the user was told; by default it is the last
    assistant message that calls no tool, or a trajectory's own. Its last observation is the last thing seen before
    that, and what came after.

    TypeError or ValueError for what is none of these shapes, naming the entry.
    """
    if isinstance(transcript, Trajectory):
        told = transcript.answer if answer is None else answer
        seen: dict[str, object] = {}
        if not transcript.final_observation.strip() and (step := _last_seen(transcript.steps)):
            seen = {"final_observation": step.observation, "final_url": transcript.final_url or step.url}
        return transcript.model_copy(update={"task": task, "attempt_id": attempt_id, "answer": told, **seen})
    system, last, own_answer = "", "", None
    if isinstance(transcript, str):
        steps = [_step(number, "", piece, "") for number, piece in enumerate(_pieces(transcript))]
    elif not isinstance(transcript, Sequence):
        raise TypeError(f"a transcript is a Trajectory, a list or a text, not {type(transcript).__name__}")
    elif transcript and all(_is_turn(entry) for entry in transcript):
        steps, last = _from_turns(cast("Sequence[Turn]", transcript))
    else:
        steps, system, last, own_answer = _from_messages(cast("Sequence[object]", transcript))
    if not last.strip() and (step := _last_seen(steps)):  # the normal case: the run ends with what the agent said
        last = step.observation
    if last.strip() == task.intent.strip():  # the request alone is nothing that was seen
        last = ""
    return Trajectory(
        attempt_id=attempt_id,
        task=task,
        steps=tuple(steps),
        exit="answered",
        answer=own_answer if answer is None else answer,
        final_observation=last,
        system_prompt=system,
    )


def _step(index: int, observation: str, thought: str, action: str) -> Step:
    return Step(index=index, observation=observation, thought=thought, action=action)


def _last_seen(steps: Sequence[Step]) -> Step | None:
    """The last step before which anything was seen."""
    return next((step for step in reversed(steps) if step.observation.strip()), None)


def _is_turn(entry: object) -> bool:
    return isinstance(entry, (tuple, list)) and len(entry) == 3 and all(isinstance(part, str) for part in entry)


def _from_turns(turns: Sequence[Turn]) -> tuple[list[Step], str]:
    steps: list[Step] = []
    seen = ""
    for number, (thought, action, observation) in enumerate(turns):
        steps.append(_step(number, seen, thought, action))
        seen = observation
    return steps, seen


def _from_messages(messages: Sequence[object]) -> tuple[list[Step], str, str, str | None]:
    """Steps, system prompt, last observation, answer. Whatever lies between two assistant messages is one
    observation."""
    steps: list[Step] = []
    system: list[str] = []
    seen: list[str] = []
    answer: str | None = None
    for number, message in enumerate(messages):
        role, text, calls = _read(number, message)
        if role in _SYSTEM:
            system.append(text)
        elif role in _ENVIRONMENT:
            seen.append(text)
        else:
            thought, action = _split(text) if not calls else (text, calls)
            steps.append(_step(len(steps), "\n\n".join(seen), thought, action))
            answer = text if not action else None
            seen = []
    if seen and answer is not None and steps[-1].observation:  # a reply to the answer does not hide what led to it
        seen.insert(0, steps[-1].observation)
    return steps, "\n\n".join(system), "\n\n".join(seen), answer


def _read(number: int, message: object) -> tuple[str, str, str]:
    """Role, text and tool calls of one message."""
    message = _plain(message)
    if not isinstance(message, Mapping):
        raise TypeError(
            f"entry {number} of the transcript is a {type(message).__name__}; it must be a message (a dict with "
            "role and content) or, like all the others, a (thought, action, observation) of three texts"
        )
    role = message.get("role")
    if role not in _ASSISTANT | _SYSTEM | _ENVIRONMENT:
        raise ValueError(
            f"entry {number} of the transcript has the role {role!r}; known are "
            f"{', '.join(sorted(_ASSISTANT | _SYSTEM | _ENVIRONMENT))}"
        )
    text, calls = _content(message.get("content"))
    for call in cast("Sequence[object]", message.get("tool_calls") or ()):
        function = call.get("function", call) if isinstance(call, Mapping) else None
        if isinstance(function, Mapping):
            calls.append(_call(function.get("name"), function.get("arguments")))
    return str(role), text, "\n".join(calls)


def _plain(value: object) -> object:
    """A message object of this project or of a provider's client as the dict it stands for."""
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else value


def _content(content: object) -> tuple[str, list[str]]:
    """Text and tool calls of a message's content: a text, or a list of parts of several providers' shapes."""
    if content is None or isinstance(content, str):
        return content or "", []
    texts: list[str] = []
    calls: list[str] = []
    for part in map(_plain, content if isinstance(content, Sequence) else [content]):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and part.get("type") == "tool_use":
            calls.append(_call(part.get("name"), part.get("input")))
        elif isinstance(part, Mapping) and ("text" in part or "content" in part):
            inner, more = _content(part.get("text", part.get("content")))
            texts.append(inner)
            calls += more
        elif isinstance(part, Mapping) and "type" in part:  # an image, say: too long to be shown
            texts.append(f"[{part['type']}]")
        else:  # a tool's structured result
            texts.append(json.dumps(part, ensure_ascii=False, default=str))
    return "\n".join(texts), calls


def _call(name: object, arguments: object) -> str:
    shown = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False, default=str)
    return f"{name}({shown})"


def _split(text: str) -> tuple[str, str]:
    """Thought and action of a reply in the ReAct format; a reply without `Action:` is all thought."""
    found = list(_ACTION.finditer(text))
    if not found:
        return _THOUGHT.sub("", text).strip(), ""
    return _THOUGHT.sub("", text[: found[-1].start()]).strip(), text[found[-1].end() :].strip()


def _pieces(text: str) -> list[str]:
    """A long text cut at its empty lines, or else anywhere."""
    pieces: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        for start in range(0, len(paragraph), _PIECE):
            part = paragraph[start : start + _PIECE]
            if pieces and len(pieces[-1]) + len(part) + 2 <= _PIECE:
                pieces[-1] += f"\n\n{part}"
            else:
                pieces.append(part)
    return pieces
