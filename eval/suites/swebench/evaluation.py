"""One patch, evaluated by the package swebench in the instance's own container."""

from __future__ import annotations

import json
import secrets
import tempfile
from pathlib import Path

from eval.journal import Outcome
from eval.suites.base import NotEvaluated
from eval.suites.code.docker import FETCHING
from eval.suites.code.environment import remove
from eval.suites.code.evidence import CodeEvidence
from eval.suites.swebench.dataset import Row
from eval.suites.swebench.harness import Job, run_swebench
from eval.suites.swebench.predictions import Prediction, write_predictions
from eval.suites.swebench.reports import Ending, outcome, read_report

MODEL = "attempt"
NOT_APPLIED = ">>>>> Patch Apply Failed"
TOO_LATE = "Timeout error: "
"""In the logs of swebench 4 and 5, of an evaluation that broke off by the patch's own fault."""


def evaluate_row(row: Row, evidence: CodeEvidence, *, image: str, python: str, seconds: int) -> Outcome:
    """What swebench says of a patch, in the image that the attempt had. NotEvaluated where its evaluation broke off by
    no fault of the patch."""
    patch = evidence.patch
    if patch is None:
        return outcome("patch_not_applied", {})
    if not patch.strip():
        return outcome("empty_patch", {})
    place = Path(tempfile.mkdtemp(prefix="reasoningbank-"))
    try:
        return outcome_in(place, row, patch, image=image, python=python, seconds=seconds)
    finally:
        remove(place)


def outcome_in(place: Path, row: Row, patch: str, *, image: str, python: str, seconds: int) -> Outcome:
    name = row.instance.instance_id
    instances, predictions = place / "instances.json", place / "preds.json"
    instances.write_text(json.dumps([{**row.line, "image": image}], default=str), encoding="utf-8")
    write_predictions(predictions, [Prediction(instance_id=name, model_name_or_path=MODEL, model_patch=patch)])
    # containers are named after it, and equal patches may be evaluated at the same time
    run_id = f"reasoningbank-{secrets.token_hex(6)}"
    job = Job(predictions, MODEL, str(instances), "test", run_id, place / "work")
    report = run_swebench(job, python=python, workers=1, seconds=seconds, quiet=True, within=seconds + FETCHING)
    told = read_report(report)
    logs = job.folder / "logs" / "run_evaluation" / run_id / MODEL / name
    if name not in told.outcomes or told.ending(name) == "evaluation_error":
        ending = own_fault(logs)
        if ending is None:
            raise NotEvaluated(f"swebench has no result for {name}: {last_line_of(logs)}")
        return outcome(ending, {})
    single = logs / "report.json"
    return read_report(single).outcomes[name] if single.is_file() else told.outcomes[name]


def own_fault(logs: Path) -> Ending | None:
    """How an evaluation broke off by the patch's own fault, by its logs."""
    if NOT_APPLIED in text_of(logs / "run_instance.log"):
        return "patch_not_applied"
    return "tests_timed_out" if TOO_LATE in text_of(logs / "test_output.txt")[-200:] else None


def last_line_of(logs: Path) -> str:
    lines = text_of(logs / "run_instance.log").split("\n")
    return next((line.strip()[-300:] for line in reversed(lines) if line.strip()), "it has left no log")


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
