"""Our evaluators give the scores of libwebarena 0.0.4, on generated cases and on the references of its own tasks.

Three things are otherwise, and no case here has them: libwebarena asks a model about empty answers, where ours are no
match; it raises an error at an address that cannot be parsed, where ours is no match; and a task with both "N/A" and
other references, which there is none of, keeps all of its references here.

libwebarena pins old packages, so it may be installed in an environment of its own: its interpreter is then named by
LIBWEBARENA_PYTHON. `scripts/setup_reference.sh` makes one, and `scripts/test_all.sh` runs these tests with it.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from evaluator_cases import html_cases, packaged_cases, string_cases, url_cases
from task_files import packaged, python

from eval.suites.web.evaluators import EvalSpec, evaluate
from eval.suites.web.evidence import Probe, WebEvidence

SCORES = Path(__file__).with_name("libwebarena_scores.py")
NUMBER = {"string": 1000, "url": 1000, "html": 400}
MAKERS = {"string": string_cases, "url": url_cases, "html": html_cases}


def theirs(cases: Iterable[dict[str, Any]]) -> list[float | str]:
    done = subprocess.run(
        [python(), str(SCORES)], input=json.dumps(list(cases)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[float | str] = json.loads(done.stdout)
    return found


def ours(case: dict[str, Any]) -> float:
    kind = {"html": "program_html"}.get(case["kind"], f"{case['kind']}_match")
    given = {key: value for key, value in case["eval"].items() if key in EvalSpec.model_fields and value is not None}
    spec = EvalSpec.model_validate({**given, "eval_types": [kind]})
    probes = [Probe(url=url, locator=locator, text=case["html"]) for url, locator in spec.probes()]
    evidence = WebEvidence(answer=case["answer"], url=case["url"], status=200, probes=tuple(probes))
    return evaluate(spec, "How many?", evidence, equal, alternatives=False).reward


def equal(question: str, reference: str, answer: str) -> bool:
    return reference.removeprefix("N/A: ") == answer


def disagreements(cases: list[dict[str, Any]]) -> list[str]:
    return [
        f"{score} there, {ours(case)} here: {json.dumps(case)}"
        for case, score in zip(cases, theirs(cases), strict=True)
        if score != ours(case)
    ]


@pytest.mark.parametrize("kind", NUMBER)
def test_generated_cases_have_the_same_score(kind: str) -> None:
    cases = list(islice(MAKERS[kind](random.Random(f"{kind} 0")), NUMBER[kind]))
    assert disagreements(cases) == []
    met = sum(map(ours, cases))
    assert NUMBER[kind] / 10 < met < NUMBER[kind] * 9 / 10, "the cases tell nothing where all have one score"


def test_references_of_the_packaged_tasks_have_the_same_score() -> None:
    tasks = json.loads(packaged().read_text(encoding="utf-8"))
    cases = list(packaged_cases(tasks, random.Random("packaged")))
    assert len(cases) > 500
    assert disagreements(cases) == []
