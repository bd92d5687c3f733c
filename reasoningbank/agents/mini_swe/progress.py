"""What an attempt in a shell has come to: its steps, what was seen last, which answers were held back.

The loop's own messages tell a model what it needs; this is what becomes of them in our terms.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoningbank.agents.held import HeldAnswers
from reasoningbank.steps import final_state
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Exit, Role, ShellObservation, Step, Task, Trajectory, Usage

SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""The first line that a command prints which hands in the work; what it prints after it is the answer."""


@dataclass
class Progress:
    """One attempt under way. `output_budget`: characters of what a command printed that are shown, and kept."""

    task: Task
    attempt_id: str
    seed: int
    output_budget: int
    held: HeldAnswers
    as_printed: bool = False
    """Whether an answer keeps the white space around it, which a patch needs."""
    seen: str = ""
    """What the last command printed, as it was shown."""
    thought: str = ""
    """Of the command that is carried out next."""
    usage: Usage = field(default_factory=Usage)
    """Of the reply that it stands in."""
    seconds: float = 0.0
    """For which commands and models have worked."""
    steps: list[Step] = field(default_factory=list)
    checking: bool = False
    """Whether an answer was held back."""

    @property
    def role(self) -> Role:
        """Who is asked next."""
        return "refiner" if self.checking else "agent"

    def decided(self, thought: str, usage: Usage) -> None:
        """A reply with a command has come."""
        self.thought, self.usage = thought, usage

    def done(self, command: str, shown: ShellObservation) -> str:
        """A command was carried out. What it printed, as it is shown. An answer is no observation."""
        self._note(self.thought, command, step_error(shown.returncode, shown.error), self.usage)
        text = keep_ends(shown.text, self.output_budget)
        if submission(shown) is None:
            self.seen = text
        return text

    def refused(self, reason: str, thought: str, action: str, usage: Usage) -> None:
        """A reply without a usable command has come."""
        self._note(thought, action, reason, usage)

    def submitted(self, answer: str) -> str | None:
        """An answer was given in the last step. What is asked for instead, where it is held back."""
        asked = self.held.ask(self.steps, "answered", answer)
        self.checking = self.checking or asked is not None
        return asked

    def ended(self, exit: Exit, *, system_prompt: str, changes: str | None, answer: str | None, why: str) -> Trajectory:
        """What became of the attempt."""
        exit, answer, why = self.held.standing(exit, answer, why)
        return Trajectory(
            attempt_id=self.attempt_id,
            task=self.task,
            steps=tuple(self.steps),
            exit=exit,
            answer=answer,
            final_observation=final_state(changes, self.seen),
            system_prompt=system_prompt,
            error=why,
            medium="shell",
        )

    def _note(self, thought: str, action: str, error: str, usage: Usage) -> None:
        self.steps.append(
            Step(
                index=len(self.steps),
                observation=self.seen,
                thought=thought,
                action=action,
                error=error,
                usage=usage,
            )
        )


def step_error(returncode: int, error: str) -> str:
    """What a command came to, as its step keeps it: empty, `exit code 1`, or with what the environment says of it."""
    if not returncode:
        return error
    return f"exit code {returncode}: {error}" if error else f"exit code {returncode}"


def submission(shown: ShellObservation) -> str | None:
    """The answer that a command's output holds; None where it hands in nothing, or has failed."""
    first, _, rest = shown.text.lstrip().partition("\n")
    return rest if first.strip() == SUBMIT and shown.returncode == 0 else None
