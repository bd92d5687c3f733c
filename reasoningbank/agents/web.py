"""The web agent: prompts over accessibility trees, actions by element number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reasoningbank.agents.actions import Action, ActionSyntaxError, parse_actions
from reasoningbank.agents.react import MalformedReply, Move, Turn, run_react
from reasoningbank.interfaces import AnswerCheck, Calls, Environment, Observation
from reasoningbank.prompts import PromptPack
from reasoningbank.steps import step_text
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Role, Step, Task, Trajectory

# A label at a line's start, with the markdown that models put around it.
_ACTION = re.compile(r"^[ \t>*#_`]*action[ \t*_`]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_THOUGHT = re.compile(r"^[ \t>*#_`]*thoughts?[ \t*_`]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)
_NEXT_TURN = re.compile(r"^[ \t>*#_`]*(?:thoughts?|action|observation)[ \t*_`]*:", re.IGNORECASE | re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*$", re.MULTILINE)


class WebAgent:
    """A ReAct agent for websites, and the `Kind` that its loop is given.

    Budgets are in characters; `history_budget` bounds the whole of the history.
    """

    roles: tuple[Role, ...] = ("agent",)
    """Of a check, which asks `refiner`, the scaling says so."""

    def __init__(
        self,
        *,
        prompts: PromptPack | None = None,
        max_steps: int = 30,
        max_malformed: int = 5,
        multi_actions: bool = False,
        page_budget: int = 60_000,
        history_budget: int = 24_000,
        thought_budget: int = 2_000,
    ) -> None:
        self.prompts = prompts or PromptPack()
        self.max_steps = max_steps
        self.max_malformed = max_malformed
        self.multi_actions = multi_actions
        self.page_budget = page_budget
        self.history_budget = history_budget
        self.thought_budget = thought_budget

    def run(
        self,
        task: Task,
        env: Environment,
        calls: Calls,
        *,
        attempt_id: str,
        memory: str,
        seed: int,
        check: AnswerCheck | None = None,
    ) -> Trajectory:
        """One attempt on one task."""
        return run_react(
            self,
            task,
            env,
            calls,
            attempt_id=attempt_id,
            memory=memory,
            seed=seed,
            max_steps=self.max_steps,
            max_malformed=self.max_malformed,
            check=check,
        )

    def system_prompt(self, task: Task, memory: str) -> str:
        """Role, actions, reply format; the memory section only where something was recalled."""
        return self.prompts.render("agent_web_system", memory=memory.strip(), multi_actions=self.multi_actions)

    def user_prompt(self, task: Task, steps: Sequence[Step], observation: Observation, error: str) -> str:
        """Goal, what was done, the page as it is, and what went wrong last."""
        past = [step_text(step, step.index + 1, budget=self.thought_budget) for step in steps]
        return self.prompts.render(
            "agent_web_user",
            goal=task.asked,
            history=keep_ends("\n\n".join(past), self.history_budget),
            check=next((step.check for step in reversed(steps) if step.check), ""),
            url=observation.url,
            page=keep_ends(observation.text, self.page_budget),
            error=error,
        )

    def parse(self, text: str) -> Turn:
        """The first turn of the reply: what a model invents after its own action is not what happened."""
        label = _ACTION.search(text)
        if label is None:
            thought = _THOUGHT.sub("", text, count=1).strip()
            raise MalformedReply("the reply has no line that begins with 'Action:'", thought=thought)
        thought = _THOUGHT.sub("", text[: label.start()], count=1).strip()
        rest = text[label.end() :]
        after = _NEXT_TURN.search(rest)
        written = _FENCE.sub("", rest[: after.start()] if after else rest).strip().strip("`").strip()
        if not written:
            raise MalformedReply("there is no action after 'Action:'", thought=thought)
        try:
            actions = parse_actions(written, self.multi_actions)
        except ActionSyntaxError as fault:
            raise MalformedReply(str(fault), thought=thought, action=written) from fault
        return Turn(thought, written, tuple(_move(action) for action in actions))


def _move(action: Action) -> Move:
    if action.name == "send_msg_to_user":
        return Move(action.text, exit="answered", answer=str(action.args[0]) if action.args else "")
    if action.name == "report_infeasible":
        return Move(action.text, exit="infeasible", answer=str(action.args[0]) if action.args else "")
    return Move(action.text)
