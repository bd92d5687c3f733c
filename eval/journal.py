"""The journal of a stream: one line an episode, appended and fsynced; what every table and figure is made from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from reasoningbank.errors import SetupError
from reasoningbank.files import fsync_folder
from reasoningbank.types import (
    SCHEMA_VERSION,
    Exit,
    Experience,
    Record,
    Refused,
    Role,
    Stored,
    SuccessMetric,
    Usage,
    Verdict,
    canonical_json,
)


class Outcome(Record):
    """What the evaluator says, from gold and evidence. `checks` names each evaluator with its score."""

    status: Literal["solved", "unsolved"]
    reward: float
    checks: dict[str, float] = Field(default_factory=dict)


class RecalledExperience(Record):
    """One experience that went into the prompt, with the items of it that did."""

    experience_id: str
    task_id: str
    score: float
    item_ids: tuple[str, ...]


class RoundResult(Record):
    """One answer of a sequence, given in step `step` (from 0). `outcome` is None where the environment could not be
    looked at before the end."""

    step: int
    exit: Exit
    answer: str | None
    outcome: Outcome | None

    @property
    def solved(self) -> bool:
        """Whether the evaluator says so."""
        return self.outcome is not None and self.outcome.status == "solved"


class AttemptResult(Record):
    """One attempt as the journal keeps it. `outcome` is None for infra_error alone."""

    attempt_id: str
    index: int
    exit: Exit
    answer: str | None
    steps: int
    errors: int
    trajectory_hash: str
    verdict: Verdict | None
    outcome: Outcome | None
    rounds: tuple[RoundResult, ...] = ()
    """Every answer, held back or not, where answers are checked (sequential scaling)."""

    @property
    def solved(self) -> bool:
        """Whether the evaluator says so."""
        return self.outcome is not None and self.outcome.status == "solved"


class RoleTokens(Record):
    """Tokens of one role over one episode; cached tokens are telemetry, since they differ between equal runs."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0


class EpisodeResult(Record):
    """The part of a line that two equal runs share to the byte."""

    stream: str
    position: int
    task_id: str
    template_id: str
    group: str
    recalled: tuple[RecalledExperience, ...]
    injected_tokens: int
    attempts: tuple[AttemptResult, ...]
    selected: int | None
    selected_by_lot: bool = False
    """No reply of the selector could be read, and chance chose."""
    learnt: tuple[Experience, ...]
    refused: tuple[Refused, ...]
    tokens: dict[Role, RoleTokens]

    @property
    def counted(self) -> bool:
        """Whether the episode is in the means: all its attempts have an outcome."""
        return bool(self.attempts) and all(attempt.outcome is not None for attempt in self.attempts)

    def success(self, metric: SuccessMetric) -> float:
        """What the episode, if it is counted, adds to the success rate, from 0 to 1.

        c/k for Pass@1; the selected attempt's outcome for best-of-N (none selected: not solved); the last attempt's
        for a sequence of answers.
        """
        if metric == "pass_at_1":
            return sum(attempt.solved for attempt in self.attempts) / len(self.attempts)
        if metric == "last_answer":
            return float(self.attempts[-1].solved)
        return float(any(attempt.solved for attempt in self.attempts if attempt.index == self.selected))


class Telemetry(Record):
    """The part of a line that differs between equal runs."""

    started: str
    seconds: float
    attempt_seconds: tuple[float, ...] = ()
    retries: int = 0
    failed_tokens: Usage = Usage()
    cached_tokens: int = 0
    host: str = ""
    pid: int = 0


class JournalLine(Stored):
    """One line of `journal.jsonl`."""

    result: EpisodeResult
    telemetry: Telemetry


class JournalFile:
    """A stream's journal, open for appending by one process alone. Opening reads and checks what is there."""

    def __init__(self, path: Path) -> None:
        """Open `path`, made where there is none. `repaired` tells what was cut off, or is empty.

        SetupError: another process has it open, a line is broken or of a newer schema, or positions do not count up.
        """
        import fcntl

        self.path = path
        self.repaired = ""
        self.lines: list[JournalLine] = []
        self._file = path.open("a+b")
        fsync_folder(path.parent)  # a new file's name must outlive a power loss as its lines do
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise SetupError(f"{path} is being written by another process; wait for it, or end it") from None
        try:
            self._read()
        except SetupError:
            self._file.close()
            raise

    def append(self, line: JournalLine) -> None:
        """Add one line and see it onto the disk."""
        if line.result.position != len(self.lines):
            raise ValueError(f"position {line.result.position} cannot follow {len(self.lines)} lines")
        self._file.write(canonical_json(line.model_dump(mode="json")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.lines.append(line)

    def close(self) -> None:
        self._file.close()

    def _read(self) -> None:
        self._file.seek(0)
        raw = self._file.read()
        good = 0
        pieces = raw.split(b"\n")
        for number, piece in enumerate(pieces, 1):
            whole = number < len(pieces)
            last = number >= len(pieces) - (not pieces[-1])
            if not piece and not whole:
                break
            line = self._parse(piece, number, last) if whole else None
            if line is None:
                self.repaired = f"{self.path}: line {number} was torn and has been cut off; its task runs again"
                self._file.truncate(good)
                os.fsync(self._file.fileno())
                break
            self._check(line, number)
            self.lines.append(line)
            good += len(piece) + 1

    def _parse(self, piece: bytes, number: int, last: bool) -> JournalLine | None:
        """The line; None for a last line that is broken, which a crash explains."""
        try:
            version = json.loads(piece).get("schema_version")
        except (ValueError, AttributeError):
            if last:
                return None
            raise SetupError(
                f"{self.path}, line {number} is not JSON, and lines follow it: no crash does that; nothing was "
                "changed: restore the file from a copy, or start over with fresh=true"
            ) from None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise SetupError(
                f"{self.path}, line {number} has schema version {version}, this program knows {SCHEMA_VERSION}: "
                "use the version that wrote it"
            )
        try:
            return JournalLine.model_validate_json(piece)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise SetupError(
                f"{self.path}, line {number} is not a journal line ({where}: {first['msg']}); nothing was changed: "
                "restore the file from a copy, or start over with fresh=true"
            ) from None

    def _check(self, line: JournalLine, number: int) -> None:
        if line.result.position != number - 1:
            raise SetupError(
                f"{self.path}, line {number} is of position {line.result.position}, expected {number - 1}: a line is "
                "missing or double; restore the file from a copy, or start over with fresh=true"
            )
