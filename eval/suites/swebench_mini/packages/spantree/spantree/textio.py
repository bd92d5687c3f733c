"""Spans in a text, one a line: `3..9 label`. Blank lines and those that begin with `#` are skipped."""

import re
from collections.abc import Iterable

from spantree.errors import FormatError
from spantree.span import Span

LINE = re.compile(r"(?P<start>-?\d+)\.\.(?P<end>-?\d+)(?:\s+(?P<label>.*))?")


def read(text: str) -> list[Span]:
    """The spans of a text, in its order. FormatError says which line is none."""
    spans = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        match = LINE.fullmatch(content)
        if match is None:
            raise FormatError(number, content)
        spans.append(Span(int(match["start"]), int(match["end"]), match["label"] or ""))
    return spans


def write(spans: Iterable[Span]) -> str:
    """The text of spans, in their order."""
    return "".join(f"{span.start}..{span.end} {span.label}".rstrip() + "\n" for span in spans)
