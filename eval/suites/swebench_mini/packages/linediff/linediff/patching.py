"""Unified diffs to hunks, and hunks to texts."""

import re
from collections.abc import Sequence

from linediff.errors import ApplyError, ParseError
from linediff.hunks import Hunk
from linediff.ops import MARKS, Kind, joined

HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*")
KINDS: dict[str, Kind] = {mark: kind for kind, mark in MARKS.items()}


def before(start: str, count: int) -> int:
    """How many lines come before a part, by its entry in the header."""
    return int(start) - 1 if count else int(start)


def parse(text: str) -> list[Hunk]:
    """The hunks of a unified diff. Lines before the first header are skipped; a hunk must have as many lines as its
    header says."""
    found: list[Hunk] = []
    lines = text.splitlines()
    place = next((each for each, line in enumerate(lines) if line.startswith("@@")), len(lines))
    while place < len(lines):
        header = HEADER.fullmatch(lines[place])
        if header is None:
            raise ParseError(place + 1, lines[place], "is no header of a hunk")
        old_count, new_count = (int(each) if each is not None else 1 for each in header.group(2, 4))
        left, right = old_count, new_count
        number = place
        steps: list[tuple[Kind, str]] = []
        while left > 0 or right > 0:
            number += 1
            if number >= len(lines) or (lines[number][:1] or " ") not in KINDS:
                raise ParseError(place + 1, lines[place], f"announces {left} old and {right} new lines more")
            kind = KINDS[lines[number][:1] or " "]
            left -= kind != "add"
            right -= kind != "drop"
            steps.append((kind, lines[number][1:]))
        starts = before(header[1], old_count), before(header[3], new_count)
        found.append(Hunk(*starts, tuple(joined(steps))))
        place = number + 1
    return found


def fits(lines: Sequence[str], hunk: Hunk, place: int) -> bool:
    """Whether the old lines of a hunk stand at a place."""
    return place >= 0 and list(lines[place : place + len(hunk.old)]) == hunk.old


def find(lines: Sequence[str], hunk: Hunk, expected: int) -> int:
    """Where a hunk fits, the nearest place to where it should. ApplyError where it fits nowhere."""
    for distance in range(len(lines) + 1):
        for place in (expected - distance, expected + distance):
            if fits(lines, hunk, place):
                return place
    missing = next((line for line in hunk.old if line not in lines), hunk.old[0])
    raise ApplyError(hunk.old_start + 1, missing)


def apply(lines: Sequence[str], patch: Sequence[Hunk]) -> list[str]:
    """The text with all hunks applied. Hunks are in the order of their lines, and may have moved together."""
    result = list(lines)
    shift = 0
    for hunk in patch:
        expected = hunk.old_start + shift
        place = find(result, hunk, expected)
        result[place : place + len(hunk.old)] = hunk.new
        shift = place - hunk.old_start + len(hunk.new) - len(hunk.old)
    return result
