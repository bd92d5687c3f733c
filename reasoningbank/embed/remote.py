"""What embedders behind a network share: calls within a provider's limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoningbank.providers.connection import Remote
from reasoningbank.tokens import most_tokens
from reasoningbank.truncate import keep_ends


class BatchLimits:
    """What a provider takes in one call: so many texts, and so many tokens in all; of each text so many tokens.

    Tokens are those of `most_tokens`, since no tokenizer is at hand. A text that alone has too many is a call of its
    own.
    """

    def __init__(self, *, texts: int, tokens: int, of_each: int | None) -> None:
        self._texts = texts
        self._tokens = tokens
        self._of_each = of_each

    def batches(self, texts: Sequence[str]) -> list[list[str]]:
        """The texts in order, in as few calls as the limits allow."""
        made: list[list[str]] = []
        held = 0
        for text in texts:
            size = most_tokens(text) if self._of_each is None else min(most_tokens(text), self._of_each)
            if not made or len(made[-1]) == self._texts or held + size > self._tokens:
                made.append([])
                held = 0
            made[-1].append(text)
            held += size
        return made


class RemoteEmbeddings(Remote):
    """What embedders at a provider have in common."""

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits

    def batches(self, texts: Sequence[str]) -> list[list[str]]:
        """The texts in order, in as many calls as the provider's limits make of them."""
        return self._limits.batches(texts)


def shortened(text: str, tokens: int | None) -> str:
    """The text in at most `tokens` tokens by the count of `most_tokens`, its middle left out."""
    if tokens is None or most_tokens(text) <= tokens:
        return text
    characters = len(text)
    while most_tokens(short := keep_ends(text, characters)) > tokens and characters > 1:
        characters = characters * 9 // 10
    return short


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows at unit length; those of zeros as they are. What is not finite stays so."""
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        made: NDArray[np.float32] = np.divide(rows, lengths, where=lengths != 0, out=np.zeros(rows.shape)).astype("f4")
    return made


def matrix(vectors: Sequence[object]) -> NDArray[np.float32]:
    """A row a vector. ValueError, TypeError where they are no numbers, or of several lengths."""
    with np.errstate(over="ignore"):
        return np.asarray(vectors, dtype=np.float32).reshape(len(vectors), -1)
