"""`llm=offline`: a simulated model for every role but the grader. Free, repeatable, and no evidence of anything.

It is a pure function of the prompt, the temperature, the seed and its knobs. It reads only the prompt and tells the
role from the prompt's sections and reply format. What it makes cannot show whether memory helps: its habits were chosen
by the suites' author to meet the suites' conventions (see `habits.py`), and so were the repairs that it thinks of in a
repository, and the wordings of reports that it understands (`ideas.py`, `report.py` and `customs.py` in `coding/`): how
much it solves is no skill. It obeys lessons because it was written to.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from reasoningbank.errors import SetupError
from reasoningbank.llm.offline import coding, distilling, judging, policy, reading
from reasoningbank.llm.offline.usage import reply_of
from reasoningbank.types import Message, Reply

Run = TypeVar("Run")


class Kit(NamedTuple, Generic[Run]):
    """What the model does in one kind of surroundings: a role a function, all of them about the same kind of runs."""

    act: Callable[..., str]
    judge: Callable[[str, random.Random, float], str]
    select: Callable[[str, random.Random, float], str]
    run_in: Callable[[str, str], Run]
    """A run as it is shown, with its label."""
    runs_in: Callable[[str], Sequence[Run]]
    """Those of a prompt, numbered and labelled."""
    lessons_of: Callable[[Sequence[Run], str], list[distilling.Lesson]]
    workflow_of: Callable[[Run, str], distilling.Lesson]


WEB = Kit(
    act=policy.act,
    judge=judging.judge,
    select=judging.select,
    run_in=reading.run_in,
    runs_in=reading.runs_in,
    lessons_of=distilling.lessons_of,
    workflow_of=distilling.workflow_of,
)
SHELL = Kit(
    act=coding.policy.act,
    judge=coding.judging.judge,
    select=coding.judging.select,
    run_in=coding.runs.run_in,
    runs_in=coding.runs.runs_in,
    lessons_of=coding.distilling.lessons_of,
    workflow_of=coding.distilling.workflow_of,
)


class SimulatedLLM:
    """The offline model. `advice_effect`: 1 follows recalled advice, 0 is blind to it, -1 inverts it.

    `judge_error` is the probability that a verdict is turned round; `unusable` that an extraction is not in the asked
    format, at temperature 1.
    """

    simulated = True

    def __init__(
        self, *, advice_effect: float = 1.0, judge_error: float = 0.15, unusable: float = 0.02, id: str = "offline"
    ) -> None:
        if not -1.0 <= advice_effect <= 1.0:
            raise SetupError(f"llm.advice_effect={advice_effect}: give a number from -1 (inverts) to 1 (follows)")
        for name, value in (("judge_error", judge_error), ("unusable", unusable)):
            if not 0.0 <= value <= 1.0:
                raise SetupError(f"llm.{name}={value}: give a probability from 0 to 1")
        self.id = id
        self.advice_effect = advice_effect
        self.judge_error = judge_error
        self.unusable = unusable

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """The reply to a prompt of the default kinds; anything else gets one sentence."""
        return reply_of(messages, self._text(messages, temperature, seed))

    def _text(self, messages: Sequence[Message], temperature: float, seed: int) -> str:
        kind = reading.asked(messages)
        kit: Kit[Any] = SHELL if coding.runs.in_shell(messages) else WEB
        rng = random.Random(f"{seed}/{kind}")
        body = messages[-1].content
        match kind:
            case "act":
                return kit.act(messages, temperature=temperature, seed=seed, advice_effect=self.advice_effect)
            case "judge":
                return kit.judge(body, rng, self.judge_error)
            case "select":
                return kit.select(body, rng, self.judge_error)
            case "unknown":
                return "I do not know what is asked of me."
        if rng.random() < self.unusable * min(1.0, temperature):
            return "Here is what I learnt: it is best to be careful."
        text = "\n".join(message.content for message in messages)
        intent = reading.section(body, "Intent")
        if kind == "contrast":
            runs = kit.runs_in(body)
        else:
            failed = reading.labelled(text.partition("# Intent")[0], "Label") == "failure"
            runs = [kit.run_in(reading.section(body, "Trajectory"), "failure" if failed else "success")]
        if kind == "workflow":
            return distilling.written([kit.workflow_of(runs[0], intent)], "Workflow")
        lessons = kit.lessons_of(runs, intent)
        return distilling.written(distilling.distinct(lessons, reading.most_items(text)), "Memory Item")
