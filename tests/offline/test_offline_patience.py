"""Where it sees no way on, the agent tries others for a while, and not for ever."""

from __future__ import annotations

from offline_pages import HOME, ask

from reasoningbank.llm.offline.policy import PATIENCE
from reasoningbank.llm.offline.simulated import SimulatedLLM

OPENED = (("On the start page. I click link 'My Orders'.", "click('6')"),)


def test_it_tries_other_ways_before_it_gives_up() -> None:
    ends = [
        ask(SimulatedLLM(), "Who painted the ceiling?", HOME, "http://library.test/", past=OPENED * 6, seed=seed)
        for seed in range(40)
    ]
    assert sum("report_infeasible" in text for text in ends) <= 10
    late = ask(SimulatedLLM(), "Who painted the ceiling?", HOME, "http://library.test/", past=OPENED * PATIENCE)
    assert "report_infeasible" in late or "send_msg_to_user" in late
