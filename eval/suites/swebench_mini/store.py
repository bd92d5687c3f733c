"""Sets that were made before, kept on disk: making one takes a minute. What cannot be read is made again."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from eval.suites.swebench_mini.build import Built, build
from eval.suites.swebench_mini.catalog import files_of
from reasoningbank import syntax
from reasoningbank.files import write_atomic
from reasoningbank.types import Stored

FOLDER = Path(__file__).parent
MAKES_NONE = ("measure.py", "store.py", "suite.py")
"""What changes no instance."""
ELSEWHERE = ("instance.py", "repository.py")
"""Of the code that all suites of code share, what instances depend on."""


class BuiltSet(Stored):
    """All instances of a seed."""

    key: str
    seed: int
    built: tuple[Built, ...]


def digest() -> str:
    """A short hash of all that instances are made from. Python's version is part of it: statements show its errors."""
    hasher = hashlib.sha256(repr(sys.version_info[:2]).encode())
    own = [FOLDER / path for path in files_of(FOLDER) if path.as_posix() not in MAKES_NONE]
    for path in (*own, *(FOLDER.parent / "code" / name for name in ELSEWHERE)):
        hasher.update(f"{path.relative_to(FOLDER.parent).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    hasher.update(Path(syntax.__file__).read_bytes())
    return hasher.hexdigest()[:16]


def built_set(seed: int, kept: Path | None = None) -> tuple[Built, ...]:
    """The instances of a seed, from the folder `kept` where they are there, and else made and put there."""
    if kept is None:
        return tuple(build(seed))
    key = digest()
    path = kept / f"swebench_mini-{seed}-{key}.json"
    with suppress(OSError, ValidationError):
        found = BuiltSet.model_validate_json(path.read_bytes())
        if (found.key, found.seed) == (key, seed):
            return found.built
    made = BuiltSet(key=key, seed=seed, built=tuple(build(seed)))
    with suppress(OSError):  # then it is made again the next time
        kept.mkdir(parents=True, exist_ok=True)
        write_atomic(path, made.model_dump_json())
        for older in kept.glob(f"swebench_mini-{seed}-*.json"):
            if older != path:
                older.unlink(missing_ok=True)
    return made.built
