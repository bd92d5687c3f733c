"""All known solutions of the forum's templates, by template name."""

from __future__ import annotations

from eval.suites.webarena_mini.solutions import reddit_read, reddit_write
from eval.suites.webarena_mini.solutions.driver import Solution

SOLUTIONS: dict[str, Solution] = {**reddit_read.SOLUTIONS, **reddit_write.SOLUTIONS}
