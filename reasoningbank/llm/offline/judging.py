"""The simulated model as judge and as selector: labels and picks from what a rendered run shows. Sometimes wrong."""

from __future__ import annotations

import json
import random
import re

from reasoningbank.llm.offline import values
from reasoningbank.llm.offline.goal import Goal, read_goal
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.page import Page
from reasoningbank.llm.offline.reading import PastRun, PastStep, runs_in, section, steps_in
from reasoningbank.llm.offline.words import stems, widened

_GAVE_UP = re.compile(r"^(?:\(none\)|none|n/?a)?$", re.IGNORECASE)
_INDENT = re.compile(r"^  ", re.MULTILINE)
_DONE = re.compile(
    r"\b(?:added|saved|updated|removed|deleted|stored|placed|sent|submitted|received|thank you|confirmed"
    r"|changed|success\w*|created|subscribed|posted)\b",
    re.IGNORECASE,
)
# Lowers how much a careful judge trusts a run that took a risky way; small, since a judge cannot know.
_DOUBT = {
    ("confirm", False): 0.35,
    ("few_words", False): 0.05,
    ("leave_out", False): 0.1,
    ("own_names", False): 0.3,
}


def judge(text: str, rng: random.Random, judge_error: float) -> str:
    """A verdict in the asked two lines."""
    goal = read_goal(section(text, "Intent"))
    steps = steps_in(section(text, "Trajectory"))
    stopped = "\n## End\n" in text
    page, answer = section(text, "Final page"), section(text, "Answer")
    trust, reasons = _trust(goal, steps, page, answer, stopped)
    against = _contradictions(goal, steps, Page(_INDENT.sub("", page.partition("\n")[2])), answer)
    if against:
        trust -= 0.4
        reasons += against
    success = trust >= 0.5
    if rng.random() < judge_error:
        success = not success
        reasons.append("All in all, the run convinces." if success else "Still, parts of the request are left open.")
    return f"Thoughts: {' '.join(reasons)}\nStatus: {'success' if success else 'failure'}"


def _trust(
    goal: Goal, steps: tuple[PastStep, ...], page: str | None, answer: str, stopped: bool
) -> tuple[float, list[str]]:
    """How far a run is to be believed, and why. Without a final page, that page speaks neither for nor against it."""
    trust, reasons = 0.75, []
    if stopped or not steps:
        return 0.0, ["The run stopped before it was done."]
    impossible = answer.startswith("(reported as impossible)")
    plain = answer.removeprefix("(reported as impossible)").strip()
    errors = sum(bool(step.error) for step in steps)
    if impossible:
        shown = re.search(r"There is no \w+", steps[-1].thought) is not None
        trust -= 0.1 if shown else 0.35
        reasons.append("The agent gave up and says what is missing." if shown else "The agent gave up.")
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
    if goal.aim == "change" and not impossible and page is not None and not _DONE.search(page):
        trust -= 0.3
        reasons.append("The last page does not say that anything was changed.")
    if goal.aim == "visit" and not impossible and page is not None:
        late = " ".join(step.thought for step in steps[-2:])
        seen = widened(stems(f"{page[:100]} {late} {page[-6000:]}"))
        share = len(seen & goal.stems) / max(1, len(goal.stems))
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


def _contradictions(goal: Goal, steps: tuple[PastStep, ...], page: Page, answer: str) -> list[str]:
    """What the last page shows against the way the run took."""
    said = {name: found for step in steps for name, habit in HABITS.items() if (found := habit.found(step.thought))}
    out = []
    slashed = [(int(one), int(two)) for one, two in re.findall(r"\b(\d\d?)/(\d\d?)/\d{4}\b", page.main_text)]
    if "day_first" in said:
        days, months = any(one > 12 for one, _ in slashed), any(two > 12 for _, two in slashed)
        if (days and not said["day_first"][0]) or (months and said["day_first"][0]):
            out.append("The dates on the last page cannot be read the way the agent did.")
    if said.get("read_all", (True, ""))[0] is False and any(
        _MORE.search(one.name) for one in page.links + page.buttons
    ):
        out.append("The list goes on, and the agent did not look further.")
    rows = [row for one in page.collections for row in one.rows]
    if said.get("count_once", (True, ""))[0] is False and len({row.text for row in rows}) < len(rows):
        out.append("The last page shows some entries twice.")
    out += _narrowed(goal, said, "\n".join(step.thought for step in steps), page)
    names = [name for name in goal.names if name.lower() != page.heading.lower() and len(name.split()) == 1]
    if goal.extreme and goal.aim == "read" and names and not goal.span and "$" not in answer:
        missing = [
            name for name in names if name.lower() not in answer.lower() and name.lower() not in page.heading.lower()
        ]
        shown = " ".join(row.text for row in rows).lower()
        if missing and any(name.lower() in shown for name in missing):
            out.append(f"The answer does not look like {missing[0]}.")
    if "sort_first" in said and names and rows and goal.aim in ("read", "visit"):
        listed = [row for row in rows if row.first_link() is not None and "$" in row.text]
        if listed and not all(any(name.lower() in row.text.lower() for name in names) for row in listed[:3]):
            out.append("The list at the end is not restricted to what was asked for.")
    return out


def _narrowed(goal: Goal, said: dict[str, tuple[bool, str]], thoughts: str, page: Page) -> list[str]:
    """What a narrowed list or report shows against the way the run took."""
    out = []
    usual = {name for name, (careful, _) in said.items() if not careful}
    first = [next(iter(row.cells.values()), "") for one in page.collections for row in one.rows]
    days = [day for text in first if (day := values.day(text, day_first=False)) is not None]
    if "end_day" in usual and days and goal.span is not None and goal.span.end not in days:
        out.append("The last day is missing in the report.")
    clears = any(one.name.lower().startswith("clear") for one in page.buttons)
    stray = [
        one
        for one in page.fields
        if one.value and one.value not in (*one.options[:1], "") and f"'{one.value}'" not in thoughts
    ]
    if "clear_first" in usual and clears and stray:
        out.append(f"The list is still narrowed by '{stray[0].value}', which nobody asked for.")
    if "each_page" in usual and any(
        box.role == "checkbox" for one in page.collections for row in one.rows for box in row.node.walk()
    ):
        out.append("There are entries left that were not dealt with.")
    return out


_MORE = re.compile(r"^(?:next|load|show|see) ?(?:page|more|\w+ more)?\b", re.IGNORECASE)


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
        trust, _ = _trust(goal, run.steps, None, _ending(run), False)
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
