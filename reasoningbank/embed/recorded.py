"""What stands for a remote embedder in a run that is answered from another one's records: its vectors alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Embedder, Side


class RecordedEmbedder:
    """An embedder that is never asked: whoever comes to it has found a text of which no vector is kept."""

    def __init__(self, *, embedder: Embedder, path: Path) -> None:
        """`path`: where the vectors were looked for."""
        self.id = embedder.id
        self.dims = embedder.dims
        self.asymmetric = embedder.asymmetric
        self._path = path

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """SetupError, always."""
        raise SetupError(
            f"llm.replay: {self._path} has no vector of embedder {self.id} for a {side} that begins "
            f"{texts[0][:60]!r}: the run cannot be repeated without the file {self._path.name} of the recorded run's "
            "results folder; bring it back"
        )
