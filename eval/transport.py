"""How a run's calls travel: how patiently models are asked again, and how fast a provider is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from eval.config.settings import Settings
from reasoningbank.interfaces import LLM, HasProvider
from reasoningbank.llm.budget import Budget, Ledger
from reasoningbank.llm.limits import Limiter, Limits
from reasoningbank.llm.prices import Price, Prices, read_prices
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy, Waiting
from reasoningbank.types import ROLES, Role


@dataclass(frozen=True)
class Limiters:
    """Those of a process, number `worker` of `workers`, which share what providers allow."""

    worker: int = 0
    workers: int = 1
    made: dict[str, Limiter] = field(default_factory=dict)

    def of(self, settings: Settings, role: Role, llm: LLM) -> Limiter:
        """One for all roles, and all runs, that ask the same provider under the same limits."""
        limits = limits_of(settings, role)
        provider = llm.provider if isinstance(llm, HasProvider) else settings.client(role)["type"]
        name = repr((provider, limits))
        if name not in self.made:
            share = limits.share(self.worker, self.workers)
            self.made[name] = Limiter(share, longest_pause=settings.calls.give_up_after)
        return self.made[name]


def limits_of(settings: Settings, role: Role) -> Limits:
    return Limits(**settings.limits(role).model_dump())


def most_workers(settings: Settings) -> int | None:
    """Among how many processes the limits of all providers can be divided; None: among any number."""
    most = (limits_of(settings, role).most_workers for role in ROLES)
    return min((each for each in most if each is not None), default=None)


def retry_policy(settings: Settings) -> RetryPolicy:
    calls = settings.calls
    return RetryPolicy(attempts=calls.tries, give_up_after=calls.give_up_after, outage_wait=calls.outage_wait)


def transport_of(settings: Settings, llms: Mapping[Role, LLM], limiters: Limiters) -> Transport:
    """A simulated model, and a run's record, is asked as fast as it answers, unless limits are set."""
    limited = {
        role: limiters.of(settings, role, llm)
        for role, llm in llms.items()
        if limits_of(settings, role) != Limits() or not (llm.simulated or settings.calls.replay)
    }
    return Transport(retry=retry_policy(settings), limiters=limited, prices=prices_of(settings, llms))


def carried(transport: Transport, settings: Settings, waiting: Waiting, ledger: Ledger | None) -> Transport:
    """The same for one stream, as its worker has it."""
    given = settings.budget
    budget = None if ledger is None else Budget(ledger=ledger, usd=given.usd, tokens=given.tokens)
    return replace(transport, waiting=waiting, budget=budget)


def known_prices(settings: Settings) -> Prices:
    return read_prices(None if settings.prices is None else Path(settings.prices))


def prices_of(settings: Settings, llms: Mapping[Role, LLM]) -> dict[Role, Price | None]:
    """Of each role whose calls are paid for, which those of a simulated model, or of a run's record, are not."""
    paid = [] if settings.calls.replay is not None else [role for role, llm in llms.items() if not llm.simulated]
    if not paid and settings.prices is None:
        return {}
    prices = known_prices(settings)  # of a file that is given it is told at once when it cannot be used
    return {role: prices.of(llms[role].id) for role in paid}
