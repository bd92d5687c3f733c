"""The one way an embedder is asked, and what it must answer: a vector a text, of its dims, of finite numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoningbank.boundary import attempt_edge, file_of
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Embedder, RemoteEmbedder, Side
from reasoningbank.text import encodable


def embedded(embedder: Embedder, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
    """Rows of shape (len(texts), embedder.dims), as the embedder made them. A text of blanks alone has no direction:
    its row is zero, and the embedder is not asked. Half a character (a lone surrogate) is sent as a question mark.

    Another answer is SetupError, since no retry mends it; of a remote embedder it is InfraError where the reply lacks
    vectors or numbers. What the embedder raises comes out as `attempt_edge` has it.
    """
    rows = np.zeros((len(texts), embedder.dims), dtype=np.float32)
    asked = [number for number, text in enumerate(texts) if text.strip()]
    if asked:
        clean = [encodable(texts[number]) for number in asked]
        made = attempt_edge(lambda: embedder.embed(clean, side), source="embedder")
        rows[asked] = _checked(embedder, made, len(asked))
    return rows


def _checked(embedder: Embedder, made: object, count: int) -> NDArray[np.float32]:
    try:
        given = np.asarray(made)
        if given.dtype.kind not in "fiu":
            raise TypeError
        with np.errstate(over="ignore"):
            rows = given.astype(np.float32)
    except (TypeError, ValueError):
        raise _fault(embedder, "no vectors of numbers") from None
    if rows.shape == (count, embedder.dims):
        if not np.isfinite(rows).all():
            raise _fault(embedder, "a vector that is not finite")
        return rows
    if isinstance(embedder, RemoteEmbedder) and rows.ndim == 2 and len(rows) == count:
        raise SetupError(
            f"embedder {embedder.id} returned vectors of {rows.shape[1]} dims, not {embedder.dims}; nothing was kept: "
            f"set embedder.dims={rows.shape[1]}, or embedder.model to a model that has {embedder.dims}"
        )
    raise _fault(embedder, f"shape {rows.shape}, not {(count, embedder.dims)}")


def _fault(embedder: Embedder, what: str) -> InfraError | SetupError:
    said = f"embedder {embedder.id} returned {what}; nothing was kept"
    if isinstance(embedder, RemoteEmbedder):
        return InfraError(said)
    return SetupError(f"{said}: check its settings, or mend it in {file_of(embedder)}")
