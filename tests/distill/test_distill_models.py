"""Judge and extractors against a scripted model: what it is shown, what comes of its replies."""

from __future__ import annotations

import pytest
from attempt_makers import (
    CONTRAST,
    EXTRACT,
    TASK,
    item_reply,
    make_attempt,
    make_episode,
    make_scopes,
    make_trajectory,
    titles,
)

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.experience import merge_experiences
from reasoningbank.distill.extract import ItemExtractor
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.distill.workflow import WorkflowExtractor
from reasoningbank.errors import InfraError, UnusableReply
from reasoningbank.interfaces import Extractor, Judge
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.prompts import PromptPack
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Refused, Reply, Usage

PACK = PromptPack()
ITEMS = ItemExtractor(prompts=PACK, settings=EXTRACT)
SEVERAL = ContrastExtractor(prompts=PACK, settings=CONTRAST)
WORKFLOWS = WorkflowExtractor(prompts=PACK, settings=EXTRACT)
GOOD = "Thoughts: It is shown.\nStatus: success"


def test_protocols() -> None:
    assert isinstance(LLMJudge(prompts=PACK), Judge)
    for extractor in (ITEMS, SEVERAL, WORKFLOWS):
        assert isinstance(extractor, Extractor)


def test_the_judge_sees_intent_steps_last_page_and_answer() -> None:
    llm = ScriptedLLM([GOOD])
    verdict = LLMJudge(prompts=PACK).judge(make_trajectory(answer="3 (three) pears"), make_scopes(llm)(0))
    assert (verdict.label, verdict.reasons) == ("success", "It is shown.")
    user = llm.requests[0][-1].content
    order = [user.index(part) for part in (TASK.intent, "## Step 2", "StaticText '3 pieces'", "3 (three) pears")]
    assert order == sorted(order)
    assert "page text" not in user


def test_an_unreadable_verdict_is_asked_for_again_with_another_seed() -> None:
    seeds: list[int] = []

    def script(messages: object, temperature: float, seed: int) -> str:
        seeds.append(seed)
        return "Status: unsuccessful" if len(seeds) < 3 else GOOD

    assert LLMJudge(prompts=PACK).judge(make_trajectory(), make_scopes(ScriptedLLM(script))(0)).label == "success"
    assert len(set(seeds)) == 3


def test_a_judge_that_stays_unreadable_gives_no_label() -> None:
    llm = ScriptedLLM(["Status: not successful"] * 2)
    verdict = LLMJudge(prompts=PACK, tries=2).judge(make_trajectory(), make_scopes(llm)(0))
    assert verdict.label == "unparseable"
    assert "not successful" in verdict.reasons


def test_a_judge_that_cannot_be_reached_gives_no_verdict_at_all() -> None:
    llm = ScriptedLLM([InfraError("down")] * 2)
    with pytest.raises(InfraError):
        LLMJudge(prompts=PACK).judge(make_trajectory(), make_scopes(llm, retry=RetryPolicy(attempts=2))(0))


def test_a_judge_needs_at_least_one_try() -> None:
    with pytest.raises(ValueError, match="tries"):
        LLMJudge(prompts=PACK, tries=0)


def test_a_long_run_is_judged_by_its_ending() -> None:
    llm = ScriptedLLM([GOOD])
    LLMJudge(prompts=PACK, trajectory_chars=2_000, page_chars=500).judge(
        make_trajectory(steps=300), make_scopes(llm)(0)
    )
    user = llm.requests[0][-1].content
    assert "## Step 300\n" in user
    assert "left out" in user
    assert len(user) < 4_000


class CutOff:
    """A model whose replies end in the middle."""

    id = "cut"
    simulated = True

    def complete(self, messages: object, *, temperature: float, seed: int, max_tokens: int) -> Reply:
        return Reply(text=item_reply("Look"), usage=Usage(), stop_reason="length")


def test_a_reply_that_was_cut_off_is_refused_even_if_it_parses() -> None:
    calls = make_scopes(CutOff())(0)
    learnt = ITEMS.extract(make_episode(), [make_attempt()], calls)
    assert learnt.experiences == ()
    assert len(calls.refused) == 3


def test_each_label_has_its_prompt() -> None:
    llm = ScriptedLLM([item_reply("Good"), item_reply("Bad")])
    attempts = [make_attempt(0, "success"), make_attempt(1, "failure")]
    learnt = ITEMS.extract(make_episode(*attempts), attempts, make_scopes(llm)(0))
    systems = [request[0].content for request in llm.requests]
    assert "Label: success" in systems[0]
    assert "Label: failure" in systems[1]
    assert [item.polarity for one in learnt.experiences for item in one.items] == ["success", "failure"]
    assert [one.kind for one in learnt.experiences] == ["success", "failure"]
    assert [one.id for one in learnt.experiences] == ["any.t0/0004/7#0", "any.t0/0004/7#1"]


def test_an_experience_knows_where_it_comes_from() -> None:
    attempt = make_attempt(2, "failure")
    scope = make_scopes(ScriptedLLM([item_reply("A", "B")]))(2)
    (experience,) = ITEMS.extract(make_episode(attempt), [attempt], scope).experiences
    assert experience.query == TASK.intent
    assert (experience.task_id, experience.template_id, experience.group) == ("7", "t1", "any")
    assert (experience.position, experience.attempt) == (4, 2)
    assert experience.source_attempts == ("any.t0/0004/7/2",)
    assert experience.verdicts == (attempt.verdict,)
    assert [item.id for item in experience.items] == ["any.t0/0004/7#0.0", "any.t0/0004/7#0.1"]
    assert {item.source_attempts for item in experience.items} == {experience.source_attempts}


@pytest.mark.parametrize("wanted", [False, True])
def test_reasons_of_the_judge_only_when_asked_for(wanted: bool) -> None:
    settings = EXTRACT.model_copy(update={"judge_reasons": wanted})
    for extractor in (
        ItemExtractor(prompts=PACK, settings=settings),
        ContrastExtractor(prompts=PACK, settings=settings),
    ):
        llm = ScriptedLLM([item_reply("A"), item_reply("B")])
        attempts = [make_attempt(0), make_attempt(1, "failure")]
        extractor.extract(make_episode(*attempts), attempts, make_scopes(llm)(None))
        shown = "".join(request[-1].content for request in llm.requests)
        assert ("Reason 0." in shown, "Reason 1." in shown) == (wanted, wanted)


def test_a_refused_reply_is_asked_for_again_and_kept() -> None:
    llm = ScriptedLLM(["Sure, here are the lessons:\n" + item_reply("A"), item_reply("A")])
    calls = make_scopes(llm)(0)
    learnt = ITEMS.extract(make_episode(), [make_attempt()], calls)
    assert titles(learnt.experiences[0].items) == ["A"]
    (refused,) = calls.refused
    assert refused.role == "extractor"
    assert "before the first" in refused.reason
    assert refused.text.startswith("Sure")


def test_more_items_than_asked_for_are_never_stored() -> None:
    llm = ScriptedLLM([item_reply("A", "B", "C", "D")] * 2)
    calls = make_scopes(llm)(0)
    extractor = ItemExtractor(prompts=PACK, settings=EXTRACT.model_copy(update={"tries": 2}))
    assert extractor.extract(make_episode(), [make_attempt()], calls).experiences == ()
    assert len(calls.refused) == 2


def test_contrast_shows_each_attempt_with_its_own_verdict() -> None:
    llm = ScriptedLLM([item_reply("A", "B", "C", "D", "E")])
    attempts = [make_attempt(0, "failure"), make_attempt(2, "success"), make_attempt(3, "failure")]
    learnt = SEVERAL.extract(make_episode(*attempts), attempts, make_scopes(llm)(None))
    parts = llm.requests[0][-1].content.split("# Trajectory ")[1:]
    assert [part.split("\n")[0] for part in parts] == ["1 (failure)", "2 (success)", "3 (failure)"]
    assert ["of attempt 0" in parts[0], "of attempt 2" in parts[1], "of attempt 3" in parts[2]] == [True] * 3
    (experience,) = learnt.experiences
    assert experience.kind == "mixed"
    assert [item.polarity for item in experience.items] == ["mixed"] * 5
    assert [verdict.label for verdict in experience.verdicts] == ["failure", "success", "failure"]
    assert len(experience.items[0].source_attempts) == 3


@pytest.mark.parametrize("runs", [2, 5, 16])
def test_contrast_shares_one_budget_among_all_runs(runs: int) -> None:
    llm = ScriptedLLM([item_reply("A")])
    attempts = [make_attempt(index, steps=300) for index in range(runs)]
    settings = EXTRACT.model_copy(update={"trajectory_chars": 16_000})
    ContrastExtractor(prompts=PACK, settings=settings).extract(
        make_episode(*attempts), attempts, make_scopes(llm)(None)
    )
    text = llm.requests[0][-1].content
    assert len(text) < 16_000 + 150 * runs + 1_000
    assert text.count("## Step 300\n") == runs


def test_contrast_of_failures_teaches_failures() -> None:
    attempts = [make_attempt(0, "failure"), make_attempt(1, "failure")]
    scope = make_scopes(ScriptedLLM([item_reply("A")]))(None)
    (experience,) = SEVERAL.extract(make_episode(*attempts), attempts, scope).experiences
    assert (experience.kind, experience.items[0].polarity) == ("failure", "failure")


def test_workflows() -> None:
    llm = ScriptedLLM([item_reply("A"), item_reply("A", "B", heading="Workflow")])
    calls = make_scopes(llm)(0)
    learnt = WORKFLOWS.extract(make_episode(), [make_attempt()], calls)
    assert titles(learnt.experiences[0].items) == ["A", "B"]
    assert len(calls.refused) == 1


def test_merged_experiences_keep_polarity_and_sources() -> None:
    attempts = [make_attempt(3, "failure"), make_attempt(1, "success")]
    episode = make_episode(*attempts)
    scope = make_scopes(ScriptedLLM([item_reply("A", "B"), item_reply("C")]))(None)
    merged = merge_experiences(ITEMS.extract(episode, attempts, scope).experiences, episode)
    assert (merged.id, merged.kind, merged.attempt) == ("any.t0/0004/7#0", "mixed", 1)
    assert [item.id.rpartition(".")[2] for item in merged.items] == ["0", "1", "2"]
    assert [item.polarity for item in merged.items] == ["failure", "failure", "success"]
    assert merged.items[2].source_attempts == ("any.t0/0004/7/1",)


def test_refused_text_can_always_be_stored() -> None:
    def parse(text: str) -> str:
        raise UnusableReply(f"bad {text}", text)

    calls = make_scopes(ScriptedLLM(["half \ud800"]))(0)
    answer = ask_until_usable(calls, "judge", [Message(role="user", content="x")], parse, tries=1)
    assert isinstance(answer, Refused)
    assert answer.model_dump_json()
    assert calls.refused == [answer]


def test_what_a_judge_refused_before_it_could_be_read_is_kept() -> None:
    calls = make_scopes(ScriptedLLM(["hm", "Status: perhaps", GOOD]))(0)
    assert LLMJudge(prompts=PACK).judge(make_trajectory(), calls).label == "success"
    assert [(one.role, one.text) for one in calls.refused] == [("judge", "hm"), ("judge", "Status: perhaps")]


def test_no_try_at_all_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="tries=0"):
        ask_until_usable(make_scopes(ScriptedLLM([]))(0), "judge", [Message(role="user", content="x")], str, tries=0)
