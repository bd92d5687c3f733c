"""Whether one instance's fix can be read elsewhere: in another instance, in a trajectory on it, in what was learnt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eval.suites.swebench_mini.built import Built
from eval.suites.swebench_mini.overlap import Fix, fix_of, shown_by
from eval.suites.swebench_mini.patches import patched
from reasoningbank.types import Experience, Trajectory

NUMBERED = re.compile(r"(?m)^(?:[\w./-]+:)?\s*\d+[\t:-]")
"""What programs that show files put before a line."""


def repaired(built: Built) -> dict[str, str]:
    """An instance's files with its known fix."""
    files = patched(built.files, built.instance.patch)
    if files is None:
        raise ValueError(f"the known fix of {built.instance.instance_id} does not apply to its files")
    return files


def fixes(built: Sequence[Built]) -> dict[str, Fix]:
    """The known fix of each instance, by its id."""
    return {
        each.instance.instance_id: fix_of(
            each.files, repaired(each), shown_by([*each.files.values(), each.instance.problem_statement])
        )
        for each in built
    }


def in_others(built: Sequence[Built]) -> dict[str, float]:
    """For each instance the largest share of its fix that another one shows, before or after its own fix: all that an
    agent can find there."""
    return in_texts(
        built,
        {
            each.instance.instance_id: [*each.files.values(), *repaired(each).values(), each.instance.problem_statement]
            for each in built
        },
    )


def in_texts(built: Sequence[Built], seen: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """For each instance the largest share of its fix that is quoted in one other instance's texts, by their ids."""
    shown = {name: shown_by(side for text in texts for side in sides(text)) for name, texts in seen.items()}
    return {
        name: max((fix.quoted(text) for other, text in shown.items() if other != name), default=0.0)
        for name, fix in fixes(built).items()
    }


def texts_of(trajectory: Trajectory) -> list[str]:
    """All that was read and written in an attempt, by an agent; not its task."""
    steps = [text for step in trajectory.steps for text in (step.observation, step.thought, step.action)]
    return [*steps, trajectory.final_observation]


def texts_of_memory(experience: Experience) -> list[str]:
    """What a bank keeps of an experience."""
    return [text for item in experience.items for text in (item.title, item.description, item.content)]


def sides(text: str) -> list[str]:
    """A text without the numbers of lines; and where it is a diff, each of its sides."""
    plain = NUMBERED.sub("", text)
    if not re.search(r"(?m)^[-+]", plain):
        return [plain]
    return [plain, *(re.sub(rf"(?m)^[{kept}]|^[{gone}].*\n?", "", plain) for kept, gone in ("+-", "-+"))]
