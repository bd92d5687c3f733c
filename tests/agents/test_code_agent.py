"""The code agent: mini-swe-agent's loop on a real shell, with scripted replies."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from toy_shell import SUBMIT, ToyShell, block, run, scope
from waiting import HANG

from reasoningbank.agents.code import CodeAgent
from reasoningbank.errors import AgentError, BudgetSpent, InfraError, LimitReached, PromptTooLong, SetupError
from reasoningbank.interfaces import Observation
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.llm.prices import Price
from reasoningbank.llm.record import CallLog
from reasoningbank.types import Reply, Task, Usage

ROOT = Path(__file__).parents[2]


def test_commands_are_run_until_one_hands_in(tmp_path: Path) -> None:
    env = ToyShell(tmp_path)
    done, llm = run([block("echo 1 > a; echo made"), block("cat a; false", "I look"), block(f"{SUBMIT}; echo ok")], env)
    assert (done.exit, done.answer, done.error, done.medium) == ("answered", "ok", "", "shell")
    assert [(step.observation, step.thought, step.action, step.error) for step in done.steps] == [
        ("", "so", "echo 1 > a; echo made", ""),
        ("made\n", "I look", "cat a; false", "exit code 1"),
        ("1\n", "so", f"{SUBMIT}; echo ok", ""),
    ]
    assert done.final_observation == "Changes made:\na\n\nOutput of the last command:\n1"
    assert all(step.usage.calls == 1 for step in done.steps)
    last = llm.requests[-1]
    assert [message.role for message in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert last[0].content == done.system_prompt
    assert last[-1].content == "Exit code: 1\nOutput:\n1"
    for before, after in pairwise(llm.requests):
        assert after[: len(before)] == before  # the conversation only grows, for providers' caches


def test_what_is_no_submission_ends_nothing(tmp_path: Path) -> None:
    replies = [f"{SUBMIT}; false", f"echo first; {SUBMIT}", f"{SUBMIT} not", f"printf '\\n'; {SUBMIT}; echo yes"]
    done, _ = run([block(each) for each in replies], ToyShell(tmp_path))
    assert (done.answer, len(done.steps)) == ("yes", 4)


def test_a_patch_that_is_handed_in_stays_as_it_was_printed(tmp_path: Path) -> None:
    agent = CodeAgent(hand_in="patch")
    done, llm = run([block(f"{SUBMIT}; printf ' a\\n-b\\n \\n'")], ToyShell(tmp_path), agent=agent)
    assert done.answer == " a\n-b\n \n"
    assert "cat patch.txt" in llm.requests[0][1].content


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("I am done.", "no block with a command"),
        (f"{block('ls')}\n{block('ls -a')}", "has 2 blocks"),
        ("Thought: so\n```bash\nls", "is not closed"),
        (block("  "), "is empty"),
        (block("cat > x <<E\n```\ntext\n```\nE"), "not clear"),
        (Reply(text="Thought: and so on\n```ba", usage=Usage(), stop_reason="length"), "cut off"),
        (Reply(text="", usage=Usage(), stop_reason="safety"), "declined"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_reply_without_exactly_one_command_is_told_and_costs_a_step(
    tmp_path: Path, reply: str | Reply, told: str
) -> None:
    env = ToyShell(tmp_path)
    done, llm = run([reply, block(f"{SUBMIT}")], env)
    assert (done.exit, len(done.steps), env.commands) == ("answered", 2, [SUBMIT])
    assert told in done.steps[0].error
    assert told in llm.requests[1][-1].content
    text = reply if isinstance(reply, str) else reply.text
    assert ([text] if text else []) == [each.content for each in llm.requests[1] if each.role == "assistant"]
    roles = [message.role for message in llm.requests[1]]
    assert all(one != other for one, other in pairwise(roles))


def test_malformed_replies_in_a_row_end_the_attempt(tmp_path: Path) -> None:
    replies = ["no", "no", block("ls"), "no", "no", "no, never", block(SUBMIT)]
    done, _ = run(replies, ToyShell(tmp_path), agent=CodeAgent(max_malformed=3))
    assert (done.exit, done.answer, len(done.steps)) == ("agent_error", None, 6)
    assert done.error.startswith("3 malformed replies in a row; the last: the reply has no block")


def test_a_huge_output_is_shown_by_its_ends(tmp_path: Path) -> None:
    done, llm = run([block("seq 1 200000"), block(SUBMIT)], ToyShell(tmp_path))
    shown = llm.requests[1][-1].content
    assert len(shown) < 10_200
    assert shown.startswith("Exit code: 0\nOutput:\n1\n2\n")
    assert shown.rstrip().endswith("200000")
    assert "characters left out" in shown
    assert len(done.steps[1].observation) < 10_200
    assert len(done.final_observation) < 10_400


def test_what_is_no_text_is_shown_all_the_same(tmp_path: Path) -> None:
    done, llm = run([block("printf 'a\\xff\\x00\\x1b[1mb'"), block(SUBMIT)], ToyShell(tmp_path))
    assert "a\ufffd" in llm.requests[1][-1].content
    assert done.model_validate_json(done.model_dump_json()) == done


def test_an_environment_says_what_became_of_a_command(tmp_path: Path) -> None:
    done, llm = run([block("sleep 5"), block("exit 3"), block(SUBMIT)], ToyShell(tmp_path))
    assert [step.error for step in done.steps] == ["exit code 124: stopped after 1 s", "exit code 3", ""]
    assert llm.requests[1][-1].content == "Error: stopped after 1 s\nExit code: 124\nOutput: (nothing)"


def test_steps_run_out(tmp_path: Path) -> None:
    env = ToyShell(tmp_path)
    done, llm = run([block(f"echo {n} > f{n}; echo {n}") for n in range(9)], env, agent=CodeAgent(max_steps=3))
    assert (done.exit, done.answer, done.error, len(done.steps), len(llm.requests)) == (
        "limit",
        None,
        "max_steps=3",
        3,
        3,
    )
    assert done.final_observation == "Changes made:\nf0\nf1\nf2\n\nOutput of the last command:\n2"


def test_money_runs_out(tmp_path: Path) -> None:
    llm = ScriptedLLM(lambda messages, temperature, seed: block("ls"))
    calls = scope(llm, price=Price(input=0.0, output=1_000_000.0))
    each = 0.0
    done, _ = run([], ToyShell(tmp_path), calls=calls, agent=CodeAgent(max_cost=60.0))
    each = sum(step.usage.output_tokens for step in done.steps[:-1])
    assert (done.exit, done.error) == ("limit", "max_cost=60.0")
    assert each < 60 <= sum(step.usage.output_tokens for step in done.steps)


def test_malformed_replies_cost_too(tmp_path: Path) -> None:
    calls = scope(ScriptedLLM(["no"] * 9), price=Price(input=0.0, output=1_000_000.0))
    done, _ = run([], ToyShell(tmp_path), calls=calls, agent=CodeAgent(max_cost=2.0, max_malformed=9))
    assert (done.exit, len(done.steps)) == ("limit", 2)


def test_a_limit_of_money_without_a_price_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        done, _ = run([block("ls"), block("ls"), block(SUBMIT)], ToyShell(tmp_path), agent=CodeAgent(max_cost=1.0))
    assert done.exit == "answered"
    assert [record.getMessage() for record in caplog.records] == [
        "agent.max_cost=1 limits nothing: the price of the model of role agent is not known"
    ]


def test_time_runs_out(tmp_path: Path) -> None:
    done, _ = run([block("sleep 0.3")] * 9, ToyShell(tmp_path), agent=CodeAgent(max_seconds=0.5))
    assert (done.exit, done.error, len(done.steps)) == ("limit", "max_seconds=0.5", 2)


@pytest.mark.parametrize("where", ["model", "environment", "reset"])
@pytest.mark.parametrize("error", [InfraError("it is down"), BudgetSpent("spent"), KeyboardInterrupt()])
def test_what_is_no_outcome_passes_as_it_is(tmp_path: Path, where: str, error: BaseException) -> None:
    class Breaks(ToyShell):
        def step(self, text: str) -> Observation:
            if where == "environment" and text == "break":
                raise error
            return super().step(text)

        def reset(self, task: Task, seed: int) -> Observation:
            if where == "reset":
                raise error
            return super().reset(task, seed)

    class Llm(ScriptedLLM):
        def complete(self, messages, **asked):  # type: ignore[no-untyped-def]
            if where == "model" and len(self.requests) == 1:
                raise error
            return super().complete(messages, **asked)

    with pytest.raises(type(error)) as raised:
        run([], Breaks(tmp_path), calls=scope(Llm([block("ls"), block("break"), block(SUBMIT)])))
    assert str(raised.value) == str(error)


@pytest.mark.parametrize(
    ("error", "exit"), [(LimitReached("time is up"), "limit"), (AgentError("broke"), "agent_error")]
)
def test_an_end_that_the_environment_sets_is_an_outcome(tmp_path: Path, error: Exception, exit: str) -> None:
    class Ends(ToyShell):
        def step(self, text: str) -> Observation:
            if self.commands:
                raise error
            return super().step(text)

    done, _ = run([block("echo 1"), block("echo 2")], Ends(tmp_path))
    assert (done.exit, done.error, len(done.steps)) == (exit, str(error), 1)


def test_a_conversation_that_outgrows_the_context_is_a_limit(tmp_path: Path) -> None:
    beyond = PromptTooLong("the prompt is longer than the model's context")
    done, _ = run([block("touch a; echo 1"), beyond], ToyShell(tmp_path))
    assert (done.exit, done.error, len(done.steps)) == ("limit", str(beyond), 1)
    assert done.final_observation == "Changes made:\na\n\nOutput of the last command:\n1"
    with pytest.raises(PromptTooLong):  # a task that is too long by itself is no attempt
        run([beyond], ToyShell(tmp_path))


def test_an_environment_that_runs_no_commands_is_refused(tmp_path: Path) -> None:
    class Pages(ToyShell):
        def step(self, text: str) -> Observation:
            return Observation(text="RootWebArea", error="unknown action")

    with pytest.raises(SetupError, match="runs no commands"):
        run([block("ls")], Pages(tmp_path))


def test_memory_is_all_that_differs_and_none_leaves_no_trace(tmp_path: Path) -> None:
    _, without = run([block(SUBMIT)], ToyShell(tmp_path))
    _, empty = run([block(SUBMIT)], ToyShell(tmp_path), memory=" \n")
    _, recalled = run([block(SUBMIT)], ToyShell(tmp_path), memory="Title: {{ braces }} stay\n")
    assert empty.requests == without.requests
    assert "emory" not in "".join(message.content for message in without.requests[0])
    bare, full = without.requests[0][0].content, recalled.requests[0][0].content
    assert full == f"{bare}\n\n# Memory\nTitle: {{{{ braces }}}} stay"
    assert recalled.requests[0][1] == without.requests[0][1]


def test_an_attempt_is_repeated_from_its_call_records(tmp_path: Path) -> None:
    replies = [block("echo 1 > a; ls"), "no", block(f"{SUBMIT}; echo ok")]
    (tmp_path / "work").mkdir()
    record = tmp_path / "0.calls.jsonl"
    first, _ = run([], ToyShell(tmp_path / "work"), calls=scope(ScriptedLLM(replies), log=CallLog(record)))
    asked = ScriptedLLM([])
    again, _ = run([], ToyShell(tmp_path / "work"), calls=scope(asked, log=CallLog(record)))
    assert (again, asked.requests) == (first, [])


def test_nothing_is_written_or_printed_outside_of_the_run(tmp_path: Path) -> None:
    """In a fresh process: no greeting, no folder in the user's home, none of its keys, no client library."""
    (tmp_path / "work").mkdir()
    (tmp_path / "home").mkdir()
    script = f"""
import os, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from toy_shell import SUBMIT, ToyShell, block, run
before = dict(os.environ)
done, _ = run([block("ls"), block(SUBMIT)], ToyShell(Path({str(tmp_path / "work")!r})))
assert done.exit == "answered" and dict(os.environ) == before
assert not {{"litellm", "openai", "textual", "typer", "datasets"}} & {{name.partition(".")[0] for name in sys.modules}}
"""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MSWEA", "XDG"))}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**env, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "home").iterdir()) == []
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("work", "home")] == []


def test_a_missing_package_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for doing in (CodeAgent().check, lambda: run([block("ls")], ToyShell(tmp_path))):
        with pytest.raises(SetupError, match=r"mini-swe-agent is missing; install it by: pip install") as raised:
            doing()
        assert "\n" not in str(raised.value)
