"""What an attempt at code leaves behind for the evaluator: the patch, so that a run can be evaluated again."""

from __future__ import annotations

from reasoningbank.interfaces import Evidence


class CodeEvidence(Evidence):
    """The end of an attempt in a repository."""

    patch: str | None = ""
    """Unified diff from the task's commit; empty where nothing was changed, None where it could not be taken."""
    problem: str = ""
    """What of the changes could not be taken, and why; empty where all could."""

    @property
    def evaluated(self) -> str:
        """The patch as a prediction has it: of changes that could not be taken nothing."""
        return self.patch or ""
