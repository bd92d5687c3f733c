"""What `summary.json` holds, and how it is computed from a run's journals.

Rates are fractions; null stands where a figure does not apply. An episode with an infra_error is in no mean and no
rate, and is counted apart; tokens, retries, refused replies and stored items are totals over everything that was run.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast, get_args

from pydantic import Field

from eval.analysis import stats
from eval.analysis.answers import Answers, answers_of
from eval.analysis.origin import Origin
from eval.analysis.records import RunRecord, StreamRecord
from eval.journal import AttemptResult, EpisodeResult, RoleTokens, Telemetry
from reasoningbank.errors import SetupError
from reasoningbank.types import Exit, Record, Role, Spent, Stored, SuccessMetric, Usage, derive_seed, together


class IntervalValue(Record):
    """A 95 % interval of the success rate, or of a difference of two."""

    low: float
    high: float
    method: stats.IntervalMethod
    streams: int = Field(description="of the group that has fewest: a bootstrap over streams draws from so many")

    @classmethod
    def of(cls, interval: stats.Interval | None) -> IntervalValue | None:
        """As it is stored."""
        return None if interval is None else cls(**vars(interval))


class ConfusionValue(Record):
    """The judge's verdicts against the outcomes; positive is "success"."""

    tp: int
    fp: int
    tn: int
    fn: int
    unparseable: int


class Share(Record):
    """A success rate over some of the tasks."""

    n: int
    success_rate: float | None


class InfraErrors(Record):
    """What was left out of every mean."""

    episodes: int
    attempts: int


class Overhead(Record):
    """What the calls cost beside the tokens of results. Unlike every other figure it differs between equal runs."""

    retries: int = Field(description="calls made again, and tries of episodes that failed")
    failed_tokens: RoleTokens = Field(description="of calls whose replies are in no result")
    cached_tokens: int = Field(description="input tokens that the provider had cached")


class Block(Record):
    """The figures of one stream, or of all streams together."""

    n: int = Field(description="tasks with an outcome")
    planned: int | None = Field(description="tasks that the run set out to do; null when its meta does not say")
    complete: bool
    success_rate: float | None
    success_metric: SuccessMetric
    interval: IntervalValue | None
    k: int | None = Field(description="attempts (or answers of one) a task: the k with which the bank was built")
    pass_at_1: float | None
    one_random_attempt: float | None = Field(description="the paper's Pass@1: one attempt a task, drawn with a seed")
    best_of_n: float | None
    pass_at_k: dict[str, float | None] | None
    answers: Answers | None = Field(description="the sequence of answers; null for scaling without one")
    steps_mean: float | None
    steps_mean_solved: float | None
    steps_mean_failed: float | None
    exits: dict[Exit, int]
    judge_accuracy: float | None = Field(description="right verdicts among those that could be read")
    judge_confusion: ConfusionValue | None
    template_first: Share = Field(description="the first task of each template in its stream")
    template_repeat: Share = Field(description="tasks whose template the stream had learnt from before")
    experiences_stored: int
    items_stored: int
    refused: int
    ungraded: int = Field(0, description="answers that the grader's model was asked about and did not grade: unsolved")
    injected_tokens_mean: float | None
    open: int = Field(0, description="tasks that were done, and are not evaluated yet: see `python -m eval score`")
    told_by_later: int = Field(0, description="tasks that recalled something of a task of a later date")
    tokens: dict[Role, RoleTokens]
    cost_usd: float | None = Field(None, description="US dollars; null where nothing is paid, or a price not known")
    spent: dict[Role, Spent] = Field(
        default_factory=dict, description="by role all that was paid for, failed calls too; embeddings are not in it"
    )
    overhead: Overhead
    infra_errors: InfraErrors


class Summary(Stored):
    """The content of `summary.json`."""

    simulated: bool
    gold_doors: tuple[str, ...] = Field(description="settings through which outcomes reached what was learnt")
    given_lessons: tuple[str, ...] = Field((), description="names of recalled lessons that were written before the run")
    origin_known: bool = Field(True, description="false where it starts from a bank that does not say what made it")
    run: str
    bank: str = Field("", description="what its banks start from, and whether they are frozen; empty for empty banks")
    complete: bool
    overall: Block
    streams: dict[str, Block]

    @property
    def origin(self) -> Origin:
        """What had a say in the run."""
        return Origin(**{name: getattr(self, name) for name in Origin.model_fields})


def summarize(run: RunRecord) -> Summary:
    """All figures of a run."""
    metric = success_metric(run)
    return Summary(
        **run.origin.model_dump(),
        run=run.name,
        bank=run.bank,
        complete=run.complete,
        overall=summarize_streams(run.streams, metric, run.k),
        streams={stream.name: summarize_streams([stream], metric, run.k) for stream in run.streams},
    )


def summarize_streams(streams: Sequence[StreamRecord], metric: SuccessMetric, k: int | None = None) -> Block:
    """The figures of some streams taken together. `k`: the run's, where its one attempt has several answers."""
    lines = [line.result for stream in streams for line in stream.lines]
    counted = [episode for episode in lines if episode.counted]
    attempts = [attempt for episode in counted for attempt in episode.attempts]
    clusters = [
        stats.Cluster(
            stream.group,
            {line.result.task_id: line.result.success(metric) for line in stream.lines if line.result.counted},
        )
        for stream in streams
    ]
    values = [value for cluster in clusters for value in cluster.values.values()]
    ks = sorted({len(episode.attempts) for episode in counted})
    counts = [(len(episode.attempts), sum(attempt.solved for attempt in episode.attempts)) for episode in counted]
    answers = answers_of(attempts) if metric == "last_answer" else None
    several = metric != "last_answer" and bool(counted)
    pairs = [(attempt.verdict.label, attempt.solved) for attempt in attempts if attempt.verdict is not None]
    confusion = stats.confusion(pairs)
    planned = [stream.planned for stream in streams]
    left_out = [episode for episode in lines if not episode.counted and not episode.open]
    return Block(
        n=len(counted),
        planned=None if None in planned else sum(number or 0 for number in planned),
        complete=all(stream.complete for stream in streams),
        success_rate=stats.mean(values),
        success_metric=metric,
        interval=IntervalValue.of(stats.rate_interval(clusters)),
        k=k if answers and k else ks[-1] if ks else None,
        pass_at_1=stats.mean_pass_at_k(counts, 1) if several else None,
        one_random_attempt=stats.mean([float(drawn(e).solved) for e in counted]) if several else None,
        best_of_n=stats.mean([e.success(metric) for e in counted]) if metric == "best_of_n" else None,
        pass_at_k={str(k): stats.mean_pass_at_k(counts, k) for k in range(1, ks[-1] + 1)} if several else None,
        answers=answers,
        steps_mean=stats.mean([attempt.steps for attempt in attempts]),
        steps_mean_solved=stats.mean([attempt.steps for attempt in attempts if attempt.solved]),
        steps_mean_failed=stats.mean([attempt.steps for attempt in attempts if not attempt.solved]),
        exits=dict(sorted(Counter(a.exit for episode in lines for a in episode.attempts).items())),
        judge_accuracy=confusion.accuracy,
        judge_confusion=ConfusionValue(**vars(confusion)) if pairs else None,
        template_first=_share([e for stream in streams for e in _by_template(stream, repeats=False)], metric),
        template_repeat=_share([e for stream in streams for e in _by_template(stream, repeats=True)], metric),
        experiences_stored=sum(len(episode.learnt) for episode in lines),
        items_stored=sum(len(experience.items) for episode in lines for experience in episode.learnt),
        refused=sum(len(episode.refused) for episode in lines),
        ungraded=sum(episode.ungraded for episode in lines),
        injected_tokens_mean=stats.mean([episode.injected_tokens for episode in counted]),
        open=sum(episode.open for episode in lines),
        told_by_later=sum(any(each.later for each in episode.recalled) for episode in counted),
        tokens=_tokens(lines),
        cost_usd=cost_of(streams),
        spent=_spent(streams),
        overhead=_overhead([line.telemetry for stream in streams for line in stream.lines]),
        infra_errors=InfraErrors(
            episodes=len(left_out),
            attempts=sum(a.exit == "infra_error" for episode in left_out for a in episode.attempts),
        ),
    )


def drawn(episode: EpisodeResult) -> AttemptResult:
    """One attempt of the episode at random, always the same one."""
    seed = derive_seed("one random attempt", episode.stream, episode.position, episode.task_id)
    return random.Random(seed).choice(episode.attempts)


def success_metric(run: RunRecord) -> SuccessMetric:
    """Which figure is the run's success rate. SetupError for a name that is none."""
    for known in get_args(SuccessMetric):
        if run.success_metric == known:
            return cast(SuccessMetric, known)
    raise SetupError(f"{run.folder / 'meta.json'}: unknown success_metric {run.success_metric!r}")


def _by_template(stream: StreamRecord, *, repeats: bool) -> Iterable[EpisodeResult]:
    met: set[str] = set()
    for line in stream.lines:
        episode = line.result
        known = episode.template_id in met
        if not episode.counted:
            continue
        if episode.template_id and episode.teaches:
            met.add(episode.template_id)  # after what taught nothing, the next one of the template is still the first
        if known == repeats:
            yield episode


def _share(episodes: Sequence[EpisodeResult], metric: SuccessMetric) -> Share:
    return Share(n=len(episodes), success_rate=stats.mean([episode.success(metric) for episode in episodes]))


def _tokens(lines: Iterable[EpisodeResult]) -> dict[Role, RoleTokens]:
    totals: dict[Role, RoleTokens] = {}
    for episode in lines:
        for role, used in episode.tokens.items():
            totals[role] = totals.get(role, RoleTokens()) + used
    return {role: totals[role] for role in sorted(totals)}


def _spent(streams: Sequence[StreamRecord]) -> dict[Role, Spent]:
    totals = together(*(line.telemetry.spent for stream in streams for line in stream.lines))
    return {
        role: spent.model_copy(update={"cost_usd": None if spent.cost_usd is None else round(spent.cost_usd, 6)})
        for role, spent in totals.items()
    }


def cost_of(streams: Sequence[StreamRecord]) -> float | None:
    """US dollars. None where nothing was paid for, or not all of it is known."""
    lines = [line for stream in streams for line in stream.lines]
    paid = [line.telemetry.spent for line in lines]
    costs = [spent.cost_usd for each in paid for spent in each.values()]
    asked_for_nothing = [not each and bool(line.result.tokens) for each, line in zip(paid, lines, strict=True)]
    if not costs or None in costs or any(asked_for_nothing):  # lines of older versions do not tell
        return None
    return round(math.fsum(cost for cost in costs if cost is not None), 6)


def _overhead(telemetry: Sequence[Telemetry]) -> Overhead:
    failed = sum((each.failed_tokens for each in telemetry), Usage())
    return Overhead(
        retries=sum(each.retries for each in telemetry),
        failed_tokens=RoleTokens.of(failed),
        cached_tokens=sum(each.cached_tokens for each in telemetry),
    )
