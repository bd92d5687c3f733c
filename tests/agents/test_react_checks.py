"""Answers that are held back: what the agent may do then, what is asked of whom, and which answer stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest
from asking import Asks
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoningbank.agents.web import WebAgent
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import AnswerCheck, Evidence, Observation
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.scripted import Scripted, ScriptedLLM
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import CheckEnv, Task, Trajectory

TASK = Task(id="1", suite="any", group="any", intent="Find the number of pears")
ENVS: tuple[CheckEnv, ...] = get_args(CheckEnv)


class Pages:
    """Counts what was done since the last reset, and how often it was reset."""

    def __init__(self, *, fails_at_reset: int = 0) -> None:
        self.resets = 0
        self.calls: list[str] = []
        self._fails = fails_at_reset

    def reset(self, task: Task, seed: int) -> Observation:
        self.resets += 1
        if self.resets == self._fails:
            raise InfraError("the site is down")
        self.calls = []
        return self.shown()

    def step(self, text: str) -> Observation:
        self.calls.append(text)
        return self.shown()

    def shown(self) -> Observation:
        return Observation(text=f"RootWebArea 'Page {len(self.calls)}'", url=f"http://any.test/{len(self.calls)}")

    def finish(self, answer: str | None) -> Evidence:
        raise AssertionError("the loop must not call finish")

    def close(self) -> None:
        raise AssertionError("the loop must not call close")


def run(
    replies: Sequence[Scripted],
    check: AnswerCheck | None,
    env: Pages | None = None,
    *,
    max_steps: int = 30,
    max_malformed: int = 5,
) -> tuple[Trajectory, dict[str, ScriptedLLM], CallScope]:
    llm = ScriptedLLM(list(replies))
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task="1", attempt=0)
    calls = CallScope(llms={"agent": llm, "refiner": llm}, key=key, transport=Transport(retry=RetryPolicy(attempts=1)))
    agent = WebAgent(max_steps=max_steps, max_malformed=max_malformed)
    done = agent.run(TASK, env or Pages(), calls, attempt_id="a/0", memory="", seed=0, check=check)
    return done, {"all": llm}, calls


def say(action: str) -> str:
    return f"Thought: so\nAction: {action}"


def tell(answer: object) -> str:
    return say(f"send_msg_to_user('{answer}')")


@pytest.mark.parametrize("env", ENVS)
def test_every_answer_but_the_last_is_held_back(env: CheckEnv) -> None:
    check = Asks(2, env)
    done, llms, calls = run([say("click('3')"), tell(7), tell(8), tell(7)], check)
    assert (done.exit, done.answer) == ("answered", "7")
    assert [(held.round, held.step, held.answer) for held in check.shown] == [(0, 1, "7"), (1, 2, "8"), (2, 3, "7")]
    assert [step.check for step in done.steps] == ["", "Is 7 right?", "Is 8 right?", ""]
    assert {role: usage.calls for role, usage in calls.usage.items()} == {"agent": 2, "refiner": 2}
    prompts = [messages[-1].content for messages in llms["all"].requests]
    assert ["# Check of the answer\nIs 8 right?" in prompt for prompt in prompts] == [False, False, False, True]
    assert "Action: send_msg_to_user('7')\nCheck: this answer was held back" in prompts[2]


def test_checking_goes_on_where_it_is_or_starts_again_or_only_thinks() -> None:
    replies = [say("click('3')"), tell(7), say("click('4')"), tell(8)]
    env = Pages()
    done, _, _ = run(replies, Asks(1, "continue"), env)
    assert (env.resets, env.calls, done.answer) == (1, ["click('3')", "click('4')"], "8")

    env = Pages()
    done, _, _ = run(replies, Asks(1, "reset"), env)
    assert (env.resets, env.calls, done.answer) == (2, ["click('4')"], "8")
    assert [step.observation[-2] for step in done.steps] == ["0", "1", "0", "1"]

    env = Pages()
    done, _, _ = run(replies, Asks(1, "reflect_only"), env)
    assert (env.resets, env.calls, done.answer) == (1, ["click('3')"], "8")
    assert "nothing can be done any more" in done.steps[2].error


@pytest.mark.parametrize("env", ENVS)
def test_where_steps_run_out_the_last_answer_held_stands(env: CheckEnv) -> None:
    check = Asks(4, env)
    replies = [tell(7), tell(8), *[say("noop()")] * 20]
    done, _, _ = run(replies, check, max_steps=5)
    assert (done.exit, done.answer, len(done.steps)) == ("answered", "8", 5)
    assert len(check.shown) == 2


def test_an_answer_in_the_last_step_is_not_held_back() -> None:
    env = Pages()
    check = Asks(4, "reset")
    done, _, _ = run([say("noop()"), tell(7)], check, env, max_steps=2)
    assert (done.exit, done.answer, env.resets, env.calls) == ("answered", "7", 1, ["noop()"])
    assert done.steps[-1].check == ""
    assert len(check.shown) == 1


def test_a_breakdown_while_checking_leaves_the_answer() -> None:
    done, _, _ = run([tell(7), *["no action at all"] * 3], Asks(1), max_malformed=3)
    assert (done.exit, done.answer, done.error) == ("answered", "7", "")
    assert len(done.steps) == 4


def test_giving_up_can_be_taken_back() -> None:
    check = Asks(1)
    done, _, _ = run([say("report_infeasible('no pears')"), tell(7)], check)
    assert (done.exit, done.answer) == ("answered", "7")
    assert (check.shown[0].exit, check.shown[0].answer) == ("infeasible", "no pears")


def test_an_environment_that_fails_to_start_again_is_no_result() -> None:
    with pytest.raises(InfraError):
        run([tell(7), tell(8)], Asks(1, "reset"), Pages(fails_at_reset=2))


@settings(max_examples=50, deadline=None)
@given(
    script=st.lists(st.sampled_from([say("click('3')"), "no action", tell(7), tell(8)]), min_size=8, max_size=8),
    env=st.sampled_from(ENVS),
    times=st.integers(0, 4),
)
def test_until_the_first_answer_nothing_differs(script: list[str], env: CheckEnv, times: int) -> None:
    script = [*script, *[tell(9)] * 12]
    plain, _, _ = run(script, None)
    check = Asks(times, env)
    done, _, _ = run(script, check)
    first = len(plain.steps)
    assert [step.model_copy(update={"check": ""}) for step in done.steps[:first]] == list(plain.steps)
    if not check.shown or not times:
        assert done.model_dump_json() == plain.model_dump_json()
