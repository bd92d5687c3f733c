"""The bank that a run starts from (`bank.init_from`): copied into the run's folder once, and known by its content."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from eval.config import Settings
from eval.suites.base import Suite
from eval.workbench import Workbench
from reasoningbank.bank.copy import Content, copy_bank, read_bank
from reasoningbank.errors import SetupError
from reasoningbank.types import Experience

COPY = "start.sqlite"
_PREFIX = "init/"
_OF = "::"


def scope_of(suite: Suite) -> str:
    """The world that a suite's task ids are of. Not of its version: a task with a changed page is the same task."""
    return f"{suite.id}:{suite.seed}"


def start_digest(bench: Workbench) -> str | None:
    """SHA-256 of the content of the bank that a run starts from, which is part of the run's identity.

    A run that there is already has a copy, and needs the file no more.
    """
    settings = bench.settings
    if settings.bank.init_from is None:
        return None
    source = Path(settings.bank.init_from)
    if (settings.run_name or not source.exists()) and not settings.fresh:
        kept = {_read(bench, copy, copy).digest() for copy in _copies(settings)}
        if len(kept) == 1:
            return kept.pop()
        if kept:
            raise SetupError(f"bank.init_from={source}: runs started from it with other content; name one by run_name")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / COPY
        copy_bank(source, copy)
        return _read(bench, copy, source).digest()


def keep_copy(bench: Workbench, folder: Path, wanted: str | None) -> None:
    """Copy the bank to start from into a run's folder, unless it is there. `wanted` is its `start_digest`."""
    copy = folder / COPY
    if bench.settings.bank.init_from is None or copy.exists():
        return
    source = Path(bench.settings.bank.init_from)
    copy_bank(source, copy)
    if _read(bench, copy, source).digest() != wanted:
        copy.unlink()
        raise SetupError(f"bank.init_from={source} has changed since this command began: run it again")


def starting_experiences(bench: Workbench, folder: Path) -> list[Experience]:
    """What every bank of the run in `folder` begins with, under ids of its own, before position 0."""
    if bench.settings.bank.init_from is None:
        return []
    content = _read(bench, folder / COPY, folder / COPY)
    return [as_given(experience, content.scope, scope_of(bench.suite)) for experience in content.experiences]


def as_given(experience: Experience, source: str, scope: str) -> Experience:
    """An experience of a bank of the world `source` for one of the world `scope`.

    Equal task ids of two worlds are two tasks: a task of another world gets its world before its id. Where the
    source's world is not known, ids stay, so that no task ever recalls what it taught itself.
    """
    world, task_id = source, experience.task_id
    if experience.id.startswith(_PREFIX) and _OF in task_id:
        world, _, task_id = task_id.partition(_OF)
    if world not in ("", scope):
        task_id = f"{world}{_OF}{task_id}"
    name = f"{_PREFIX}{experience.id}"
    items = tuple(item.model_copy(update={"id": f"{name}.{number}"}) for number, item in enumerate(experience.items))
    return experience.model_copy(update={"id": name, "task_id": task_id, "items": items, "position": -1})


def _read(bench: Workbench, path: Path, name: Path) -> Content:
    return read_bank(path, bench.embedder, key=bench.retrieval.key, name=name)


def _copies(settings: Settings) -> Iterator[Path]:
    """The copies in runs (of the name that is set, if one is) that were started from the same file."""
    root = Path(settings.results_dir) / (settings.run_name or "")
    for meta in sorted({*root.glob("meta.json"), *root.glob("*/meta.json"), *root.glob("*/*/meta.json")}):
        try:
            given = json.loads(meta.read_text(encoding="utf-8"))["settings"]["bank"]["init_from"]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # what is wrong with that run is said when it is opened
        copy = meta.with_name(COPY)
        if given == settings.bank.init_from and copy.exists():
            yield copy
