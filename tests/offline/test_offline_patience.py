"""Attempts that go wrong are longer: a guess is looked over again, and no way on is not yet the end."""

from __future__ import annotations

from offline_pages import HOME, ORDERS, ask, remembered

from reasoningbank.llm.offline.policy import MOST_CHECKS, PATIENCE
from reasoningbank.llm.offline.simulated import SimulatedLLM

GOAL = "How much did I spend on orders in 2023?"
URL = "http://library.test/account/orders"
OPENED = (("On the start page. I click link 'My Orders'.", "click('6')"),)


def test_an_answer_on_a_guess_is_looked_over_first_and_not_for_ever() -> None:
    llm, past = SimulatedLLM(), list(OPENED)
    for _ in range(MOST_CHECKS):
        thought, _, action = ask(llm, GOAL, ORDERS, URL, past=tuple(past), temperature=0.0).partition("\nAction: ")
        assert action.startswith("scroll(")
        assert action not in [earlier for _, earlier in past]
        past.append((thought.removeprefix("Thought: "), action))
    last = ask(llm, GOAL, ORDERS, URL, past=tuple(past), temperature=0.0)
    assert "Action: send_msg_to_user('$115.00')" in last


def test_an_advised_answer_is_given_at_once() -> None:
    memory = remembered("For money spent, leave out the void orders.", "Dates of orders are day first.")
    text = ask(SimulatedLLM(), GOAL, ORDERS, URL, past=OPENED, memory=memory, temperature=0.0)
    assert "Action: send_msg_to_user(" in text


def test_it_tries_other_ways_before_it_gives_up() -> None:
    ends = [
        ask(SimulatedLLM(), "Who painted the ceiling?", HOME, "http://library.test/", past=OPENED * 6, seed=seed)
        for seed in range(40)
    ]
    assert sum("report_infeasible" in text for text in ends) <= 10
    late = ask(SimulatedLLM(), "Who painted the ceiling?", HOME, "http://library.test/", past=OPENED * PATIENCE)
    assert "report_infeasible" in late or "send_msg_to_user" in late
