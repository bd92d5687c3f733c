"""Makers of WebArena's `eval` blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.suites.webarena_mini.tasks.base import Gold


def _gold(eval_types: list[str], **parts: Any) -> Gold:
    empty: Gold = {"reference_answers": None, "reference_url": "", "program_html": []}
    return {"eval_types": eval_types, **empty, **parts}


def exact(answer: str) -> Gold:
    """The answer is this text and nothing else."""
    return _gold(["string_match"], reference_answers={"exact_match": answer})


def includes(*parts: str) -> Gold:
    """The answer holds each of these texts."""
    return _gold(["string_match"], reference_answers={"must_include": list(parts)})


def fuzzy(answer: str) -> Gold:
    """The answer says this, in whatever words."""
    return _gold(["string_match"], reference_answers={"fuzzy_match": [answer]})


def not_possible(reason: str) -> Gold:
    """The right answer is that it cannot be done."""
    return _gold(["string_match"], reference_answers={"fuzzy_match": "N/A"}, string_note=reason)


def at_url(*urls: str) -> Gold:
    """The episode ends on one of these pages."""
    return _gold(["url_match"], reference_url=" |OR| ".join(urls), url_note="GOLD in PRED")


def page(url: str, locator: str, *must_include: str) -> dict[str, Any]:
    """A check of a page after the episode: the text under a CSS locator holds each of these texts."""
    return {"url": url, "locator": locator, "required_contents": {"must_include": list(must_include)}}


def pages(checks: Sequence[dict[str, Any]]) -> Gold:
    """The state after the episode, as shown by the site's own pages."""
    return _gold(["program_html"], program_html=list(checks))


def at_page(url: str, checks: Sequence[dict[str, Any]]) -> Gold:
    """The episode ends on this page, and pages say what they should: those of the site, or `last`, the last one."""
    return _gold(["url_match", "program_html"], reference_url=url, url_note="GOLD in PRED", program_html=list(checks))
