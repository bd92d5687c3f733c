"""What is known of the Qwen3-Embedding models, wherever they run: their dims, and what a query is told to them."""

from __future__ import annotations

import hashlib

from reasoningbank.interfaces import Side

DIMS = {"Qwen3-Embedding-0.6B": 1024, "Qwen3-Embedding-4B": 2560, "Qwen3-Embedding-8B": 4096}
FEWEST = 32
"""The models are trained so that the first of their numbers, from these on, are a vector too."""
INSTRUCTION = "Given a task that a user sets, retrieve earlier tasks that are solved in a similar way"
MOST_TOKENS = 32_768
"""Of one text."""


def instructed(text: str, side: Side, instruction: str) -> str:
    """A query follows its instruction, in the form that the models were trained on; a document stands alone."""
    return f"Instruct: {instruction}\nQuery:{text}" if side == "query" and instruction else text


def whole_dims(model: str) -> int | None:
    """The dims of a model by its name, whoever offers it; None for one that is not known."""
    return DIMS.get(model.rpartition("/")[2])


def id_of(kind: str, name: str, dims: int, *more: str, instruction: str) -> str:
    """Names the model, the dims and the instruction (by a hash): all that a vector depends on beside `more`."""
    words = hashlib.sha256(instruction.encode("utf-8")).hexdigest()[:8] if instruction else "none"
    return ":".join([kind, name, str(dims), f"instruction={words}", *more])
