"""The journal of a stream: one line an episode, appended and fsynced; what every table and figure is made from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from reasoningbank.types import Exit, Experience, Record, Refused, Role, Stored, Usage, Verdict


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
    learnt: tuple[Experience, ...]
    refused: tuple[Refused, ...]
    tokens: dict[Role, RoleTokens]


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
