"""`embedder=fastembed`: BGE models on the CPU, by the fastembed package, which fetches their files."""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reasoningbank.boundary import capture
from reasoningbank.embed.files import described, downloaded, folder_of, need_packages, not_here
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Side
from reasoningbank.providers.endpoint import imported
from reasoningbank.text import encodable

EXTRA = "fastembed"
DIMS = {"BAAI/bge-small-en-v1.5": 384, "BAAI/bge-base-en-v1.5": 768, "BAAI/bge-large-en-v1.5": 1024}
SOURCES = {
    "BAAI/bge-small-en-v1.5": "Qdrant/bge-small-en-v1.5-onnx-Q",
    "BAAI/bge-base-en-v1.5": "qdrant/bge-base-en-v1.5-onnx-q",
    "BAAI/bge-large-en-v1.5": "qdrant/bge-large-en-v1.5-onnx",
}
"""Whose files fastembed fetches for them."""
WEIGHTS = "model_optimized.onnx"

_log = logging.getLogger("reasoningbank")


class FastEmbedEmbedder:
    """Rows of unit length, loaded at first use. Keys: configs/embedder/fastembed.yaml."""

    transport_keys: ClassVar[frozenset[str]] = frozenset({"cache", "download"})

    def __init__(
        self,
        *,
        model: str = "BAAI/bge-small-en-v1.5",
        query_prefix: str = "",
        download: bool = False,
        cache: str | None = None,
    ) -> None:
        """`model`: one of DIMS, or a folder with the files of one. SetupError for any other."""
        self._folder = folder_of(model)
        name, dims = (model, DIMS.get(model)) if self._folder is None else described(self._folder, "*.onnx")
        named = next((each for each, known in DIMS.items() if known == dims), None)
        if dims is None or named is None:
            raise SetupError(
                f"embedder.model={model}: choose from {', '.join(DIMS)}, or a folder that holds one of them"
            )
        self.dims = dims
        self.id = f"fastembed:{name}:{dims}{f':query={query_prefix!r}' if query_prefix else ''}"
        self.asymmetric = bool(query_prefix)
        self._named = named
        self._prefix = query_prefix
        self._download = download
        self._cache = cache
        self._lock = threading.Lock()
        self._loaded: Any = None

    def check(self) -> str:
        """Where the model is. SetupError where the package or the model is missing; loads and downloads nothing."""
        need_packages(EXTRA, "fastembed")
        if self._folder is not None:
            if not (self._folder / WEIGHTS).is_file():
                raise SetupError(f"embedder.model={self._folder}: {WEIGHTS} is missing in that folder")
            return f"model: {self._folder}"
        if self._is_here():
            return f"model: {self._named}, downloaded"
        if not self._download:
            raise not_here(self._named, "small: 70 MB, base: 210 MB, large: 1.2 GB")
        return f"model: {self._named}, to be downloaded"

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), dims). Texts are embedded one at a time, so that no row depends on what else is in
        the batch."""
        prefix = self._prefix if side == "query" else ""
        clean = [prefix + encodable(text) for text in texts]
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        if clean:
            rows[:] = list(self._load().embed(clean, batch_size=1))
        return rows

    def _is_here(self) -> bool:
        return downloaded(SOURCES[self._named], WEIGHTS, self._place())

    def _place(self) -> str:
        """The folder in which fastembed keeps what it fetched."""
        return (
            self._cache or os.environ.get("FASTEMBED_CACHE_PATH") or str(Path(tempfile.gettempdir(), "fastembed_cache"))
        )

    def _load(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self.check()
                here = self._folder is not None or self._is_here()
                if not here:
                    _log.warning("embedder=fastembed: downloading %s, as embedder.download=true says", self._named)
                given = {} if self._folder is None else {"specific_model_path": str(self._folder)}
                fastembed = imported("fastembed", EXTRA)
                # the runtime below raises errors of many kinds
                done = capture(
                    lambda: fastembed.TextEmbedding(
                        self._named,
                        cache_dir=self._place(),
                        local_files_only=here,
                        threads=1,  # for one short text, more of them take longer
                        providers=["CPUExecutionProvider"],
                        **given,
                    )
                )
                if isinstance(done.error, Exception):
                    said = " ".join(str(done.error).split())[:300]
                    raise SetupError(f"embedder.model={self._folder or self._named} cannot be loaded: {said}") from None
                self._loaded = done.unwrap()
            return self._loaded
