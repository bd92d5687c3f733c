"""The models as one attempt or one episode sees them: seeds by call number, retries, and the account of tokens.

    scope = CallScope(llms=llms, settings=DEFAULT_SETTINGS, key=ScopeKey(..., attempt=0))
    reply = scope.ask("agent", messages)
    scope.usage["agent"].input_tokens

Calls of a role are numbered from 0 within a scope, and (scope key, role, number) names a call for good: its seed is
derived from it, its record is kept under it (`log`), and `CallScope._answer` is the one place every call passes
through.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pydantic import Field

from reasoningbank.boundary import attempt_edge, expect
from reasoningbank.errors import InfraError, SetupError, UnusableReply
from reasoningbank.interfaces import LLM, CallsTools
from reasoningbank.llm.limits import Turn
from reasoningbank.llm.prices import spent_on
from reasoningbank.llm.record import CallLog, CallLogs, RecordedModel, Request, hashed, hashed_tools
from reasoningbank.llm.transport import Transport
from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import EPISODE, Message, Record, Refused, Reply, Role, Spent, Tool, Usage, derive_seed

MOST_ROOM = 8
"""A reply that was cut off before it began is asked for again with up to this many times the room."""


class RoleSettings(Record):
    """How a role's model is called."""

    temperature: float = Field(ge=0)
    max_tokens: int = Field(4096, ge=1)


DEFAULT_SETTINGS: Mapping[Role, RoleSettings] = {
    "agent": RoleSettings(temperature=0.7),
    "judge": RoleSettings(temperature=0.0),
    "extractor": RoleSettings(temperature=1.0),
    "selector": RoleSettings(temperature=0.0),
    "refiner": RoleSettings(temperature=0.7),
    "grader": RoleSettings(temperature=0.0, max_tokens=1024),  # its replies are a word
}


class ScopeKey(Record):
    """What a scope's seeds are derived from. `attempt` is the attempt's index, or EPISODE."""

    seed: int
    trial: int
    suite: str
    suite_seed: int
    task: str
    attempt: int

    def seed_of(self, role: Role, number: int) -> int:
        """The seed of the role's call `number`."""
        return derive_seed(self.seed, self.trial, self.suite, self.suite_seed, self.task, self.attempt, role, number)


class CallScope:
    """The calls of one attempt (or, with `key.attempt = EPISODE`, of an episode as a whole). Thread-safe."""

    def __init__(
        self,
        *,
        llms: Mapping[Role, LLM],
        key: ScopeKey,
        settings: Mapping[Role, RoleSettings] = DEFAULT_SETTINGS,
        transport: Transport | None = None,
        log: CallLog | None = None,
    ) -> None:
        self.key = key
        self.usage: dict[Role, Usage] = {}
        """Tokens of the replies that were used, by role: equal in equal runs."""
        self.failed = Usage()
        """Tokens of the replies that were not used: empty ones, those that their client could not read though the
        server had counted them (an error's `usage`), and recorded ones whose request is another by now;
        those of processes that were cut off, too, as far as they are recorded."""
        self.spent: dict[Role, Spent] = {}
        """By role all that is paid for, whether it was used or not."""
        self.seconds = 0.0
        """For which models wrote the replies that were used; a recorded one took none."""
        self.retries = 0
        """How often a call was made again."""
        self.refused: list[Refused] = []
        """Replies that could not be used, in the order of the calls."""
        self._llms = llms
        self._settings = settings
        self._transport = transport or Transport()
        self._log = log
        self._numbers: dict[Role, int] = {}
        self._lock = threading.Lock()

    def ask(self, role: Role, messages: Sequence[Message]) -> Reply:
        """The model's reply; its text is never empty.

        Raises InfraError once the retries are used up, BudgetSpent before a call for which there is no budget,
        UnusableReply when the model declined to answer, CodeError where the model's class is wrong. To decline (stop
        reason "safety") is what this model does with this prompt, as a wrong answer is: no retry mends it, and an
        agent that makes nothing of it ends with `agent_error`, unsolved.
        Without that reason no text is no answer but InfraError. A reply cut off in the middle comes back with
        `stop_reason` "length": the caller knows whether half of it is of use.
        """
        return self._ask(role, messages, ())

    def ask_with_tools(self, role: Role, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """The same with tools: a reply that calls some may have no text. SetupError where the model takes none."""
        llm = self._llms.get(role)
        if llm is not None and not isinstance(llm, CallsTools | RecordedModel):
            raise SetupError(
                f"the model of role {role!r}, {llm.id}, is not offered tools by its client here: set "
                "agent.tool_calls=false, or use llm=openai"
            )
        return self._ask(role, messages, tools)

    def _ask(self, role: Role, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if role not in self._llms:
            raise SetupError(f"no model is set for the role {role!r}; set llm, which stands for every role")
        with self._lock:
            number = self._numbers.get(role, 0)
            self._numbers[role] = number + 1
        reply = self._answer(role, number, messages, tools)
        self._account(role, reply, used=True)
        if not (reply.text.strip() or reply.calls):
            raise UnusableReply(f"the model of role {role!r} declined to answer (call {number})", reply.text)
        return reply

    def cost(self, role: Role, usage: Usage) -> float | None:
        """US dollars of one call; None where the model's price is not known."""
        price = self._transport.prices.get(role)
        return None if price is None else price.of_call(usage)

    @property
    def lost(self) -> Usage:
        """Tokens that nothing tells of if nothing comes of this scope: what is recorded, another scope will find."""
        return Usage() if self.recorded else self.paid

    @property
    def recorded(self) -> bool:
        """Whether its replies are on the disk."""
        return self._log is not None

    @property
    def paid(self) -> Usage:
        """Tokens of all replies."""
        return sum(self.usage.values(), self.failed)

    @property
    def lost_spent(self) -> dict[Role, Spent]:
        """The same by role, with what it cost."""
        return {} if self.recorded else self.spent

    def refuse(self, refused: Refused) -> None:
        """Keep a reply that could not be used, for inspection."""
        with self._lock:
            self.refused.append(refused)

    def _account(self, role: Role, reply: Reply, *, used: bool) -> None:
        usage = reply.usage if reply.usage.calls == 1 else reply.usage.model_copy(update={"calls": 1})
        with self._lock:
            if used:
                self.usage[role] = self.usage.get(role, Usage()) + usage
            else:
                self.failed += usage
            if role in self._transport.prices:
                cost = spent_on(usage, self._transport.prices[role])
                self.spent[role] = self.spent.get(role, Spent()) + cost

    def _check_budget(self) -> None:
        if self._transport.budget is not None:
            self._transport.budget.check()

    def _charge(self, role: Role, reply: Reply) -> None:
        """To the budget, if there is one: a call that was really made."""
        if self._transport.budget is not None:
            price = self._transport.prices.get(role)
            self._transport.budget.add(reply.usage, 0.0 if price is None else price.of_call(reply.usage))

    def _answer(self, role: Role, number: int, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if self._log is None:
            return self._complete(role, number, messages, tools, lambda reply: None)
        log = self._log
        request = Request(
            role=role,
            number=number,
            model=self._llms[role].id,
            temperature=self._settings[role].temperature,
            seed=self.key.seed_of(role, number),
            max_tokens=self._settings[role].max_tokens,
            messages=hashed(messages),
            tools=hashed_tools(tools),
        )
        reply = log.find(request)
        if reply is None:
            log.set_aside(request)
        for unused in log.unused(request):
            self._account(role, unused, used=False)
        if reply is None:
            reply = self._complete(role, number, messages, tools, lambda unused: log.keep_unused(request, unused))
            log.keep(request, reply)
        return reply

    def _turn(self, role: Role, messages: Sequence[Message]) -> Turn:
        limiter = self._transport.limiters.get(role)
        if limiter is None:
            return Turn()
        counts = limiter.counts_tokens
        return limiter.turn(sum(estimate_tokens(each.content) for each in messages) if counts else 0)

    def _complete(
        self,
        role: Role,
        number: int,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        keep_unused: Callable[[Reply], None],
    ) -> Reply:
        llm, settings, seed = self._llms[role], self._settings[role], self.key.seed_of(role, number)
        # a model that takes no tools is given none: `ask_with_tools` has seen to that
        complete = partial(llm.call_tools, tools=tools) if tools and isinstance(llm, CallsTools) else llm.complete
        room, most, turn = settings.max_tokens, settings.max_tokens * MOST_ROOM, Turn()

        def charge(reply: Reply) -> None:
            turn.used(reply.usage.input_tokens, reply.usage.output_tokens)
            self._charge(role, reply)

        def waste(reply: Reply) -> None:
            keep_unused(reply)
            self._account(role, reply, used=False)

        def once(failures: int) -> Reply:
            nonlocal room, most, turn
            self._check_budget()
            turn = self._turn(role, messages)
            with turn:
                self._check_budget()  # those who had their turn before may have spent it
                if failures:
                    with self._lock:
                        self.retries += 1
                begun = time.monotonic()
                try:
                    reply = attempt_edge(
                        # what a client raises unclassified says nothing about the agent that asked
                        lambda: complete(messages, temperature=settings.temperature, seed=seed, max_tokens=room),
                        source="model",
                    )
                except (InfraError, SetupError) as error:
                    if error.usage is not None:
                        refused = Reply(text="", usage=error.usage, stop_reason="other")
                        charge(refused)
                        waste(refused)
                    if isinstance(error, InfraError) or room == settings.max_tokens:
                        raise
                    most = room = room // 2
                    raise InfraError(f"{error}; that was with more room than max_tokens.{role}") from error
                reply = expect(reply, Reply, llm, "complete")
                charge(reply)
            if reply.text.strip() or reply.calls or reply.stop_reason == "safety":
                with self._lock:
                    self.seconds += time.monotonic() - begun
                return reply
            waste(reply)
            asked = room
            if reply.stop_reason == "length":
                room = min(room * 2, most)
            raise InfraError(
                f"{llm.id} returned no text to role {role!r} (call {number}, stop reason {reply.stop_reason}, "
                f"{reply.usage.output_tokens} output tokens, of them {reply.usage.thinking_tokens} thinking, "
                f"max_tokens {asked}); if it thinks, give it more max_tokens"
            )

        # the jitter has its own generator: waits must not depend on what other threads draw
        rng, how = random.Random(seed), self._transport
        return how.retry.run(once, rng=rng, sleep=how.sleep, waiting=how.waiting, queued=lambda: turn.queued)


class EpisodeScopes:
    """The scopes of one episode: `scopes(index)` is that attempt's, `scopes(None)` the episode's own. Thread-safe."""

    def __init__(
        self,
        *,
        llms: Mapping[Role, LLM],
        key: ScopeKey,
        settings: Mapping[Role, RoleSettings] = DEFAULT_SETTINGS,
        transport: Transport | None = None,
        logs: CallLogs | None = None,
    ) -> None:
        def make(attempt: int) -> CallScope:
            own = key.model_copy(update={"attempt": attempt})
            log = None if logs is None else logs(attempt)
            return CallScope(llms=llms, key=own, settings=settings, transport=transport, log=log)

        self._make = make
        self._scopes: dict[int, CallScope] = {}
        self._lock = threading.Lock()

    def __call__(self, index: int | None) -> CallScope:
        attempt = EPISODE if index is None else index
        with self._lock:
            if attempt not in self._scopes:
                self._scopes[attempt] = self._make(attempt)
            return self._scopes[attempt]

    def all(self) -> list[CallScope]:
        """The scopes asked for so far, the episode's own first, then by attempt."""
        with self._lock:
            return [self._scopes[attempt] for attempt in sorted(self._scopes)]
