"""Whether a run's or a sweep's report is what would be made again, so that it need not be.

Beside a report lies a hash of all that it was made from (the run's meta and journals, and the code of reports) and of
its files. It is made from contents alone: what was copied, touched or edited is seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from reasoningbank.files import write_atomic
from reasoningbank.types import digest

STAMP = ".report.json"
TEXTS = ("summary.json", "table.txt")
RUN = (*TEXTS, "cumulative.png")
SWEEP = (*TEXTS, "comparison.png")
"""The files of a report; with `figure=false` the texts alone."""
ROOT = Path(__file__).parents[2]
PACKAGES = ("matplotlib", "numpy", "pandas", "rich")


def sources(runs: Iterable[Path]) -> str:
    """A hash of everything that the report of these runs is made from."""
    hashes = {
        str(path.relative_to(folder.parent)): _sha256(path)
        for folder in sorted(runs)
        for path in (folder / "meta.json", *sorted(folder.glob("streams/*/journal.jsonl")))
    }
    return digest({"code": _code(), "read": hashes})


def is_reported(run: Path) -> bool:
    """Whether a single run's report is of today, with or without a figure."""
    return up_to_date(run, sources([run]), TEXTS)


def up_to_date(folder: Path, made_from: str, files: Iterable[str]) -> bool:
    """Whether the report in `folder` was made from just that, has these files, and nothing has changed it since."""
    try:
        kept = json.loads((folder / STAMP).read_bytes())
        return set(files) <= set(kept["files"]) and bool(kept == _stamp(folder, made_from, kept["files"]))
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return False


def note(folder: Path, made_from: str, files: Iterable[str]) -> None:
    """Keep what a report was made from. `made_from` is of before it was made: a run may have gone on since."""
    write_atomic(folder / STAMP, json.dumps(_stamp(folder, made_from, files)) + "\n")


def _stamp(folder: Path, made_from: str, files: Iterable[str]) -> dict[str, object]:
    return {"made_from": made_from, "files": {name: _sha256(folder / name) for name in files}}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@cache
def _code() -> str:
    own = [*sorted((ROOT / "eval" / "analysis").rglob("*.py")), ROOT / "eval" / "journal.py"]
    own.append(ROOT / "reasoningbank" / "types.py")
    versions = {name: metadata.version(name) for name in PACKAGES}
    return digest({"files": {str(path.relative_to(ROOT)): _sha256(path) for path in own}, "versions": versions})
