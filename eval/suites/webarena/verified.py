"""webarena-verified as second scorer: its own references, compared by type, and what the browser has sent.

The package pins what it needs, so it is run by an interpreter of its own (`suite.verified_python`; 1.2.3 is for Python
3.11 and newer). It asks for answers in a form of its own, an object with `task_type`, `status` and `retrieved_data`. An
agent that was told so (`suite.answer_form=verified`) gives one; of any other answer one is made: the whole text as the
one datum, by what the task asks for as WebArena evaluates it. Such scores are a lower bound. Its tasks say here and
there something else than WebArena's, whose words the agent was given.
"""

from __future__ import annotations

import json
import logging
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from eval.journal import Outcome
from eval.suites.base import NOT_AVAILABLE, NotEvaluated
from eval.suites.webarena.evidence import RealEvidence
from eval.suites.webarena.sites import SITES
from eval.suites.webarena.task_file import RealTask
from reasoningbank.errors import SetupError

_log = logging.getLogger("reasoningbank")
PROGRAM = Path(__file__).with_name("verified_scores.py")
TASK_TYPES = {"information": "RETRIEVE", "navigation": "NAVIGATE", "change": "MUTATE"}
HINT = (
    "Give your final answer as a JSON object with three keys. task_type: RETRIEVE where something was asked for, "
    "MUTATE where something was to be changed, NAVIGATE where a page was to be opened. status: SUCCESS, or one of "
    "ACTION_NOT_ALLOWED_ERROR, PERMISSION_DENIED_ERROR, NOT_FOUND_ERROR, DATA_VALIDATION_ERROR, UNKNOWN_ERROR. "
    "retrieved_data: a list of what was asked for, numbers as numbers; null where nothing was."
)
"""What an agent is told with `suite.answer_form=verified`."""


WITHIN = 120.0
"""Seconds for a score, and for the package to be there."""


class Verified:
    """Scores by a process of the package's, which is started with the first one and ends with this one."""

    def __init__(self, python: str | None, *, within: float = WITHIN) -> None:
        self._python = python or sys.executable
        self._within = within
        self._scorer: Scorer | None = None
        self._turn = threading.Lock()

    def outcome(self, task: RealTask, evidence: RealEvidence) -> Outcome:
        """Its score as an outcome. NotEvaluated where it says that it could not evaluate, or gives no score in time.

        It fails at some answers too, such as data where it expects none. An object of the agent's own at which it fails
        is a text like any other; where it fails at that and not at a lack of an answer, the answer is to blame: it is
        unsolved, and says so by the check `evaluated`.
        """
        own = own_response(evidence)
        fault = ""
        for response in (*([] if own is None else [own]), made_response(task, evidence)):
            reply = self._ask(task, evidence, response)
            if "score" in reply:
                score = float(reply["score"])
                status: Literal["solved", "unsolved"] = "solved" if score == 1.0 else "unsolved"
                return Outcome(status=status, reward=score, checks={"verified": score})
            fault = f"webarena-verified could not evaluate task {task.task_id}: {reply['fault']}"
        none = made_response(task, evidence.model_copy(update={"answer": None}))
        if "score" not in self._ask(task, evidence, none):
            raise NotEvaluated(fault)
        _log.warning("%s: it could without the answer, which counts as wrong", fault)
        return Outcome(status="unsolved", reward=0.0, checks={"verified": 0.0, "evaluated": 0.0})

    def _ask(self, task: RealTask, evidence: RealEvidence, response: Mapping[str, Any]) -> dict[str, Any]:
        asked = {
            "task_id": task.task_id,
            "response": response,
            "trace": list(evidence.trace),
            "addresses": {SITES[name].placeholder: url for name, url in evidence.sites.items()},
        }
        with self._turn:
            scorer = self._scorer or self._started()
            self._scorer = None  # until it has answered
            try:
                reply = scorer.ask(json.dumps(asked), self._within)
            except NotEvaluated as error:
                raise NotEvaluated(f"webarena-verified gave no score for task {task.task_id}: {error}") from error
            self._scorer = scorer
            return reply

    def _started(self) -> Scorer:
        how = "pip install webarena-verified in an environment, and name its interpreter by suite.verified_python=PATH"
        try:
            scorer = Scorer(self._python)
        except OSError as error:
            raise SetupError(
                f"suite.verified_python={self._python} cannot be started: {error.strerror}; {how}"
            ) from error
        weakref.finalize(self, scorer.end)
        try:
            scorer.line(self._within)
        except NotEvaluated as error:
            raise SetupError(
                f"suite.evaluator=verified: {self._python} has no package webarena-verified, or it cannot be loaded "
                f"({error}); {how}"
            ) from error
        return scorer


class Scorer:
    """The package's process. OSError where it cannot be started."""

    def __init__(self, python: str) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # what it says beside, kept as long as it lives
        try:
            self._process = subprocess.Popen(
                [python, str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                text=True,
                encoding="utf-8",
            )
        except OSError:
            self._said.close()
            raise
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, request: str, within: float) -> dict[str, Any]:
        """Its answer. NotEvaluated where it gives none within these seconds: it has ended then."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
        except OSError:
            return dict(json.loads(self.line(0.0)))  # it tells how it has ended
        return dict(json.loads(self.line(within)))

    def line(self, within: float) -> str:
        """The next that it says. NotEvaluated likewise."""
        try:
            found = self._lines.get(timeout=within)
        except queue.Empty:
            self.end()
            raise NotEvaluated(f"it said nothing within {within:g} s") from None
        if not found:
            self._process.wait()
            self._said.seek(0)
            last = self._said.read().decode("utf-8", "replace").split("\n")
            words = next((" ".join(line.split())[:300] for line in reversed(last) if line.strip()), "")
            self.end()
            raise NotEvaluated(f"its process has ended{f': {words}' if words else ''}")
        return found

    def end(self) -> None:
        """At once: it has nothing to lose. A second time does nothing."""
        self._process.kill()
        self._process.wait()
        self._said.close()
        assert self._process.stdin is not None
        with suppress(OSError):  # what was not written is of no use to anybody
            self._process.stdin.close()

    def _read(self) -> None:
        """Into the queue, an empty text for the end."""
        assert self._process.stdout is not None
        with self._process.stdout as out:
            for line in out:
                self._lines.put(line)
        self._lines.put("")


def own_response(evidence: RealEvidence) -> dict[str, Any] | None:
    """The answer where it was given in the package's form; None where it was not."""
    try:
        given = json.loads(evidence.answer or "")
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) and "status" in given else None


def made_response(task: RealTask, evidence: RealEvidence) -> dict[str, Any]:
    """The answer's text in the package's form."""
    made: dict[str, Any] = {"task_type": TASK_TYPES[task.kind], "status": "SUCCESS", "retrieved_data": None}
    if evidence.answer is None:
        made["status"] = "UNKNOWN_ERROR"  # the attempt came to no end by itself
    elif evidence.answer == NOT_AVAILABLE:
        made["status"] = "NOT_FOUND_ERROR"
    elif task.kind == "information":
        made["retrieved_data"] = [evidence.answer]
    return made
