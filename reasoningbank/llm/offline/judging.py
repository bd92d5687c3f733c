"""The simulated model as judge and as selector: labels and picks from what a rendered run shows. Sometimes wrong."""

from __future__ import annotations

import json
import random
import re

from reasoningbank.llm.offline.goal import Goal, read_goal
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.reading import PastRun, PastStep, runs_in, section, steps_in
from reasoningbank.llm.offline.words import stems, widened

_GAVE_UP = re.compile(r"^(?:\(none\)|\(no answer|none|n/?a)?$", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:added|saved|updated|removed|deleted|stored|placed|sent|submitted|received|thank you|confirmed"
    r"|changed|success\w*|created|subscribed|posted)\b",
    re.IGNORECASE,
)
# Lowers how much a careful judge trusts a run that made an unusual or risky choice; small, since a judge cannot know.
_DOUBT = {("confirm", False): 0.35, ("read_all", False): 0.2, ("few_words", False): 0.05}


def judge(text: str, rng: random.Random, judge_error: float) -> str:
    """A verdict in the asked two lines."""
    goal = read_goal(section(text, "Intent"))
    steps = steps_in(section(text, "Trajectory"))
    stopped = "\n## End\n" in text
    page = section(text, "Final page")
    trust, reasons = _trust(goal, steps, page, section(text, "Answer"), stopped)
    success = trust >= 0.5
    if rng.random() < judge_error:
        success = not success
        reasons.append("On the whole the run convinces." if success else "Still, parts of the request are left open.")
    return f"Thoughts: {' '.join(reasons)}\nStatus: {'success' if success else 'failure'}"


def _trust(goal: Goal, steps: tuple[PastStep, ...], page: str, answer: str, stopped: bool) -> tuple[float, list[str]]:
    trust, reasons = 0.75, []
    if stopped or not steps:
        return 0.0, ["The run stopped before it was done."]
    impossible = answer.startswith("(reported as impossible)")
    plain = answer.removeprefix("(reported as impossible)").strip()
    errors = sum(bool(step.error) for step in steps)
    if impossible:
        tries = sum("search" in step.thought.lower() or "no result" in step.thought.lower() for step in steps)
        trust -= 0.35 if tries < 3 else 0.15
        reasons.append("The agent gave up.")
    elif _GAVE_UP.match(plain):
        trust -= 0.6
        reasons.append("There is no answer.")
    else:
        reasons.append(f"The agent answered '{plain[:60]}'.")
    if not impossible and goal.aim in ("count", "sum") and not re.search(r"\d", plain):
        trust -= 0.5
        reasons.append("A number was asked for, and there is none.")
    if goal.aim in ("count",) and re.fullmatch(r"\$?0", plain):
        trust -= 0.3
        reasons.append("None at all is hard to believe.")
    if goal.aim == "change" and not impossible and not _DONE.search(page):
        trust -= 0.3
        reasons.append("The last page does not say that anything was changed.")
    if goal.aim == "visit" and not impossible:
        share = len(widened(stems(page[:400])) & goal.stems) / max(1, len(goal.stems))
        trust -= 0.3 if share < 0.3 else 0.0
        reasons.append("The last page fits the request." if share >= 0.3 else "The last page does not fit the request.")
    if errors > 2:
        trust -= 0.2
        reasons.append(f"{errors} actions failed.")
    for step in steps:
        for name, habit in HABITS.items():
            found = habit.found(step.thought)
            if found and (name, found[0]) in _DOUBT:
                trust -= _DOUBT[(name, found[0])]
                reasons.append(f"It says: {habit.said(*found)}")
    if "I am not sure" in " ".join(step.thought for step in steps[-2:]):
        trust -= 0.3
        reasons.append("The agent itself was not sure.")
    return trust, reasons


def select(text: str, rng: random.Random, judge_error: float) -> str:
    """The best candidate, as the asked JSON."""
    goal = read_goal(section(text, "Intent"))
    runs = runs_in(text)
    if not runs:
        return json.dumps({"index": [1], "analysis": "There is nothing to compare."})
    votes: dict[str, int] = {}
    for run in runs:
        votes[_ending(run)] = votes.get(_ending(run), 0) + 1
    scored = []
    for run in runs:
        trust, _ = _trust(
            goal, run.steps, "added" if goal.aim == "change" else " ".join(goal.stems), _ending(run), False
        )
        trust += 0.25 * (votes[_ending(run)] - 1) - 0.01 * len(run.steps)
        scored.append((trust + rng.uniform(-1, 1) * judge_error, -run.number, run))
    best = max(scored, key=lambda entry: entry[:2])[2]
    end = _ending(best)
    why = f"Candidate {best.number} ends with {end[:60] or 'no answer'!r}, as {votes[end]} of {len(runs)} do."
    return json.dumps({"index": [best.number], "analysis": why})


def _ending(run: PastRun) -> str:
    """What a run told the user."""
    last = run.steps[-1].action if run.steps else ""
    told = re.search(r"send_msg_to_user\((['\"])(.*)\1", last, re.DOTALL)
    if told:
        return told.group(2)
    return "(reported as impossible)" if last.startswith("report_infeasible") else ""
