"""The files of an instance as its agent finds them, and nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tree:
    """Implements `WriteTree`."""

    files: Mapping[str, str]

    def __call__(self, folder: Path) -> None:
        for path, text in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")
