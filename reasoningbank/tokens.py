"""The one estimate of a text's length in tokens: four characters each, rounded up."""

from __future__ import annotations


def estimate_tokens(text: str) -> int:
    """Tokens of `text`, as the offline model and the account of injected memory count them."""
    return -(-len(text) // 4)
