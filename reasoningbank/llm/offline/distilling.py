"""The simulated model as extractor: lessons from what the thoughts and actions of runs show."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from reasoningbank.llm.offline.goal import read_goal
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.lessons import spoken_to
from reasoningbank.llm.offline.mind import DOUBT
from reasoningbank.llm.offline.reading import PastRun, PastStep
from reasoningbank.llm.offline.remembering import in_mind

_PLACE = re.compile(r"^On the (.*?) page\b")
_USED = re.compile(r"I (?:click|press) (?:the )?(link|button) '([^']+)'")
_DOUBT_OF_QUICK_WAYS = -1.0
"""What a quick way has to make up for by runs that went well."""
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
    guessed: bool = False


def choices(run: PastRun) -> list[Choice]:
    """The procedural choices a run states, in order, each once."""
    out: dict[str, Choice] = {}
    for step in run.steps:
        place = _PLACE.search(step.thought)
        for name, habit in HABITS.items():
            found = habit.found(step.thought)
            if found:
                guessed = f"{DOUBT} {habit.said(*found)}" in step.thought
                out[name] = Choice(name, found[0], found[1], f"the {place.group(1)} page" if place else "", guessed)
    return list(out.values())


def lessons_of(runs: Sequence[PastRun], intent: str) -> list[Lesson]:
    """What labelled runs of one task teach: the better ways, what was known before, and the way to the goal or faults.

    A quick way is blamed for a failure and has to earn its praise: what was guessed may have gone well by luck. A
    careful way is hardly blamed, since a failure most often comes from elsewhere.
    """
    scores: dict[str, float] = {}
    taken: dict[tuple[str, bool], Choice] = {}
    held: set[tuple[str, bool]] = set()
    for run in runs:
        good = run.label == "success"
        for choice in choices(run):
            if choice.careful:
                votes = -1.0 if good else 0.25
            else:
                votes = (1.0 if choice.guessed else 2.0) if good else -1.0
            scores[choice.name] = scores.get(choice.name, _DOUBT_OF_QUICK_WAYS) + votes
            taken.setdefault((choice.name, choice.careful), choice)
            if good:
                held.add((choice.name, choice.careful))
    out: list[Lesson] = []
    for name, score in sorted(scores.items(), key=lambda entry: -abs(entry[1])):
        better = score < 0
        if score:
            base = taken.get((name, better)) or taken[name, not better]
            out.append(_lesson(base, better, intent, held=(name, better) in held))
    out += handed_on((run.steps[0].thought for run in runs if run.steps), out, _habits)
    good_runs = [run for run in runs if run.label == "success"]
    if good_runs:
        way = _way(min(good_runs, key=lambda run: len(run.steps)), intent)
        out += [way] if way is not None else []
    bad = next((run for run in runs if run.label != "success"), None)
    if bad is not None:
        out += _faults(bad) or ([] if out else [_check(bad)])
    return out


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


def _lesson(choice: Choice, careful: bool, intent: str, *, held: bool = True) -> Lesson:
    """The run's own sentence with its verdict; where another way is better, that way's sentence after it."""
    about = f"for {_AIMS[read_goal(intent).aim]}{' on ' + choice.place if choice.place else ''}"
    taken, better = (HABITS[choice.name].said(way, choice.word).rstrip(".") for way in (choice.careful, careful))
    if careful == choice.careful:
        content = f"{taken}: {'it went well' if held else 'keep to it, the run failed elsewhere'} {about}."
    else:
        content = f"{taken}: it did not go well {about}. Instead: {better}, {about}."
    return Lesson(f"{better}, {about}", f"A choice {about}.", content)


def handed_on(
    first_thoughts: Iterable[str], own: Sequence[Lesson], subjects: Callable[[str], Collection[str]]
) -> list[Lesson]:
    """Lessons that runs began with in mind, on subjects of which no lesson of their own speaks."""
    known = {subject for lesson in own for subject in subjects(lesson.title)}
    out = []
    for title in (title for thought in first_thoughts for title in in_mind(thought)):
        told = set(subjects(title))
        if told and not told & known:
            known |= told
            out.append(Lesson(title, "Known before this run.", f"{title}."))
    return out


def _habits(title: str) -> set[str]:
    return {habit for habit, _ in spoken_to(title)}


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
