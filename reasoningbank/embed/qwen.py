"""`embedder=qwen`: a Qwen3-Embedding model on this machine, by transformers, on its CPU or GPU (extra `qwen`).

The vector of a text is the last layer's state at its last token, the end-of-text mark. Texts of a batch are padded on
the left, so that this token is the last of every row, and positions count from each text's first token, so that
padding changes nothing.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from reasoningbank.embed.dims import dims_of
from reasoningbank.embed.files import described, downloaded, folder_of, need_packages, not_here
from reasoningbank.embed.qwen_model import FEWEST, INSTRUCTION, MOST_TOKENS, id_of, instructed, whole_dims
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Side
from reasoningbank.providers.endpoint import imported
from reasoningbank.text import encodable

EXTRA = "qwen"
END = "<|endoftext|>"
"""The token whose state is the vector. Some of the models' tokenizers add it themselves."""

_log = logging.getLogger("reasoningbank")
_loading = threading.Lock()


class QwenEmbedder:
    """Loaded at first use, once a process. Keys: configs/embedder/qwen.yaml."""

    transport_keys: ClassVar[frozenset[str]] = frozenset({"device", "batch_tokens", "download"})

    def __init__(
        self,
        *,
        model: str = "Qwen/Qwen3-Embedding-0.6B",
        dims: Annotated[int, Field(ge=FEWEST)] | None = None,
        instruction: str = INSTRUCTION,
        dtype: Literal["float32", "bfloat16", "float16"] = "float32",
        device: str | None = None,
        max_tokens: Annotated[int, Field(ge=2, le=MOST_TOKENS)] = 8192,
        batch_tokens: Annotated[int, Field(ge=1)] = 16_384,
        download: bool = False,
    ) -> None:
        """SetupError where `model` is a path without a model, or has not so many dims."""
        self._folder = folder_of(model)
        name, whole = (model, whole_dims(model)) if self._folder is None else described(self._folder, "*.safetensors")
        self.dims = dims_of(model, dims, whole, fewest=FEWEST)
        self.id = id_of("qwen", name, self.dims, dtype, f"cut={max_tokens}", instruction=instruction)
        self.asymmetric = bool(instruction)
        self._model = model
        self._instruction = instruction
        self._dtype = dtype
        self._device = device
        self._max_tokens = max_tokens
        self._batch_tokens = batch_tokens
        self._download = download
        self._lock = threading.Lock()

    def check(self) -> str:
        """Where the model is. SetupError where a package or the model is missing; loads and downloads nothing."""
        need_packages(EXTRA, "torch", "transformers")
        if self._folder is not None:
            return f"model: {self._folder}"
        if self._is_here():
            return f"model: {self._model}, downloaded"
        if not self._download:
            raise not_here(self._model, "0.6B: 1.2 GB, 4B: 8 GB, 8B: 15 GB")
        return f"model: {self._model}, to be downloaded"

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), dims). SetupError where the model cannot be loaded."""
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        if not texts:
            return rows
        loaded = self._load()
        clean = [instructed(encodable(text), side, self._instruction) for text in texts]
        ids = loaded.tokens(clean, self._max_tokens)
        # one batch after the other: two at a time would share the processor and double the memory
        with self._lock:
            for numbers in batches([len(each) for each in ids], self._batch_tokens):
                rows[numbers] = loaded.vectors([ids[number] for number in numbers], self.dims)
        return rows

    def _is_here(self) -> bool:
        return downloaded(self._model, "config.json")

    def _load(self) -> Loaded:
        with _loading:
            self.check()
            if self._folder is None and not self._is_here():
                _log.warning("embedder=qwen: downloading %s, as embedder.download=true says", self._model)
            return load(str(self._folder or self._model), self._dtype, self._device, self._download)


@dataclass(frozen=True)
class Loaded:
    """A model with its tokenizer."""

    torch: Any
    model: Any
    tokenizer: Any
    end: int

    def tokens(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """Each text's tokens, at most so many, the last of them the end-of-text mark."""
        made = self.tokenizer(list(texts), padding=False, truncation=False)["input_ids"]
        bare = [ids[:-1] if ids and ids[-1] == self.end else ids for ids in made]
        return [[*ids[: most - 1], self.end] for ids in bare]

    def vectors(self, ids: Sequence[Sequence[int]], dims: int) -> NDArray[np.float32]:
        """One batch: the first `dims` numbers of each text's vector, brought to unit length."""
        torch, longest = self.torch, max(len(each) for each in ids)
        pads = [longest - len(each) for each in ids]
        tokens = torch.tensor([[self.end] * pad + list(each) for pad, each in zip(pads, ids, strict=True)])
        mask = torch.tensor([[0] * pad + [1] * (longest - pad) for pad in pads])
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
        given = {"input_ids": tokens, "attention_mask": mask, "position_ids": positions}
        try:
            with torch.inference_mode():
                states = self.model(
                    **{name: value.to(self.model.device) for name, value in given.items()}, use_cache=False
                ).last_hidden_state
                last = states[:, -1, :dims].float()
                made: NDArray[np.float32] = torch.nn.functional.normalize(last, dim=1).cpu().numpy()
        except torch.OutOfMemoryError:
            raise SetupError(
                f"embedder=qwen: {len(ids)} texts of {longest} tokens do not fit into the memory of "
                f"{self.model.device}: lower embedder.batch_tokens or embedder.max_tokens, or take a smaller model"
            ) from None
        return made


@functools.cache
def load(model: str, dtype: str, device: str | None, download: bool) -> Loaded:
    """From a folder, or by its name from what was downloaded. SetupError where it cannot be."""
    torch = imported("torch", EXTRA)
    transformers = imported("transformers", EXTRA)
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if place.startswith("cuda") and not torch.cuda.is_available():
        raise SetupError(f"embedder.device={place}: torch finds no such GPU here; set embedder.device=cpu")
    here: dict[str, Any] = {"local_files_only": not download}
    broken = imported("safetensors", EXTRA).SafetensorError
    bars = transformers.utils.logging
    shown = bars.is_progress_bar_enabled()
    if not download:
        bars.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, **here)
        made = transformers.AutoModel.from_pretrained(model, dtype=getattr(torch, dtype), use_safetensors=True, **here)
        made = made.to(place).eval()
    except (OSError, ValueError, RuntimeError, KeyError, broken) as error:
        said = " ".join(str(error).split())[:300]
        raise SetupError(f"embedder.model={model} cannot be loaded on {place}: {said}") from None
    finally:
        if shown:
            bars.enable_progress_bar()
    end = tokenizer.convert_tokens_to_ids(END) if END in tokenizer.get_vocab() else tokenizer.eos_token_id
    if end is None:
        raise SetupError(f"embedder.model={model}: its tokenizer has no {END}, whose state would be the vector")
    return Loaded(torch=torch, model=made, tokenizer=tokenizer, end=end)


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Numbers of texts, those of like length together, so that with padding no batch has more than `most` tokens (but
    for a text that alone has more)."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda each: (lengths[each], each)):
        if batch and (len(batch) + 1) * lengths[number] > most:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
