"""The nouns of the library: what is run, judged, learnt and recalled.

Everything here is a frozen pydantic model, so it can be stored, hashed and compared. No class has a field for a
task's gold or for the outcome computed from it: those live in `eval` alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reasoningbank.text import storable_data

SCHEMA_VERSION = 1

EPISODE = -1
"""The attempt index of calls that concern all attempts of an episode: contrast and selection."""

Role = Literal["agent", "judge", "extractor", "selector", "refiner", "grader"]
Exit = Literal["answered", "infeasible", "limit", "agent_error", "infra_error"]
StopReason = Literal["stop", "length", "safety", "other"]
Label = Literal["success", "failure", "unparseable"]
ExperienceKind = Literal["success", "failure", "mixed"]
Polarity = Literal["success", "failure", "mixed"]
ROLES: tuple[Role, ...] = get_args(Role)
CheckEnv = Literal["continue", "reset", "reflect_only"]
Medium = Literal["pages", "shell"]
SuccessMetric = Literal["pass_at_1", "best_of_n", "last_answer"]
AtLeastOne = Annotated[int, Field(ge=1, strict=True)]
NotNegative = Annotated[int, Field(ge=0, strict=True)]


class Record(BaseModel):
    """Base of every stored value: immutable, and a field nobody declared is an error.

    Its texts can be stored, whoever wrote them (see `text.storable`), so that what is written can be read again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, data: Any) -> Any:
        return storable_data(data)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields changed; their texts are made storable too."""
        return super().model_copy(update=storable_data(dict(update or {})), deep=deep)


class Stored(Record):
    """Base of what is written by itself to a file or a row, and so carries its schema's version."""

    schema_version: Literal[1] = 1


class Tool(Record):
    """What a model may call. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolCall(Record):
    """One call that a model wrote. `arguments` are JSON, if it wrote them well."""

    id: str
    name: str
    arguments: str


class Message(Record):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str
    calls: tuple[ToolCall, ...] = Field((), description="of an assistant's", exclude_if=lambda calls: not calls)
    answers: str = Field("", description="the call whose result it is", exclude_if=lambda answers: not answers)
    heads: tuple[int, ...] = Field(
        (),
        exclude=True,
        repr=False,
        description="lengths, ascending, of what the text has at its head in common with those before it: up to there "
        "a provider that caches on demand may keep it. No part of what is said, and kept nowhere",
    )


CACHE_FIGURES = ("cached_tokens", "cache_written_tokens", "cache_written_1h_tokens")
"""Of a `Usage`, what a provider's cache did: it differs between equal runs."""


class Usage(Record):
    """Tokens of one or more model calls. `input_tokens` includes those that were read from the provider's cache and
    those that were written into it; `output_tokens` includes thinking."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    thinking_tokens: int = 0
    # left out where there are none, so that usage is the same bytes as that of older runs
    cache_written_tokens: int = Field(
        0, description="of the input, where the provider charges for it", exclude_if=lambda written: not written
    )
    cache_written_1h_tokens: int = Field(
        0, description="those of them that are kept for an hour", exclude_if=lambda written: not written
    )

    def __add__(self, other: Usage) -> Usage:
        # sums of checked numbers need no check: this is done several times a call
        return Usage.model_construct(
            **{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields}
        )

    @property
    def total(self) -> int:
        """Tokens of input and output."""
        return self.input_tokens + self.output_tokens

    def without_cache(self) -> Usage:
        """The same without its CACHE_FIGURES."""
        return self.model_copy(update=dict.fromkeys(CACHE_FIGURES, 0))


class Spent(Record):
    """What some calls took, and cost."""

    usage: Usage = Usage()
    cost_usd: float | None = Field(0.0, description="US dollars; None where a price is not known")

    def __add__(self, other: Spent) -> Spent:
        known = None
        if self.cost_usd is not None and other.cost_usd is not None:
            known = self.cost_usd + other.cost_usd
        return Spent.model_construct(usage=self.usage + other.usage, cost_usd=known)


def together(*by_role: Mapping[Role, Spent]) -> dict[Role, Spent]:
    """Summed by role, roles in a fixed order."""
    sums: dict[Role, Spent] = {}
    for one in by_role:
        for role, spent in one.items():
            sums[role] = sums.get(role, Spent()) + spent
    return {role: sums[role] for role in sorted(sums)}


class Reply(Record):
    """What a model answered to one call."""

    text: str
    usage: Usage
    stop_reason: StopReason = "stop"
    calls: tuple[ToolCall, ...] = Field((), description="of tools", exclude_if=lambda calls: not calls)


class Task(Stored):
    """What an agent is asked to do. Its gold is another object, which only `eval` holds."""

    id: str
    suite: str
    group: str = Field(description="site or repository; tasks over several sites have the group `multi`")
    intent: str
    note: str = Field("", description="what only the agent is told beside it", exclude_if=lambda note: not note)
    template_id: str = ""
    kind: str = Field("", description="what the intent asks for on its face: information, navigation or change")
    start: str = Field("", description="start state: a URL for web suites, a commit for code suites")
    date: str = Field("", description="of the start state, ISO 8601 in UTC", exclude_if=lambda date: not date)

    @property
    def asked(self) -> str:
        """Intent and note, as the agent is given them."""
        return "\n\n".join(filter(None, (self.intent, self.note)))


class Observation(Record):
    """What an environment shows after a reset or a step."""

    text: str
    url: str = ""
    error: str = ""


class ShellObservation(Observation):
    """What a command printed, on both of its outputs, and what it returned."""

    returncode: int


class Evidence(Record):
    """What an environment collects at the end of an attempt, for the evaluator. Suites extend it."""

    answer: str | None = None


class Step(Record):
    """One ReAct cycle: what was seen, what was thought, what was done, what went wrong with it."""

    index: int
    observation: str
    url: str = ""
    thought: str
    action: str = Field(description="the action text as the agent wrote it; empty when the reply had none")
    error: str = Field("", description="why this step's action failed; empty when it did not")
    check: str = Field(
        "",
        description="this step's answer was held back, and this was asked for instead; empty for every other step",
        exclude_if=lambda check: not check,  # so that an attempt without checks is the same bytes whatever the scaling
    )
    usage: Usage = Usage()


class HeldAnswer(Record):
    """What an agent was about to end its attempt with. `round` counts its answers and `step` its steps, from 0."""

    round: int
    step: int
    exit: Exit
    answer: str | None


class Trajectory(Stored):
    """One run of an agent on one task."""

    attempt_id: str
    task: Task
    steps: tuple[Step, ...]
    exit: Exit
    answer: str | None = Field(None, description="what the user was told; for exit infeasible the reason")
    final_observation: str = Field("", description="the state after the last action, which the judge needs")
    final_url: str = ""
    system_prompt: str = Field("", description="the literal system prompt, recalled memory included")
    error: str = Field("", description="what ended the run, for exits agent_error and infra_error")
    medium: Medium = Field(
        "pages",
        description="what the agent looked at: pages, or what commands print and change",
        exclude_if=lambda medium: medium == "pages",  # so that a web trajectory is the same bytes as before
    )

    def digest(self) -> str:
        """SHA-256 of the canonical JSON."""
        return digest(self.model_dump(mode="json"))


class Verdict(Record):
    """What a judge without ground truth says of a trajectory. It decides what is learnt, never what is reported."""

    label: Label
    reasons: str = ""


class MemoryItem(Record):
    """One lesson. `id` is `<experience id>.<number>`."""

    id: str
    title: str
    description: str
    content: str
    polarity: Polarity
    source_attempts: tuple[str, ...] = ()


class Experience(Stored):
    """What is stored after a task and recalled for a later one. `id` is `<episode id>#<number>`."""

    id: str
    query: str = Field(description="the text that retrieval ranks by: the task's intent")
    task_id: str
    template_id: str = ""
    group: str = ""
    kind: ExperienceKind
    verdicts: tuple[Verdict, ...]
    items: tuple[MemoryItem, ...]
    source_attempts: tuple[str, ...]
    position: int = Field(description="place of its task in the stream, from 0")
    attempt: int = Field(0, description="index of its first source attempt: with `position`, the order of equal scores")
    date: str = Field("", description="that of its task", exclude_if=lambda date: not date)


class Hit(Record):
    """One result of a bank search: an experience, the items of it to inject, its cosine similarity."""

    experience: Experience
    items: tuple[MemoryItem, ...]
    score: float


class Recall(Record):
    """What memory gives to one task: the hits, and the text that goes into the agent's prompt (empty: no memory)."""

    hits: tuple[Hit, ...] = ()
    text: str = ""


class JudgedAttempt(Record):
    """A finished attempt with its verdict. `verdict` is None where nothing will be learnt."""

    index: int
    trajectory: Trajectory
    verdict: Verdict | None


class Episode(Record):
    """One task with its judged attempts: what a memory method learns from."""

    id: str
    task: Task
    position: int
    attempts: tuple[JudgedAttempt, ...]


class Refused(Record):
    """A model's reply that could not be used, kept for inspection and never stored as memory."""

    role: Role
    reason: str
    text: str


class Selection(Record):
    """Which attempt stands for its task: its index, or None where none was chosen."""

    index: int | None = None
    by_lot: bool = Field(False, description="a choice was asked for, no reply could be read, and chance decided")


class Distilled(Record):
    """What one episode teaches."""

    experiences: tuple[Experience, ...] = ()


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """SHA-256, in hex, of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def derive_seed(*parts: str | int) -> int:
    """The first 8 bytes of SHA-256 over what identifies a call: (seed, trial, suite id, suite seed, task id, attempt
    index, role, call number), and no run name, method or k."""
    return int.from_bytes(hashlib.sha256(canonical_json(list(parts)).encode()).digest()[:8], "big")
