"""`llm=offline`: a simulated model for every role but the grader. Free, repeatable, and no evidence of anything.

It is a pure function of the prompt, the temperature, the seed and its knobs. It reads only the prompt and tells the
role from the prompt's sections and reply format. What it makes cannot show whether memory helps: its habits were chosen
by the suite's author to meet the suite's conventions (see `habits.py`), and it obeys lessons because it was written to.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from reasoningbank.errors import SetupError
from reasoningbank.llm.offline import distilling, judging
from reasoningbank.llm.offline.coding import distilling as shell_distilling
from reasoningbank.llm.offline.coding import judging as shell_judging
from reasoningbank.llm.offline.coding.policy import act as work
from reasoningbank.llm.offline.coding.runs import in_shell, run_in
from reasoningbank.llm.offline.coding.runs import runs_in as shell_runs_in
from reasoningbank.llm.offline.policy import act
from reasoningbank.llm.offline.reading import (
    PastRun,
    asked,
    labelled,
    most_items,
    runs_in,
    section,
    situation,
    steps_in,
)
from reasoningbank.llm.offline.usage import reply_of
from reasoningbank.types import Message, Reply


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
        kind = asked(messages)
        if kind == "code":
            return work(messages, temperature=temperature, seed=seed, advice_effect=self.advice_effect)
        if kind == "act":
            return act(situation(messages), temperature=temperature, seed=seed, advice_effect=self.advice_effect)
        text = "\n".join(message.content for message in messages)
        rng = random.Random(f"{seed}/{kind}")
        shell = in_shell(messages[-1].content)
        if kind == "judge":
            reads = shell_judging.judge if shell else judging.judge
            return reads(messages[-1].content, rng, self.judge_error)
        if kind == "select":
            picks = shell_judging.select if shell else judging.select
            return picks(messages[-1].content, rng, self.judge_error)
        if kind == "unknown":
            return "I do not know what is asked of me."
        body = messages[-1].content
        intent = section(body, "Intent")
        if rng.random() < self.unusable * min(1.0, temperature):
            return "Here is what I learnt: it is best to be careful."
        if kind == "contrast":
            lessons = (
                shell_distilling.lessons_of(shell_runs_in(body), intent)
                if shell
                else distilling.lessons_of(runs_in(body), intent)
            )
            return distilling.written(distilling.distinct(lessons, most_items(text)), "Memory Item")
        success = labelled(text.partition("# Intent")[0], "Label") != "failure"
        label = "success" if success else "failure"
        trajectory = section(body, "Trajectory")
        if shell:
            shell_run = run_in(trajectory, label=label)
            routine = shell_distilling.workflow_of(shell_run, intent)
            lessons = shell_distilling.lessons_of([shell_run], intent)
        else:
            run = PastRun(1, label, steps_in(trajectory))
            routine = distilling.workflow_of(run, intent)
            lessons = distilling.lessons_of([run], intent)
        if kind == "workflow":
            return distilling.written([routine], "Workflow")
        return distilling.written(distilling.distinct(lessons, most_items(text)), "Memory Item")
