"""Each role is told from its prompt, and each reply passes the parser of that role."""

from __future__ import annotations

import pytest

from reasoningbank.agents.actions import parse_actions
from reasoningbank.agents.mini_swe.reply import parse_command
from reasoningbank.distill.parse import parse_items, parse_selection, parse_verdict
from reasoningbank.distill.render import render_steps
from reasoningbank.llm.offline.coding.runs import in_shell
from reasoningbank.llm.offline.reading import asked, situation, steps_in
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Exit, Message, Step, Task, Trajectory

PACK = PromptPack()
INTENT = "How much did I spend on orders in March 2023?"
NEVER_ASKED = {
    "agent_code_malformed",
    "agent_code_observation",
    "agent_code_system",
    "memory_items",
    "memory_trajectory",
    "memory_workflow",
    "agent_web_system",
    "check_first",
    "check_follow_up",
    "grade",
    "grade_unachievable",
}


def run(*turns: tuple[str, str], exit: Exit = "answered", answer: str | None = "$110.00") -> Trajectory:
    steps = tuple(
        Step(index=number, observation="x", thought=thought, action=action)
        for number, (thought, action) in enumerate(turns)
    )
    task = Task(id="1", suite="any", group="any", intent=INTENT)
    return Trajectory(
        attempt_id="a", task=task, steps=steps, exit=exit, answer=answer, final_observation="RootWebArea 'My Orders'"
    )


def turns(dates: str, status: str, answer: str) -> tuple[tuple[str, str], ...]:
    return (
        ("On the start page. I click link 'My Orders'.", "click('6')"),
        (f"On the account orders page. {status} {dates} I answer '{answer}'.", f"send_msg_to_user('{answer}')"),
    )


DAY, MONTH = "I read the dates day first.", "I read the dates month first."
OUT, IN = "I leave out the rows with 'Void'.", "I include the rows of every status, 'Void' too."
GOOD = run(*turns(DAY, OUT, "$10.00"))
BAD = run(*turns(MONTH, IN, "$115.00"))
STOPPED = run(("On the start page. I look around. I click link 'X'.", "click('3')"), exit="limit", answer=None)


def rendered(name: str, *, max_items: int = 3, label: str = "failure") -> tuple[Message, ...]:
    """The prompt `name` of the default pack as the library fills it."""
    steps = render_steps(BAD if label == "failure" else GOOD, 40_000)
    runs = [
        {"label": "success", "trajectory": render_steps(GOOD, 40_000), "judge_reasons": "Right."},
        {"label": "failure", "trajectory": render_steps(BAD, 40_000), "judge_reasons": ""},
        {"label": "failure", "trajectory": render_steps(STOPPED, 40_000), "judge_reasons": ""},
    ]
    return PACK.messages(
        name,
        intent=INTENT,
        medium="pages",
        goal=INTENT,
        history="",
        task=INTENT,
        submit="DONE",
        hand_in="summary",
        fence="bash",
        check="",
        url="http://any.test/",
        page="RootWebArea 'Home'\n\t[6] link 'My Orders'",
        error="",
        trajectory=steps,
        final_url="http://any.test/",
        final_page="RootWebArea 'My Orders'",
        earlier_pages=[],
        strict=False,
        answer="$10.00",
        label=label,
        judge_reasons="",
        max_items=max_items,
        runs=runs,
        candidates=[run["trajectory"] for run in runs],
    )


ROLE_OF = {
    "agent_web_user": "act",
    "agent_code_user": "act",
    "judge": "judge",
    "extract_success": "extract",
    "extract_failure": "extract",
    "contrast": "contrast",
    "workflow": "workflow",
    "select": "select",
}


@pytest.mark.parametrize("name", [name for name in PACK.names() if name not in NEVER_ASKED])
def test_every_prompt_of_the_default_pack_is_recognised(name: str) -> None:
    assert asked(rendered(name)) == ROLE_OF[name]


def test_where_an_agent_works_is_told_from_its_prompt() -> None:
    assert in_shell(rendered("agent_code_user"))
    assert not in_shell(rendered("agent_web_user"))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("name", ROLE_OF)
def test_replies_pass_the_parser_of_their_role(name: str, temperature: float) -> None:
    model = SimulatedLLM(unusable=0.0)
    for seed in range(20):
        text = model.complete(rendered(name), temperature=temperature, seed=seed, max_tokens=999).text
        if name == "agent_web_user":
            label, _, action = text.partition("\nAction: ")
            assert label.startswith("Thought: ") or not action
            assert not action or len(parse_actions(action, False)) == 1
        elif name == "agent_code_user":
            assert parse_command(text).text
        elif name == "judge":
            assert parse_verdict(text).label in ("success", "failure")
        elif name == "select":
            assert parse_selection(text, 3) in (1, 2, 3)
        elif name == "workflow":
            assert len(parse_items(text, max_items=1, heading="Workflow")) == 1
        else:
            assert 1 <= len(parse_items(text, max_items=3)) <= 3


def test_at_most_the_asked_number_of_items() -> None:
    model = SimulatedLLM(unusable=0.0)
    for most in (1, 2, 5):
        text = model.complete(rendered("contrast", max_items=most), temperature=1.0, seed=0, max_tokens=999).text
        assert len(parse_items(text, max_items=most)) <= most


def items(model: SimulatedLLM, name: str, seed: int = 0) -> str:
    return model.complete(
        rendered(name, label=name.removeprefix("extract_")), temperature=0.0, seed=seed, max_tokens=999
    ).text


def test_a_failure_teaches_the_other_way_and_a_success_the_same() -> None:
    model = SimulatedLLM()
    failed, went_well = items(model, "extract_failure"), items(model, "extract_success")
    assert f"{MONTH[:-1]}: it did not go well" in failed
    assert f"Instead: {DAY[:-1]}" in failed
    assert f"Instead: {OUT[:-1]}" in failed
    assert f"{DAY[:-1]}: it went well" in went_well


def test_contrast_prefers_what_the_success_did() -> None:
    text = items(SimulatedLLM(), "contrast")
    assert f"{DAY[:-1]}: it went well" in text
    assert f"{OUT[:-1]}: it went well" in text
    assert "month first" not in text


def test_now_and_then_an_extraction_is_unusable_where_the_temperature_allows() -> None:
    model = SimulatedLLM(unusable=0.2)
    texts = [model.complete(rendered("contrast"), temperature=1.0, seed=seed, max_tokens=9).text for seed in range(60)]
    assert 0 < sum("# Memory Item" not in text for text in texts) < 30
    cold = [model.complete(rendered("contrast"), temperature=0.0, seed=seed, max_tokens=9).text for seed in range(60)]
    assert all("# Memory Item" in text for text in cold)


def test_judge_error_turns_verdicts_round_as_often_as_it_says() -> None:
    def verdicts(judge_error: float) -> list[str]:
        model = SimulatedLLM(judge_error=judge_error)
        prompt = rendered("judge", label="success")
        return [
            parse_verdict(model.complete(prompt, temperature=0.0, seed=seed, max_tokens=9).text).label
            for seed in range(400)
        ]

    right, wrong, some = verdicts(0.0), verdicts(1.0), verdicts(0.25)
    assert len(set(right)) == len(set(wrong)) == 1
    assert right[0] != wrong[0]
    flipped = sum(one != two for one, two in zip(right, some, strict=True)) / 400
    assert 0.18 < flipped < 0.32


def test_a_stopped_run_is_judged_a_failure() -> None:
    prompt = PACK.messages(
        "judge",
        intent=INTENT,
        trajectory=render_steps(STOPPED, 9_999),
        final_url="",
        final_page="x",
        medium="pages",
        earlier_pages=[],
        strict=False,
        answer="(none)",
    )
    text = SimulatedLLM(judge_error=0.0).complete(prompt, temperature=0.0, seed=0, max_tokens=9).text
    assert parse_verdict(text).label == "failure"


def test_the_selector_prefers_an_answer_to_none() -> None:
    model = SimulatedLLM(judge_error=0.0)
    chosen = parse_selection(model.complete(rendered("select"), temperature=0.0, seed=1, max_tokens=9).text, 3)
    assert chosen in (1, 2)


def test_anything_else_gets_a_sentence() -> None:
    messages = (Message(role="user", content="Hello?"),)
    assert asked(messages) == "unknown"
    assert SimulatedLLM().complete(messages, temperature=0, seed=0, max_tokens=9).text


def test_an_agents_prompt_is_taken_apart() -> None:
    found = situation(
        (
            Message(role="system", content="You act.\n\n# Memory\n## Memory item 1\nTitle: t\nContent: c"),
            Message(
                role="user",
                content="# Goal\nfind it\n\n# History\n## Step 1\nThought: a\nb\nAction: click('1')\nError: no\n\n"
                "# Current page\nURL: http://a.test/\nRootWebArea 'A'\n\n# Error of the last action\nno",
            ),
        )
    )
    assert (found.goal, found.url, found.tree, found.error) == ("find it", "http://a.test/", "RootWebArea 'A'", "no")
    assert [(step.thought, step.action, step.error) for step in found.steps] == [("a\nb", "click('1')", "no")]
    assert found.memory.startswith("## Memory item 1")


def test_rendered_steps_are_read_back() -> None:
    assert [(step.thought, step.action) for step in steps_in(render_steps(GOOD, 9_999))] == [
        (step.thought, step.action) for step in GOOD.steps
    ]
