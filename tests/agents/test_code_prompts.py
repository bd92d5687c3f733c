"""The code agent's prompts (golden), how its replies are read, and that messages can be made again from steps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_shell import SUBMIT, ToyShell, block, run

from reasoningbank.agents.code import CodeAgent
from reasoningbank.agents.mini_swe.messages import refused, reply_text, returned
from reasoningbank.agents.mini_swe.progress import step_error
from reasoningbank.agents.mini_swe.reply import Command, parse_command
from reasoningbank.agents.react import MalformedReply
from reasoningbank.interfaces import Observation
from reasoningbank.types import Step, Task

GOLDEN = Path(__file__).parent.parent / "golden" / "agents"
TASK = Task(
    id="1", suite="any", group="any", intent="Pears are counted twice.\n\nThe basket says 6, and there are 3.\n"
)
AGENT = CodeAgent()
WITH_TOOLS = CodeAgent(tool_calls=True)


def step(action: str, error: str = "", check: str = "") -> Step:
    return Step(index=0, observation="x", thought="I look.", action=action, error=error, check=check)


def after(step: Step, output: str = "") -> str:
    return AGENT.user_prompt(TASK, (step,), Observation(text=output), step.error)


CASES = {
    "code_system": lambda: AGENT.system_prompt(TASK, ""),
    "code_system_memory": lambda: AGENT.system_prompt(TASK, "Lessons.\n\n## Memory item 1\nTitle: t\nContent: c\n"),
    "code_user": lambda: AGENT.user_prompt(TASK, (), Observation(text=""), ""),
    "code_user_patch": lambda: CodeAgent(hand_in="patch").user_prompt(TASK, (), Observation(text=""), ""),
    "code_system_tools": lambda: WITH_TOOLS.system_prompt(TASK, "Lessons."),
    "code_user_tools": lambda: WITH_TOOLS.user_prompt(TASK, (), Observation(text=""), ""),
    "code_malformed_tools": lambda: WITH_TOOLS.user_prompt(TASK, (step("", "no call"),), Observation(text=""), ""),
    "code_observation": lambda: after(step("ls"), "basket.py\ntests\n"),
    "code_observation_nothing": lambda: after(step("grep -r plum"), "\n"),
    "code_observation_failed": lambda: after(step("sleep 99", "exit code 1", ""), "No such file\n"),
    "code_observation_error": lambda: after(step("sleep 99", "exit code 124: stopped after 60 s"), "begun\n"),
    "code_check": lambda: after(step(SUBMIT, check="Is it right?")),
    "code_malformed": lambda: after(step("", "the reply has no block with a command, and needs exactly one")),
}


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str) -> None:
    text = CASES[case]() + "\n"
    path = GOLDEN / f"{case}.txt"
    if os.environ.get("REGENERATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_prompt_has_leftovers_of_another_language() -> None:
    for name in CASES:
        text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
        assert "{{" not in text
        assert "\n\n\n" not in text


@pytest.mark.parametrize(
    ("reply", "thought", "command"),
    [
        ("Thought: a\n```mswea_bash_command\nls\n```", "a", "ls"),
        ("**Thought:** a\nb\n\n```bash\nls |\n  wc\n```\n", "a\nb", "ls |\n  wc"),
        ("THOUGHT: a\n\n  ```bash \nls\n  ``` \nThat is it.", "a", "ls"),
        ("```bash\r\nls\r\n```", "", "ls"),
        ("I see:\n```python\nx = 1\n```\nso\n```bash\nls\n```", "I see:\n```python\nx = 1\n```\nso", "ls"),
        (
            "a\n```bash\ncat > x <<'E'\n\tone ``` two\n\n  three\nE\n```",
            "a",
            "cat > x <<'E'\n\tone ``` two\n\n  three\nE",
        ),
        ("a ```bash not a fence\n```bash\nls\n```", "a ```bash not a fence", "ls"),
        ("```bash\nprintf 'a\u2028b\x0cc'\n```", "", "printf 'a\u2028b\x0cc'"),
    ],
)
def test_replies_are_read_as_models_write_them(reply: str, thought: str, command: str) -> None:
    assert parse_command(reply) == Command(thought, command)
    assert parse_command(reply, cut_off=True) == Command(thought, command)


def test_what_could_be_read_of_a_malformed_reply_is_kept() -> None:
    with pytest.raises(MalformedReply) as fault:
        parse_command("Thought: hm\n```bash\nls\n```\nand\n```bash\npwd\n```")
    assert (fault.value.thought, fault.value.action) == ("hm", "```bash\nls\n```\nand\n```bash\npwd\n```")


LINES = st.lists(
    st.sampled_from(["```bash", "```mswea_bash_command", "```", "```python", "ls", "", "Thought: a", " ```"])
    | st.text("`b\r\x0c\u2028é ", max_size=9),
    max_size=7,
)


@given(LINES, st.booleans())
@settings(deadline=None, max_examples=60)
def test_any_reply_is_one_command_or_malformed(lines: list[str], cut_off: bool) -> None:
    text = "\n".join(lines)
    try:
        command = parse_command(text, cut_off=cut_off)
    except MalformedReply as fault:
        assert refused(step(fault.action, str(fault)))  # noqa: PT017
        return
    assert command.text.strip()
    assert command.text in text.replace("\r\n", "\n")


@given(st.text("ab `\n$'", min_size=1).filter(str.strip), st.text("xy \n").map(str.strip))
@settings(deadline=None, max_examples=60)
def test_a_reply_made_again_from_its_step_reads_the_same(command: str, thought: str) -> None:
    command = command.strip("\n")
    made = reply_text(Step(index=0, observation="", thought=thought, action=command))
    try:
        assert parse_command(made) == Command(thought, command)
    except MalformedReply:
        assert "```" in command


@given(st.integers(-1, 255), st.text("ab :\n0"))
@settings(deadline=None, max_examples=60)
def test_the_exit_code_is_read_back_from_a_step(returncode: int, error: str) -> None:
    assert returned(step("ls", step_error(returncode, error))) == (returncode, error)


def test_messages_are_made_again_as_they_were_sent(tmp_path: Path) -> None:
    """What `show` prints of an attempt, and what is exported."""
    replies = [block("seq 1 9000; false"), "no", block("ls"), block(f"{SUBMIT}; echo ok"), block(f"{SUBMIT}; echo ok")]

    class Check:
        env: str = "continue"

        def __call__(self, held: object) -> str | None:
            return "Is it right?" if held.round == 0 else None  # type: ignore[attr-defined]

    done, llm = run(replies, ToyShell(tmp_path), check=Check())  # type: ignore[arg-type]
    for index, sent in enumerate(llm.requests):
        seen = Observation(text=done.steps[index].observation)
        assert CodeAgent().user_prompt(done.task, done.steps[:index], seen, "") == sent[-1].content
        if index:
            assert reply_text(done.steps[index - 1]) == sent[-2].content
