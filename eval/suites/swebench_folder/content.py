"""A suite in a folder: `instances.jsonl` in SWE-bench's schema, the files that all of them share, and what is known of
their making.

`tree/` is the repository with no defect and with all of its tests; an instance's own files are those with its `patch`
and its `test_patch` taken back.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from eval.suites.code.instance import Instance
from eval.suites.code.repository import Unusable, apply, paths_of
from eval.suites.code.sandbox import Ran, Sandbox, SandboxName
from eval.suites.swebench.dataset import Row, checked, from_json
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.types import Stored

INSTANCES, TREE, MADE = "instances.jsonl", "tree", "suite.json"
KIND = "kind"
"""A field of a line beside SWE-bench's: the operator that made the defect."""
HOW = "make one with `python scripts/make_swe_suite.py --sdist PACKAGE==VERSION`"


class Made(Stored):
    """`suite.json`: what the instances were made from, and how many candidates were left for which reason."""

    package: str
    version: str
    seed: Annotated[int, Field(ge=0)]
    python: str
    """Of the interpreter that ran the tests, as 3.11."""
    needs: tuple[str, ...]
    """Packages that the tests need, pytest among them."""
    paths: tuple[str, ...] = ()
    """Folders of the tree where Python finds the library, beside the tree itself."""
    tree: str
    """A hash of the files in `tree/`."""
    tests: int
    """That pass, and do so again."""
    tried: int
    kept: int
    fell: dict[str, int]


@dataclass(frozen=True)
class Content:
    """What is in such a folder."""

    folder: Path
    made: Made
    rows: Mapping[str, Row]

    @cached_property
    def sha256(self) -> str:
        """Of all that tasks and their evaluation are made from."""
        made = self.made.model_dump(mode="json", exclude={"tests", "tried", "kept", "fell"})
        lines = [{**row.others, **row.instance.line()} for row in self.rows.values()]
        return hashlib.sha256(json.dumps([made, lines], sort_keys=True).encode()).hexdigest()

    def tree_of(self, instance: Instance) -> FolderTree:
        """The files of an instance as its agent finds them."""
        return FolderTree(self.folder / TREE, taken_back(self.folder / TREE, instance))


@dataclass(frozen=True)
class FolderTree:
    """Implements `WriteTree`: a folder's files, some of them with another content. Those alone that `tree_digest` goes
    by are written: no link that somebody has put there leads an agent out of it."""

    folder: Path
    other: Mapping[str, bytes]

    def __call__(self, target: Path) -> None:
        for file in files_below(self.folder):
            place = target / file.relative_to(self.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
        for path, content in self.other.items():
            (target / path).write_bytes(content)


def taken_back(tree: Path, instance: Instance) -> dict[str, bytes]:
    """The files that an instance's patches change, as they are without them. SetupError where that cannot be."""
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
        place = Path(name)
        try:
            for patch in (instance.test_patch, instance.patch):
                _take_back(tree, patch, place)
        except (Unusable, OSError) as error:
            raise SetupError(f"instance {instance.instance_id}: its patches do not fit {tree}: {error}") from None
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in files_below(place)}


def _take_back(tree: Path, patch: str, place: Path) -> None:
    """Puts the files that a patch changes into `place`, as they are without it. Unusable where it cannot be taken back,
    or the tree has other files than it had before: it would have to be without one, or have another."""
    changed = paths_of(tree, patch)
    for path in changed:
        if not _is_below(tree, path):
            raise Unusable(f"no file {path} is there")
        if not (place / path).exists():  # another patch of it may have been taken back
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tree / path, place / path)
    if problem := apply(place, patch, back=True):
        raise Unusable(problem)
    if added := [path for path in changed if not (place / path).is_file()]:
        raise Unusable(f"{added[0]} is there by a patch alone")


def _is_below(folder: Path, path: str) -> bool:
    """Whether it is among `files_below`."""
    file = folder / path
    return file.is_file() and file.resolve() == folder.resolve() / path and "__pycache__" not in file.parts


def read_content(folder: Path) -> Content:
    """SetupError, in one line, where the folder is none of a suite, or not as it was made."""
    if not folder.is_dir():
        raise SetupError(f"suite.folder={folder} is no folder; {HOW}")
    try:
        made = Made.model_validate_json((folder / MADE).read_bytes())
        raw = (folder / INSTANCES).read_bytes()
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the file"
        raise SetupError(f"{folder / MADE} is not what was written there: {field}: {first['msg']}; {HOW}") from None
    except OSError as error:
        raise SetupError(f"suite.folder={folder} holds no suite: {error.filename}: {error.strerror}; {HOW}") from None
    rows = checked(from_json(raw, str(folder / INSTANCES)), str(folder / INSTANCES))
    if not (folder / TREE).is_dir() or (folder / TREE).is_symlink() or tree_digest(folder / TREE) != made.tree:
        raise SetupError(
            f"{folder / TREE} has been changed since it was made, or is not there; {HOW} into a new folder"
        )
    return Content(folder, made, rows)


def write_content(folder: Path, made: Made, lines: Iterable[Mapping[str, object]]) -> None:
    """The two files beside the tree."""
    write_atomic(folder / INSTANCES, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    write_atomic(folder / MADE, json.dumps(made.model_dump(mode="json"), indent=2) + "\n")


def tree_digest(tree: Path) -> str:
    """A hash of the names and the contents of all files."""
    hasher = hashlib.sha256()
    for path in files_below(tree):
        content = path.read_bytes()
        hasher.update(f"{path.relative_to(tree).as_posix()}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
        hasher.update(content)
    return hasher.hexdigest()


def files_below(folder: Path) -> list[Path]:
    """All files, in their order, without what running a program leaves behind."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return [path for path in found if "__pycache__" not in path.parts]


class WithPaths:
    """Implements `Sandbox`: another one, in which Python finds a library that is not in the folder itself."""

    def __init__(self, inner: Sandbox, paths: Sequence[str]) -> None:
        self.name: SandboxName = inner.name
        self.inner = inner
        found = "".join(f":$PWD/{path}" for path in paths)
        self.export = f'export PYTHONPATH="${{PYTHONPATH:-}}{found}"\n' if paths else ""

    def check(self) -> str:
        return self.inner.check()

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        return self.inner.run(f"{self.export}{command}", folder, seconds=seconds, scratch=scratch)
