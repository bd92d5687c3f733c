"""What an attempt on real sites leaves behind: what evaluators look at, and by which addresses."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from eval.suites.web.evidence import WebEvidence
from eval.suites.webarena.places import Look
from reasoningbank.types import Record


class Seen(Record):
    """What was found where an evaluator looks; None where the page did not come."""

    look: Look
    text: str | None


class Moment(Record):
    """The state at one moment: after step `step` (from 0), or in the end. `outside`: a tab was on no site of
    WebArena's, where BrowserGym ends a task."""

    step: int | None
    url: str
    outside: bool
    seen: tuple[Seen, ...] = ()


class RealEvidence(WebEvidence):
    """The end, and with `each_step` the moments before it, after every step. `sites` has the addresses by the sites'
    names, which stand for the placeholders of a task file."""

    sites: dict[str, str] = Field(default_factory=dict)
    outside: bool = False
    seen: tuple[Seen, ...] = ()
    each_step: bool = False
    moments: tuple[Moment, ...] = ()
    traced: bool = False
    trace: tuple[dict[str, Any], ...] = Field((), description="what was sent and came, as entries of a HAR file")
    resets: int = Field(0, description="times that the sites' reset command was run for this attempt")
