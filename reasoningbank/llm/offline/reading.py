"""What a prompt asks for, read from its own sections and reply format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reasoningbank.llm.offline.coding.conversation import is_code
from reasoningbank.steps import HELD
from reasoningbank.types import Message

Asked = Literal["act", "judge", "extract", "contrast", "workflow", "select", "unknown"]

_STEP = re.compile(r"^## Step (\d+)[^\n]*\n", re.MULTILINE)
_HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)
_PART = re.compile(r"^(Thought|Action|Error): ?", re.MULTILINE)
_RUN = re.compile(r"^# (?:Trajectory|Candidate) (\d+)(?: \((\w+)\))?[ \t]*\n", re.MULTILINE)
_MOST = re.compile(
    r"(?:at most|between 1 and) (\d+|one|two|three|four|five) items?|at most (\d+|one|two|three|four|five)",
    re.IGNORECASE,
)
_SMALL = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True)
class PastStep:
    """A step as a prompt shows it."""

    thought: str
    action: str
    error: str
    held: bool = False
    """Its answer was held back, to be checked."""


@dataclass(frozen=True)
class PastRun:
    """A run as a prompt shows it. `label` is empty where the prompt names none."""

    number: int
    label: str
    steps: tuple[PastStep, ...]


@dataclass(frozen=True)
class Situation:
    """What an agent's prompt holds."""

    goal: str
    steps: tuple[PastStep, ...]
    url: str
    tree: str
    error: str
    memory: str
    check: str = ""
    """What it is asked to check its answer by."""


def asked(messages: Sequence[Message]) -> Asked:
    """Which work a prompt asks for."""
    text = "\n".join(message.content for message in messages)
    last = messages[-1].content
    if is_code(messages) or ("# Current page" in last and "# Goal" in last):
        return "act"
    if re.search(r"^# Candidate \d", text, re.MULTILINE):
        return "select"
    if re.search(r"^# Trajectory \d+ \(", text, re.MULTILINE):
        return "contrast"
    if re.search(r"^#+ Workflow (?:1|N|<)", text, re.MULTILINE):
        return "workflow"
    if re.search(r"^#+ Memory Item", text, re.MULTILINE):
        return "extract"
    if re.search(r"^\s*\**Status\**:", text, re.MULTILINE):
        return "judge"
    return "unknown"


def situation(messages: Sequence[Message]) -> Situation:
    """An agent's prompt, taken apart."""
    text = messages[-1].content
    system = "\n".join(message.content for message in messages[:-1])
    _, _, memory = system.partition("\n# Memory\n")
    page_at = text.find("\n# Current page\n")
    head, page = text[:page_at], text[page_at + len("\n# Current page\n") :]
    page, _, error = page.partition("\n\n# Error of the last action\n")
    goal, _, history = head.partition("\n# History\n")
    history, _, check = history.partition("\n# Check of the answer\n")
    url, tree = "", page
    if page.startswith("URL: "):
        url, _, tree = page[5:].partition("\n")
    return Situation(
        goal=goal.replace("# Goal\n", "", 1).strip(),
        steps=steps_in(history),
        url=url.strip(),
        tree=tree,
        error=error.strip(),
        memory=memory.strip(),
        check=check.strip(),
    )


@lru_cache(maxsize=64)
def steps_in(text: str) -> tuple[PastStep, ...]:
    """The steps of a rendered run."""
    starts = list(_STEP.finditer(text))
    out: list[PastStep] = []
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        body = _HEADING.split(text[start.end() : end], maxsplit=1)[0]
        body, held, _ = body.partition(f"\n{HELD}")
        parts = {"Thought": "", "Action": "", "Error": ""}
        marks = list(_PART.finditer(body))
        for place, mark in enumerate(marks):
            stop = marks[place + 1].start() if place + 1 < len(marks) else len(body)
            parts[mark.group(1)] = body[mark.end() : stop].strip()
        out.append(PastStep(parts["Thought"], parts["Action"], parts["Error"], bool(held)))
    return tuple(out)


def labelled(text: str, label: str) -> str:
    """What stands behind `label:` on a line of its own; empty where nothing does."""
    found = re.search(rf"^{re.escape(label)}: *(\w+)", text, re.MULTILINE)
    return found.group(1) if found else ""


def section(text: str, name: str) -> str:
    """The text under `# name`, up to the next heading of the first level that is a section of prompts."""
    found = re.search(rf"^# {re.escape(name)}[ \t]*\n", text, re.MULTILINE)
    if found is None:
        return ""
    rest = text[found.end() :]
    stop = _SECTION.search(rest)
    return rest[: stop.start()].strip() if stop else rest.strip()


_SECTION = re.compile(
    r"^# (?:Intent|Trajectory|Earlier pages|Final page|Final state|Answer|Candidate|Labels|Reasons of the judge"
    r"|Reply format)\b",
    re.MULTILINE,
)


def runs_in(text: str) -> list[PastRun]:
    """The numbered runs of a prompt."""
    return [run_in(body, label, number=number) for number, label, body in numbered_runs(text)]


def run_in(text: str, label: str, *, number: int = 1) -> PastRun:
    """One rendered run."""
    return PastRun(number, label, steps_in(text))


def numbered_runs(text: str) -> list[tuple[int, str, str]]:
    """Number, label and text of each run of a prompt."""
    starts = list(_RUN.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return [
        (int(start.group(1)), start.group(2) or "", text[start.end() : end])
        for start, end in zip(starts, ends, strict=True)
    ]


def most_items(text: str) -> int:
    """How many items a prompt allows."""
    found = _MOST.search(text)
    if found is None:
        return 1
    many = (found.group(1) or found.group(2)).lower()
    return _SMALL.get(many) or int(many)
