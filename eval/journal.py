"""The journal of a stream: one line an episode; what every table and figure is made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from reasoningbank.errors import SetupError
from reasoningbank.files import path_name
from reasoningbank.types import (
    Exit,
    Experience,
    Record,
    Refused,
    Role,
    Spent,
    SuccessMetric,
    Usage,
    Verdict,
    digest,
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
    later: bool = Field(False, description="its task is of a later date", exclude_if=lambda later: not later)


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
    """One attempt as the journal keeps it. `outcome` is None for infra_error, and where it is evaluated elsewhere."""

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
    """Tokens of one role over one episode; what a cache did is telemetry, since it differs between equal runs."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0

    @classmethod
    def of(cls, usage: Usage) -> RoleTokens:
        """The same without the figures of a cache."""
        return cls(**{name: getattr(usage, name) for name in cls.model_fields})

    def __add__(self, other: RoleTokens) -> RoleTokens:
        return RoleTokens(**{name: getattr(self, name) + getattr(other, name) for name in RoleTokens.model_fields})

    @property
    def total(self) -> int:
        """Tokens of input and output."""
        return self.input_tokens + self.output_tokens


def episode_id(stream: str, position: int, task_id: str) -> str:
    """What names an episode within its run."""
    return f"{stream}/{position:04d}/{task_id}"


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
    teaches: bool = True
    """Whether it was there to be learnt from: not when its bank is frozen, or it was skipped, or is done afterwards."""
    learnt: tuple[Experience, ...]
    refused: tuple[Refused, ...]
    ungraded: int = Field(
        0,
        description="answers of which no reply of the grader's model could be read: each counts as not correct",
        exclude_if=lambda number: not number,
    )
    tokens: dict[Role, RoleTokens]

    @property
    def id(self) -> str:
        """Its name within its run."""
        return episode_id(self.stream, self.position, self.task_id)

    @property
    def counted(self) -> bool:
        """Whether the episode is in the means: all its attempts have an outcome."""
        return bool(self.attempts) and all(attempt.outcome is not None for attempt in self.attempts)

    @property
    def skipped(self) -> bool:
        """Whether it was given up because of what is around it: a later run of the command tries it again."""
        return bool(self.attempts) and all(attempt.exit == "infra_error" for attempt in self.attempts)

    @property
    def open(self) -> bool:
        """Whether its attempts were carried out, and are not evaluated yet."""
        return not self.counted and all(attempt.exit != "infra_error" for attempt in self.attempts)

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
    spent: dict[Role, Spent] = Field(default_factory=dict)
    """By role, with what it cost, all that was paid for: of simulated and replayed models nothing is."""
    cached_tokens: int = 0
    host: str = ""
    pid: int = 0


class JournalLine(Record):
    """One line of `journal.jsonl`. Those of version 1 may have no hash."""

    schema_version: Literal[1, 2] = 2
    result: EpisodeResult
    telemetry: Telemetry
    sha256: str = ""
    """Of this result and all before it (`chained`). Empty until the line is appended."""


VERSIONS = (1, 2)


def stream_name(group: str, trial: int) -> str:
    """What the stream of a group's tasks is called in one trial."""
    return f"{group}.t{trial}"


def group_and_trial(stream: str) -> tuple[str, int]:
    """What `stream_name` has put together; trial 0 of a stream that somebody has named otherwise."""
    group, _, trial = stream.rpartition(".t")
    return (group, int(trial)) if group and trial.isdecimal() else (stream, 0)


def stream_folder(run: Path, stream: str) -> Path:
    """Where a run has a stream's journal, bank and attempts."""
    return run / "streams" / path_name(stream)


def episode_folder(stream: Path, position: int, task_id: str) -> Path:
    """Where, in a stream's folder, the attempts of an episode and the records of its calls are."""
    return stream / "attempts" / path_name(f"{position:04d}-{task_id}")


def chained(before: str, result: Any) -> str:
    """The hash of a line's `result`, as JSON has it, after a line whose hash is `before` ("" for the first)."""
    return digest([before, result])


def read_line(piece: bytes, before: str) -> JournalLine:
    """A line from its JSON. `before` is the hash of the line before it.

    Lines of version 1 are read as they stand, with defaults for fields they lack; their hash may be one of those, as
    long as no line with a hash stands before them.
    Unreadable tells why it is none, or none that this program wrote.
    """
    try:
        data = json.loads(piece)
        version = data.get("schema_version")
    except (ValueError, AttributeError, RecursionError):
        raise Unreadable("is not JSON", torn=True) from None
    if isinstance(version, int) and version > max(VERSIONS):
        raise Unreadable(
            f"has schema version {version}, this program knows {max(VERSIONS)}", "use the version that wrote it"
        )
    if version not in VERSIONS:
        raise Unreadable(f"has schema version {version!r}, which no version of this program wrote")
    try:
        line = JournalLine.model_validate_json(piece)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"is not a journal line ({where}: {first['msg']})") from None
    unhashed = line.schema_version == 1 and not line.sha256 and not before
    if not unhashed and line.sha256 != chained(before, data["result"]):
        raise Unreadable("or one before it was changed, removed or doubled after it was written (by its sha256)")
    return line


class Unreadable(Exception):
    """A journal's line that cannot be used. `torn`: a crash may have left it so, if it is the last."""

    def __init__(self, reason: str, advice: str = "restore the file from a copy", *, torn: bool = False) -> None:
        super().__init__(reason)
        self.advice = advice
        self.torn = torn


class Lines:
    """A journal's lines, each checked against those before it."""

    def __init__(self) -> None:
        self.newest: list[JournalLine] = []
        """By position; where a skipped episode was done later, that line."""
        self.count = 0
        """Positions that have a line."""
        self.last = ""
        """The hash of the line that came last."""
        self._skipped: set[int] = set()

    def may_follow(self, line: JournalLine) -> bool:
        """Whether it is the next position's, or supersedes the line of an episode that was skipped."""
        return line.result.position == self.count or line.result.position in self._skipped

    def follow(self, line: JournalLine) -> None:
        """Note that the line came, without keeping it."""
        at = line.result.position
        self.count = max(self.count, at + 1)
        self._skipped.discard(at)
        if line.result.skipped:
            self._skipped.add(at)
        self.last = line.sha256

    def take(self, line: JournalLine) -> None:
        self.newest[line.result.position : line.result.position + 1] = [line]
        self.follow(line)

    def read(self, raw: bytes, path: Path) -> int:
        """Take the whole lines of `raw`, the content of `path`; the number of bytes they are. The rest is a last line
        that a crash left torn. SetupError for anything else that is no line of this journal."""
        good = 0
        *whole, torn = raw.split(b"\n")
        for number, piece in enumerate(whole, 1):
            try:
                line = read_line(piece, self.last)
                if not self.may_follow(line):
                    at = line.result.position
                    raise Unreadable(f"is of position {at}, expected {self.count}: a line is missing or double")
            except Unreadable as error:
                if error.torn and number == len(whole) and not torn:
                    break
                follow = ", and lines follow it: no crash does that" if error.torn else ""
                raise SetupError(
                    f"{path}, line {number} {error}{follow}; nothing was changed: {error.advice}, or start over with "
                    "fresh=true"
                ) from None
            self.take(line)
            good += len(piece) + 1
        return good
