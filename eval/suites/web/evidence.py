"""What a web environment leaves behind for the evaluator: enough to score a run again without its site."""

from __future__ import annotations

from reasoningbank.interfaces import Evidence
from reasoningbank.types import Record

LAST = "last"
"""In the place of a URL: the page the attempt ended on."""


class Probe(Record):
    """A look at one place after the attempt. `text` is what the locator's elements say, one a line."""

    url: str
    locator: str
    text: str


class WebEvidence(Evidence):
    """The end of an attempt on web sites."""

    url: str = ""
    status: int = 0
    probes: tuple[Probe, ...] = ()
