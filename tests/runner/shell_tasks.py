"""A tiny suite of code, for tests of the runner: a file to mend in a folder of its own, and a model that mends it.

The commands run in a plain bash, without a sandbox: they are those of the model below.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eval.journal import Outcome
from eval.suites.base import Grader
from reasoningbank.interfaces import Environment, Evidence, Observation, ShellObservation
from reasoningbank.types import Message, Reply, Task, Usage


class ShellTasks:
    """`count` files that say 6 and should say 3."""

    id = "shell_tasks"
    version = "1"
    agent = "code"

    def __init__(self, *, seed: int, count: int) -> None:
        self.seed = seed
        self._tasks = [
            Task(
                id=f"pears__pears-{number}", suite=self.id, group="pears", intent=f"{number}: there are 3 pears, not 6"
            )
            for number in range(count)
        ]

    def tasks(self) -> list[Task]:
        return list(self._tasks)

    def environment(self, task: Task) -> Environment:
        return Folder()

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        solved = isinstance(evidence, FolderEvidence) and evidence.text == "3\n"
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved), checks={"tests": float(solved)})

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return FolderEvidence.model_validate(data)


class FolderEvidence(Evidence):
    """What the file holds at the end."""

    text: str


class Folder:
    """A folder with one file."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "basket.txt"

    def reset(self, task: Task, seed: int) -> Observation:
        self._file.write_text("6\n")
        return Observation(text="")

    def step(self, text: str) -> Observation:
        done = subprocess.run(
            ["bash", "-c", text], cwd=self._folder.name, capture_output=True, text=True, check=False, timeout=60
        )
        return ShellObservation(text=done.stdout + done.stderr, returncode=done.returncode)

    def changes(self) -> str:
        text = self._file.read_text()
        return "" if text == "6\n" else f"-6\n+{text.strip()}"

    def finish(self, answer: str | None) -> Evidence:
        return FolderEvidence(answer=answer, text=self._file.read_text())

    def close(self) -> None:
        self._folder.cleanup()


class Mender:
    """Looks, mends, hands in; of every role the same pure function of the prompt."""

    id = "mender"
    simulated = True

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        text = self._answer(messages)
        said = sum(len(message.content) for message in messages) // 4
        return Reply(text=text, usage=Usage(input_tokens=said, output_tokens=max(1, len(text) // 4)))

    def _answer(self, messages: Sequence[Message]) -> str:
        whole = "\n".join(message.content for message in messages)
        if "Status:" in whole:
            return f"Thoughts: so\nStatus: {'success' if '+3' in whole else 'failure'}"
        if '{"index"' in whole:
            return '{"index": [1], "analysis": "so"}'
        if "## Title" in whole and "mswea" not in messages[0].content:
            head = "# Workflow 1" if "# Workflow 1" in whole else "# Memory Item 1"
            return f"{head}\n## Title\nLook first\n## Description\nBefore a change.\n## Content\nRead the file."
        commands = ["cat basket.txt", "sed -i s/6/3/ basket.txt && cat basket.txt"]
        turn = sum(message.role == "assistant" for message in messages)
        hand_in = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo It says 3 now."
        command = commands[turn] if turn < len(commands) else hand_in
        return f"Thought: step {turn}\n\n```bash\n{command}\n```"
