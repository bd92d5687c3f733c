"""The code agent on a hand-written defect in the real sandbox, and what its evidence is worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from instances import Made, made
from sandbox_here import SMALL, needs_bubblewrap

from eval.suites.code.environment import CodeEnvironment
from eval.suites.code.evaluation import evaluate
from eval.suites.code.evidence import CodeEvidence
from reasoningbank.agents.code import CodeAgent
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Task, Trajectory

pytestmark = needs_bubblewrap
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made("unitbox", tmp_path_factory.mktemp("made"), SMALL)


def attempt(known: Made, commands: Sequence[str]) -> tuple[Trajectory, CodeEvidence, ScriptedLLM]:
    """One attempt whose model replies with these commands, then hands in."""
    instance = known.instance
    task = Task(id=instance.instance_id, suite="any", group=instance.repo, intent=instance.problem_statement)
    replies = [f"Thought: so\n\n```mswea_bash_command\n{each}\n```" for each in (*commands, f"{SUBMIT} && echo done")]
    llm = ScriptedLLM(replies)
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task=task.id, attempt=0)
    calls = CallScope(
        llms={"agent": llm}, key=key, transport=Transport(retry=RetryPolicy(attempts=1), prices={"agent": None})
    )
    env = CodeEnvironment(sandbox=SMALL, write_tree=known.write_tree, command_seconds=300.0)
    try:
        done = CodeAgent(max_steps=30).run(task, env, calls, attempt_id="a/0", memory="", seed=0)
        return done, env.finish(done.answer), llm
    finally:
        env.close()


def test_what_an_agent_repairs_is_resolved(known: Made) -> None:
    write = f"git apply - <<'END'\n{known.instance.patch}END"
    done, evidence, llm = attempt(known, ["ls", "python -m pytest -q 2>&1 | tail -1", write, "git diff --stat"])
    assert (done.exit, done.answer, done.error) == ("answered", "done", "")
    assert [step.error for step in done.steps] == [""] * 5
    assert done.steps[1].observation.split() == [
        *("CHANGELOG.md", "README.md", "pyproject.toml", "tests", "tools", "unitbox"),
    ]
    assert "passed in 0.00s" in done.steps[2].observation
    assert done.final_observation.startswith("Changes made:\ndiff --git a/")
    assert (evidence.patch, evidence.answer) == (known.instance.patch, "done")
    assert evaluate(known.instance, evidence, write_tree=known.write_tree, sandbox=SMALL).resolved
    shown = "\n".join(message.content for request in llm.requests for message in request)
    for test in known.instance.FAIL_TO_PASS:
        assert test.rpartition("::")[2] not in shown


@pytest.mark.long
def test_what_an_agent_leaves_as_it_was_is_an_empty_patch(known: Made) -> None:
    done, evidence, _ = attempt(known, ["find / -name 'test_*more*' 2>/dev/null", "python -m pytest -q hidden"])
    assert done.steps[1].observation == ""
    assert "not found: hidden" in done.steps[2].observation
    assert done.final_observation.startswith("Changes made:\n(nothing)")
    assert evidence.patch == ""
    result = evaluate(known.instance, evidence, write_tree=known.write_tree, sandbox=SMALL)
    assert (result.ending, result.outcome().status) == ("empty_patch", "unsolved")
