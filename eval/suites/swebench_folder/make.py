"""From a distribution to a suite's folder, whole or not at all."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from eval.suites.swebench_folder.content import TREE, Made, files_below, tree_digest, write_content
from eval.suites.swebench_folder.making import REASONS, Search
from eval.suites.swebench_folder.ready import prepared
from eval.suites.swebench_folder.sdist import Sdist, fetched, sdist_of, unpacked, with_tests
from reasoningbank.errors import SetupError

DEFAULT = Path("results", ".suites", "sdist")
"""Below it a suite goes to NAME-VERSION."""
SEEDS = 2**63


def make(
    wanted: str,
    *,
    tests: Sequence[str] = (),
    number: int,
    seed: int,
    out: Path | None,
    say: Callable[[str], None],
    show: Callable[[int, str], None],
) -> tuple[Path, Made]:
    """Makes `number` instances of a distribution, or as many as there are, in a folder that is not there yet: `out`, or
    one below DEFAULT. `tests` are files or folders of tests, where not all are to be used. SetupError in one line for
    all that the user can mend."""
    if number < 1:
        raise SetupError(f"--n {number}: at least one instance is needed")
    if not 0 <= seed < SEEDS:
        raise SetupError(f"--seed {seed}: a whole number from 0 is needed")
    if out is not None:
        check_free(out)
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
        place = Path(name)
        (place / "fetched").mkdir()
        (place / "unpacked").mkdir()
        archive = fetched(wanted, place / "fetched")
        sdist = with_tests(sdist_of(tidied(unpacked(archive, place / "unpacked"))), tests)
        folder = out or DEFAULT / f"{sdist.name}-{sdist.version}"
        check_free(folder)
        say(
            f"{sdist.name} {sdist.version}: {len(sdist.modules)} modules, {len(sdist.tests)} files of tests; running "
            "them twice"
        )
        ready = prepared(sdist)
        missing = f"; left out are tests that need {', '.join(ready.missing)}" if ready.missing else ""
        say(f"{len(ready.stable)} of {len(ready.clean.statuses)} tests pass both times{missing}")
        search = Search(ready, number, seed)
        if search.functions < number:
            say(f"they run {search.functions} functions, of which each has one instance at most")
        search.run(show)
        if not search.lines:
            raise SetupError(f"{sdist.name} {sdist.version}: none of {search.tried} candidates makes an instance")
        made = Made(
            package=sdist.name,
            version=sdist.version,
            seed=seed,
            python=f"{sys.version_info[0]}.{sys.version_info[1]}",
            needs=ready.needs,
            paths=sdist.paths,
            tree=tree_digest(sdist.folder),
            tests=len(ready.stable),
            tried=search.tried,
            kept=len(search.lines),
            fell={reason: search.fell[reason] for reason in REASONS if search.fell[reason]},
        )
        put(folder, sdist, made, search.lines)
    return folder, made


def check_free(folder: Path) -> None:
    if folder.exists() or folder.is_symlink():
        raise SetupError(f"{folder} is there already and is left as it is; move it away, or name another by --out")


def tidied(folder: Path) -> Path:
    """Without links and what running a program leaves behind, which are no part of the suite's files."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_symlink():
            path.unlink()
    kept = set(files_below(folder))
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()
    return folder


def put(folder: Path, sdist: Sdist, made: Made, lines: list[dict[str, object]]) -> None:
    """Everything is written beside it, and then given its name."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        try:
            shutil.copytree(sdist.folder, place / TREE)
            write_content(place, made, lines)
            place.chmod(0o755)
            check_free(folder)
            place.rename(folder)
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(place)
    except OSError as error:
        raise SetupError(f"cannot write {folder}: {error.strerror}; name another place by --out") from error
