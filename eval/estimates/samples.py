"""What an episode takes, for an estimate: as in an earlier run, or by a trial.

A trial carries out some tasks of an arm with the offline model, in a folder that is gone afterwards. It has the real
prompts, and so the real input; its replies are shorter than a real model's, and are counted as `LONGER` times as long.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from eval.analysis import stats
from eval.analysis.records import RunRecord, find_run, find_sweep, load_run, runs_below
from eval.analysis.summary import success_metric
from eval.config.settings import BankSettings
from eval.grading.model import grade_messages
from eval.grading.normalised import normalised_grader
from eval.journal import JournalLine, RoleTokens, stream_folder
from eval.plan import plan_streams
from eval.runs.identity import without
from eval.stream import run_stream
from eval.suites.base import Grader
from eval.workbench import Shared, Workbench, build_workbench, suite_name
from reasoningbank.boundary import capture
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Calls, SaysIfItThinks
from reasoningbank.text import counted
from reasoningbank.types import CACHE_FIGURES, Role

TRIAL_TASKS = 10
"""Of all streams together, but one of each at least."""
FEW = 3
"""Runs that are named."""
LONGER = 6
"""How many times as long as the offline model's a real model's replies are thought to be, without thinking."""


@dataclass(frozen=True)
class Sample:
    """What episodes took, each by role."""

    episodes: tuple[Mapping[Role, RoleTokens], ...]
    measured: bool
    """By an earlier run of just such an arm."""
    seconds: float | None = None
    success: float | None = None
    thinks: bool = False
    """A model of it thinks, and how much is not known."""
    cached: Mapping[Role, Mapping[str, float]] | None = None
    """Of the input tokens of a role, the share that each of the CACHE_FIGURES has."""


def runs_of(source: str, root: Path) -> list[RunRecord]:
    sweep = find_sweep(source, root)
    return [load_run(each) for each in (runs_below(sweep) if sweep else [find_run(source, root)])]


def _kind(settings: Mapping[str, Any]) -> tuple[object, ...]:
    """What decides which calls an episode makes."""
    parts = (settings.get("memory") or {}, settings.get("scaling") or {}, settings.get("suite") or {})
    return (*(part.get("type") for part in parts), settings.get("k"))


def sample_of(bench: Workbench, earlier: Sequence[RunRecord]) -> tuple[Sample, list[str]]:
    """What an episode of an arm takes, and what to say of where it is from."""
    settings = bench.settings
    mine = _kind(settings.model_dump(mode="json"))
    matching = [run for run in earlier if _counted(run) and _kind(run.meta.get("settings") or {}) == mine]
    # those whose replies are of the right length, where there are any
    if runs := [run for run in matching if _longer(run, bench) == 1] or matching:
        few = ", ".join(run.name for run in runs[:FEW])
        more = f" and {len(runs) - FEW} more" if len(runs) > FEW else ""
        sample = _measured(runs, bench)
        return sample, [f"as in {few}{more}: {counted(len(sample.episodes), 'episode')}{_marks(runs[0], bench)}"]
    real = any(not run.simulated for run in earlier)
    thinking = [] if real else thinkers(bench)
    sample = replace(_trial(bench), thinks=bool(thinking))
    said = [
        f"by a trial with the offline model, of about {TRIAL_TASKS} tasks from all streams: its prompts, and "
        f"replies {LONGER} times as long, without thinking; half or twice as much is within reason"
    ]
    said += [
        f"{model} thinks before it answers, as it is set, and that is paid for as output: several times as much is "
        "within reason; an earlier run of it, --from RUN, tells"
        for model in thinking
    ]
    if unseen := _unseen(sample, bench):
        said.append(f"the trial had no call of role {', '.join(unseen)}, which a run may ask: it is in no figure")
    sizes = [
        _lengthened(_taken(line), _longer(run, bench))
        for run in earlier
        for stream in run.streams
        for line in stream.lines
    ]
    if sizes:
        names = ", ".join(f"{run.name}{_marks(run, bench)}" for run in earlier)
        said.append(f"tokens of a call as in {names}, which is of other settings; how many calls by a trial")
        sample = replace(sample, episodes=tuple(_resized(each, sizes) for each in sample.episodes))
    return sample, said


def _unseen(sample: Sample, bench: Workbench) -> list[Role]:
    """The roles that would be paid for, and that a trial has not come to ask."""
    seen = {role for episode in sample.episodes for role in episode}
    return sorted((bench.asks & set(bench.transport.prices)) - seen)


def thinkers(bench: Workbench) -> list[str]:
    """The models that would be paid for what they think."""
    asked = (bench.llms[role] for role in bench.asks & set(bench.transport.prices))
    return sorted({llm.id for llm in asked if isinstance(llm, SaysIfItThinks) and llm.thinks})


def _marks(run: RunRecord, bench: Workbench) -> str:
    return "" if _longer(run, bench) == 1 else f" (simulated: its replies count {LONGER} times)"


def _longer(run: RunRecord, bench: Workbench) -> int:
    """How many times as long the replies will be."""
    return LONGER if run.simulated and not _simulated(bench) else 1


def _taken(line: JournalLine) -> dict[Role, RoleTokens]:
    """By role; of models that were paid for all that was, replies of which nothing came included."""
    paid = {role: RoleTokens.of(spent.usage) for role, spent in line.telemetry.spent.items()}
    return {**line.result.tokens, **paid}


def _lengthened(tokens: Mapping[Role, RoleTokens], longer: int) -> dict[Role, RoleTokens]:
    return {
        role: each.model_copy(update={"output_tokens": each.output_tokens * longer}) for role, each in tokens.items()
    }


def _counted(run: RunRecord) -> list[JournalLine]:
    return [line for stream in run.streams for line in stream.lines if line.result.counted]


def _measured(runs: Sequence[RunRecord], bench: Workbench) -> Sample:
    """Of all these runs together: each of them has counted episodes, and they are simulated, or none is."""
    lines = [line for run in runs for line in _counted(run)]
    cached: dict[Role, Mapping[str, float]] = {}
    for role in {role for line in lines for role in line.telemetry.spent}:
        usages = [line.telemetry.spent[role].usage for line in lines if role in line.telemetry.spent]
        asked = sum(usage.input_tokens for usage in usages)
        of_cache = {name: sum(getattr(usage, name) for usage in usages) for name in CACHE_FIGURES}
        cached[role] = {name: tokens / asked if asked else 0.0 for name, tokens in of_cache.items()}
    longer = _longer(runs[0], bench)
    # records answer at once
    timed = [] if bench.settings.calls.replay else [run for run in runs if not run.simulated]
    seconds = [line.telemetry.seconds for run in timed for line in _counted(run)]
    return Sample(
        tuple(_lengthened(_taken(line), longer) for line in lines),
        measured=longer == 1,
        seconds=stats.mean(seconds),
        success=stats.mean([line.result.success(success_metric(run)) for run in runs for line in _counted(run)]),
        cached=cached,
    )


def _resized(calls: Mapping[Role, RoleTokens], sizes: Sequence[Mapping[Role, RoleTokens]]) -> dict[Role, RoleTokens]:
    """The same calls with the mean size of those of each role that an earlier run has."""
    made = {}
    for role, each in calls.items():
        known = sum((size[role] for size in sizes if role in size), RoleTokens())
        if not known.calls:
            made[role] = each
            continue
        share = each.calls / known.calls
        made[role] = RoleTokens(
            calls=each.calls,
            input_tokens=round(known.input_tokens * share),
            output_tokens=round(known.output_tokens * share),
        )
    return made


class _Graded(Workbench):
    """Compares, as where no model grades, and asks for its size alone what a model would be asked."""

    def grader(self, calls: Calls) -> Grader:
        def compared(question: str, reference: str, answer: str) -> bool:
            calls.ask("grader", grade_messages(self.prompts, question, reference, answer))
            return normalised_grader(question, reference, answer)

        return compared


def _trial(asked: Workbench) -> Sample:
    """Some tasks, with the offline model for every role where any is a real one's, or a recorded one's."""
    settings, simulated = asked.settings, _simulated(asked)
    models: dict[str, Any] = {"llm": without({"replay"}, settings.llm)}
    if not simulated:
        models = {"llm": {"type": "offline"}, "roles": {}}
    given = {**models, "trials": 1, "bank": BankSettings(), "embedder": {"type": "hashing"}}
    lines: list[JournalLine] = []

    def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            own = settings.model_copy(update={**given, "results_dir": folder})
            bench = build_workbench(own, Shared(suites={suite_name(own): asked.suite}), asked=False)
            if not asked.llms["grader"].simulated:
                bench = _Graded(**{each.name: getattr(bench, each.name) for each in fields(bench)})
            plans = plan_streams(own, bench.suite)
            total = sum(len(plan.tasks) for plan in plans)
            for whole in plans:
                few = max(1, round(TRIAL_TASKS * len(whole.tasks) / total))
                # from all over it: the first tasks may be the easiest
                plan = replace(whole, tasks=whole.tasks[:: max(1, len(whole.tasks) // few)][:few])
                place = stream_folder(Path(folder), plan.name)
                place.mkdir(parents=True)
                run_stream(bench, plan, place, report=lambda line, old: lines.append(line), note=lambda text: None)

    error = capture(run).error
    if error is not None and not isinstance(error, Exception):
        raise error
    if error is not None:
        raise SetupError(
            f"no trial could be made without a model ({' '.join(str(error).split())}): name an earlier run, --from RUN"
        ) from error
    still = {"judge", "extractor"} if settings.bank.frozen else set()
    taken = [_lengthened(line.result.tokens, 1 if simulated else LONGER) for line in lines]
    return Sample(
        tuple({role: each for role, each in one.items() if role not in still} for one in taken), measured=False
    )


def _simulated(bench: Workbench) -> bool:
    """Whether no real model gives a reply, or has given it."""
    return all(llm.simulated for llm in bench.llms.values())
