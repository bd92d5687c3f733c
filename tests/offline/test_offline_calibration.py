"""The simulated agent on both embedded sites: room for memory to matter, and planted effects that come out as planted.

The worlds 100-104 are those the model is tuned on; their pocket subsets are pooled. Every arm meets the same tasks with
the same seeds. What chance is left lies in moods that a lesson's words shift, a few tasks in a hundred: the tolerances.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

WORLDS = range(100, 105)
ROOM = (0.30, 0.65)
HELP, LEARNT, HARM, NOISE = 0.15, 0.03, 0.03, 0.03
Outcomes = dict[tuple[int, str], str]
Arm = Callable[[str, float], Outcomes]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Arm:
    """The outcome of each task of the five worlds with a memory method and an `advice_effect`; each arm runs once."""
    known: dict[tuple[str, float], Outcomes] = {}

    def of_arm(memory: str, advice_effect: float) -> Outcomes:
        if (memory, advice_effect) not in known:
            folders = {world: tmp_path_factory.mktemp(memory) for world in WORLDS}
            known[memory, advice_effect] = {
                (world, task): status
                for world, folder in folders.items()
                for task, status in run(world, memory, advice_effect, folder).items()
            }
        return known[memory, advice_effect]

    return of_arm


def run(world: int, memory: str, advice_effect: float, folder: Path) -> dict[str, str]:
    line = [
        "suite.sites=[shopping,shopping_admin]", "suite.subset=pocket", f"suite.seed={world}", f"memory={memory}",
        f"llm.advice_effect={advice_effect}", f"results_dir={folder}",
    ]  # fmt: skip
    subprocess.run([sys.executable, "-m", "eval", "run", *line], check=True, capture_output=True)
    journals = sorted(folder.glob("*/streams/*/journal.jsonl"))
    results = [json.loads(text)["result"] for one in journals for text in one.read_text("utf-8").splitlines()]
    return {result["task_id"]: result["attempts"][0]["outcome"]["status"] for result in results}


def share(done: Outcomes) -> float:
    return sum(status == "solved" for status in done.values()) / len(done)


@pytest.mark.long
def test_followed_lessons_move_it_as_they_say(outcomes: Arm) -> None:
    none = share(outcomes("none", 1.0))
    assert ROOM[0] <= none <= ROOM[1]
    assert share(outcomes("oracle", 1.0)) >= none + HELP
    assert share(outcomes("reasoningbank", 1.0)) >= none + LEARNT
    assert share(outcomes("adversarial", 1.0)) <= none - HARM


@pytest.mark.long
@pytest.mark.parametrize("memory", ["oracle", "reasoningbank", "adversarial"])
def test_unheard_lessons_move_nothing_at_all(outcomes: Arm, memory: str) -> None:
    assert outcomes(memory, 0.0) == outcomes("none", 1.0)


@pytest.mark.long
def test_inverted_lessons_change_places(outcomes: Arm) -> None:
    none = share(outcomes("none", 1.0))
    assert share(outcomes("oracle", -1.0)) <= none - HARM
    assert share(outcomes("adversarial", -1.0)) >= none - NOISE
