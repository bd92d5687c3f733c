"""An instance of a task set of code, in SWE-bench's schema: what is asked, and with it the gold."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import field_validator

from reasoningbank.types import Record

FIRST_DAY = datetime(2024, 1, 8, 9, tzinfo=UTC)


class Instance(Record):
    """One line of a data set, by its field names. Only an evaluator holds it: a task has its statement alone.

    `patch` and `test_patch` are unified diffs on `base_commit`; the two lists of test ids say what a solution makes
    pass, and what passed before it and still must.
    """

    instance_id: str
    repo: str
    base_commit: str
    problem_statement: str
    hints_text: str = ""
    patch: str
    test_patch: str
    FAIL_TO_PASS: tuple[str, ...]
    PASS_TO_PASS: tuple[str, ...]
    version: str = ""
    created_at: str = ""
    environment_setup_commit: str = ""

    @field_validator("FAIL_TO_PASS", "PASS_TO_PASS", mode="before")
    @classmethod
    def _of_text(cls, value: Any) -> Any:
        """The published files hold these lists as JSON in a text."""
        return json.loads(value) if isinstance(value, str) else value

    @field_validator("hints_text", "version", "created_at", "environment_setup_commit", "test_patch", mode="before")
    @classmethod
    def _none_is_empty(cls, value: Any) -> Any:
        return "" if value is None else value

    @property
    def created(self) -> datetime | None:
        """When its pull request was opened, in UTC; None where `created_at` does not tell."""
        try:
            found = datetime.fromisoformat(self.created_at)
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            return None

    @property
    def date(self) -> str:
        """The same as a task has it."""
        return self.created.isoformat(timespec="seconds") if self.created else ""

    def line(self) -> dict[str, Any]:
        """As a line of a published file."""
        data = self.model_dump(mode="json")
        for key in ("FAIL_TO_PASS", "PASS_TO_PASS"):
            data[key] = json.dumps(data[key], ensure_ascii=False)
        return data


def made_on(day: int) -> str:
    """`created_at` of an instance that is made here: so many days after the first."""
    return (FIRST_DAY + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
