"""The web agent's prompts (golden) and how its replies are read."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoningbank.agents.react import MalformedReply, heads_of
from reasoningbank.agents.web import WebAgent
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Observation
from reasoningbank.types import Step, Task, Trajectory

GOLDEN = Path(__file__).parent.parent / "golden" / "agents"
TASK = Task(id="1", suite="any", group="any", intent="How many pears are in the basket?")
PAGE = Observation(
    text="RootWebArea 'Basket', focused\n\t[4] link 'Pears'\n\t\tStaticText 'Pears'\n\tStaticText '3 pieces'",
    url="http://any.test/basket",
)
STEPS = (
    Step(index=0, observation="x", thought="I open the basket.", action="click('2')"),
    Step(index=1, observation="x", thought="I look closer.", action="click('9')", error="there is no element '9'"),
)


def kind(**settings: int | bool) -> WebAgent:
    return WebAgent(**settings)  # type: ignore[arg-type]


def golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REGENERATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text + "\n"


def test_system_prompt_without_memory() -> None:
    text = kind().system_prompt(TASK, "")
    golden("web_system", text)
    assert "memor" not in text.lower()


def test_system_prompt_with_memory() -> None:
    text = kind().system_prompt(
        TASK, "These lessons come from earlier tasks.\n\n## Memory item 1\nTitle: t\nContent: c\n"
    )
    golden("web_system_memory", text)
    assert text.startswith(kind().system_prompt(TASK, ""))


def test_system_prompt_with_several_actions() -> None:
    golden("web_system_multi", kind(multi_actions=True).system_prompt(TASK, ""))


def test_user_prompt_of_a_check() -> None:
    held = Step(index=2, observation="x", thought="Three.", action="send_msg_to_user('3')", check="Is it right?")
    after = Step(index=3, observation="x", thought="I look again.", action="click('4')")
    golden("web_user_check", kind().user_prompt(TASK, (*STEPS, held, after), PAGE, ""))


def test_the_agent_reads_its_steps_as_its_judge_does() -> None:
    held = Step(index=2, observation="x", thought="Three.", action="send_msg_to_user('3')", check="Is it right?")
    empty = Step(index=3, observation="x", thought="Hm.", action="", error="there is no action after 'Action:'")
    steps = (*STEPS, held, empty)
    judged = render_steps(Trajectory(attempt_id="a", task=TASK, steps=steps, exit="answered"), 9_999)
    assert judged in kind().user_prompt(TASK, steps, PAGE, "")


def test_first_user_prompt() -> None:
    golden("web_user_first", kind().user_prompt(TASK, (), PAGE, ""))


def test_later_user_prompt_with_error() -> None:
    golden("web_user_error", kind().user_prompt(TASK, STEPS, PAGE, STEPS[-1].error))


def test_long_pages_and_histories_are_cut_in_the_middle() -> None:
    page = Observation(text="\n".join(f"\t[{n}] link 'Item {n}'" for n in range(5000)), url="http://any.test/")
    steps = tuple(Step(index=n, observation="x", thought=f"thought {n} " * 50, action="noop()") for n in range(200))
    prompt = kind(page_budget=4_000, history_budget=3_000).user_prompt(TASK, steps, page, "")
    assert len(prompt) < 8_000
    assert "[0] link" in prompt
    assert "[4999] link" in prompt
    assert "## Step 1\n" in prompt
    assert "thought 199" in prompt
    assert prompt.count("characters left out") == 2


WORDS = st.text("ab \n", max_size=40)


@given(
    st.lists(
        st.builds(Step, index=st.just(0), observation=WORDS, thought=WORDS, action=WORDS, error=WORDS), max_size=8
    ),
    st.integers(40, 300),
    WORDS,
)
@settings(deadline=None, max_examples=60)
def test_what_recurs_comes_first(steps: list[Step], budget: int, page: str) -> None:
    """A step's prompt begins with what the one before began with, but for its page: providers' caches go by that."""
    numbered = [step.model_copy(update={"index": index}) for index, step in enumerate(steps)]
    agent, before = kind(history_budget=budget), ""
    heads: tuple[int, ...] = ()
    for count in range(len(numbered) + 1):
        prompt = agent.user_prompt(TASK, numbered[:count], Observation(text=f"{count} {page}"), f"error {count}")
        begins, began = (re.split(r"\n\[\.\.\. |\n\n# Current page", each)[0] for each in (prompt, before))
        assert begins.startswith(began) or began.startswith(begins)
        heads = heads_of(before, prompt, heads)
        assert list(heads) == sorted(set(heads))
        assert all(prompt[:head] == before[:head] for head in heads)
        if count:
            assert heads[-1] >= whole_paragraphs(min(began, begins, key=len))
        before = prompt


def whole_paragraphs(text: str) -> int:
    """How long all but the last are, with what parts them."""
    return sum(len(paragraph) + 2 for paragraph in text.split("\n\n")[:-1])


@pytest.mark.parametrize(
    ("reply", "thought", "action"),
    [
        ("Thought: a\nAction: click('1')", "a", "click('1')"),
        ("**Thought:** a\nb\n\n**Action:** `click('1')`", "a\nb", "click('1')"),
        ("Thought: a\nAction:\n```python\nclick('1')\n```", "a", "click('1')"),
        ("a\naction: click('1')\nObservation: a page\nThought: b\nAction: click('2')", "a", "click('1')"),
        ("### Thoughts: a\n### Action: click('1')", "a", "click('1')"),
        ("Action: click('1')", "", "click('1')"),
        ("Thought: my Action: none\nAction: click('1')", "my Action: none", "click('1')"),
    ],
)
def test_replies_are_read_as_models_write_them(reply: str, thought: str, action: str) -> None:
    turn = kind().parse(reply)
    assert (turn.thought, [move.text for move in turn.moves]) == (thought, [action])


def test_what_could_be_read_of_a_malformed_reply_is_kept() -> None:
    with pytest.raises(MalformedReply) as fault:
        kind().parse("Thought: hm\nAction: clik('1')")
    assert (fault.value.thought, fault.value.action) == ("hm", "clik('1')")


@given(st.text(alphabet=st.sampled_from("Thoughtcin :\n`'*click()1")) | st.text())
@settings(deadline=None, max_examples=100)
def test_any_reply_is_a_turn_or_malformed(reply: str) -> None:
    try:
        turn = kind().parse(reply)
    except MalformedReply:
        return
    assert len(turn.moves) == 1
