"""Nearest names, for errors about a name that does not exist."""

from reasoningbank.names import nearest

__all__ = ["nearest"]
