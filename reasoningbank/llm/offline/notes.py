"""What the simulated agent writes down for later pages: entries with their figures, in its thoughts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from reasoningbank.llm.offline.mind import Mind
from reasoningbank.llm.offline.rows import Entry

_NOTES = re.compile(r"Notes: (\[.*\])")


def notes(mind: Mind) -> list[Entry]:
    """What was noted on earlier pages of the same list."""
    for step in reversed(mind.past):
        found = _NOTES.search(step.thought)
        if found:
            try:
                return [Entry(str(key), float(number), bool(hit)) for key, number, hit in json.loads(found.group(1))]
            except (ValueError, TypeError):
                return []
    return []


def noted(entries: Sequence[Entry]) -> str:
    return "Notes: " + json.dumps([[entry.key, entry.figure, int(entry.hit)] for entry in entries])
