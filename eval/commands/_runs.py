"""The runs and sweeps below a folder, with the settings in which they differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from eval.analysis.records import RunRecord, load_run, runs_below
from eval.analysis.summary import Block, IntervalValue, Summary, summarize
from eval.commands._reported import is_reported
from eval.config.files import group_names
from reasoningbank.errors import SetupError

OF_NO_INTEREST = frozenset({"run_name", "fresh", "results_dir", "progress", "figure", "sweep", "concurrency"})
"""Settings that say where and how a run goes, and nothing of what it is."""
_OWN_COLUMN = "k"
FIRST = ("memory", "scaling", "llm", "embedder", "suite", "suite.seed", "seed", "trials", "limit")
"""Keys that are told before others."""
ALWAYS = frozenset({"memory", "scaling"})
"""Told with their defaults, too, where not all that is listed has them."""
CHOSEN_BY = {"temperature": "profile", "max_tokens": "profile"}
"""Sections whose values come with the name chosen in another group."""


@dataclass(frozen=True)
class Entry:
    """One row: a run, or the runs of a sweep together."""

    name: str
    sweep: bool = False
    runs: int = 1
    done: int = 0
    planned: int = 0
    success: tuple[float, ...] = ()
    """Of every run that has one."""
    interval: IntervalValue | None = None
    k: tuple[int, ...] = ()
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Those in which what is listed differs, each with its values here."""
    telling: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Those of them by which a person knows it: without what has its default."""
    simulated: bool = False
    started: str = ""
    error: str = ""
    """Why there is nothing to say of it."""

    def data(self) -> dict[str, Any]:
        """As it is printed for a program."""
        shown = {key: value for key, value in vars(self).items() if key not in ("interval", "success", "telling")}
        low, high = (min(self.success), max(self.success)) if self.success else (None, None)
        rates: dict[str, Any] = {"success_rate": low} if not self.sweep else {"success_from": low, "success_to": high}
        interval = self.interval.model_dump(mode="json") if self.interval else None
        return {**shown, **rates, "interval": interval}


def entries(root: Path) -> list[Entry]:
    """All below `root`, the oldest first; what cannot be read last."""
    groups: dict[Path, list[tuple[RunRecord, Summary]]] = {}
    broken: list[Entry] = []
    for folder in runs_below(root):
        try:
            found = reported(folder) or summarized(load_run(folder))
        except SetupError as error:
            broken.append(Entry(str(folder.relative_to(root)), error=str(error)))
            continue
        # the runs of a sweep lie side by side in its folder
        groups.setdefault(folder.parent if found[0].meta.get("varied") else folder, []).append(found)
    varied = differing([run for members in groups.values() for run, _ in members])
    made = [entry(_name(folder, root), members, varied) for folder, members in groups.items()]
    return [*sorted(made, key=lambda each: (each.started, each.name)), *broken]


def entry(name: str, members: Sequence[tuple[RunRecord, Summary]], varied: Sequence[str]) -> Entry:
    runs, summaries = [run for run, _ in members], [summary.overall for _, summary in members]
    sweep = bool(runs[0].meta.get("varied"))
    told = [labelled(run) for run in runs]
    plain = [defaults(run) for run in runs]
    settings = {key: list(dict.fromkeys(each[key] for each in told if key in each)) for key in varied}
    return Entry(
        name=name,
        sweep=sweep,
        runs=len(runs),
        done=sum(map(_done, summaries)),
        planned=sum(_done(block) if block.planned is None else block.planned for block in summaries),
        success=tuple(block.success_rate for block in summaries if block.success_rate is not None),
        interval=None if sweep else summaries[0].interval,
        k=tuple(sorted({run.k for run in runs if run.k is not None})),
        settings={key: values for key, values in settings.items() if values},
        telling={
            key: values
            for key, values in settings.items()
            if key in ALWAYS or any(each.get(key, usual.get(key)) != usual.get(key) for each, usual in zip(told, plain))
        },
        simulated=any(run.simulated for run in runs),
        started=min(str(run.meta.get("started") or "") for run in runs),
    )


def differing(runs: Sequence[RunRecord]) -> list[str]:
    """The keys whose values tell some of the runs apart, the telling ones first, then names of groups.

    A key of a group counts among runs with the same choice in that group: of two methods each has its own.
    """
    seen: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        choices = run.meta.get("choices") or {}
        for key, value in labelled(run).items():
            seen.setdefault((key, chosen(key, choices)), set()).add(value)
    keys = dict.fromkeys(key for (key, _), values in seen.items() if len(values) > 1)
    return sorted(keys, key=lambda key: (FIRST.index(key) if key in FIRST else len(FIRST), "." in key))


def chosen(key: str, choices: Mapping[str, object]) -> str:
    """The name that was chosen in the group that a key belongs to; empty for one of no group."""
    section, dot, rest = key.partition(".")
    if not dot:
        return ""
    if section == "roles":
        return str(choices.get(f"llm@roles.{rest.partition('.')[0]}", ""))
    return str(choices.get(CHOSEN_BY.get(section, section), ""))


def defaults(run: RunRecord) -> Mapping[str, str]:
    """What the keys are where nothing is said but the run's names of groups, and the groups' own default names.

    By the files as they are today. A name that is not among those of the repository tells nothing here.
    """
    choices = {str(key): str(name) for key, name in (run.meta.get("choices") or {}).items()}
    said = [
        f"{'+' * ('@' in key)}{key}={name}"
        for key, name in sorted(choices.items())
        if key != "exp" and name in group_names(key.partition("@")[0])
    ]
    return _composed(tuple(said))


@cache
def _composed(overrides: tuple[str, ...]) -> Mapping[str, str]:
    from eval.config.load import compose
    from eval.config.settings import flatten

    try:
        settings, _ = compose(overrides)
    except SetupError:
        return {}
    return {**as_texts(flatten(settings)), **_usual_choices()}


@cache
def _usual_choices() -> Mapping[str, str]:
    from eval.config.load import compose

    return compose(())[1]


def as_texts(settings: Mapping[str, object]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}


def labelled(run: RunRecord) -> dict[str, str]:
    """A run's choices and settings as texts, by the keys a user types."""
    from eval.config.settings import flatten

    choices = {str(key): str(value) for key, value in (run.meta.get("choices") or {}).items()}
    settings = as_texts(flatten(dict(run.meta.get("settings") or {})))
    kept = {
        key: value
        for key, value in settings.items()
        if key.partition(".")[0] not in OF_NO_INTEREST and key != _OWN_COLUMN and not key.endswith(".type")
    }
    return {**kept, **choices}


def reported(folder: Path) -> tuple[RunRecord, Summary] | None:
    """A run, without its streams, and its figures, where its report is of today: journals are long."""
    if not is_reported(folder):
        return None
    meta = json.loads((folder / "meta.json").read_bytes())
    summary = Summary.model_validate_json((folder / "summary.json").read_bytes())
    return RunRecord(name=summary.run, folder=folder, meta=meta, streams=()), summary


def summarized(run: RunRecord) -> tuple[RunRecord, Summary]:
    return run, summarize(run)


def _done(block: Block) -> int:
    """Tasks with a journal line."""
    return block.n + block.open + block.infra_errors.episodes


def _name(folder: Path, root: Path) -> str:
    return str(folder.relative_to(root)) if folder != root else folder.resolve().name
