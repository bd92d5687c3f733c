"""A reply with one command, in a fenced block or in the call of a tool, read strictly: what could mean two things is
refused and told."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.agents.react import MalformedReply
from reasoningbank.types import Tool, ToolCall

FENCE = "mswea_bash_command"
"""What a block of a command is named by; plain `bash` does too."""

BASH = Tool(
    name="bash",
    description="Run one command, or several joined by && or in a script, in a new shell.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "the command"}},
        "required": ["command"],
    },
)
"""What is offered to a model that calls tools."""

_OPENS = re.compile(rf"^ {{0,3}}```[ \t]*(?:{FENCE}|bash)[ \t]*$")
_CLOSES = re.compile(r"^ {0,3}```[ \t]*$")
_ANY_FENCE = re.compile(r"^ {0,3}```")
_THOUGHT = re.compile(r"^[ \t>*#_`]*thoughts?[ \t*_`]*:[ \t*_]*", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """What a reply holds."""

    thought: str
    text: str


def parse_command(text: str, *, cut_off: bool = False) -> Command:
    """The one command of a reply. MalformedReply for none, several, an empty one or half a block.

    `cut_off`: the reply reached the limit of its length.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    opened = [number for number, line in enumerate(lines) if _OPENS.match(line)]
    before = lines[: opened[0]] if opened else lines
    thought = _THOUGHT.sub("", "\n".join(before).strip(), count=1).strip()
    # kept whole, fences too, so that what was refused can be seen
    written = "\n".join(lines[opened[0] :]).strip() if opened else ""

    def refused(reason: str) -> MalformedReply:
        return MalformedReply(reason, thought=thought, action=written)

    closes = _closing(lines, opened[0]) if opened else None
    if cut_off and closes is None:
        raise refused("the reply was cut off at the limit of its length: think less, and send a shorter command")
    if not opened:
        raise refused("the reply has no block with a command, and needs exactly one")
    if closes is None:
        raise refused("the block with the command is not closed: it needs a line of ``` at its end")
    if len(opened) > 1:
        raise refused(f"the reply has {len(opened)} blocks with commands, and needs exactly one")
    if any(_ANY_FENCE.match(line) for line in lines[closes + 1 :]):
        raise refused(
            "where the command ends is not clear, for another line of ``` follows it: write nothing in such a block "
            "after it, and a line inside of it that begins with ``` in another way, by printf for example"
        )
    command = "\n".join(lines[opened[0] + 1 : closes]).strip("\n")
    if not command.strip():
        raise refused("the block with the command is empty")
    return Command(thought, command)


def _closing(lines: list[str], opened: int) -> int | None:
    """The line that closes the block."""
    return next((number for number in range(opened + 1, len(lines)) if _CLOSES.match(lines[number])), None)


def called_command(text: str, calls: Sequence[ToolCall], *, cut_off: bool = False) -> Command:
    """The one command of a reply that calls `bash`. MalformedReply for no call, several, and one of another kind."""
    thought = _THOUGHT.sub("", text.strip(), count=1).strip()
    written = "\n".join(f"```{call.name}\n{call.arguments}\n```" for call in calls)

    def refused(reason: str) -> MalformedReply:
        return MalformedReply(reason, thought=thought, action=written)

    if cut_off:
        raise refused("the reply was cut off at the limit of its length: think less, and send a shorter command")
    if len(calls) != 1:
        raise refused(f"the reply calls {len(calls) or 'no'} tools, and needs exactly one call of {BASH.name}")
    if calls[0].name != BASH.name:
        raise refused(f"there is no tool {calls[0].name!r}: the only one is {BASH.name}")
    try:
        given = json.loads(calls[0].arguments)
    except (ValueError, RecursionError):
        raise refused("the arguments of the call are no JSON") from None
    command = given.get("command") if isinstance(given, dict) else None
    if not isinstance(command, str) or set(given) != {"command"}:
        raise refused("a call takes one argument, `command`, which is a text")
    if not command.strip():
        raise refused("the command is empty")
    return Command(thought, command.strip("\n"))
