"""The simulated agent on the embedded suite: room for memory to matter, and advice that moves it both ways."""

from __future__ import annotations

import pytest
from offline_pages import remembered

from eval.grading import normalised_grader
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.agents.web import WebAgent
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.simulated import SimulatedLLM

LESSONS = remembered(
    "The search finds nothing when one word is not in the name: search with fewer words, such as the brand alone.",
    "On category pages a new sort drops the filters, so sort first and filter afterwards.",
    "In search results, refining by category drops the sort: refine first, then sort.",
    "For money spent, leave out the canceled orders.",
    "Load More Reviews shows earlier reviews again, so count each review once.",
    "Edits are lost unless you press the confirming button before leaving.",
    "Dates of orders are written DD/MM/YYYY, with the day first.",
    "Dates of reviews are written MM/DD/YYYY, with the month first.",
)


def solved(world: int, *, memory: str = "", advice_effect: float = 1.0) -> float:
    """The share of a world's tasks that the agent solves with this text as memory in every one of them."""
    suite, agent, model = WebArenaMini(seed=world), WebAgent(), SimulatedLLM(advice_effect=advice_effect)
    done = 0
    for task in suite.tasks():
        env = suite.environment(task)
        key = ScopeKey(seed=0, trial=0, suite=suite.id, suite_seed=world, task=task.id, attempt=0)
        calls = CallScope(llms={"agent": model}, key=key)
        try:
            run = agent.run(task, env, calls, attempt_id="a", memory=memory, seed=0)
            evidence = env.finish("N/A" if run.exit == "infeasible" else run.answer)
        finally:
            env.close()
        done += suite.evaluate(task, evidence, normalised_grader).status == "solved"
    return done / len(suite.tasks())


@pytest.mark.parametrize("world", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_without_memory_there_is_room_on_both_sides(world: int) -> None:
    assert 0.25 <= solved(world) <= 0.70


@pytest.mark.long
@pytest.mark.parametrize("world", range(100, 105))
def test_good_lessons_help_when_followed_and_hurt_when_inverted(world: int) -> None:
    without = solved(world)
    assert solved(world, memory=LESSONS, advice_effect=0.0) == without
    assert solved(world, memory=LESSONS) >= without + 0.15
    assert solved(world, memory=LESSONS, advice_effect=-1.0) <= without - 0.03
