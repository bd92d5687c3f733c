"""Instances that are left out, by a file of their ids: one a line, after a # whatever there is to say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from eval.names import known_ids
from reasoningbank.errors import SetupError


def read_excluded(path: str | None, known: Collection[str]) -> frozenset[str]:
    """The ids that stand in a file; none for None. SetupError where it cannot be read, or names none of the known."""
    if path is None:
        return frozenset()
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(f"suite.exclude={path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SetupError(f"suite.exclude={path} is no text in UTF-8: {error.reason} at byte {error.start}") from error
    found = frozenset(name for line in text.splitlines() if (name := line.partition("#")[0].strip()))
    for name in sorted(found - set(known)):
        raise SetupError(f"suite.exclude={path}: no instance {name}; {known_ids(name, known)}")
    return found


def excluded_text(why: Mapping[str, str]) -> str:
    """Such a file, of ids and the reasons to leave them out."""
    lines = [f"{name}  # {' '.join(reason.split())}" for name, reason in why.items()]
    return "\n".join(lines or ["# every instance can be used here"]) + "\n"
