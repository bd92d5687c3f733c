"""Instances that were made before, kept on disk: making them takes a minute. What cannot be read is made again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from eval.suites.swebench_mini.build import PER_PACKAGE, build
from eval.suites.swebench_mini.built import Built
from eval.suites.swebench_mini.catalog import files_of, load_package
from eval.terminal.bar import Bar
from reasoningbank import syntax
from reasoningbank.files import write_atomic
from reasoningbank.types import Stored

FOLDER = Path(__file__).parent
MAKES_NONE = ("lessons", "measure.py", "store.py", "suite.py")
"""What changes no instance."""
ELSEWHERE = ("instance.py", "repository.py")
"""Of the code that all suites of code share, what instances depend on."""


class BuiltSet(Stored):
    """The instances of a library."""

    key: str
    seed: int
    package: str
    built: tuple[Built, ...]


def digest() -> str:
    """A short hash of all that instances are made from. Python's version is part of it: statements show its errors."""
    hasher = hashlib.sha256(repr(sys.version_info[:2]).encode())
    own = [FOLDER / path for path in files_of(FOLDER) if path.parts[0] not in MAKES_NONE]
    for path in (*own, *(FOLDER.parent / "code" / name for name in ELSEWHERE)):
        hasher.update(f"{path.relative_to(FOLDER.parent).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    hasher.update(Path(syntax.__file__).read_bytes())
    return hasher.hexdigest()[:16]


def built_set(seed: int, packages: Sequence[str], kept: Path | None = None) -> tuple[Built, ...]:
    """The instances of libraries, from the folder `kept` where they are there, and else made and put there."""
    key = digest()
    found = {name: _read(kept, BuiltSet(key=key, seed=seed, package=name, built=())) for name in packages}
    if missing := [name for name, built in found.items() if not built]:
        with Bar("instances", PER_PACKAGE * len(missing)) as bar:
            bar.say(f"making the instances of {', '.join(missing)}, suite.seed={seed}: once, a minute or two for all")
            made = build(seed, [load_package(name) for name in missing], tell=bar.show)
        for name in missing:
            found[name] = tuple(each for each in made if each.package == name)
            if kept is not None:
                _write(kept, BuiltSet(key=key, seed=seed, package=name, built=found[name]))
    return tuple(each for built in found.values() for each in built)


def _read(kept: Path | None, wanted: BuiltSet) -> tuple[Built, ...]:
    """None where they are not there, or cannot be read: then they are made anew."""
    with suppress(OSError, ValidationError):
        found = BuiltSet.model_validate_json(_path(kept, wanted).read_bytes()) if kept is not None else wanted
        if found.model_copy(update={"built": ()}) == wanted:
            return found.built
    return ()


def _write(kept: Path, made: BuiltSet) -> None:
    """In the place of those of an older version."""
    path = _path(kept, made)
    with suppress(OSError):  # then they are made again the next time
        kept.mkdir(parents=True, exist_ok=True)
        write_atomic(path, made.model_dump_json())
        for older in kept.glob(f"swebench_mini-{made.seed}-{made.package}-*.json"):
            if older != path:
                older.unlink(missing_ok=True)


def _path(kept: Path, of: BuiltSet) -> Path:
    return kept / f"swebench_mini-{of.seed}-{of.package}-{of.key}.json"
