"""Reports of SWE-bench's evaluation, in the shapes that its programs write."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.suites.swebench.predictions import Prediction
from eval.suites.swebench.reports import of_data, read_report
from reasoningbank.errors import SetupError

BESIDE = Path(__file__).parents[2].parent / "shared" / "realdata"
REAL = Path(os.environ.get("REASONINGBANK_REALDATA", BESIDE))
needs_real = pytest.mark.skipif(
    not REAL.is_dir(), reason="there are no files of other tools: REASONINGBANK_REALDATA names their folder"
)


@needs_real
def test_the_report_of_a_real_run() -> None:
    path = REAL / "rb_bank" / "no_memory_swebench_report.json"
    report = read_report(path)
    data = json.loads(path.read_text())
    endings = [report.ending(name) for name in report.outcomes]
    assert len(endings) == data["submitted_instances"] == 30
    assert endings.count("resolved") == data["resolved_instances"] == 12
    assert endings.count("unresolved") == data["unresolved_instances"] == 6
    assert endings.count("empty_patch") == data["empty_patch_instances"] == 12
    assert not set(report.outcomes) & set(data["incomplete_ids"])


@needs_real
def test_reports_of_real_instances() -> None:
    """Each has no id in it, but in its name."""
    found = {}
    for path in sorted((REAL / "mini_v1_gemini3pro").glob("*.report.json")):
        ((name, outcome),) = read_report(path).outcomes.items()
        found[name] = (outcome.status, outcome.checks["FAIL_TO_PASS"])
    assert found == {
        "django__django-10999": ("unsolved", 0.0),
        "django__django-16255": ("solved", 1.0),
        "django__django-16667": ("unsolved", 0.5),
    }


@needs_real
def test_predictions_have_the_fields_of_a_real_file() -> None:
    data = json.loads((REAL / "mini_v2_deepseek" / "preds.json").read_text())
    for name, entry in data.items():
        assert Prediction.model_validate(entry).instance_id == name


def of_instance(**fields: Any) -> dict[str, Any]:
    return {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": True,
        "resolved": False,
        **fields,
    }


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        ({"resolved": True}, "resolved"),
        ({}, "unresolved"),
        ({"patch_successfully_applied": False}, "patch_not_applied"),
        ({"patch_exists": False, "patch_successfully_applied": False}, "empty_patch"),
        ({"patch_is_None": True, "patch_exists": False}, "empty_patch"),
    ],
)
def test_endings_of_an_instance(fields: dict[str, Any], ending: str) -> None:
    data = of_instance(**fields)
    within = of_data({"a__a-1": data}, Path("report.json"))
    beside = of_data(data, Path("logs/a__a-1/report.json"))
    assert within.outcomes == beside.outcomes
    assert within.ending("a__a-1") == ending
    assert within.outcomes["a__a-1"].reward == float(ending == "resolved")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "holds list where an object belongs"),
        ({}, "is empty"),
        ({"resolved_ids": "a"}, "resolved_ids is no list of instance ids"),
        ({"resolved_ids": ["a"], "error_ids": ["a"]}, "a is in error_ids, and resolved by another list"),
        ({"a": {"resolved": "yes"}}, "a has no resolved, true or false"),
        ({"a": of_instance(resolved=True, patch_exists=False)}, "is resolved and empty_patch"),
        ({"a__a-1": {"model_patch": "", "instance_id": "a__a-1"}}, "a__a-1 has no resolved"),
    ],
)
def test_what_is_no_report_is_one_line(tmp_path: Path, data: object, told: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SetupError) as error:
        read_report(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "torn.json").write_text('{"resolved_ids": [')
    for path, told in [
        (tmp_path / "torn.json", "is not JSON"),
        (tmp_path / "absent.json", "cannot be read"),
        (tmp_path, "has no report.json"),
    ]:
        with pytest.raises(SetupError, match=told):
            read_report(path)
    for model in ("one", "two"):
        (tmp_path / model / "a__a-1").mkdir(parents=True)
        (tmp_path / model / "a__a-1" / "report.json").write_text(json.dumps({"a__a-1": of_instance()}))
    with pytest.raises(SetupError, match="has two reports of a__a-1"):
        read_report(tmp_path)


JSON = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["a", "resolved", ""]),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(
            st.sampled_from(["resolved", "resolved_ids", "error_ids", "tests_status", "a"]), each, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(JSON)
def test_any_json_is_a_report_or_refused_in_one_line(data: Any) -> None:
    message = ""
    try:
        report = of_data(data, Path("a/report.json"))
    except SetupError as error:
        message = str(error)
    else:
        assert all(report.ending(name) for name in report.outcomes)
    assert "\n" not in message
