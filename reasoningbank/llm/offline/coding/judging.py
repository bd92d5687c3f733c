"""The simulated model as judge and as selector of runs in a shell: by the final changes and what commands printed."""

from __future__ import annotations

import json
import random
import re
from collections import Counter

from reasoningbank.llm.offline.coding.runs import ShellRun, run_in, runs_in
from reasoningbank.llm.offline.reading import section

_DOUBT = {"old_names": 0.45, "changelog": 0.3}
"""How much less a run is believed that says it went against a custom, which a judge may see in the diff."""


def judge(text: str, rng: random.Random, judge_error: float) -> str:
    """A verdict in the asked two lines."""
    final = section(text, "Final state")
    trust, reasons = trusted(run_in(section(text, "Trajectory"), "", changes=_changes(final)))
    success = trust >= 0.5
    if rng.random() < judge_error:
        success = not success
        reasons.append("All in all, the run convinces." if success else "Still, it may not hold in general.")
    return f"Thoughts: {' '.join(reasons)}\nStatus: {'success' if success else 'failure'}"


def _changes(final: str) -> str:
    found = re.search(r"^ *Changes made:\n(.*?)(?=^ *Output of the last command:|\Z)", final, re.MULTILINE | re.DOTALL)
    return found.group(1).strip() if found else ""


def trusted(run: ShellRun) -> tuple[float, list[str]]:
    """How far a run is to be believed, and why."""
    if not run.changes or run.changes == "(nothing)":
        return 0.0, ["Nothing was changed."]
    trust, reasons = 0.6, []
    if run.stopped:
        trust -= 0.3
        reasons.append("The run stopped before it was done.")
    if run.tests_touched:
        trust -= 0.6
        reasons.append("It changed tests.")
    if run.helped:
        trust += 0.2
        reasons.append("The example is right after the change.")
    if run.failed_last:
        trust -= 0.4
        reasons.append("Tests fail at the end.")
    elif run.tested:
        trust += 0.1
        reasons.append("The tests pass after the change.")
    else:
        trust -= 0.2
        reasons.append("No test was run after the change.")
    for name, kept in run.customs.items():
        if not kept and name in _DOUBT:
            trust -= _DOUBT[name]
            reasons.append("What others rely on may be broken.")
    return trust, reasons


def select(text: str, rng: random.Random, judge_error: float) -> str:
    """The best candidate, as the asked JSON: one whose changes several runs made is believed more."""
    runs = runs_in(text)
    if not runs:
        return json.dumps({"index": [1], "analysis": "There is nothing to compare."})
    votes = Counter(run.changes for run in runs)
    scored = []
    for run in runs:
        trust, why = trusted(run)
        trust += 0.25 * (votes[run.changes] - 1) if run.changes else 0.0
        scored.append((trust - 0.01 * len(run.steps) + rng.uniform(-1, 1) * judge_error, -run.number, why))
    _, number, why = max(scored, key=lambda entry: entry[:2])
    return json.dumps({"index": [-number], "analysis": " ".join(why)})
