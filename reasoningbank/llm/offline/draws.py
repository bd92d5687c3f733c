"""The simulated model's moods: draws that depend on a call's seed and on the question, and on nothing else."""

from __future__ import annotations

import hashlib


def draw(seed: int, question: str) -> float:
    """A number in [0, 1)."""
    digest = hashlib.sha256(f"{seed}/{question}".encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56
