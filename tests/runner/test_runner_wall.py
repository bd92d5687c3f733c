"""The gold wall by behaviour: whatever the evaluator says, a run judges, selects, learns and recalls the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from arithmetic import CANARY
from watched_bench import SuiteAround, bench_of, run_bench

from eval.journal import Outcome
from eval.suites.base import Grader, Suite
from eval.workbench import Workbench
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Task, digest

Status = Literal["solved", "unsolved"]

SCALINGS = {
    "single": ["scaling=single"],
    "selected": ["scaling=parallel", "k=3"],
    "one_by_one": ["scaling=parallel", "k=3", "scaling.aggregate=false", "scaling.store=per_attempt"],
}


class Saying(SuiteAround):
    """A suite whose evaluator says one thing of all attempts, or (`by_answer`) something of each answer."""

    def __init__(self, inner: Suite, says: str) -> None:
        super().__init__(inner)
        self._says = says

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        status: Status = "solved" if self._says == "solved" else "unsolved"
        if self._says == "by_answer":
            status = "solved" if int(digest(evidence.answer)[:2], 16) % 2 else "unsolved"
        return Outcome(status=status, reward=float(status == "solved"), checks={"said": float(status == "solved")})


def lines_where_the_evaluator_says(says: str, bench: Workbench, folder: Path) -> tuple[set[str], list[Any]]:
    """All outcomes, and the results without them."""
    outcomes, rest = set(), []
    for line in run_bench(replace(bench, suite=Saying(bench.suite, says)), folder):
        result = line.result.model_dump(mode="json")
        outcomes |= {attempt.pop("outcome")["status"] for attempt in result["attempts"]}
        rest.append(result)
    return outcomes, rest


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("memory", ["none", "synapse", "awm", "reasoningbank"])
def test_outcomes_change_nothing_but_outcomes(memory: str, scaling: str, tmp_path: Path) -> None:
    bench = bench_of("judge=llm", f"memory={memory}", *SCALINGS[scaling], "limit=5")
    ran = {
        says: lines_where_the_evaluator_says(says, bench, tmp_path / says)
        for says in ("solved", "unsolved", "by_answer")
    }
    assert ran["solved"][0] == {"solved"}
    assert ran["unsolved"][0] == {"unsolved"}
    if scaling != "single":
        assert ran["by_answer"][0] == {"solved", "unsolved"}
    for says in ("unsolved", "by_answer"):
        assert ran[says][1] == ran["solved"][1]
    if memory != "none":
        assert any(result["learnt"] for result in ran["solved"][1])
        assert any(result["recalled"] for result in ran["solved"][1])


def test_the_judge_says_both_of_solved_and_of_unsolved_attempts(tmp_path: Path) -> None:
    """What makes the comparison above one: verdicts are not the same throughout."""
    _, results = lines_where_the_evaluator_says("solved", bench_of("scaling=parallel", "k=3"), tmp_path)
    labels = {attempt["verdict"]["label"] for result in results for attempt in result["attempts"]}
    assert labels == {"success", "failure"}
    assert len({result["selected"] for result in results}) > 1


def test_the_canary_is_what_answers_are_compared_with(tmp_path: Path) -> None:
    suite = bench_of().suite
    task = suite.tasks()[0]
    left, right = (int(word) for word in task.intent.removeprefix("What is ").removesuffix("?").split(" + "))
    gold = vars(suite)["_gold"]
    assert CANARY in json.dumps(gold)

    def status(answer: str) -> str:
        return suite.evaluate(task, Evidence(answer=answer), lambda *texts: False).status

    assert status(str(left + right)) == "solved"
    assert status(str(left + right + 1)) == "unsolved"
    gold[task.id] = gold[task.id].replace(CANARY, "")
    assert status(str(left + right)) == "unsolved"
