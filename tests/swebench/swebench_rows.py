"""Lines in the schema of SWE-bench's published sets, of a project that does not exist."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATCH = """diff --git a/shelf/rows.py b/shelf/rows.py
--- a/shelf/rows.py
+++ b/shelf/rows.py
@@ -1,2 +1,2 @@
 def count(rows):
-    return len(rows) - 1
+    return len(rows)
"""


def line(number: int = 1, **changes: Any) -> dict[str, Any]:
    """One as the published sets have it: lists of tests are JSON in a text."""
    given = {
        "repo": "acme/shelf",
        "instance_id": f"acme__shelf-{number}",
        "base_commit": f"{number:040x}",
        "patch": PATCH,
        "test_patch": PATCH.replace("shelf/rows.py", "tests/test_rows.py"),
        "problem_statement": f"count() is one too small, says user {number}",
        "hints_text": "",
        "created_at": f"2021-03-{number:02}T08:00:00Z",
        "version": "1.0",
        "FAIL_TO_PASS": json.dumps(["tests/test_rows.py::test_count"]),
        "PASS_TO_PASS": json.dumps([]),
        "environment_setup_commit": "0" * 40,
        "difficulty": "<15 min fix",
    }
    return {**given, **changes}


def without(field: str) -> dict[str, Any]:
    return {key: value for key, value in line().items() if key != field}


def write_lines(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    return path
