"""What an induction keeps of each episode beside its bank: the line of the partial file, and the calls.

calls = InducedCalls(bench, Path("new.sqlite.calls"), stream="sums.t0", result=result)
scopes = calls.scopes()                 # recorded as a run's are, below new.sqlite.calls/streams/sums.t0/attempts
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import Field

from eval.episode import Lost
from eval.journal import EpisodeResult, episode_folder, group_and_trial, stream_folder
from eval.runs.spending import Bill, check_budget, dollars, unfinished
from eval.transport import known_prices
from eval.workbench import Workbench
from reasoningbank.llm.budget import Ledger
from reasoningbank.llm.calls import CallScope, EpisodeScopes
from reasoningbank.types import Experience, Role, Spent, Stored, Verdict, together


class Induced(Stored):
    """What one episode came to: a line of the partial file."""

    episode_id: str
    verdicts: tuple[Verdict | None, ...]
    learnt: tuple[Experience, ...]
    refused: int
    calls: int
    tokens: int
    failed_tokens: int = 0
    """Of calls whose replies are in no result."""
    spent: dict[Role, Spent] = Field(default_factory=dict)
    """By role, with what it cost, all that was paid for."""


class InducedCalls:
    """The calls of one episode that is distilled again: recorded, where a run's would be, and accounted for."""

    def __init__(self, bench: Workbench, root: Path, *, stream: str, result: EpisodeResult) -> None:
        """`root`: where the induction keeps its calls, in folders that are named as a run's."""
        self.folder = episode_folder(stream_folder(root, stream), result.position, result.task_id)
        self._bench = bench
        self._trial = group_and_trial(stream)[1]
        self._task = result.task_id
        self._logs = bench.logs(self.folder, root)
        self._lost = Lost.of(self.folder)
        self._made: list[EpisodeScopes] = []

    def scopes(self) -> EpisodeScopes:
        """New ones, whose call numbers, and with them seeds, start at 0."""
        self._made.append(self._bench.scopes(self._trial, self._task, self._logs))
        return self._made[-1]

    def all(self) -> list[CallScope]:
        """Every scope asked for so far."""
        return [scope for scopes in self._made for scope in scopes.all()]

    def lose(self, *, failed: bool) -> None:
        """Keep what an episode has cost that was cut off: it has `failed`, or was stopped."""
        self._lost.with_calls(self.all(), failed=failed).save(self.folder)

    def induced(self, name: str, verdicts: tuple[Verdict | None, ...], learnt: tuple[Experience, ...]) -> Induced:
        """The episode's line."""
        scopes = self.all()
        usages = [usage for scope in scopes for usage in scope.usage.values()]
        return Induced(
            episode_id=name,
            verdicts=verdicts,
            learnt=learnt,
            refused=sum(len(scope.refused) for scope in scopes),
            calls=sum(usage.calls for usage in usages),
            tokens=sum(usage.total for usage in usages),
            failed_tokens=sum((scope.failed for scope in scopes), self._lost.tokens).total,
            spent=together(self._lost.spent, *(scope.spent for scope in scopes)),
        )


def budgeted(bench: Workbench, done: Sequence[Induced], begun: Path | None, roles: Collection[Role]) -> Ledger | None:
    """What an induction has spent, to be counted on; None where it has no budget.

    `done` are its finished episodes, `begun` the folder of the calls of the next one. SetupError where a budget in
    dollars could not be kept for these roles.
    """
    settings = bench.settings
    check_budget(settings, [bench], roles)
    if not settings.budget.given:
        return None
    prices, models = known_prices(settings), {role: llm.id for role, llm in bench.llms.items()}
    before = Bill() if begun is None else unfinished(begun, models, prices)
    for each in done:
        before += Bill(each.tokens + each.failed_tokens, dollars(each.spent, models, prices))
    return Ledger([before.tokens, before.cost_usd, 0.0, 0.0], 1)
