"""What runs have spent so far: by their journals and, for episodes that are not finished, by what is kept of these."""

from __future__ import annotations

import multiprocessing
from collections.abc import Collection, Iterable, Mapping, MutableSequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from eval.analysis.records import RunRecord, is_run, load_run
from eval.attempt import AttemptRecord, attempt_of
from eval.config.settings import Settings
from eval.episode import Lost
from eval.journal import JournalLine, episode_folder, stream_folder
from eval.transport import known_prices
from eval.workbench import Workbench
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import RemoteEmbedder
from reasoningbank.llm.budget import Ledger
from reasoningbank.llm.prices import Prices
from reasoningbank.llm.record import every_call
from reasoningbank.types import Role, Spent

Models = Mapping[Role, str]
"""Their ids."""


@dataclass(frozen=True)
class Bill:
    """What something took, and cost in US dollars as far as prices are known."""

    tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Bill) -> Bill:
        return Bill(self.tokens + other.tokens, self.cost_usd + other.cost_usd)


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


def unbilled(bench: Workbench) -> list[str]:
    """What may be paid for and is counted nowhere, in a sentence each: calls to embedders belong to no role."""
    if not bench.embeds or not isinstance(bench.embedder.embedder, RemoteEmbedder):
        return []
    return [f"what {bench.embedder.id} may take for its embeddings is in no cost and no budget"]


def open_cells(settings: Settings, folders: Iterable[Path], streams: int) -> MutableSequence[float] | None:
    """Where all processes of a command note what they spend, after what its runs have spent before; None where there
    is no budget."""
    if not settings.budget.given:
        return None
    # a worker for each stream at most, and one more for each that dies with its stream
    cells: MutableSequence[float] = multiprocessing.get_context("spawn").RawArray("d", 2 * (1 + 2 * streams))
    before = spent_by(folders, known_prices(settings))
    cells[0], cells[1] = before.tokens, before.cost_usd
    return cells


def spent_words(cells: MutableSequence[float]) -> str:
    """What all have noted."""
    ledger = Ledger(cells, 0)
    cost = f", US$ {ledger.cost_usd:,.4f}" if ledger.cost_usd else ""
    return f"{ledger.tokens:,} tokens{cost}"


def spent_by(folders: Iterable[Path], prices: Prices) -> Bill:
    """Those who have no run yet have spent nothing."""
    return sum((_of_run(load_run(folder), prices) for folder in folders if is_run(folder)), Bill())


def _of_run(run: RunRecord, prices: Prices) -> Bill:
    models: Models = (run.meta.get("identity") or {}).get("models") or {}
    bill = Bill()
    for stream in run.streams:
        place, done = stream_folder(run.folder, stream.name), set()
        for line in stream.lines:
            if not line.result.skipped:
                done.add(episode_folder(place, line.result.position, line.result.task_id))
                bill += Bill(_tokens_of(line), dollars(line.telemetry.spent, models, prices))
        for folder in sorted(place.glob("attempts/*")):
            if folder not in done:
                bill += unfinished(folder, models, prices)
    return bill


def dollars(spent: Mapping[Role, Spent], models: Models, prices: Prices) -> float:
    """What it cost; where a price was not known then, by that of today."""
    total = 0.0
    for role, each in spent.items():
        price = prices.of(models.get(role, ""))
        if each.cost_usd is not None:
            total += each.cost_usd
        elif price is not None:
            total += price.cost(each.usage)
    return total


def unfinished(folder: Path, models: Models, prices: Prices) -> Bill:
    """Of one episode: its finished attempts, the calls in records that belong to none of these, what it has lost."""
    told: dict[str, AttemptRecord] = {}
    bill = Bill()
    for path in folder.glob("*.json"):
        if path.name == "lost.json":
            try:
                lost = Lost.model_validate_json(path.read_bytes())
            except ValidationError:
                continue
            bill += Bill(lost.tokens.total, dollars(lost.spent, models, prices))
        elif (record := attempt_of(path)) is not None:
            told[path.stem] = record
            tokens = sum(record.usage.values(), record.failed).total
            bill += Bill(tokens, dollars(record.spent, models, prices))
    for path in folder.glob("*.calls.jsonl"):
        attempt = told.get(path.name.removesuffix(".calls.jsonl"))
        for request, reply in every_call(path):
            if attempt is None or request.role not in attempt.usage:
                price = prices.of(request.model)
                bill += Bill(reply.usage.total, 0.0 if price is None else price.of_call(reply.usage))
    return bill


def _tokens_of(line: JournalLine) -> int:
    return sum(each.total for each in line.result.tokens.values()) + line.telemetry.failed_tokens.total
