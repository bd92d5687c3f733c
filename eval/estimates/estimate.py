"""What a command is going to take: calls, tokens, dollars, time, and the smallest difference that it could show."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from pathlib import Path

from eval.analysis import stats
from eval.analysis.records import RunRecord, is_run, load_run
from eval.config.load import Job
from eval.config.settings import Settings
from eval.estimates.samples import Sample, runs_of, sample_of
from eval.journal import RoleTokens
from eval.plan import plan_streams
from eval.runner import worker_count
from eval.runs.replayed import as_recorded
from eval.runs.spending import unbilled
from eval.transport import known_prices
from eval.workbench import Shared, Workbench, build_workbench
from reasoningbank.types import Record, Role, Usage

FACTOR = 2.0
"""By how much a total from a trial may be wrong, either way."""
THINKING_FACTOR = 5.0
"""And upwards where a model thinks, of which a trial shows nothing."""
DISCORDANT = 0.25
"""Share of the tasks in which two arms are thought to come to different ends, where no run tells."""


class RoleEstimate(Record):
    """Of one role, over the whole command."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    model: str = ""
    cost_usd: float | None = None

    @property
    def total(self) -> float:
        """Tokens of input and output."""
        return self.input_tokens + self.output_tokens

    def plus(self, other: RoleEstimate) -> RoleEstimate:
        known = None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd
        return RoleEstimate(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            model=self.model if self.model == other.model else "several",
            cost_usd=known,
        )


class Estimate(Record):
    """Of a command. Costs in US dollars, null where a price is not known or nothing is paid; seconds of the clock."""

    runs: int
    episodes: int
    attempts: int
    roles: dict[Role, RoleEstimate]
    tokens: float
    cost_usd: float | None
    cost_low: float | None
    cost_high: float | None
    seconds: float | None
    pairs: int
    variance: float
    detectable: float | None
    notes: tuple[str, ...]


def estimate(jobs: Sequence[Job], source: str | None = None) -> Estimate:
    """`source`: an earlier run or sweep. SetupError where it is not there, or no trial can be made."""
    jobs = [as_recorded(job) for job in jobs]
    earlier = _replayed(jobs) if source is None else runs_of(source, Path(jobs[0].settings.results_dir))
    shared = Shared()
    samples: dict[str, Sample] = {}
    roles: dict[Role, RoleEstimate] = {}
    notes: dict[str, None] = {}
    pairs: dict[str, set[tuple[str, str]]] = {}
    episodes = attempts = 0
    seconds: float | None = 0.0
    squares = 0.0
    for job in jobs:
        settings, key = job.settings, _arm(job.settings)
        bench = build_workbench(settings, shared, asked=False)
        if key not in samples:
            samples[key], said = sample_of(bench, earlier)
            notes.update(dict.fromkeys(said))
            notes.update(dict.fromkeys(unbilled(bench)))
        sample = samples[key]
        plans = plan_streams(settings, bench.suite)
        tasks = sum(len(plan.tasks) for plan in plans)
        episodes += tasks
        attempts += tasks * bench.scaling.attempts
        world = str(sorted(settings.suite.items(), key=str))
        pairs.setdefault(key, set()).update((world, f"{task.group}/{task.id}") for plan in plans for task in plan.tasks)
        for role, each in _priced(_by_role(sample, tasks), sample, bench).items():
            roles[role] = roles[role].plus(each) if role in roles else each
            if each.cost_usd is None:
                notes[f"no price is known for {each.model}; give it in a file, prices=FILE"] = None
            elif each.cost_usd:
                day = known_prices(settings).dated(each.model)
                notes[f"prices as of {day}" if day else "prices of a file that does not say of which day they are"] = (
                    None
                )
        squares += _spread(sample, tasks) ** 2
        # a stream's tasks come one after the other
        wide = max(tasks / worker_count(settings, len(plans)), *(len(plan.tasks) for plan in plans))
        seconds = None if seconds is None or sample.seconds is None else seconds + sample.seconds * wide
    tokens = sum(each.total for each in roles.values())
    cost = _sum([each.cost_usd for each in roles.values()])
    low, high = 1 / FACTOR, THINKING_FACTOR if any(sample.thinks for sample in samples.values()) else FACTOR
    if tokens and all(sample.measured for sample in samples.values()):
        share = min(0.9, max(0.1, math.sqrt(squares) / tokens))
        low, high = 1 - share, 1 + share
    paired, variance = min(map(len, pairs.values())), _variance(samples.values())
    return Estimate(
        runs=len(jobs),
        episodes=episodes,
        attempts=attempts,
        roles={role: roles[role] for role in sorted(roles)},
        tokens=tokens,
        cost_usd=cost,
        cost_low=None if cost is None else cost * low,
        cost_high=None if cost is None else cost * high,
        seconds=seconds,
        pairs=paired,
        variance=variance,
        detectable=stats.smallest_detectable_difference(paired, variance=variance),
        notes=tuple(notes),
    )


def _replayed(jobs: Sequence[Job]) -> list[RunRecord]:
    """The runs whose records answer: what they took is what is asked of the records."""
    sources = {job.settings.calls.replay: None for job in jobs}
    return [load_run(Path(source)) for source in sources if source is not None and is_run(Path(source))]


def _sum(costs: Sequence[float | None]) -> float | None:
    """None where a cost is not known, or nothing costs anything."""
    known = [each for each in costs if each is not None]
    return math.fsum(known) if len(known) == len(costs) and any(known) else None


def _priced(roles: dict[Role, RoleEstimate], sample: Sample, bench: Workbench) -> dict[Role, RoleEstimate]:
    """With the models and what they ask for; a cache holds and takes of the input what it did in the sample."""
    paid, made = bench.transport.prices, {}
    for role, each in roles.items():
        model = bench.llms[role]
        shares = (sample.cached or {}).get(role, {})
        usage = Usage(
            input_tokens=round(each.input_tokens),
            output_tokens=round(each.output_tokens),
            **{name: round(each.input_tokens * share) for name, share in shares.items()},
        )
        price = paid.get(role)
        cost = 0.0 if role not in paid else None if price is None else price.cost(usage)
        made[role] = each.model_copy(update={"model": model.id, "cost_usd": cost})
    return made


def _arm(settings: Settings) -> str:
    """Equal for the runs of a sweep that only repeat each other."""
    data = settings.model_dump(mode="json", exclude={"seed", "trials", "order_seed", "sweep", "run_name", "fresh"})
    data["suite"] = {key: value for key, value in data["suite"].items() if key != "seed"}
    return repr(data)


def _by_role(sample: Sample, tasks: int) -> dict[Role, RoleEstimate]:
    sums: dict[Role, RoleTokens] = {}
    for episode in sample.episodes:
        for role, each in episode.items():
            sums[role] = sums.get(role, RoleTokens()) + each
    share = tasks / max(1, len(sample.episodes))
    return {
        role: RoleEstimate(
            calls=each.calls * share,
            input_tokens=each.input_tokens * share,
            output_tokens=each.output_tokens * share,
        )
        for role, each in sums.items()
    }


def _spread(sample: Sample, tasks: int) -> float:
    """Half of the 95 % range of the tokens of so many tasks, by how episodes differ, in the sample and in the run."""
    sizes = [sum(each.total for each in one.values()) for one in sample.episodes]
    if len(sizes) < 2:
        return math.inf
    mean = math.fsum(sizes) / len(sizes)
    variance = math.fsum((size - mean) ** 2 for size in sizes) / (len(sizes) - 1)
    return 1.96 * math.sqrt(variance * (tasks + tasks**2 / len(sizes)))


def _variance(samples: Collection[Sample]) -> float:
    """Of a pair's difference: outcomes of one rate of success, and correlated by half since the tasks are the same."""
    rates = [sample.success for sample in samples if sample.success is not None]
    if not rates:
        return DISCORDANT
    rate = math.fsum(rates) / len(rates)
    return max(0.01, rate * (1 - rate))
