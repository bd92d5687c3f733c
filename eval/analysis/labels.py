"""What a sweep's runs are called: which belong to one setting, what repeats it, and in which order they are listed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from eval.analysis.records import RunRecord
from reasoningbank.types import canonical_json

REPEATS = frozenset({"seed", "trials", "order_seed", "suite.seed"})
"""What repeats a setting rather than making another one."""


def in_order(runs: Mapping[str, RunRecord]) -> dict[str, RunRecord]:
    """The runs as the command line or the experiment lists their values; by number or name where neither does."""

    def rank(item: tuple[str, RunRecord]) -> list[tuple[int, float, str]]:
        label, run = item
        return [_rank(run, part) for part in parts(label, run)]

    return dict(sorted(sorted(runs.items()), key=rank))


def parts(label: str, run: RunRecord) -> list[str]:
    """What tells the run apart in its sweep, as `key=value`: as its meta has it, else from its folder's name."""
    return [str(part) for part in run.meta.get("varied") or label.split(",")]


def setting_key(label: str, run: RunRecord) -> str:
    """Equal for runs of one setting: their identity without what repeats it, or their names where there is none."""
    data = _identity(run)
    if "seed" not in data:
        return canonical_json([part for part in parts(label, run) if not _repeats(part)])
    suite = {key: value for key, value in (data.get("suite") or {}).items() if f"suite.{key}" not in REPEATS}
    return canonical_json({key: value for key, value in data.items() if key not in REPEATS} | {"suite": suite})


def repeat_keys(label: str, run: RunRecord) -> tuple[str, str, str]:
    """World, seed and order of a run."""
    data = _identity(run)
    if "seed" not in data:
        repeats = [part for part in parts(label, run) if _repeats(part)]
        worlds = [part for part in repeats if part.lstrip("+").startswith("suite.")]
        orders = [part for part in repeats if part.lstrip("+").startswith("order_seed=")]
        seeds = [part for part in repeats if part not in worlds and part not in orders]
        return ",".join(worlds), ",".join(seeds), ",".join(orders)
    order = canonical_json(data.get("order_seed")) if data.get("order") == "shuffled" else ""
    return canonical_json(data.get("suite")), canonical_json(data["seed"]), order


def setting_name(label: str, run: RunRecord) -> str:
    kept = [part for part in parts(label, run) if not _repeats(part)]
    return ",".join(kept) or str(run.meta.get("label") or "all runs")


def _identity(run: RunRecord) -> dict[str, Any]:
    return dict(run.meta.get("identity") or {})


def _repeats(part: str) -> bool:
    return part.partition("=")[0].lstrip("+") in REPEATS


def _rank(run: RunRecord, part: str) -> tuple[int, float, str]:
    key, _, value = part.partition("=")
    listed = _listed(run, key)
    if value in listed:
        return 0, listed.index(value), ""
    return (1, float(value), "") if value.isdecimal() else (2, 0.0, part)


def _listed(run: RunRecord, key: str) -> Sequence[str]:
    """The values of a key in the order in which the command line, else the experiment, lists them."""
    for word in shlex.split(str(run.meta.get("command") or "")):
        name, _, values = word.partition("=")
        if name.lstrip("+") == key.lstrip("+"):
            return values.split(",")
    sweep = (run.meta.get("settings") or {}).get("sweep") or {}
    return [str(value) for value in sweep.get(key, ())]
