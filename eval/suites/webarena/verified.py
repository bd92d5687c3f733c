"""webarena-verified as second scorer: its own references, compared by type, and what the browser has sent.

The package pins what it needs, so it is run by an interpreter of its own (`suite.verified_python`; it is made for
Python 3.12). It asks for answers in a form of its own, an object with `task_type`, `status` and `retrieved_data`. An
agent that was told so (`suite.answer_form=verified`) gives one; of any other answer one is made: the whole text as the
one datum, by what the task asks for as WebArena evaluates it. Such scores are a lower bound. Its tasks say here and
there something else than WebArena's, whose words the agent was given.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.journal import Outcome
from eval.suites.base import NOT_AVAILABLE
from eval.suites.webarena.evidence import RealEvidence
from eval.suites.webarena.sites import SITES
from eval.suites.webarena.task_file import RealTask
from reasoningbank.errors import SetupError

PROGRAM = Path(__file__).with_name("verified_scores.py")
TASK_TYPES = {"information": "RETRIEVE", "navigation": "NAVIGATE", "change": "MUTATE"}
HINT = (
    "\n\nGive your final answer as a JSON object with three keys. task_type: RETRIEVE where something was asked for, "
    "MUTATE where something was to be changed, NAVIGATE where a page was to be opened. status: SUCCESS, or one of "
    "ACTION_NOT_ALLOWED_ERROR, PERMISSION_DENIED_ERROR, NOT_FOUND_ERROR, DATA_VALIDATION_ERROR, UNKNOWN_ERROR. "
    "retrieved_data: a list of what was asked for, numbers as numbers; null where nothing was."
)
"""What an agent is told with `suite.answer_form=verified`."""


class Verified:
    """Scores by a process of the package's, which is started with the first one and ends with this one."""

    def __init__(self, python: str | None) -> None:
        self._python = python or sys.executable
        self._process: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()

    def outcome(self, task: RealTask, evidence: RealEvidence) -> Outcome:
        """Its score as an outcome; what it could not evaluate is unsolved, and says so by the check `evaluated`."""
        asked = {
            "task_id": task.task_id,
            "response": response_of(task, evidence),
            "trace": list(evidence.trace),
            "addresses": {SITES[name].placeholder: url for name, url in evidence.sites.items()},
        }
        reply = self._ask(asked)
        score = float(reply.get("score", 0.0))
        checks = {"verified": score, **({"evaluated": 0.0} if "fault" in reply else {})}
        return Outcome(status="solved" if score == 1.0 else "unsolved", reward=score, checks=checks)

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        with self._turn:
            process = self._process or self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps(asked) + "\n")
                process.stdin.flush()
                return dict(json.loads(process.stdout.readline()))
            except (OSError, ValueError) as error:
                raise SetupError(f"suite.evaluator=verified: its process has ended while it scored: {error}") from error

    def _started(self) -> subprocess.Popen[str]:
        how = (
            "pip install webarena-verified for Python 3.12 there, or name its interpreter by suite.verified_python=PATH"
        )
        try:
            process = subprocess.Popen(
                [self._python, str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise SetupError(
                f"suite.verified_python={self._python} cannot be started: {error.strerror}; {how}"
            ) from error
        assert process.stdout is not None
        if not process.stdout.readline():
            _end(process)
            raise SetupError(f"suite.evaluator=verified: {self._python} has no package webarena-verified; {how}")
        self._process = process
        weakref.finalize(self, _end, process)
        return process


def _end(process: subprocess.Popen[str]) -> None:
    """It ends where its input does; it has nothing to lose."""
    process.kill()
    process.communicate()


def response_of(task: RealTask, evidence: RealEvidence) -> dict[str, Any]:
    """The answer in the package's form: as it was given where it has it, else made of the text."""
    try:
        given = json.loads(evidence.answer or "")
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict) and "status" in given:
        return given
    made: dict[str, Any] = {"task_type": TASK_TYPES[task.kind], "status": "SUCCESS", "retrieved_data": None}
    if evidence.answer is None:
        made["status"] = "UNKNOWN_ERROR"  # the attempt came to no end by itself
    elif evidence.answer == NOT_AVAILABLE:
        made["status"] = "NOT_FOUND_ERROR"
    elif task.kind == "information":
        made["retrieved_data"] = [evidence.answer]
    return made
