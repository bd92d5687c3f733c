"""The keys in which profiles differ, each by itself: what the judge, the contrast and the agent are shown by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from attempt_makers import CONTRAST, item_reply, make_attempt, make_episode, make_scopes, make_trajectory

from reasoningbank.bank.bank import Bank
from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.memory.base import Learning, Retrieval
from reasoningbank.memory.reasoningbank import ReasoningBankMemory
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Task

GOOD = "Thoughts: It is shown.\nStatus: success"


@pytest.mark.parametrize(("pages", "shown"), [(1, []), (2, [4]), (4, [2, 3, 4]), (9, [0, 1, 2, 3, 4])])
def test_the_judge_is_shown_the_last_pages(pages: int, shown: list[int]) -> None:
    llm = ScriptedLLM([GOOD])
    LLMJudge(prompts=PromptPack(), pages=pages).judge(make_trajectory(steps=5), make_scopes(llm)(0))
    user = llm.requests[0][-1].content
    assert [number for number in range(5) if f"page text {number}" in user] == shown
    assert [f"## Before step {number + 1}" in user for number in shown] == [True] * len(shown)
    assert user.index("StaticText '3 pieces'") > max([0, *(user.index(f"page text {number}") for number in shown)])


def test_all_pages_together_keep_to_their_budget() -> None:
    llm = ScriptedLLM([GOOD])
    trajectory = make_trajectory(steps=5)
    steps = tuple(step.model_copy(update={"observation": "w" * 5000}) for step in trajectory.steps)
    long = trajectory.model_copy(update={"steps": steps, "final_observation": "w" * 5000})
    LLMJudge(prompts=PromptPack(), pages=5, page_chars=1000).judge(long, make_scopes(llm)(0))
    assert 500 < llm.requests[0][-1].content.count("w") < 1100


@pytest.mark.parametrize("strict", [False, True])
def test_a_strict_judge_has_three_rules_more(strict: bool) -> None:
    llm = ScriptedLLM([GOOD])
    LLMJudge(prompts=PromptPack(), strict=strict).judge(make_trajectory(), make_scopes(llm)(0))
    rules = llm.requests[0][0].content.partition("# How to decide\n")[2].partition("\n\n")[0].splitlines()
    assert len(rules) == (9 if strict else 6)


def test_an_unreadable_verdict_can_count_as_a_failure() -> None:
    judge = LLMJudge(prompts=PromptPack(), tries=1, unreadable="failure")
    verdict = judge.judge(make_trajectory(), make_scopes(ScriptedLLM(["Status: unsuccessful"]))(0))
    assert (verdict.label, "unsuccessful" in verdict.reasons) == ("failure", True)


@pytest.mark.parametrize("labels", [False, True])
def test_a_contrast_without_labels_tells_none(labels: bool) -> None:
    llm = ScriptedLLM([item_reply("One")])
    extractor = ContrastExtractor(prompts=PromptPack(), settings=CONTRAST, labels=labels)
    attempts = [make_attempt(0, "success"), make_attempt(1, "failure")]
    assert extractor.extract(make_episode(*attempts), attempts, make_scopes(llm)(None)).experiences
    text = "\n".join(message.content for message in llm.requests[0])
    assert ("# Trajectory 2 (failure)" in text, "# Labels" in text) == (labels, labels)
    assert ("judged a success" in text, "is labelled" in text) == (labels, labels)


@pytest.mark.parametrize("shown", [False, True])
def test_the_agent_is_shown_descriptions_where_that_is_set(shown: bool, tmp_path: Path) -> None:
    def memory(show_description: bool) -> ReasoningBankMemory:
        return ReasoningBankMemory(
            prompts=PromptPack(), retrieval=Retrieval(), learning=Learning(), show_description=show_description
        )

    attempt = make_attempt(0, "success")
    learnt = memory(shown).distill(make_episode(attempt), make_scopes(ScriptedLLM([item_reply("One")])))
    bank = Bank.open(None, HashingEmbedder(dims=64), key="query")
    bank.add(learnt.experiences[0])
    task = Task(id="8", suite="any", group="any", intent="How many pears?", template_id="t2")
    found = memory(shown).recall(task, bank)
    [item] = found.hits[0].items
    assert item.title in found.text
    assert (item.description in found.text) is shown
    bank.close()
