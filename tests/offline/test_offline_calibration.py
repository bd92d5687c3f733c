"""The simulated agent on all embedded sites: room for memory to matter, and planted effects that come out as planted.

The worlds 100-104 are those the model is tuned on; their pocket subsets are pooled. Every arm meets the same tasks with
the same seeds. What chance is left lies in moods that a lesson's words shift, a few tasks in a hundred: the tolerances.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from eval.suites.webarena_mini.sites import MULTI, SITES

WORLDS = range(100, 105)
ROOM = (0.30, 0.65)
HELP, LEARNT, HARM, NOISE = 0.15, 0.03, 0.03, 0.03
# On one site: what is true of all together, of fewer tasks; a pocket has more of a site's short tasks than the site.
SITE_ROOM, SITE_HELP = (0.25, 0.80), 0.10
Outcomes = dict[tuple[int, str, str], str]
"""By world, group and task."""
ALL = (*SITES, MULTI)
SHOP = ("shopping", "shopping_admin")
"""Where a bank grows enough in a pocket for what is learnt to show."""


class Arm(Protocol):
    """Runs an arm."""

    def __call__(self, memory: str, advice_effect: float, sites: tuple[str, ...] = ALL) -> Outcomes: ...


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Arm:
    """The outcome of each task of the five worlds with a memory method and an `advice_effect`; each arm runs once."""
    known: dict[tuple[str, float, tuple[str, ...]], Outcomes] = {}

    def of_arm(memory: str, advice_effect: float, sites: tuple[str, ...] = ALL) -> Outcomes:
        arm = memory, advice_effect, sites
        if arm not in known:
            folders = {world: tmp_path_factory.mktemp(memory) for world in WORLDS}
            known[arm] = {
                (world, *task): status
                for world, folder in folders.items()
                for task, status in run(world, *arm, folder).items()
            }
        return known[arm]

    return of_arm


def run(
    world: int, memory: str, advice_effect: float, sites: tuple[str, ...], folder: Path
) -> dict[tuple[str, str], str]:
    options = [
        f"suite.sites=[{','.join(sites)}]", "suite.subset=pocket", f"suite.seed={world}", f"memory={memory}",
        f"llm.advice_effect={advice_effect}", f"results_dir={folder}",
    ]  # fmt: skip
    subprocess.run([sys.executable, "-m", "eval", "run", *options], check=True, capture_output=True)
    found = {}
    for journal in sorted(folder.glob("*/streams/*/journal.jsonl")):
        for line in journal.read_text("utf-8").splitlines():
            result = json.loads(line)["result"]
            group = journal.parent.name.partition(".")[0]
            found[group, result["task_id"]] = result["attempts"][0]["outcome"]["status"]
    return found


def share(done: Outcomes, group: str = "") -> float:
    """The share of solved tasks, of all or of one group."""
    chosen = [status for (_, of, _), status in done.items() if group in ("", of)]
    return sum(status == "solved" for status in chosen) / len(chosen)


@pytest.mark.long
def test_followed_lessons_move_it_as_they_say(outcomes: Arm) -> None:
    none = share(outcomes("none", 1.0))
    assert ROOM[0] <= none <= ROOM[1]
    assert share(outcomes("oracle", 1.0)) >= none + HELP
    assert share(outcomes("adversarial", 1.0)) <= none - HARM


@pytest.mark.long
def test_lessons_learnt_move_it_on_the_shop_and_its_back_office(outcomes: Arm) -> None:
    assert share(outcomes("reasoningbank", 1.0, SHOP)) >= share(outcomes("none", 1.0, SHOP)) + LEARNT


@pytest.mark.long
@pytest.mark.parametrize("site", SITES)
def test_followed_lessons_move_every_site(outcomes: Arm, site: str) -> None:
    none = share(outcomes("none", 1.0), site)
    assert SITE_ROOM[0] <= none <= SITE_ROOM[1]
    assert share(outcomes("oracle", 1.0), site) >= none + SITE_HELP
    assert share(outcomes("adversarial", 1.0), site) < none


@pytest.mark.long
def test_tasks_of_several_sites_are_solved_now_and_then(outcomes: Arm) -> None:
    assert share(outcomes("none", 1.0), MULTI) > 0.15


@pytest.mark.long
@pytest.mark.parametrize("memory", ["oracle", "reasoningbank", "adversarial"])
def test_unheard_lessons_move_nothing_at_all(outcomes: Arm, memory: str) -> None:
    assert outcomes(memory, 0.0) == outcomes("none", 1.0)


@pytest.mark.long
def test_inverted_lessons_change_places(outcomes: Arm) -> None:
    none = share(outcomes("none", 1.0))
    assert share(outcomes("oracle", -1.0)) <= none - HARM
    assert share(outcomes("adversarial", -1.0)) >= none - NOISE
