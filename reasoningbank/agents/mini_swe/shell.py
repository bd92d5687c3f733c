"""mini-swe-agent's `Environment` over ours: a command goes in, what it printed comes out, and a submission ends it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reasoningbank.agents.mini_swe.load import MiniSwe
from reasoningbank.agents.mini_swe.model import Wire, exit_message
from reasoningbank.agents.mini_swe.progress import Progress, submission
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Environment
from reasoningbank.types import ShellObservation


@dataclass
class Shell:
    """The environment of one attempt. Its methods are those that the loop calls."""

    mini: MiniSwe
    env: Environment
    progress: Progress
    clock: Callable[[], float] = time.monotonic
    config: Any = None

    def execute(self, action: Wire, cwd: str = "") -> Wire:
        """Carry out a command. Raises Submitted for an answer that is not held back."""
        command = str(action["command"])
        begun = self.clock()
        shown = self.env.step(command)
        self.progress.seconds += self.clock() - begun
        if not isinstance(shown, ShellObservation):
            raise SetupError(
                "agent=code: this environment runs no commands (its steps return no ShellObservation); use it with a "
                "suite of code"
            )
        text = self.progress.done(command, shown)
        result = {"output": text, "returncode": shown.returncode, "exception_info": shown.error}
        answer = submission(shown)
        if answer is None:
            return result
        answer = answer if self.progress.as_printed else answer.strip()
        asked = self.progress.submitted(answer)
        if asked is None:
            raise self.mini.Submitted(exit_message("Submitted", answer))
        assert self.progress.held.check is not None
        if self.progress.held.check.env == "reset":
            begun = self.clock()
            self.progress.seen = self.env.reset(self.progress.task, self.progress.seed).text
            self.progress.seconds += self.clock() - begun
        return result

    def get_template_vars(self, **kwargs: Any) -> Wire:
        """None: what there is to know of the machine would differ from one to the next."""
        return {}

    def serialize(self) -> Wire:
        return {}
