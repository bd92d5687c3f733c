"""What runs have spent so far: by their journals and, for episodes that are not finished, by what is kept of these."""

from __future__ import annotations

import multiprocessing
from collections.abc import Collection, Iterable, Mapping, MutableSequence
from pathlib import Path

from pydantic import ValidationError

from eval.analysis.records import RunRecord, is_run, load_run
from eval.attempt import AttemptRecord, attempt_of
from eval.episode import Lost
from eval.journal import JournalLine, episode_folder, stream_folder
from eval.settings import BudgetSettings, Settings
from eval.transport import known_prices
from eval.workbench import Workbench
from reasoningbank.errors import SetupError
from reasoningbank.llm.budget import Ledger
from reasoningbank.llm.prices import Prices, spent_on
from reasoningbank.llm.record import every_call
from reasoningbank.types import Role, Spent, Usage


def check_budget(settings: Settings, benches: Iterable[Workbench], roles: Collection[Role] | None = None) -> None:
    """SetupError where a budget in dollars could not be kept for `roles`; None: for those that the runs ask."""
    unknown = sorted({model for bench in benches for model in unpriced(bench, roles)})
    if settings.budget.usd is not None and unknown:
        raise SetupError(
            f"budget.usd={settings.budget.usd:g} cannot be kept: no price is known for {', '.join(unknown)}; give it "
            "in a file, prices=FILE, or set budget.tokens"
        )


def unpriced(bench: Workbench, roles: Collection[Role] | None = None) -> list[str]:
    """The models of `roles`, or of those that the run asks, that are paid for, and nobody knows what they cost."""
    prices, asked = bench.transport.prices, bench.asks if roles is None else roles
    return sorted({bench.llms[role].id for role in asked if role in prices and prices[role] is None})


def open_cells(settings: Settings, folders: Iterable[Path], streams: int) -> MutableSequence[float] | None:
    """Where all processes of a command note what they spend, after what its runs have spent before; None where there
    is no budget."""
    if settings.budget == BudgetSettings():
        return None
    # a worker for each stream at most, and one more for each that dies with its stream
    cells: MutableSequence[float] = multiprocessing.get_context("spawn").RawArray("d", 2 * (1 + 2 * streams))
    cells[0], cells[1] = spent_by(folders, known_prices(settings))
    return cells


def spent_words(cells: MutableSequence[float]) -> str:
    """What all have noted."""
    ledger = Ledger(cells, 0)
    cost = f", US$ {ledger.cost_usd:,.4f}" if ledger.cost_usd else ""
    return f"{ledger.tokens:,} tokens{cost}"


def spent_by(folders: Iterable[Path], prices: Prices) -> tuple[int, float]:
    """Tokens and US dollars. Those who have no run yet have spent nothing."""
    tokens, cost = 0, 0.0
    for folder in folders:
        if is_run(folder):
            for more_tokens, more_cost in _of_run(load_run(folder), prices):
                tokens, cost = tokens + more_tokens, cost + more_cost
    return tokens, cost


def _of_run(run: RunRecord, prices: Prices) -> Iterable[tuple[int, float]]:
    models: dict[Role, str] = (run.meta.get("identity") or {}).get("models") or {}
    for stream in run.streams:
        place, done = stream_folder(run.folder, stream.name), set()
        for line in stream.lines:
            if not line.result.skipped:
                done.add(episode_folder(place, line.result.position, line.result.task_id))
                yield _tokens_of(line), dollars(line.telemetry.spent, models, prices)
        for folder in sorted(place.glob("attempts/*")):
            if folder not in done:
                for usages, spent in unfinished(folder, prices):
                    yield sum(usage.total for usage in usages), dollars(spent, models, prices)


def dollars(spent: Mapping[Role, Spent], models: Mapping[Role, str], prices: Prices) -> float:
    """What it cost; where a price was not known then, by that of today."""
    total = 0.0
    for role, each in spent.items():
        price = prices.of(models.get(role, ""))
        if each.cost_usd is not None:
            total += each.cost_usd
        elif price is not None:
            total += price.cost(each.usage)
    return total


def unfinished(folder: Path, prices: Prices) -> Iterable[tuple[list[Usage], dict[Role, Spent]]]:
    """Of one episode: its finished attempts, the calls in records that belong to none of these, what it has lost."""
    told: dict[str, AttemptRecord] = {}
    for path in folder.glob("*.json"):
        if path.name == "lost.json":
            try:
                lost = Lost.model_validate_json(path.read_bytes())
            except ValidationError:
                continue
            yield [lost.tokens], lost.spent
        elif (record := attempt_of(path)) is not None:
            told[path.stem] = record
            yield [record.failed, *record.usage.values()], record.spent
    for path in folder.glob("*.calls.jsonl"):
        attempt = told.get(path.name.removesuffix(".calls.jsonl"))
        for request, reply in every_call(path):
            role, price = request.role, prices.of(request.model)
            if attempt is None or role not in attempt.usage:
                yield [reply.usage], {} if price is None else {role: spent_on(reply.usage, price)}


def _tokens_of(line: JournalLine) -> int:
    return sum(each.total for each in line.result.tokens.values()) + line.telemetry.failed_tokens.total
