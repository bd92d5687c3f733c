"""How a query is put to embedders that are told what to search for."""

from __future__ import annotations

from reasoningbank.interfaces import Side


def instructed(text: str, side: Side, instruction: str) -> str:
    """A query follows its instruction, in the words that instruction-tuned embedders know; a document stands alone."""
    return f"Instruct: {instruction}\nQuery:{text}" if side == "query" and instruction else text
