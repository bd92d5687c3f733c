"""How many dims an embedder's vectors have: those of its model, or the first of them."""

from __future__ import annotations

from reasoningbank.errors import SetupError


def dims_of(model: str, given: int | None, whole: int | None, *, fewest: int = 1) -> int:
    """The dims of vectors, of which the model has `whole` (None: not known) and no fewer than `fewest` can be used.
    SetupError where they are not known, or cannot be."""
    if given is None and whole is None:
        raise SetupError(f"embedder.dims is not set: say how many dims the vectors of embedder.model={model} have")
    if given is not None and whole is not None and not fewest <= given <= whole:
        some = "none but all of them can be used" if fewest == whole else f"set from {fewest} to {whole}"
        raise SetupError(f"embedder.dims={given}: {model} has vectors of {whole} dims; {some}")
    return given or whole or 0
