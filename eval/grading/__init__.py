"""Outcomes: of a fuzzy match, computed again, and by SWE-bench's own evaluation."""
