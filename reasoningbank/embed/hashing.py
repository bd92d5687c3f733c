"""An embedder for tests: words and pairs of words hashed into buckets. Instant, without any file, the same anywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reasoningbank.interfaces import Side

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Texts that share words are near each other. The vectors are not of unit length; no word gives a zero row."""

    asymmetric = False

    def __init__(self, *, dims: int = 256) -> None:
        if dims < 1:
            raise ValueError(f"dims is {dims}; it must be at least 1")
        self.dims = dims
        self.id = f"hashing-{dims}"

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), dims)."""
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in _features(text):
                number = int.from_bytes(
                    hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
                )
                # the lowest bit is the sign, so that collisions cancel on average
                row[(number >> 1) % self.dims] += 1.0 if number & 1 else -1.0
        return rows


def _features(text: str) -> Iterator[str]:
    words = _WORD.findall(text.lower())
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))
