"""The simulated model as extractor of runs in a shell: what the cause was, and which custom was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reasoningbank.llm.offline.coding.advice import hear
from reasoningbank.llm.offline.coding.customs import CUSTOMS
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.coding.report import is_error, read_report
from reasoningbank.llm.offline.coding.runs import ShellRun
from reasoningbank.llm.offline.distilling import Lesson, handed_on

_DOUBT_OF_USUAL_WAYS = -1.0
"""What going against a custom has to make up for by runs that went well."""


def lessons_of(runs: Sequence[ShellRun], intent: str) -> list[Lesson]:
    """What labelled runs of one task teach: customs first, since they hold for others, then the cause, then faults."""
    out = _customs(runs)
    out += handed_on((run.steps[0].thought for run in runs if run.steps), out, _subjects)
    good = [run for run in runs if run.label == "success"]
    causes = Counter(run.cause for run in good if run.cause)
    for name, _ in causes.most_common(2):
        out.append(_cause(name, min(len(run.tried) for run in good if run.cause == name), intent))
    bad = next((run for run in runs if run.label != "success"), None)
    if bad is not None and not causes:
        out += _faults(bad)
    return out


def _subjects(title: str) -> list[str]:
    return [name for name, _ in hear(title).customs]


def _customs(runs: Sequence[ShellRun]) -> list[Lesson]:
    """Of customs that runs spoke of."""
    scores: dict[str, float] = {}
    for run in runs:
        went_well = run.label == "success"
        for name, kept in run.customs.items():
            votes = (2.0 if went_well else 0.25) if kept else (-1.0 if went_well else 1.0)
            scores[name] = scores.get(name, -_DOUBT_OF_USUAL_WAYS) + votes
    out = []
    for name, score in sorted(scores.items(), key=lambda entry: -abs(entry[1])):
        custom = CUSTOMS[name]
        if score <= 0:
            continue
        tried = any(run.customs.get(name) for run in runs)
        content = custom.careful if tried else f"Another way did not go well here. Instead: {custom.careful}"
        about = "A custom of this package." if custom.of_package else "A way of working."
        out.append(Lesson(custom.careful.rstrip("."), about, content))
    return out


def _cause(name: str, tries: int, intent: str) -> Lesson:
    said = IDEAS[name].said
    return Lesson(
        f"Look first whether {said}",
        f"Applies where {_symptom(intent)}.",
        f"Where {_symptom(intent)}, look first whether {said}. It was the cause here, found with attempt {tries}.",
    )


def _symptom(intent: str) -> str:
    """What the user saw, without names and values."""
    example = read_report(intent).example
    if example is None:
        return "something is asked for in words"
    if is_error(example.got):
        return "another error comes than should" if is_error(example.wanted) else "an error comes and a value should"
    return "a value comes and an error should" if is_error(example.wanted) else "a wrong value comes"


def _faults(run: ShellRun) -> list[Lesson]:
    if not run.changes:
        return [
            Lesson(
                "Widen the search when nothing helps",
                "Applies when a repair is not found.",
                "Read the code that the example runs through once more and compare it with its documentation.",
            )
        ]
    return [
        Lesson(
            "Doubt a change that mends the example alone",
            "Applies before the work is handed in.",
            "When a change makes the example right, think of other inputs before handing in, and look at the rest of "
            "the function.",
        )
    ]


def workflow_of(run: ShellRun, intent: str) -> Lesson:
    """The routine of a run as numbered steps."""
    lines = ["List the files, run the tests, and search for the names of the report.", "Read the sources."]
    if run.helped or run.tried:
        lines.append("Run the example of the report and see through which lines it goes.")
    if run.cause:
        lines.append(f"Look first whether {IDEAS[run.cause].said}, at {{the lines that were run last}}.")
    lines += [CUSTOMS[name].careful for name, kept in run.customs.items() if kept or run.label != "success"]
    lines.append("Run the tests, take back what breaks them, remove the scripts, and hand in.")
    text = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
    topic = _symptom(intent)
    return Lesson(f"Routine where {topic}", f"The steps where {topic}, with what belongs to one task in braces.", text)
