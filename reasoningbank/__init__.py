"""Memory for LLM agents that learns from judged trajectories.

    from reasoningbank import ReasoningBank

Importing the package costs nothing: each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reasoningbank.library import Learnt, ReasoningBank

__all__ = ["Learnt", "ReasoningBank"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from reasoningbank import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
