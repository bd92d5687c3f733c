"""A code agent's answers that are held back: the first submissions become checks, and what may be done then."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import Asks
from toy_shell import SUBMIT, ToyShell, block, run, scope

from reasoningbank.agents.code import CodeAgent
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Observation
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.matts.sequential import Sequential
from reasoningbank.prompts import PromptPack
from reasoningbank.types import CheckEnv, JudgedAttempt, Task


def submit(answer: object) -> str:
    return block(f"{SUBMIT}; echo {answer}")


@pytest.mark.parametrize(("env", "resets", "left"), [("continue", 1, "a"), ("reset", 2, "(nothing)")])
def test_every_answer_but_the_last_is_held_back(tmp_path: Path, env: CheckEnv, resets: int, left: str) -> None:
    check, shell = Asks(1, env), ToyShell(tmp_path)
    llm = ScriptedLLM([block("touch a; echo made"), submit(7), block("ls"), submit(8)])
    calls = scope(llm)
    done, _ = run([], shell, calls=calls, check=check)
    assert (done.exit, done.answer, shell.resets) == ("answered", "8", resets)
    assert [(held.round, held.step, held.exit, held.answer) for held in check.shown] == [
        (0, 1, "answered", "7"),
        (1, 3, "answered", "8"),
    ]
    assert [step.check for step in done.steps] == ["", "Is 7 right?", "", ""]
    assert {role: usage.calls for role, usage in calls.usage.items()} == {"agent": 2, "refiner": 2}
    asked = llm.requests[2][-1].content
    assert asked.startswith("# Check of the answer\nIs 7 right?")
    assert SUBMIT.removeprefix("echo ") not in asked
    assert done.final_observation.startswith(f"Changes made:\n{left}\n\n")


def test_a_sequence_of_checks_as_the_scaling_makes_them(tmp_path: Path) -> None:
    llm = ScriptedLLM([submit(7), submit(8), submit(9)])

    def rollout(index: int, check: object = None) -> JudgedAttempt:
        done, _ = run([], ToyShell(tmp_path), calls=scope(llm), check=check)  # type: ignore[arg-type]
        return JudgedAttempt(index=index, trajectory=done, verdict=None)

    (attempt,) = Sequential(prompts=PromptPack(), k=3).run(rollout)
    assert (attempt.trajectory.answer, len(attempt.trajectory.steps)) == ("9", 3)
    first, second = (messages[-1].content for messages in llm.requests[1:])
    assert "held back; nobody has read it yet:\n7\n" in first
    assert "held back again; it is now:\n8\n" in second


@pytest.mark.parametrize("env", ["continue", "reset"])
def test_where_steps_run_out_the_last_answer_held_stands(tmp_path: Path, env: CheckEnv) -> None:
    check = Asks(4, env)
    done, _ = run(
        [submit(7), submit(8), *[block("ls")] * 9], ToyShell(tmp_path), check=check, agent=CodeAgent(max_steps=5)
    )
    assert (done.exit, done.answer, done.error, len(done.steps), len(check.shown)) == ("answered", "8", "", 5, 2)


def test_an_answer_in_the_last_step_is_not_held_back(tmp_path: Path) -> None:
    check, shell = Asks(4, "reset"), ToyShell(tmp_path)
    done, _ = run([block("touch a"), submit(7)], shell, check=check, agent=CodeAgent(max_steps=2))
    assert (done.exit, done.answer, shell.resets, done.steps[-1].check) == ("answered", "7", 1, "")
    assert len(check.shown) == 1


def test_a_breakdown_while_checking_leaves_the_answer(tmp_path: Path) -> None:
    done, _ = run([submit(7), *["nothing"] * 3], ToyShell(tmp_path), check=Asks(1), agent=CodeAgent(max_malformed=3))
    assert (done.exit, done.answer, done.error) == ("answered", "7", "")


def test_an_infra_error_while_checking_is_none_of_the_agents(tmp_path: Path) -> None:
    class Fails(ToyShell):
        def reset(self, task: Task, seed: int) -> Observation:
            if self.resets:
                raise InfraError("no room for a second copy")
            return super().reset(task, seed)

    with pytest.raises(InfraError, match="second copy"):
        run([submit(7), submit(8)], Fails(tmp_path), check=Asks(1, "reset"))


def test_a_check_that_only_thinks_is_refused(tmp_path: Path) -> None:
    shell = ToyShell(tmp_path)
    with pytest.raises(SetupError, match=r"reflect_only.*continue or reset"):
        run([submit(7)], shell, check=Asks(1, "reflect_only"))
    assert shell.resets == 0
