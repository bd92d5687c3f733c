"""The seams of the project. A new model, embedder, memory method, agent or scaling strategy implements one of these.

A class implements a Protocol by having its methods; nothing needs to be inherited or registered. A module found by
its file name (`reasoningbank/memory/mine.py` for `memory.type: mine`) must define exactly one such class, with
keyword-only constructor arguments: the keys of its YAML file. Two seams are elsewhere: suites of tasks in
`eval/suites/base.py`, and `Kind` in `agents/react.py`, what an agent that works by that loop has to say of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from reasoningbank.types import (
    CheckEnv,
    Distilled,
    Experience,
    Hit,
    JudgedAttempt,
    Message,
    Recall,
    Refused,
    Reply,
    Role,
    Selection,
    SuccessMetric,
    Task,
    Tool,
    Trajectory,
    Usage,
    Verdict,
)
from reasoningbank.types import Episode as Episode
from reasoningbank.types import Evidence as Evidence
from reasoningbank.types import HeldAnswer as HeldAnswer
from reasoningbank.types import Observation as Observation
from reasoningbank.types import ShellObservation as ShellObservation

Side = Literal["query", "document"]


@runtime_checkable
class LLM(Protocol):
    """A model. Thread-safe. Raises InfraError for what a retry may mend, SetupError for what the user must; the tokens
    of a reply that was paid for, and is none, are the error's `usage`."""

    id: str
    simulated: bool

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply: ...


@runtime_checkable
class ChecksSetup(Protocol):
    """A model or an embedder that needs something of its surroundings: a key, a client library, a file of weights."""

    def check(self) -> str:
        """In a few words what it goes by, such as `key: OPENAI_API_KEY`: never the key itself. Sends nothing.

        SetupError where it cannot be used: what is missing, and how to get it.
        """
        ...


@runtime_checkable
class ListsModels(Protocol):
    """A model or an embedder at a server that tells, for nothing, which models it has."""

    def models(self) -> list[str]:
        """Their names, as a setting `model` has them. Raises what a call raises; NotImplementedError where this door to
        them has no list."""
        ...


@runtime_checkable
class CallsTools(Protocol):
    """A model that can be offered tools: what it calls is in the reply, whose text may be empty then."""

    def call_tools(
        self, messages: Sequence[Message], tools: Sequence[Tool], *, temperature: float, seed: int, max_tokens: int
    ) -> Reply: ...


@runtime_checkable
class SaysIfItThinks(Protocol):
    """A model that says whether it thinks before it answers, as it is set: what it thinks is paid for as output."""

    thinks: bool


@runtime_checkable
class HasProvider(Protocol):
    """A model whose provider limits calls: those with an equal `provider` share one limiter. Without it each class has
    its own."""

    @property
    def provider(self) -> str:
        """Such as the host that is asked."""
        ...


@runtime_checkable
class HasTransportKeys(Protocol):
    """A class of models, embedders or suites some of whose keys say how calls travel, or where they are worked out, and
    not what is asked: they are no part of what makes two runs the same, and neither is the port of its `base_url`."""

    transport_keys: ClassVar[frozenset[str]]


@runtime_checkable
class Calls(Protocol):
    """The models as one attempt (or one episode) sees them: each call gets its seed, its retries and its account."""

    def ask(self, role: Role, messages: Sequence[Message]) -> Reply: ...

    def refuse(self, refused: Refused) -> None:
        """Keep a reply that could not be used, for inspection: with the result, and never as memory."""
        ...


@runtime_checkable
class OffersTools(Protocol):
    """Calls through which tools can be offered."""

    def ask_with_tools(self, role: Role, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """As `Calls.ask`. SetupError where the role's model takes no tools."""
        ...


@runtime_checkable
class MetersCalls(Protocol):
    """Calls that tell what they take, for an agent with limits of its own."""

    seconds: float
    """In which models wrote the replies that were used: waits, failed tries and outages are none of it."""

    def cost(self, role: Role, usage: Usage) -> float | None:
        """US dollars of one call; None where the model's price is not known."""
        ...


@runtime_checkable
class AsksRoles(Protocol):
    """An agent, a judge, a memory method, a scaling or a suite that says which models it may ask. Without it keys and
    prices of all roles are looked for before a run begins; of a suite that of the grader, which is all it can ask."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """All roles that it may ask, whatever happens."""
        ...


class EpisodeCalls(Protocol):
    """The calls of one episode: those of attempt `index`, or with None those that concern all its attempts."""

    def __call__(self, index: int | None) -> Calls: ...


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors. Thread-safe. The vectors need not be normalised: the bank does that."""

    id: str
    """Names everything that a vector depends on: a bank takes vectors of one id only."""
    dims: int
    asymmetric: bool
    """Whether a text has another vector as a query than as a document."""

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """One row a text: shape (len(texts), dims)."""
        ...


@runtime_checkable
class RemoteEmbedder(Protocol):
    """An embedder behind a network. One `embed` is one call: a failed one is made again, and what it made is kept in a
    file, so that no text is paid for twice."""

    id: str
    dims: int
    asymmetric: bool

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """As of any embedder, for no more texts than a batch has."""
        ...

    def batches(self, texts: Sequence[str]) -> list[list[str]]:
        """The texts in order, in as many calls as the provider's limits make of them."""
        ...


class BankReader(Protocol):
    """What a memory method may do with a bank: look."""

    def search(
        self,
        query: str,
        k: int,
        *,
        exclude_task: str | None,
        exclude_template: str | None = None,
        not_after: str | None = None,
    ) -> list[Hit]:
        """The k best for a query. `exclude_task` is the task that recalls, whose own lessons are never its advice;
        None, where none does, must be said. With a date `not_after` those of later tasks, and of undated ones, are left
        out."""
        ...

    def get(self, experience_id: str) -> Experience: ...

    def all(self) -> list[Experience]: ...


@runtime_checkable
class Environment(Protocol):
    """One isolated environment for one attempt. It may live in another process; one thread uses it at a time."""

    def reset(self, task: Task, seed: int) -> Observation: ...

    def step(self, text: str) -> Observation:
        """Carry out one action call, such as `click('12')`. A failed action is told in `Observation.error`."""
        ...

    def finish(self, answer: str | None) -> Evidence: ...

    def close(self) -> None: ...


@runtime_checkable
class ShowsChanges(Protocol):
    """An environment that can tell what has been changed in it, for those who judge the attempt."""

    def changes(self) -> str:
        """Since the reset, as a diff; empty where nothing has. To look changes nothing."""
        ...


class AnswerCheck(Protocol):
    """Holds an agent's answer back, so that the agent checks it first."""

    env: CheckEnv
    """What the agent does meanwhile: goes on where it is, starts again in a fresh environment, or only thinks."""

    def __call__(self, held: HeldAnswer) -> str | None:
        """What the agent is asked for instead; None lets the answer pass."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Drives one environment through one task, with recalled memory as text in its prompt."""

    def run(
        self,
        task: Task,
        env: Environment,
        calls: Calls,
        *,
        attempt_id: str,
        memory: str,
        seed: int,
        check: AnswerCheck | None = None,
    ) -> Trajectory:
        """Resets `env`, acts until an exit, never calls `env.finish` or `env.close`. Raises InfraError only.

        With `check`, which is given for sequential scaling alone, each answer is shown to it first. What it asks for
        goes into the next prompt and into `Step.check`; the steps that follow are asked of the role `refiner`. An
        attempt that comes to no further answer ends with the last one that was held back.
        """
        ...


@runtime_checkable
class Judge(Protocol):
    """Labels a trajectory without ground truth."""

    def judge(self, trajectory: Trajectory, calls: Calls) -> Verdict: ...


@runtime_checkable
class MemoryMethod(Protocol):
    """An arm of an experiment: what is recalled for a task, and what is learnt from its attempts."""

    needs_verdicts: bool

    def recall(self, task: Task, bank: BankReader) -> Recall: ...

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        """Experiences to store. It writes nothing: the caller commits them."""
        ...


@runtime_checkable
class SaysIfBankIsUsed(Protocol):
    """A memory method that says whether it searches the bank or stores in it. Without it it is held to do both, and
    before a run begins it is made sure that the embedder can be asked."""

    uses_bank: bool


@runtime_checkable
class ReadsFiles(Protocol):
    """A memory method or a suite whose settings name files of its own."""

    def digests(self) -> Mapping[str, str]:
        """For each such key a hash of what was read: it stands for the key's value in what makes two runs the same."""
        ...


@runtime_checkable
class GivesLessons(Protocol):
    """A memory method that recalls what was written before the run: every figure of such a run says so."""

    given_lessons: str
    """The name of those lessons."""


@runtime_checkable
class Extractor(Protocol):
    """Turns attempts into memory items. Which attempts, and with which prompt, is the extractor's business."""

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled: ...


class Rollout(Protocol):
    """Carries out attempt `index` and judges it. `check` may hold its answers back. What stands behind it knows gold: a
    strategy calls it, and looks no further."""

    def __call__(self, index: int, check: AnswerCheck | None = None) -> JudgedAttempt: ...


@runtime_checkable
class ScalingStrategy(Protocol):
    """How many attempts a task gets, in which way, and which of them stands for the task."""

    k: int
    attempts: int
    """How many there are of a task: k, or fewer where an attempt gives several answers."""
    success_metric: SuccessMetric

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        """All attempts, ordered by index. Raises what a rollout raised, after all have ended."""
        ...

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        """The attempt that stands for the task, if the strategy chooses. `seed` is for draws of its own."""
        ...
