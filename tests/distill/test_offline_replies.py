"""Every prompt meets the simulated model: its replies are read by the parsers that read a real model's."""

from __future__ import annotations

import pytest
from attempt_makers import CONTRAST, EXTRACT, make_attempt, make_episode, make_scopes, make_trajectory

from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.extract import ItemExtractor
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.distill.workflow import WorkflowExtractor
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.matts.select import select_best
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Label

PACK = PromptPack()
ITEMS = ItemExtractor(prompts=PACK, settings=EXTRACT)
SEVERAL = ContrastExtractor(prompts=PACK, settings=CONTRAST)
WORKFLOWS = WorkflowExtractor(prompts=PACK, settings=EXTRACT)
MODEL = SimulatedLLM(unusable=0.0)


@pytest.mark.parametrize("steps", [0, 1, 8])
def test_judge(steps: int) -> None:
    verdict = LLMJudge(prompts=PACK, tries=1).judge(make_trajectory(steps=steps), make_scopes(MODEL)(0))
    assert verdict.label in ("success", "failure")
    assert verdict.reasons


@pytest.mark.parametrize("label", ["success", "failure"])
def test_extraction(label: Label) -> None:
    attempt = make_attempt(0, label, steps=5)
    for extractor in (ITEMS, WORKFLOWS):
        calls = make_scopes(MODEL)(0)
        learnt = extractor.extract(make_episode(attempt), [attempt], calls)
        assert calls.refused == []
        assert len(learnt.experiences) == 1


@pytest.mark.parametrize("labels", [["success", "failure", "failure"], ["success"] * 3, ["failure"] * 3])
def test_contrast(labels: list[Label]) -> None:
    attempts = [make_attempt(index, label, steps=4) for index, label in enumerate(labels)]
    calls = make_scopes(MODEL)(None)
    learnt = SEVERAL.extract(make_episode(*attempts), attempts, calls)
    assert calls.refused == []
    assert len(learnt.experiences) == 1


def test_selection() -> None:
    attempts = [make_attempt(index, steps=3) for index in range(4)]
    selection = select_best(attempts, make_scopes(MODEL)(None), prompts=PACK, seed=0, tries=1, trajectory_chars=10_000)
    assert selection.index in range(4)
    assert not selection.by_lot


def test_a_reply_out_of_format_is_refused_and_not_stored() -> None:
    attempt = make_attempt(0)
    model = SimulatedLLM(unusable=1.0)
    calls = make_scopes(model)(0)
    learnt = ITEMS.extract(make_episode(attempt), [attempt], calls)
    assert learnt.experiences == ()
    assert len(calls.refused) == 3
