"""What all memory methods share: one retrieval policy, one rule which attempts teach, one rule how they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field, ValidationError

from reasoningbank.distill.experience import merge_experiences, number_experiences
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import BankReader, Calls, Episode, EpisodeCalls
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, Experience, JudgedAttempt, Recall, Record, Role, Task

LearnFrom = Literal["success", "failure", "both"]
Store = Literal["one", "per_attempt"]

_LABELS: dict[str, frozenset[str]] = {
    "success": frozenset({"success"}),
    "failure": frozenset({"failure"}),
    "both": frozenset({"success", "failure"}),
}


class Retrieval(Record):
    """The keys of `configs/retrieval`."""

    k: int = Field(1, ge=0, description="hits a recall takes; 0 recalls nothing")
    key: Literal["query", "item"] = Field("query", description="what the bank ranks by; the bank is opened with it")
    exclude_template: bool = Field(False, description="also leave out other tasks of the same template")
    exclude_later: bool = Field(False, description="also leave out tasks of a later date, and those of none")
    min_score: float = Field(
        0.0, ge=0, le=1, description="hits of a lower cosine similarity are left out; 0 takes the best k whatever it is"
    )

    @classmethod
    def read(cls, keys: Retrieval | Mapping[str, object]) -> Retrieval:
        """The settings as read from a YAML file, checked."""
        if isinstance(keys, Retrieval):
            return keys
        try:
            return cls.model_validate(dict(keys), strict=True)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise SetupError(f"retrieval.{where}={first['input']!r}: {first['msg']}") from error


class Learning(Record):
    """The keys of a scaling that say how methods learn from several attempts, whatever the scaling."""

    aggregate: bool = Field(True, strict=True, description="from all of them together, not from each by itself")
    store: Store = Field("one", description="of attempts learnt from one by one: one experience, or each its own")
    labels: bool = Field(True, strict=True, description="attempts that are compared are shown with their verdicts")


class LearningMethod:
    """A memory method but for its items. Subclasses set `memory_prompt` and write `learn_one`.

    With aggregation, several attempts are learnt from together (`learn_many`); a single one, and without aggregation
    each, by itself (`learn_one`), and `store` says whether one experience holds all their items or each its own.
    Attempts whose verdict is missing or unparseable, or that ended in an infra error, teach nothing.
    """

    needs_verdicts: bool = True
    roles: tuple[Role, ...] = ("extractor",)
    memory_prompt: ClassVar[str]
    """The prompt that shows the recalled `items` to the agent."""
    shown: Mapping[str, bool] = {}  # read alone
    """What else the prompt is given."""

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        learning: Learning,
        learn_from: LearnFrom,
    ) -> None:
        if learn_from not in _LABELS:
            raise SetupError(f"memory.learn_from={learn_from}: one of {', '.join(_LABELS)}")
        self.prompts = prompts
        self.retrieval = Retrieval.read(retrieval)
        self.learning = learning
        self.learn_from = learn_from

    def recall(self, task: Task, bank: BankReader) -> Recall:
        """The nearest experiences by the task's intent that are near enough, never the task's own."""
        if self.retrieval.k == 0:
            return Recall()
        template = task.template_id if self.retrieval.exclude_template else ""
        if self.retrieval.exclude_later and not task.date:
            raise SetupError(
                f"retrieval.exclude_later=true: task {task.id} has no date, so nothing tells what is later than it"
            )
        found = bank.search(
            task.intent,
            self.retrieval.k,
            exclude_task=task.id,
            exclude_template=template or None,
            not_after=task.date if self.retrieval.exclude_later else None,
        )
        least = self.retrieval.min_score
        hits = tuple(hit for hit in found if least == 0 or hit.score >= least)
        items = [item for hit in hits for item in hit.items]
        text = self.prompts.render(self.memory_prompt, items=items, **self.shown) if items else ""
        return Recall(hits=hits, text=text)

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        """What the episode's attempts teach, by the rules of the class."""
        attempts = self.teaching(episode)
        if not attempts:
            return Distilled()
        if self.learning.aggregate and len(attempts) > 1:
            return self.learn_many(episode, attempts, calls)
        experiences: list[Experience] = []
        for attempt in attempts:
            experiences += self.learn_one(episode, attempt, calls(attempt.index)).experiences
        if self.learning.store == "one" and experiences:
            return Distilled(experiences=(merge_experiences(experiences, episode),))
        return Distilled(experiences=number_experiences(experiences, episode))

    def teaching(self, episode: Episode) -> list[JudgedAttempt]:
        """The attempts that are learnt from, by index."""
        wanted = _LABELS[self.learn_from]
        return sorted(
            (
                attempt
                for attempt in episode.attempts
                if attempt.verdict is not None
                and attempt.verdict.label in wanted
                and attempt.trajectory.exit != "infra_error"
            ),
            key=lambda attempt: attempt.index,
        )

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        """At most one experience from one attempt. `calls` is the attempt's own."""
        raise NotImplementedError

    def learn_many(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: EpisodeCalls) -> Distilled:
        """One experience from several attempts: here, from the one that got there in the fewest steps.

        Successes go before failures and earlier attempts before later ones. Methods that can compare attempts say so.
        """
        best = min(
            attempts, key=lambda attempt: (not _succeeded(attempt), len(attempt.trajectory.steps), attempt.index)
        )
        return self.learn_one(episode, best, calls(best.index))


def _succeeded(attempt: JudgedAttempt) -> bool:
    return attempt.verdict is not None and attempt.verdict.label == "success"
