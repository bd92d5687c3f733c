"""Goals of several sites: when an attempt is one."""

from __future__ import annotations

import pytest

from reasoningbank.llm.offline import errands
from reasoningbank.llm.offline.mind import Mind
from reasoningbank.llm.offline.reading import PastStep, Situation

TWO_HALVES = 'Add a new milestone to the plan. Its title is "Spring".'
ONE = "Write a post in the forum Aquariums that has the name of this product as its title."


@pytest.mark.parametrize(("goal", "begins"), [(TWO_HALVES, True), (ONE, False)])
def test_a_thought_that_quotes_another_attempts_start_makes_no_errand(goal: str, begins: bool) -> None:
    thought = "The memory says: I begin at http://one.test and look for the name."
    steps = (PastStep(thought=thought, action="noop()", error=""),)
    asked = Situation(goal=goal, steps=steps, url="http://one.test/a", tree="[1] RootWebArea 'A'", error="", memory="")
    mind = Mind(asked, 0.7, 0, 1.0)
    assert errands.applies(mind) == begins
