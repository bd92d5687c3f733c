"""Whether a model on a suite leaves room to measure memory: read off the sweep none / oracle / adversarial."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field
from rich.table import Table

from eval.analysis.tables import LOOK, percent, plain
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.types import Record, Stored

ARMS = ("none", "oracle", "adversarial")
LOWEST, HIGHEST = 0.30, 0.65
"""Success without memory: below, most tasks fail whatever is recalled; above, most are solved without it."""
GAIN = 0.15
"""What true lessons must add, at least."""
LOSS = -0.05
"""What wrong lessons must take away, at least."""
FILE = "validation.json"


class Arm(Record):
    """One memory's figures. The difference is to none, task by task."""

    n: int
    success_rate: float | None
    interval: tuple[float, float] | None
    difference: float | None = None
    difference_interval: tuple[float, float] | None = None
    pairs: int | None = None


class Condition(Record):
    """What must hold, what was found, and what to do where it does not hold."""

    name: str
    holds: bool
    found: str
    advice: str = ""


class Validation(Stored):
    """The content of `validation.json`. Rates are fractions."""

    simulated: bool
    can_measure_memory: bool
    arms: dict[str, Arm]
    conditions: tuple[Condition, ...]
    thresholds: dict[str, float] = Field(
        default={"none_lowest": LOWEST, "none_highest": HIGHEST, "oracle_gain": GAIN, "adversarial_loss": LOSS}
    )

    def table(self) -> str:
        """All of it as text."""
        lines = plain(self._arms_table()).splitlines()
        lines.append("")
        lines += [f"{'holds' if each.holds else 'FAILS'}: {each.name}; {each.found}" for each in self.conditions]
        lines += [f"  {each.advice}" for each in self.conditions if not each.holds]
        lines += ["", "can measure memory here" if self.can_measure_memory else "cannot measure memory here"]
        if self.simulated:
            lines.append("! simulated: made by the offline model, whose obedience to lessons is planted")
        return "\n".join(lines) + "\n"

    def _arms_table(self) -> Table:
        table = Table(**LOOK)
        table.add_column("memory")
        for head in ("n", "success", "95 %", "to none", "95 %", "pairs"):
            table.add_column(head, justify="right", no_wrap=True)
        for name, arm in self.arms.items():
            pairs = "-" if arm.pairs is None else str(arm.pairs)
            to_none = (points(arm.difference), span(arm.difference_interval), pairs)
            table.add_row(name, str(arm.n), percent(arm.success_rate), span(arm.interval), *to_none)
        return table


def write_validation(folder: Path) -> Validation:
    """Judge the sweep in `folder` by its summary.json, and write validation.json beside it."""
    summary = json.loads((folder / "summary.json").read_bytes())
    validation = judged(summary["settings"], simulated=bool(summary["simulated"]))
    text = json.dumps(validation.model_dump(mode="json"), indent=2, ensure_ascii=False, allow_nan=False)
    write_atomic(folder / FILE, text + "\n")
    return validation


def judged(settings: Mapping[str, Any], *, simulated: bool) -> Validation:
    """The verdict on a sweep's settings, as its summary.json has them."""
    wanted = {f"memory={name}": name for name in ARMS}
    if set(settings) != set(wanted):
        raise SetupError(
            f"validate-suite compares {', '.join(wanted)}, and found {', '.join(settings)}: only seed, trials and "
            "suite.seed may have several values"
        )
    arms = {name: arm_of(settings[key]) for key, name in wanted.items()}
    conditions = (
        without_memory(arms["none"].success_rate),
        against_none("oracle", arms["oracle"].difference),
        against_none("adversarial", arms["adversarial"].difference),
    )
    return Validation(
        simulated=simulated,
        can_measure_memory=all(each.holds for each in conditions),
        arms=arms,
        conditions=conditions,
    )


def arm_of(setting: Mapping[str, Any]) -> Arm:
    against = setting["difference"] or {}
    return Arm(
        n=setting["n"],
        success_rate=setting["success_rate"],
        interval=ends(setting["interval"]),
        difference=against.get("success_rate"),
        difference_interval=ends(against.get("interval")),
        pairs=against.get("n"),
    )


def without_memory(rate: float | None) -> Condition:
    name = f"none solves {100 * LOWEST:.0f} to {100 * HIGHEST:.0f} %"
    advice = ""
    if rate is None or rate < LOWEST:
        advice = (
            "too hard for this model without memory: try suite.difficulty=easy, more agent.max_steps, or another llm"
        )
    elif rate > HIGHEST:
        advice = "too easy for this model without memory: try suite.difficulty=hard or another suite"
    return Condition(name=name, holds=not advice, found=f"it solves {percent(rate)}", advice=advice)


def against_none(arm: str, difference: float | None) -> Condition:
    if arm == "oracle":
        holds = difference is not None and difference >= GAIN - 1e-9
        name = f"true lessons add {100 * GAIN:.0f} points or more"
        advice = "the model makes little of the lessons that tasks need: read tasks with `show`, or try another llm"
    else:
        holds = difference is not None and difference <= LOSS + 1e-9
        name = f"wrong lessons cost {-100 * LOSS:.0f} points or more"
        advice = "the model ignores what is recalled, or knows better: that memory does harm would not show here"
    return Condition(name=name, holds=holds, found=f"{arm} is {points(difference)}", advice="" if holds else advice)


def ends(interval: Mapping[str, float] | None) -> tuple[float, float] | None:
    return None if interval is None else (interval["low"], interval["high"])


def points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f}"


def span(value: tuple[float, float] | None) -> str:
    return "-" if value is None else f"[{100 * value[0]:.1f}, {100 * value[1]:.1f}]"
