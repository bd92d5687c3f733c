"""A code agent's conversation, taken apart: the task, what was recalled, and each command with what it printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.types import Message

_HANDS_IN = re.compile(r"^```(\w+)\n(echo (\w+)\b.*)\n```", re.MULTILINE)
_BLOCK = re.compile(r"^```(?:\w+)[ \t]*\n(.*?)\n```[ \t]*$", re.MULTILINE | re.DOTALL)
_RETURNED = re.compile(r"^Exit code: (-?\d+)\n", re.MULTILINE)
_CHECK = "# Check of the answer\n"


@dataclass(frozen=True)
class Turn:
    """One reply and what came of it."""

    thought: str
    command: str
    output: str
    returncode: int


@dataclass(frozen=True)
class Work:
    """Everything that a code agent has been told and has done."""

    task: str
    memory: str
    fence: str
    submit: str
    """The word that hands in."""
    by_patch: bool
    """Whether the patch itself is handed in."""
    turns: tuple[Turn, ...]
    check: str = ""
    """What it is asked to check its work by, where the last turn was an answer that was held back."""

    def said(self, sentence: str) -> bool:
        """Whether an earlier thought has this sentence."""
        return any(sentence in turn.thought for turn in self.turns)


def is_code(messages: Sequence[Message]) -> bool:
    """Whether a prompt is a code agent's: a task, and a command by which the work is handed in."""
    first = next((each.content for each in messages if each.role == "user"), "")
    return first.startswith("# Task\n") and "# How to hand in\n" in first


def work_in(messages: Sequence[Message]) -> Work:
    """The conversation. Replies of another form than its own are turns without a command."""
    system = "\n".join(each.content for each in messages if each.role == "system")
    _, _, memory = system.partition("\n# Memory\n")
    rest = [each for each in messages if each.role != "system"]
    first = rest[0].content
    task = first.removeprefix("# Task\n").partition("\n# How to work\n")[0].strip()
    found = _HANDS_IN.search(first)
    fence, submit = (found[1], found[3]) if found else ("bash", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    turns: list[Turn] = []
    check = ""
    for said, shown in zip(rest[1::2], rest[2::2], strict=False):
        text = shown.content
        check = text.partition(_CHECK)[2] if text.startswith(_CHECK) else ""
        if check and "\nMode: reset\n" in check:
            # everything is as at the start, and so is the work
            check, turns = "", []
            continue
        turns.append(_turn(said.content, "" if check else text))
    return Work(task, memory.strip(), fence, submit, "patch.txt" in first, tuple(turns), check.strip())


def _turn(said: str, shown: str) -> Turn:
    block = _BLOCK.search(said)
    command = block.group(1) if block else ""
    thought = (said[: block.start()] if block else said).strip().removeprefix("Thought:").strip()
    returned = _RETURNED.search(shown)
    if returned is None:
        return Turn(thought, "", "", 1)
    output = shown[returned.end() :].removeprefix("Output:\n")
    return Turn(thought, command, "" if output.strip() == "Output: (nothing)" else output, int(returned.group(1)))
