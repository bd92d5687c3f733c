"""A source distribution: fetched by pip or a local file, unpacked, and what in it is the library and what its tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email import message_from_string
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name

from eval.names import nearest
from eval.suites.code.evaluation import TESTS_FOLDERS
from reasoningbank.errors import SetupError

PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)")
MOST_BYTES, MOST_FILES = 32 * 1024 * 1024, 5_000
"""Of what is unpacked: a dozen of it has to find room in a sandbox."""
PATIENCE = 300.0
"""Seconds that pip has."""
NOT_THE_LIBRARY = frozenset({*TESTS_FOLDERS, "doc", "docs", "example", "examples", "benchmarks", "scripts", "tools"})
"""Names of folders and modules beside a library, or in it, that are no part of it."""
NO_MODULES = frozenset({"setup.py", "conftest.py", "noxfile.py", "tasks.py", "fabfile.py"})
TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|tests?\.py")


@dataclass(frozen=True)
class Sdist:
    """An unpacked distribution. Paths are relative to `folder`, with slashes."""

    folder: Path
    name: str
    version: str
    paths: tuple[str, ...]
    """Where Python finds the library: () for the folder itself, else such as src."""
    libraries: tuple[str, ...]
    """What is imported of it."""
    modules: tuple[str, ...]
    """The files of the library that can be changed."""
    tests: tuple[str, ...]
    """The files of its tests."""

    def text(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode("utf-8")


def fetched(wanted: str, place: Path) -> Path:
    """The archive: a local one by its path, or one that pip finds by NAME==VERSION, put into `place`.

    pip asks a distribution for what it is, for which its own build steps are run, as in any installation from source;
    of a local archive nothing is.
    """
    local = Path(wanted).expanduser()
    if local.is_file():
        return local
    if not PINNED.fullmatch(wanted):
        what = "is not there" if "/" in wanted or wanted.endswith((".gz", ".tgz", ".zip")) else "names no version"
        raise SetupError(f"--sdist {wanted} {what}: give NAME==VERSION, such as toolz==1.2.0, or a local .tar.gz")
    line = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--disable-pip-version-check"]
    line += ["--no-input", "--retries", "1", "--dest", str(place), wanted]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise SetupError(f"--sdist {wanted}: pip did not end within {PATIENCE:g} s; look to the network") from None
    found = sorted(place.glob("*.tar.gz"))
    if done.returncode or not found:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")] or done.stderr.splitlines()
        told = re.sub(r"\S+://\S+", "...", said[-1].removeprefix("ERROR: ")) if said else "it has no .tar.gz"
        raise SetupError(
            f"--sdist {wanted} cannot be had by pip: {told}; look to the name, the version and the network, or fetch "
            "it yourself and give --sdist FILE.tar.gz"
        )
    return found[0]


def unpacked(archive: Path, place: Path) -> Path:
    """The one folder that an archive holds, below `place`. SetupError where it is none, or reaches out of its place."""
    try:
        with tarfile.open(archive, "r:gz") as tar:
            members = tar.getmembers()
            size = sum(member.size for member in members)
            if size > MOST_BYTES or len(members) > MOST_FILES:
                raise SetupError(
                    f"{archive} holds {len(members):,} files of {size / 2**20:,.0f} MiB; at most {MOST_FILES:,} of "
                    f"{MOST_BYTES // 2**20} MiB are unpacked"
                )
            tar.extractall(place, members, filter="data")
    except tarfile.FilterError as error:
        raise SetupError(f"{archive} is not unpacked, for it reaches out of its folder: {error}") from None
    except (tarfile.TarError, zlib.error, EOFError, OSError, OverflowError, ValueError) as error:
        raise SetupError(f"{archive} is no .tar.gz of a source distribution: {error}") from None
    found = [path for path in place.iterdir() if path.is_dir()]
    if len(found) != 1 or len(list(place.iterdir())) != 1:
        raise SetupError(f"{archive} does not hold one folder, as a source distribution does")
    return found[0]


def sdist_of(folder: Path) -> Sdist:
    """What an unpacked distribution is. SetupError where it has no library, or no tests."""
    try:
        told = message_from_string((folder / "PKG-INFO").read_text(encoding="utf-8", errors="replace"))
        name, version = str(told["Name"] or ""), str(told["Version"] or "")
    except OSError:
        name, version = "", ""
    if not name or not version:
        raise SetupError(f"{folder.name} is no source distribution: it has no PKG-INFO with a name and a version")
    files = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.py")) if path.is_file()]
    tests = tuple(path for path in files if _is_test_file(path) and _parses(folder / path))
    if not tests:
        raise SetupError(f"{name} {version} ships no tests in its source distribution: choose another package")
    root, libraries = _library(folder, name)
    if not libraries:
        raise SetupError(f"{name} {version}: no package or module of Python is in it that could be its library")
    inside = [path for path in files if _is_of(path.removeprefix(f"{root}/") if root else path, libraries)]
    modules = tuple(path for path in inside if path not in tests and not _is_test(path) and _parses(folder / path))
    return Sdist(folder, name, version, (root,) if root else (), tuple(sorted(libraries)), modules, tests)


def with_tests(sdist: Sdist, wanted: Sequence[str]) -> Sdist:
    """The same with those of its files of tests that are, or are below, one of the paths. All for none."""
    paths = [path.strip("/").removeprefix("./") for path in wanted]
    for path in paths:
        if not any(_is_below(test, path) for test in sdist.tests):
            raise SetupError(f"--tests {path}: no tests are there; {nearest(path, sdist.tests)}")
    tests = tuple(test for test in sdist.tests if any(_is_below(test, path) for path in paths))
    return replace(sdist, tests=tests) if paths else sdist


def _is_below(test: str, path: str) -> bool:
    return test == path or test.startswith(f"{path}/")


def _library(folder: Path, name: str) -> tuple[str, set[str]]:
    """Where the library is, and the names of its packages and modules: those that it says itself, else that of its own
    name, else all."""
    root = "src" if (folder / "src").is_dir() else ""
    place = folder / root
    there = {path.parent.name for path in place.glob("*/__init__.py")}
    there |= {path.stem for path in place.glob("*.py") if path.name not in NO_MODULES}
    there = {each for each in there if each.isidentifier() and each not in NOT_THE_LIBRARY}
    there = {each for each in there if not TEST_FILE.fullmatch(f"{each}.py")}
    for listed in (*place.glob("*.egg-info/top_level.txt"), *folder.glob("*.egg-info/top_level.txt")):
        if said := there & set(listed.read_text(encoding="utf-8", errors="replace").split()):
            return root, said
    named = {each for each in there if canonicalize_name(each) == canonicalize_name(name)}
    return root, named or there


def _is_of(path: str, libraries: set[str]) -> bool:
    first, _, rest = path.partition("/")
    return first in libraries if rest else first.removesuffix(".py") in libraries


def _is_test(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(TESTS_FOLDERS & set(parts)) or parts[-1] in NO_MODULES or bool(TEST_FILE.fullmatch(parts[-1]))


def _is_test_file(path: str) -> bool:
    return bool(TEST_FILE.fullmatch(path.rpartition("/")[2])) and not _aside(path)


def _aside(path: str) -> bool:
    """Whether it is in a folder of examples, or the like."""
    return bool((NOT_THE_LIBRARY - TESTS_FOLDERS) & set(PurePosixPath(path).parts[:-1]))


def _parses(path: Path) -> bool:
    """Whether it is a module of this Python, in UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8")
        ast.parse(text)
    except (OSError, ValueError, SyntaxError):
        return False
    return not text.startswith("\N{BYTE ORDER MARK}")
