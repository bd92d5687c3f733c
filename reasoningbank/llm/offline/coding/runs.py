"""Runs in a shell as prompts show them, and what they tell of what was tried and what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reasoningbank.llm.offline.coding.conversation import is_code
from reasoningbank.llm.offline.coding.customs import CUSTOMS
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.reading import numbered_runs, steps_in
from reasoningbank.types import Message

_OUTPUT = re.compile(r"^Output:\n((?:  .*\n?|\n)*)", re.MULTILINE)
_CHANGES = re.compile(r"^## Changes made at the end\n((?:  .*\n?|\n)*)", re.MULTILINE)
_SHELL = re.compile(r"^Output:\n  |^## Changes made at the end$|^# Final state$", re.MULTILINE)
_TEST_PATH = re.compile(r"^ *\+\+\+ b/(?:.*/)?(?:tests?/|test_)", re.MULTILINE)


def in_shell(messages: Sequence[Message]) -> bool:
    """Whether a prompt is of work in a shell, or shows runs of it."""
    return is_code(messages) or _SHELL.search(messages[-1].content) is not None


@dataclass(frozen=True)
class ShellStep:
    """A command with what it printed."""

    thought: str
    command: str
    output: str


@dataclass(frozen=True)
class ShellRun:
    """A run. `label` is empty where the prompt names none."""

    number: int
    label: str
    steps: tuple[ShellStep, ...]
    changes: str
    stopped: bool

    @cached_property
    def thoughts(self) -> str:
        return "\n".join(step.thought for step in self.steps)

    @cached_property
    def tried(self) -> list[str]:
        """The ideas that were tried, in order."""
        at = {name: self.thoughts.find(f"I try whether {idea.said}.") for name, idea in IDEAS.items()}
        return sorted((name for name in at if at[name] >= 0), key=lambda name: at[name])

    @cached_property
    def cause(self) -> str:
        """The idea that a run says it was; empty without one."""
        return next((name for name, idea in IDEAS.items() if f"It was that {idea.said}." in self.thoughts), "")

    @cached_property
    def customs(self) -> dict[str, bool]:
        """The customs of which a run says whether it kept them."""
        found = {name: custom.found(self.thoughts) for name, custom in CUSTOMS.items()}
        return {name: kept for name, kept in found.items() if kept is not None}

    @property
    def helped(self) -> bool:
        return any(re.search(r"^\s*(?:helped|as it should be):", step.output, re.MULTILINE) for step in self.steps)

    @cached_property
    def _tests(self) -> list[str]:
        """What tests printed last, of all commands but the first."""
        return [
            step.output.strip().split("\n")[-1]
            for step in self.steps[1:]
            if re.search(r"\d+ (?:passed|failed|error)", step.output)
        ]

    @property
    def tested(self) -> bool:
        return bool(self._tests)

    @property
    def failed_last(self) -> bool:
        return bool(self._tests) and re.search(r"\d+ (?:failed|error)", self._tests[-1]) is not None

    @property
    def tests_touched(self) -> bool:
        return _TEST_PATH.search(self.changes) is not None


def run_in(text: str, label: str, *, number: int = 1, changes: str = "") -> ShellRun:
    """One rendered run; its changes stand in it, or elsewhere."""
    found = _CHANGES.search(text)
    body = text[: found.start()] if found else text
    steps = []
    for step in steps_in(body):
        parts = [part for part in (step.action, step.error) if part]
        printed = next((match.group(1) for part in parts if (match := _OUTPUT.search(part))), "")
        steps.append(ShellStep(step.thought, _OUTPUT.sub("", step.action).strip(), printed))
    made = found.group(1).strip() if found else changes
    return ShellRun(number, label, tuple(steps), "" if made == "(nothing)" else made, "\n## End\n" in f"\n{text}")


def runs_in(text: str) -> list[ShellRun]:
    """The numbered runs of a prompt."""
    return [run_in(body, label, number=number) for number, label, body in numbered_runs(text)]
