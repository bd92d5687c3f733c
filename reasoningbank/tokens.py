"""The one token estimate, for what no provider has counted: injected memory and the offline model's usage."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
BYTES_PER_TOKEN_AT_LEAST = 2


def estimate_tokens(text: str) -> int:
    """About four characters a token, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def most_tokens(text: str) -> int:
    """More tokens than a text is likely to have for any tokenizer, for limits that must not be passed: two bytes each,
    where English has four and Chinese three."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN_AT_LEAST)
