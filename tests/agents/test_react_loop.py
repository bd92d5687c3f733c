"""The ReAct loop with the web kind: exits, limits, malformed replies, errors, several calls a turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from reasoningbank.agents.web import WebAgent
from reasoningbank.errors import AgentError, InfraError, LimitReached
from reasoningbank.interfaces import Agent, Evidence, Observation
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.scripted import Scripted, ScriptedLLM
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Reply, Task, Trajectory, Usage

TASK = Task(id="1", suite="any", group="any", intent="Find the number of pears")


class Pages:
    """An environment that shows a numbered page after each call and fails the calls it is told to fail."""

    def __init__(self, *, failing: Sequence[str] = (), broken: Sequence[str] = ()) -> None:
        self.failing = failing
        self.broken = broken
        self.calls: list[str] = []

    def reset(self, task: Task, seed: int) -> Observation:
        return self.shown()

    def step(self, text: str) -> Observation:
        if text in self.broken:
            raise InfraError("the site is down")
        self.calls.append(text)
        return self.shown("no such element" if text in self.failing else "")

    def shown(self, error: str = "") -> Observation:
        number = len(self.calls)
        return Observation(text=f"RootWebArea 'Page {number}'", url=f"http://any.test/{number}", error=error)

    def finish(self, answer: str | None) -> Evidence:
        raise AssertionError("the loop must not call finish")

    def close(self) -> None:
        raise AssertionError("the loop must not call close")


def run(
    replies: Sequence[Scripted], env: Pages, *, memory: str = "", agent: WebAgent | None = None
) -> tuple[Trajectory, ScriptedLLM]:
    llm = ScriptedLLM(list(replies))
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task="1", attempt=0)
    calls = CallScope(llms={"agent": llm}, key=key, transport=Transport(retry=RetryPolicy(attempts=1)))
    trajectory = (agent or WebAgent()).run(TASK, env, calls, attempt_id="a/0", memory=memory, seed=0)
    return trajectory, llm


def say(action: str, thought: str = "so") -> str:
    return f"Thought: {thought}\nAction: {action}"


def test_it_is_an_agent() -> None:
    assert isinstance(WebAgent(), Agent)


def test_an_answer_ends_the_attempt_on_the_page_it_was_given() -> None:
    env = Pages()
    trajectory, llm = run([say("click('3')", "open it"), say("send_msg_to_user('7')")], env)
    assert (trajectory.exit, trajectory.answer) == ("answered", "7")
    assert env.calls == ["click('3')"]
    assert [step.observation for step in trajectory.steps] == ["RootWebArea 'Page 0'", "RootWebArea 'Page 1'"]
    assert (trajectory.final_observation, trajectory.final_url) == ("RootWebArea 'Page 1'", "http://any.test/1")
    assert trajectory.steps[0].thought == "open it"
    assert trajectory.steps[0].usage.calls == 1
    assert trajectory.system_prompt == llm.requests[0][0].content


def test_the_answer_of_an_infeasible_task_is_the_reason() -> None:
    trajectory, _ = run([say("report_infeasible('no such thing')")], Pages())
    assert (trajectory.exit, trajectory.answer) == ("infeasible", "no such thing")


def test_the_step_limit_is_an_exit() -> None:
    env = Pages()
    trajectory, _ = run([say("noop()")] * 3, env, agent=WebAgent(max_steps=3))
    assert (trajectory.exit, trajectory.answer, len(trajectory.steps)) == ("limit", None, 3)
    assert trajectory.final_url == "http://any.test/3"


def test_a_failed_action_is_told_and_kept() -> None:
    env = Pages(failing=["click('9')"])
    trajectory, llm = run([say("click('9')"), say("send_msg_to_user('x')")], env)
    assert [step.error for step in trajectory.steps] == ["no such element", ""]
    assert llm.requests[1][1].content.endswith("# Error of the last action\nno such element")
    assert "Error: no such element" in llm.requests[1][1].content


@pytest.mark.parametrize(
    "reply", ["I would click it.", "Thought: hm\nAction:", say("explode('3')"), say("click(3"), ""]
)
def test_a_malformed_reply_costs_a_step_and_is_fed_back(reply: str) -> None:
    env = Pages()
    trajectory, llm = run([reply or "?", say("send_msg_to_user('x')")], env)
    assert trajectory.exit == "answered"
    assert len(trajectory.steps) == 2
    assert trajectory.steps[0].error
    assert f"# Error of the last action\n{trajectory.steps[0].error}" in llm.requests[1][1].content
    assert env.calls == []


def test_too_many_malformed_replies_in_a_row_are_an_agent_error() -> None:
    agent = WebAgent(max_malformed=3)
    trajectory, _ = run(["?"] * 3, Pages(), agent=agent)
    assert (trajectory.exit, len(trajectory.steps)) == ("agent_error", 3)
    assert "3 malformed replies in a row" in trajectory.error
    trajectory, _ = run(["?", "?", say("noop()"), "?", "?", say("send_msg_to_user('x')")], Pages(), agent=agent)
    assert trajectory.exit == "answered"


def test_a_declined_reply_is_malformed_too() -> None:
    declined = Reply(text="", usage=Usage(), stop_reason="safety")
    trajectory, llm = run([declined, say("send_msg_to_user('x')")], Pages())
    first, second = (step.error for step in trajectory.steps)
    assert "declined" in first
    assert second == ""
    assert llm.requests[1][1].content.endswith(first)


def test_an_error_of_the_first_page_is_told() -> None:
    class Broken(Pages):
        def reset(self, task: Task, seed: int) -> Observation:
            return self.shown("the start page was not found")

    trajectory, llm = run([say("send_msg_to_user('x')")], Broken())
    assert llm.requests[0][1].content.endswith("# Error of the last action\nthe start page was not found")
    assert trajectory.steps[0].error == ""


def test_an_infrastructure_error_passes_through() -> None:
    with pytest.raises(InfraError, match="the site is down"):
        run([say("click('1')")], Pages(broken=["click('1')"]))
    with pytest.raises(InfraError, match="no connection"):
        run([InfraError("no connection")], Pages())


def test_limits_and_the_agents_own_failures_are_exits() -> None:
    assert run([say("noop()"), LimitReached("budget")], Pages())[0].exit == "limit"
    trajectory, _ = run([AgentError("lost")], Pages())
    assert (trajectory.exit, trajectory.error) == ("agent_error", "lost")


def test_several_calls_run_until_one_fails() -> None:
    env = Pages(failing=["click('2')"])
    agent = WebAgent(multi_actions=True)
    turn = "Thought: all\nAction:\nfill('1', 'tea')\nclick('2')\nclick('3')"
    trajectory, _ = run([turn, say("send_msg_to_user('x')")], env, agent=agent)
    assert env.calls == ["fill('1', 'tea')", "click('2')"]
    assert trajectory.steps[0].error == "click('2'): no such element"
    assert trajectory.steps[0].action == "fill('1', 'tea')\nclick('2')\nclick('3')"


def test_an_answer_in_a_turn_of_several_calls_comes_after_them() -> None:
    env = Pages()
    agent = WebAgent(multi_actions=True)
    trajectory, _ = run([say("click('1')\nsend_msg_to_user('done')")], env, agent=agent)
    assert (env.calls, trajectory.exit, trajectory.answer) == (["click('1')"], "answered", "done")
    env = Pages(failing=["click('1')"])
    trajectory, _ = run([say("click('1')\nsend_msg_to_user('done')"), say("report_infeasible('no')")], env, agent=agent)
    assert trajectory.exit == "infeasible"


def test_without_several_calls_two_are_malformed() -> None:
    env = Pages()
    trajectory, _ = run([say("click('1')\nclick('2')"), say("send_msg_to_user('x')")], env)
    assert env.calls == []
    assert "exactly one" in trajectory.steps[0].error


def test_messages_are_system_then_user() -> None:
    _, llm = run([say("send_msg_to_user('x')")], Pages(), memory="Title: t")
    assert [message.role for message in llm.requests[0]] == ["system", "user"]
    assert isinstance(llm.requests[0][0], Message)
    assert llm.requests[0][0].content.endswith("# Memory\nTitle: t")


def test_a_prompt_tells_what_it_has_in_common_with_those_before() -> None:
    script = [say("click('1')"), say("click('2')", "two\n\nparagraphs"), "no action", say("send_msg_to_user('3')")]
    _, llm = run(script, Pages())
    users = [messages[1] for messages in llm.requests]
    assert [len(user.heads) for user in users] == [0, 1, 2, 3]
    for before, user in pairwise(users):
        assert user.heads[:-1] == before.heads
        assert user.content[: user.heads[-1]] == before.content[: user.heads[-1]]
    for count, user in enumerate(users[1:]):
        assert user.content[: user.heads[-1]].count("## Step") == count
    assert "heads" not in repr(users[3])
    assert set(users[3].model_dump()) == {"role", "content"}
