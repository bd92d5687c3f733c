"""The one token estimate, for what no provider has counted: injected memory and the offline model's usage."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """About four characters a token, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
