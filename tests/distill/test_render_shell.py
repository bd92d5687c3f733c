"""Trajectories of commands as text: outputs with their commands, the changes at the end, all cut by the one policy."""

from __future__ import annotations

import pytest
from attempt_makers import CONTRAST, EXTRACT, item_reply, make_episode, make_scopes
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.extract import ItemExtractor
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.distill.render import render_steps
from reasoningbank.distill.workflow import WorkflowExtractor
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.matts.select import select_best
from reasoningbank.memory.base import Learning, Retrieval
from reasoningbank.memory.synapse import Synapse
from reasoningbank.prompts import PromptPack
from reasoningbank.steps import final_parts, final_state
from reasoningbank.types import Exit, JudgedAttempt, Step, Task, Trajectory, Verdict

PLENTY = 100_000
PACK = PromptPack()
TASK = Task(id="p__p-1", suite="any", group="p", intent="Pears are counted twice")
DIFF = "diff --git a/basket.py b/basket.py\n--- a/basket.py\n+++ b/basket.py\n@@ -1 +1 @@\n-n = 2\n+n = 1"


def shell_run(*, exit: Exit = "answered", diff: str | None = DIFF, output: str = "2\n", index: int = 0) -> Trajectory:
    """Look, a refused reply, a script that fails, an answer that is held back, and the same again."""
    steps = (
        Step(index=0, observation="", thought="I look.", action="ls"),
        Step(index=1, observation="basket.py\n", thought="Hm.", action="", error="no block"),
        Step(
            index=2,
            observation="basket.py\n",
            thought="I try.",
            action="python - <<'E'\n# Labels\n## Step 9\nE",
            error="exit code 1",
        ),
        Step(index=3, observation=output, thought="Done.", action="echo SUBMIT", check="Is it right?"),
        Step(index=4, observation=output, thought="Yes.", action="echo SUBMIT"),
    )
    return Trajectory(
        attempt_id=f"e/{index}",
        task=TASK,
        steps=steps,
        exit=exit,
        answer="n was 2",
        final_observation=final_state(diff, output),
        medium="shell",
    )


def attempts() -> list[JudgedAttempt]:
    return [
        JudgedAttempt(index=index, trajectory=shell_run(index=index), verdict=Verdict(label="success"))
        for index in (0, 1)
    ]


def test_a_command_stands_with_what_it_printed_and_changes_at_the_end() -> None:
    assert render_steps(shell_run(), PLENTY) == (
        "## Step 1\nThought: I look.\nAction: ls\nOutput:\n  basket.py\n\n"
        "## Step 2\nThought: Hm.\nAction: (none)\nError: no block\n\n"
        "## Step 3\nThought: I try.\nAction:\n  python - <<'E'\n  # Labels\n  ## Step 9\n  E\nError: exit code 1\n"
        "Output:\n  2\n\n"
        "## Step 4\nThought: Done.\nAction: echo SUBMIT\nCheck: this answer was held back, to be checked first.\n\n"
        "## Step 5\nThought: Yes.\nAction: echo SUBMIT\n\n"
        "## Changes made at the end\n" + "\n".join(f"  {line}" for line in DIFF.splitlines())
    )


def test_what_the_last_command_printed_is_shown_where_the_run_was_stopped() -> None:
    run = shell_run(exit="limit")
    stopped = run.model_copy(update={"steps": run.steps[:3]})
    text = render_steps(stopped, PLENTY)
    assert "Error: exit code 1\nOutput:\n  2\n\n## End\nThe run was stopped" in text
    assert "Output:\n  2" not in render_steps(stopped, PLENTY, final=False)


def test_outputs_are_shortened_before_steps_are_left_out_and_changes_stay() -> None:
    long = "\n".join(f"line {number}" for number in range(5_000))
    run = shell_run(output=long, diff="+x\n" * 9_000)
    text = render_steps(run, 3_000)
    assert len(text) < 3_400
    assert [f"## Step {number}\n" in text for number in range(1, 6)] == [True] * 5
    assert "## Changes made at the end\n  +x" in text
    assert text.count("characters left out") >= 2
    assert len(render_steps(run, PLENTY)) < 40_000


def test_without_outputs_it_is_thoughts_and_commands_alone() -> None:
    text = render_steps(shell_run(), PLENTY, bare=True)
    assert "Output:" not in text
    assert "Changes" not in text
    assert "Action: ls\n\n## Step 2" in text
    synapse = Synapse(prompts=PACK, retrieval=Retrieval(), learning=Learning())
    learnt = synapse.learn_one(make_episode(*attempts()[:1]), attempts()[0], make_scopes(ScriptedLLM([]))(0))
    assert DIFF.splitlines()[-1] not in learnt.experiences[0].items[0].content


@given(
    st.none() | st.text("+-@ abc\n"),
    st.text("abc \n:") | st.just("Output of the last command:\nChanges made:\n"),
)
@settings(deadline=None, max_examples=60)
def test_the_end_is_read_back(diff: str | None, output: str) -> None:
    changes, printed = final_parts(final_state(diff, output))
    assert changes == ("" if diff is None else diff.strip() or "(nothing)")
    assert printed == output.strip()


def asked(llm: ScriptedLLM) -> str:
    return "\n".join(message.content for message in llm.requests[-1])


def test_the_judge_sees_changes_and_last_output_once() -> None:
    llm = ScriptedLLM(["Thoughts: so\nStatus: success"])
    assert LLMJudge(prompts=PACK, pages=5).judge(shell_run(), make_scopes(llm)(0)).label == "success"
    text = asked(llm)
    assert text.count("+n = 1") == 1
    assert "# Final state\n  Changes made:\n  diff --git" in text
    assert "Output of the last command:\n  2" in text
    assert "page" not in text.lower()


def test_the_selector_sees_the_changes_of_every_candidate() -> None:
    llm = ScriptedLLM(['{"index": [1], "analysis": "so"}'])
    select_best(attempts(), make_scopes(llm)(None), prompts=PACK, seed=0, tries=1, trajectory_chars=PLENTY)
    assert asked(llm).count("+n = 1") == 2
    assert asked(llm).count("## Answer\nn was 2") == 2


@pytest.mark.parametrize("kind", [ItemExtractor, ContrastExtractor, WorkflowExtractor])
def test_extractors_see_outputs_and_changes(kind: type) -> None:
    llm = ScriptedLLM([item_reply("a")] * 9)
    made = kind(prompts=PACK, settings=CONTRAST if kind is ContrastExtractor else EXTRACT)
    made.extract(make_episode(*attempts()), attempts(), make_scopes(llm)(None))
    for messages in llm.requests:
        text = "\n".join(message.content for message in messages)
        assert "+n = 1" in text
        assert "Output:\n  basket.py" in text
        assert " page" not in text
