"""Runs and sweeps side by side: each run that is named is an arm, and so is each setting of a sweep that is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval.analysis.labels import in_order
from eval.analysis.origin import Origin, united
from eval.analysis.records import RunRecord, find_run, find_sweep, load_run, runs_below
from eval.analysis.sweep import Pool, Setting, pool_runs, pooled
from eval.journal import AttemptResult, EpisodeResult


@dataclass(frozen=True)
class Arm:
    """What one line or row of a figure shows: streams that repeat each other's setting."""

    name: str
    pool: Pool
    origin: Origin
    k: int | None
    """Attempts a task; None where the runs do not say, or differ."""

    @property
    def setting(self) -> Setting:
        """Its figures, with their interval."""
        return pooled(self.pool, self.pool)

    @property
    def curves(self) -> list[list[float]]:
        """For each stream the successes of its tasks, in their order."""
        return [list(self.pool.values(key).values()) for key in self.pool.streams]

    @property
    def n(self) -> int:
        """Tasks with an outcome."""
        return sum(map(len, self.curves))

    @property
    def tasks(self) -> frozenset[tuple[str, str, str]]:
        """Which tasks those are: world, group, id."""
        found = self.pool.streams.items()
        return frozenset((key.world, stream.group, task) for key, stream in found for task in self.pool.values(key))

    def steps(self, *, solved: bool) -> list[int]:
        """The steps of its solved, or of its failed, attempts at tasks with an outcome."""
        return [attempt.steps for attempt in self._attempts() if attempt.solved == solved]

    def _attempts(self) -> list[AttemptResult]:
        episodes: list[EpisodeResult] = [
            line.result for stream in self.pool.streams.values() for line in stream.lines if line.result.counted
        ]
        return [attempt for episode in episodes for attempt in episode.attempts]


def find_arms(names: Sequence[str], root: Path) -> list[Arm]:
    """The arms of runs and sweeps that are named by path or by their name under `root`, in the order of the names."""
    folders = list(dict.fromkeys(find_sweep(name, root) or find_run(name, root) for name in names))
    arms: list[Arm] = []
    for folder in folders:
        found = _arms_of(folder, several=len(folders) > 1)
        taken = {arm.name for arm in arms}
        # of two runs with one name in different places
        arms += [replace(arm, name=f"{folder}: {arm.name}") if arm.name in taken else arm for arm in found]
    return arms


def _arms_of(folder: Path, *, several: bool) -> list[Arm]:
    below = runs_below(folder)
    alone = below == [folder]
    runs = in_order({str(path.relative_to(folder)): load_run(path) for path in below})
    arms = arms_of(runs)
    if alone:
        return [replace(arm, name=run.name) for arm, run in zip(arms, runs.values(), strict=True)]
    return [replace(arm, name=f"{folder.name}: {arm.name}") for arm in arms] if several else arms


def arms_of(runs: Mapping[str, RunRecord]) -> list[Arm]:
    """An arm for each setting of the runs, which are given by their labels."""
    arms = []
    for pool in pool_runs(runs):
        members = [runs[label] for label in pool.runs]
        ks = {run.k for run in members}
        k = ks.pop() if len(ks) == 1 else None
        arms.append(Arm(pool.name, pool, united(run.origin for run in members), k))
    return arms
