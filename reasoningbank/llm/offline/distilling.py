"""The simulated model as extractor: lessons from what the thoughts and actions of runs show."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.llm.offline.goal import read_goal
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.reading import PastRun, PastStep

_PLACE = re.compile(r"^On the (.*?) page\b")
_USED = re.compile(r"I (?:click|press) (?:the )?(link|button) '([^']+)'")
_AIMS = {"sum": "a sum", "count": "a count", "read": "an answer", "visit": "a page", "change": "a change"}


@dataclass(frozen=True)
class Lesson:
    """An item before it is numbered."""

    title: str
    description: str
    content: str


@dataclass(frozen=True)
class Choice:
    """A habit as a run took it."""

    name: str
    careful: bool
    word: str
    place: str


def choices(run: PastRun) -> list[Choice]:
    """The procedural choices a run states, in order, each once."""
    out: dict[str, Choice] = {}
    for step in run.steps:
        place = _PLACE.search(step.thought)
        for name, habit in HABITS.items():
            found = habit.found(step.thought)
            if found:
                out[name] = Choice(name, found[0], found[1], f"the {place.group(1)} page" if place else "")
    return list(out.values())


def lessons_of(run: PastRun, intent: str, success: bool, rng: random.Random) -> list[Lesson]:
    """What one run teaches: its choices kept, or after a failure turned round."""
    out = []
    for choice in choices(run):
        out.append(_lesson(choice, choice.careful if success else not choice.careful, intent))
    rng.shuffle(out)
    if not success:
        out += _faults(run)
        if not out:
            out.append(_check(run))
    elif (way := _way(run, intent)) is not None:
        out.append(way)
    return out


def lessons_between(runs: Sequence[PastRun], intent: str, rng: random.Random) -> list[Lesson]:
    """What several labelled runs teach: choices that successes share and failures do not come first."""
    good = [run for run in runs if run.label == "success"]
    bad = [run for run in runs if run.label == "failure"]
    out: list[tuple[float, int, Lesson]] = []
    votes: dict[tuple[str, bool], list[float]] = {}
    sample: dict[tuple[str, bool], Choice] = {}
    for run in runs:
        for choice in choices(run):
            key = (choice.name, choice.careful)
            votes.setdefault(key, [0.0, 0.0])[0 if run.label == "success" else 1] += 1
            sample.setdefault(key, choice)
    for order, name in enumerate(dict.fromkeys(name for name, _ in votes)):
        rates = {way: _rate(votes.get((name, way), [0.0, 0.0])) for way in (True, False)}
        seen = [way for way in (True, False) if (name, way) in votes]
        if len(seen) == 2 and max(rates.values()) < 0.5:
            continue
        better = max(seen, key=lambda way: rates[way]) if len(seen) == 2 else seen[0]
        spread = abs(rates[True] - rates[False]) if len(seen) == 2 else abs(rates[seen[0]] - 0.5)
        if len(seen) == 1 and rates[better] < 0.5:
            better = not better
        base = sample.get((name, better)) or sample[(name, not better)]
        out.append((-spread, order, _lesson(base, better, intent)))
    out.sort(key=lambda entry: entry[:2])
    lessons = [lesson for _, _, lesson in out]
    if good:
        way = _way(min(good, key=lambda run: len(run.steps)), intent)
        lessons += [way] if way is not None else []
    if bad:
        lessons += _faults(bad[0])
        if not lessons:
            lessons.append(_check(rng.choice(bad)))
    return lessons


def workflow_of(run: PastRun, intent: str) -> Lesson:
    """The routine of a run as numbered steps with placeholders for what belongs to its task."""
    goal = read_goal(intent)
    lines: list[str] = []
    for step in run.steps:
        if step.error:
            continue
        line = _routine_line(step, goal.subjects + goal.numbers)
        for name, habit in HABITS.items():
            found = habit.found(step.thought)
            if found:
                line = f"{line} {HABITS[name].said(*found)}"
        if line and (not lines or lines[-1] != line):
            lines.append(line)
    steps = "\n".join(
        f"{number}. {line}" for number, line in enumerate(lines or ["Read the page and answer."], start=1)
    )
    title = f"Routine for {_topic(intent)}"
    return Lesson(title, f"The steps for {_topic(intent)}, with what belongs to one task in braces.", steps)


def written(lessons: Sequence[Lesson], heading: str) -> str:
    """The items in the format that prompts ask for.

    The library's parser has a writer of the same form; models stand below `distill` and import nothing of it, and a
    model writes what its prompt asks for.
    """
    return "\n\n".join(
        f"# {heading} {number}\n## Title\n{one.title}\n## Description\n{one.description}\n## Content\n{one.content}"
        for number, one in enumerate(lessons, start=1)
    )


def distinct(lessons: Sequence[Lesson], most: int) -> list[Lesson]:
    """At most `most` lessons with different titles; never none."""
    kept = list({lesson.title: lesson for lesson in lessons}.values())[: max(1, most)]
    return kept or [Lesson("Check before answering", "Applies to every task.", "Read the page again before answering.")]


def _rate(votes: Sequence[float]) -> float:
    return (votes[0] + 0.5) / (votes[0] + votes[1] + 1.0)


def _lesson(choice: Choice, careful: bool, intent: str) -> Lesson:
    """The run's own sentence with its verdict; where another way is better, that way's sentence after it."""
    about = f"for {_AIMS[read_goal(intent).aim]}{' on ' + choice.place if choice.place else ''}"
    taken, better = (HABITS[choice.name].said(way, choice.word).rstrip(".") for way in (choice.careful, careful))
    if careful == choice.careful:
        content = f"{taken}: it went well {about}."
    else:
        content = f"{taken}: it did not go well {about}. Instead: {better}, {about}."
    return Lesson(f"{better}, {about}", f"A choice {about}.", content)


def _faults(run: PastRun) -> list[Lesson]:
    """Errors and loops that a run shows."""
    out = []
    errors = [step for step in run.steps if step.error]
    if len(errors) >= 2:
        out.append(
            Lesson(
                "Do not repeat an action that failed",
                "Applies when the last action ended in an error.",
                "When an action fails, look at the page again and choose another element rather than trying the same.",
            )
        )
    actions = [step.action for step in run.steps]
    if len(actions) - len(set(actions)) >= 4:
        out.append(
            Lesson(
                "Leave a loop",
                "Applies when the same links come up again.",
                "When the same pages come back, go to the start page and take another way.",
            )
        )
    return out


def _check(run: PastRun) -> Lesson:
    used = [name for step in run.steps for _, name in _USED.findall(step.thought)]
    last = f" after '{used[-1]}'" if used else ""
    return Lesson(
        "Check the page before ending",
        "Applies before the answer is sent.",
        f"Before ending{last}, compare what the page shows with every part of the request, and go on if a "
        f"part is open.",
    )


def _way(run: PastRun, intent: str) -> Lesson | None:
    """The links and buttons that led to the goal."""
    subjects = {part.lower() for part in read_goal(intent).subjects}
    used = [name for step in run.steps if not step.error for _, name in _USED.findall(step.thought)]
    kept = [
        name for name in dict.fromkeys(used) if not any(part in name.lower() for part in subjects) and len(name) <= 30
    ]
    if not kept:
        return None
    way = ", then ".join(f"'{name}'" for name in kept[:4])
    return Lesson(
        f"Way for {_topic(intent)}",
        f"Applies to {_topic(intent)}.",
        f"The direct way was {way}; open these in this order.",
    )


def _topic(intent: str) -> str:
    """What an intent is about, without its names and numbers."""
    goal = read_goal(intent)
    text = goal.text
    for part in goal.subjects:
        text = text.replace(part, "")
    text = re.sub(r"[\"'“”#$]|\b\d[\d.,/-]*\b", "", text)
    words = [word.strip(".,?!:;").lower() for word in text.split()]
    return " ".join(word for word in words if word)[:80].strip() or "such a request"


def _routine_line(step: PastStep, own: Sequence[str]) -> str:
    thought = step.thought.rstrip(".")
    found = list(
        re.finditer(r"\bI (?:click|press|fill|select|search|answer|go|open|report|choose|send|type)[^.]*", thought)
    )
    if not found:
        return ""
    text = found[-1].group(0)[2:]
    for part in own:
        text = text.replace(part, "{value}")
    text = re.sub(r"\bwith '[^']*'", "with '{value}'", text)
    return re.sub(r"answer.*", "answer with {the value asked for}", text[:1].upper() + text[1:] + ".")
