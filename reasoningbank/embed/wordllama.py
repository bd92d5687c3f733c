"""The default embedder: the mean of WordLlama's token vectors, read from the files inside the wordllama package.

Weights and tokenizer are read by themselves rather than through `WordLlama.load`: that one looks for the tokenizer in
a folder the package does not have and would then download it, and importing the package configures logging for the
whole process.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Side
from reasoningbank.text import encodable

WEIGHTS = Path("weights") / "l2_supercat_256.safetensors"
TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"


class WordLlamaEmbedder:
    """256 dims, the same for queries and documents, loaded at first use. The vectors are not of unit length."""

    id = "wordllama-l2-supercat-256"
    dims = 256
    asymmetric = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Any, NDArray[np.float16]] | None = None

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), 256); a text without tokens gives a zero row.

        Texts are embedded one at a time, so that no row depends on what else is in the batch.
        """
        tokenizer, table = self._load()
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            ids = tokenizer.encode(encodable(text), add_special_tokens=False).ids
            if ids:
                row[:] = table[np.minimum(ids, len(table) - 1)].mean(axis=0, dtype=np.float32)
        return rows

    def _load(self) -> tuple[Any, NDArray[np.float16]]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _read(package_folder())
            return self._loaded


def package_folder() -> Path:
    """Where the wordllama package is installed, without importing it."""
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise SetupError("embedder=wordllama: the package wordllama is not installed; run `pip install wordllama`")
    return Path(spec.submodule_search_locations[0])


def _read(folder: Path) -> tuple[Any, NDArray[np.float16]]:
    for name in (WEIGHTS, TOKENIZER):
        if not (folder / name).is_file():
            raise SetupError(
                f"embedder=wordllama: {folder / name} is missing; reinstall the package: "
                "`pip install --force-reinstall wordllama`"
            )
    from safetensors import safe_open
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with safe_open(str(folder / WEIGHTS), framework="np") as weights:
        table = weights.get_tensor("embedding.weight")
    return tokenizer, table
