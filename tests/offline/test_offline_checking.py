"""The simulated agent when its answer is held back: it reads the prompt of the check, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest
from offline_pages import HEADER, ask

from reasoningbank.agents.actions import parse_actions
from reasoningbank.agents.web import WebAgent
from reasoningbank.interfaces import HeldAnswer, Observation
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.matts.sequential import SelfCheck
from reasoningbank.prompts import PromptPack
from reasoningbank.types import CheckEnv, Message, Step, Task

URL = "http://site.test/profile"
PAGE = HEADER.format(title="Profile", query="") + "\t\t[80] paragraph ''\n\t\t\tStaticText 'Points: 12'\n"
READ = "How many points do I have?"
CHANGE = "Change my phone number to 555-000-1111"
SURE = "On the profile page. I answer '12'."
DOUBTING = "On the profile page. I am guessing here. I answer '12'."


def replies(
    goal: str, thought: str, env: CheckEnv, *, action: str = "send_msg_to_user('12')", after: tuple[Step, ...] = ()
) -> list[str]:
    """Of fifty seeds, to the web agent's own prompt, with the check as scaling words it."""
    held = HeldAnswer(round=0, step=0, exit="answered", answer="12")
    check = SelfCheck(prompts=PromptPack(), checks=4, env=env)(held) or ""
    kind = WebAgent()
    task = Task(id="1", suite="any", group="any", intent=goal)
    steps = (Step(index=0, observation="", thought=thought, action=action, check=check), *after)
    messages = (
        Message(role="system", content=kind.system_prompt(task, "")),
        Message(role="user", content=kind.user_prompt(task, steps, Observation(text=PAGE, url=URL), "")),
    )
    llm = SimulatedLLM()
    return [llm.complete(messages, temperature=0.7, seed=seed, max_tokens=999).text for seed in range(50)]


def actions(texts: list[str]) -> Counter[str]:
    parsed = (WebAgent().parse(text).action for text in texts if "Action:" in text)
    return Counter(action for action in parsed if parse_actions(action, multi=False))


def test_an_answer_it_is_sure_of_is_mostly_kept() -> None:
    assert actions(replies(READ, SURE, "continue"))["send_msg_to_user('12')"] >= 40


def test_a_guess_is_often_looked_at_again_from_the_start() -> None:
    done = actions(replies(READ, DOUBTING, "continue"))
    assert done["goto('http://site.test/')"] >= 20
    assert done["send_msg_to_user('12')"] >= 10
    assert len(done) == 2


def test_giving_up_is_often_taken_back() -> None:
    done = actions(replies(READ, SURE, "continue", action="report_infeasible('There is no such thing.')"))
    assert done["goto('http://site.test/')"] >= 20


@pytest.mark.parametrize("thought", [SURE, DOUBTING])
def test_what_was_done_is_not_done_twice_but_where_it_was_undone(thought: str) -> None:
    kept = actions(replies(CHANGE, thought, "continue"))
    assert set(kept) == {"send_msg_to_user('12')"}
    again = actions(replies(CHANGE, thought, "reset"))
    assert again["send_msg_to_user('12')"] == 0


@pytest.mark.parametrize("goal", [READ, CHANGE])
@pytest.mark.parametrize("thought", [SURE, DOUBTING])
def test_where_it_may_only_think_it_answers(goal: str, thought: str) -> None:
    done = actions(replies(goal, thought, "reflect_only"))
    assert sum(done.values()) >= 48
    assert all(action.startswith(("send_msg_to_user", "report_infeasible")) for action in done)


def test_once_it_looks_again_it_goes_on_as_if_new() -> None:
    after = Step(index=1, observation="", thought="I look again from the start.", action="goto('http://site.test/')")
    for seed, text in enumerate(replies(READ, DOUBTING, "reset", after=(after,))):
        assert "I keep my answer" not in text, seed


def test_without_a_check_nothing_is_kept() -> None:
    llm = SimulatedLLM()
    assert all("I keep my answer" not in ask(llm, READ, PAGE, URL, seed=seed) for seed in range(20))
