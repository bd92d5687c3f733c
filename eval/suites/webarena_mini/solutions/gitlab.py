"""The known solution of every template of the code host."""

from __future__ import annotations

from eval.suites.webarena_mini.solutions import gitlab_changes, gitlab_code, gitlab_lists
from eval.suites.webarena_mini.solutions.driver import Solution

SOLUTIONS: dict[str, Solution] = {
    **gitlab_lists.SOLUTIONS,
    **gitlab_code.SOLUTIONS,
    **gitlab_changes.SOLUTIONS,
}
