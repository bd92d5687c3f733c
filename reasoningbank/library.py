"""Memory for an agent of your own: recall before a task, learn after it.

    from reasoningbank import ReasoningBank

    with ReasoningBank("memory.sqlite", llm=my_model) as memory:
        advice = memory.recall("cancel the order from Tuesday")  # text for the agent's system prompt, or ""
        messages = run_my_agent("cancel the order from Tuesday", advice)
        learnt = memory.learn("cancel the order from Tuesday", messages)
        print(learnt)  # "success: 2 items learnt", or what kept it from learning

`my_model` takes a list of {"role", "content"} dicts and returns a text. Without one a simulated model judges and
extracts: it shows how the parts work together and is no use for real advice (`Learnt.simulated` says so).
"""

from __future__ import annotations

import logging
from pathlib import Path
from types import TracebackType
from typing import Literal

from pydantic import ValidationError

from reasoningbank.bank.bank import Bank
from reasoningbank.boundary import expect, guard, one_line
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import LLM, Calls, Embedder, Episode, MemoryMethod
from reasoningbank.llm.calls import EpisodeScopes, ScopeKey
from reasoningbank.llm.transport import Transport
from reasoningbank.memory.base import Retrieval
from reasoningbank.parts import DEFAULT_MIN_SCORE, Ask, check_given, make_embedder, make_method, make_model
from reasoningbank.prompts import PromptPack
from reasoningbank.retry import RetryPolicy
from reasoningbank.transcript import Transcript, to_trajectory
from reasoningbank.types import (
    ROLES,
    Distilled,
    Experience,
    JudgedAttempt,
    Label,
    MemoryItem,
    Record,
    Refused,
    Task,
    Trajectory,
    Usage,
    Verdict,
    digest,
)

STREAM = "library"
EMPTY_ID = "the task_id is empty; leave it away, or give what tells this task from all others"

_log = logging.getLogger("reasoningbank")


class Learnt(Record):
    """What one `learn` came to; printed, it is that in one line. `error` is empty when nothing went wrong."""

    task_id: str
    verdict: Verdict | None = None
    experiences: tuple[Experience, ...] = ()
    refused: tuple[Refused, ...] = ()
    usage: Usage = Usage()
    simulated: bool = False
    error: str = ""

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """The memory items that were stored."""
        return tuple(item for experience in self.experiences for item in experience.items)

    @property
    def label(self) -> Label | None:
        """The verdict's word: success, failure, or unparseable where the judge's reply could not be read."""
        return self.verdict.label if self.verdict else None

    def __str__(self) -> str:
        if self.error:
            return f"error: {self.error}"
        told = [f"{_count(len(self.items), 'item')} learnt" if self.items else "nothing learnt"]
        if self.refused:
            last = self.refused[-1]
            reason = " ".join(last.reason.split())
            told.append(f"{_count(len(self.refused), 'reply', 'replies')} refused: {reason} ({last.role})")
        return f"{self.label or 'not judged'}: {', '.join(told)}{' (simulated)' if self.simulated else ''}"


class ReasoningBank:
    """A memory in one file. Thread-safe."""

    def __init__(
        self,
        path: Path | str | None = None,
        *,
        llm: LLM | Ask | None = None,
        embedder: Embedder | None = None,
        method: str | MemoryMethod = "reasoningbank",
        k: int = 1,
        key: Literal["query", "item"] = "query",
        min_score: float | None = None,
        observation_chars: int = 1_000,
        prompts: Path | str | None = None,
        seed: int = 0,
        retry: RetryPolicy | None = None,
    ) -> None:
        """`path`: the file, made where there is none (None: in memory, gone at close). `method`: a name from
        `reasoningbank.memory` or an object of your own. `k`: how many experiences (`key="item"`: items) a recall
        takes. `min_score`: the cosine similarity from which something is like the query at all; by default 0.2 with
        the default embedder (see `parts.DEFAULT_MIN_SCORE`) and 0, which takes the best k whatever they are, with one
        of your own. `observation_chars`: of what the agent saw before each step, as much as judge and extractor are
        shown. `prompts`: a folder whose files replace prompts of the same name. `retry`: how patiently a model, or
        a remote embedder, that cannot be reached is asked again.

        A method that is an object of your own has its own `k`, `min_score` and `observation_chars`.

        SetupError, BankError: settings that cannot be used, with what to do.
        """
        check_given(path=path, embedder=embedder, method=method, seed=seed, retry=retry)
        pack = PromptPack(None if prompts is None else Path(prompts))
        least = (DEFAULT_MIN_SCORE if embedder is None else 0.0) if min_score is None else min_score
        retrieval = Retrieval.read({"k": k, "key": key, "min_score": least})
        try:
            self._judge = LLMJudge(prompts=pack, observation_chars=observation_chars)
        except ValidationError as error:
            raise SetupError(f"observation_chars={observation_chars!r}: {error.errors()[0]['msg']}") from error
        self._method = make_method(method, pack, retrieval, observation_chars) if isinstance(method, str) else method
        self._llm = make_model(llm)
        self._seed = seed
        self._transport = Transport(retry=retry or RetryPolicy(), waiting=_say_waiting)
        self._bank = Bank.open(path, make_embedder(embedder, retry), key=key)

    def recall(self, query: str, *, task_id: str | None = None, exclude_same: bool = False) -> str:
        """What was learnt from the tasks most like `query`, as text for the agent's prompt; empty when nothing was
        learnt from any task like it (see `min_score`).

        What was learnt from this very query earlier is recalled too, which is what an agent in use wants. In a
        measurement it would be a lesson from the same task: `exclude_same=True` leaves it out. `task_id` is as in
        `learn`.
        """
        if not isinstance(query, str):
            raise TypeError(f"the query is a {type(query).__name__}; give the task's text")
        if task_id is not None and not str(task_id).strip():
            raise SetupError(EMPTY_ID)
        if not query.strip():
            return ""
        # an id that no task has excludes nothing
        own = _own_id(task_id, query) if exclude_same else ""
        return self._method.recall(_task(own, query), self._bank).text

    def learn(
        self,
        query: str,
        trajectory: Transcript,
        *,
        success: bool | None = None,
        answer: str | None = None,
        task_id: str | None = None,
    ) -> Learnt:
        """Judge one run of the task `query`, distil lessons from it and store them.

        `trajectory`: a Trajectory, chat messages, (thought, action, observation)s or plain text. `success`: your own
        verdict, instead of the judge's. `answer`: what the user was told. `task_id` says which runs are of the same
        task, by default those of equal `query`.

        Every call stores what it learns, as in the paper: a run that is learnt from twice is there twice, and takes
        two places among the `k` that are recalled. Nothing is merged, and nothing is forgotten.

        Raises nothing that goes wrong on the way: it is logged on one line (at the level DEBUG with its traceback), and
        told in `Learnt.error`. An empty query, or a run in which nothing was done, is such an error.
        """
        doing = f"learn({str(query)[:60]!r})"
        own = _own_id(task_id, query)
        try:
            done = guard(lambda: self._learn(own, query, trajectory, success, answer), doing=doing)
        except SetupError as error:
            _log.error("%s failed; nothing was stored: %s", doing, error)
            return Learnt(task_id=own, simulated=self._llm.simulated, error=str(error))
        if done.error is not None:
            return Learnt(task_id=own, simulated=self._llm.simulated, error=one_line(done.error))
        learnt = done.unwrap()
        if self._method.needs_verdicts and not learnt.items:
            _log.warning("%s: %s", doing, learnt)
        return learnt

    def close(self) -> None:
        """Close the file. Closing twice is no error."""
        self._bank.close()

    def __enter__(self) -> ReasoningBank:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _learn(
        self, task_id: str, query: str, transcript: Transcript, success: bool | None, answer: str | None
    ) -> Learnt:
        task = _checked_task(task_id, query)
        if success is not None and not isinstance(success, bool):
            raise SetupError(f"success is {success!r}, a {type(success).__name__}; give True, False, or None to judge")
        position = self._bank.next_position()
        episode_id = f"{STREAM}/{position:04d}/{task.id}"
        trajectory = _checked_trajectory(transcript, task, f"{episode_id}/0", answer)
        # the position is in the seeds, so that a task learnt twice does not get the same replies twice
        key = ScopeKey(seed=self._seed, trial=position, suite=STREAM, suite_seed=0, task=task.id, attempt=0)
        scopes = EpisodeScopes(llms=dict.fromkeys(ROLES, self._llm), key=key, transport=self._transport)
        verdict = self._verdict(trajectory, success, scopes(0))
        attempt = JudgedAttempt(index=0, trajectory=trajectory, verdict=verdict)
        episode = Episode(id=episode_id, task=task, position=position, attempts=(attempt,))
        distilled = expect(self._method.distill(episode, scopes), Distilled, self._method, "distill")
        for experience in distilled.experiences:
            self._bank.add(experience)
        used = [usage for scope in scopes.all() for usage in (*scope.usage.values(), scope.failed)]
        return Learnt(
            task_id=task.id,
            verdict=verdict,
            experiences=distilled.experiences,
            refused=tuple(refused for scope in scopes.all() for refused in scope.refused),
            usage=sum(used, Usage()),
            simulated=self._llm.simulated,
        )

    def _verdict(self, trajectory: Trajectory, success: bool | None, calls: Calls) -> Verdict | None:
        if not self._method.needs_verdicts or trajectory.exit == "infra_error":  # which teaches nothing
            return None
        if success is not None:
            return Verdict(label="success" if success else "failure", reasons="told by the caller")
        return self._judge.judge(trajectory, calls)


def _task(task_id: str, query: str) -> Task:
    return Task(id=task_id, suite=STREAM, group=STREAM, intent=query)


def _checked_task(task_id: str, query: str) -> Task:
    if not isinstance(query, str):
        raise SetupError(f"the query is a {type(query).__name__}; give the task's text")
    if not query.strip():
        raise SetupError("the query is empty; give the task's text")
    if not task_id.strip():
        raise SetupError(EMPTY_ID)
    return _task(task_id, query)


def _checked_trajectory(transcript: Transcript, task: Task, attempt_id: str, answer: str | None) -> Trajectory:
    """The transcript as a trajectory in which something was done."""
    try:
        trajectory = to_trajectory(transcript, task=task, attempt_id=attempt_id, answer=answer)
    except (TypeError, ValueError) as error:
        raise SetupError(" ".join(str(error).split())) from error
    done = any((step.thought + step.action).strip() for step in trajectory.steps)
    if not done and not (trajectory.answer or "").strip():
        raise SetupError("the transcript is empty: it has no step of the agent and no answer, so nothing was judged")
    return trajectory


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _own_id(task_id: str | None, query: str) -> str:
    return str(task_id) if task_id is not None else digest(str(query))[:16]


def _say_waiting(text: str) -> None:
    if text:
        _log.warning("%s", text)
