"""What a run's banks start from (`bank.init_from`): copied into the run's folder once, and known by its content.

A bank file is what every stream starts from. Of a run each stream takes the final bank of its own group: that of its
own trial where the run has it, else that of trial 0.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from eval.analysis.origin import Origin, of_notes, united
from eval.analysis.records import RunRecord, find_run, is_run, load_run
from eval.config.settings import Settings
from eval.journal import group_and_trial, stream_folder, stream_name
from eval.plan import plan_streams
from eval.suites.base import Suite
from eval.workbench import Workbench
from reasoningbank.bank import files
from reasoningbank.bank.copy import Content, copy_bank, read_bank
from reasoningbank.errors import SetupError
from reasoningbank.files import fsync_folder, path_name
from reasoningbank.types import Experience, digest

COPY = "start.sqlite"
"""The copy of a bank file."""
COPIES = "start"
"""The folder of the copies of a run's banks, by the names of its streams."""
INHERITED = "bank.init_from"
"""From where a run has what was stamped on another."""
_PREFIX = "init/"
_OF = "::"


def scope_of(suite: Suite) -> str:
    """The world that a suite's task ids are of. Not of its version: a task with a changed page is the same task."""
    return f"{suite.id}:{suite.seed}"


def start_digest(bench: Workbench) -> str | None:
    """SHA-256 of the content of the banks that a run starts from, which is part of the run's identity.

    A run that there is already has copies, and needs their source no more.
    """
    settings = bench.settings
    if settings.bank.init_from is None:
        return None
    if (settings.run_name or not any(place.exists() for place in start_places(settings))) and not settings.fresh:
        kept = {_held(bench, folder) for folder in _runs_from_there(settings)} - {None}
        if len(kept) == 1:
            return kept.pop()
        if kept:
            raise SetupError(
                f"bank.init_from={settings.bank.init_from}: runs started from it with other content; name one by "
                "run_name"
            )
    with tempfile.TemporaryDirectory() as made:
        sources = _sources(bench)
        _copy(sources, Path(made))
        return _held(bench, Path(made), sources)


def keep_copy(bench: Workbench, folder: Path, wanted: str | None) -> None:
    """Copy the banks to start from into a run's folder, unless they are there. `wanted` is their `start_digest`."""
    if wanted is None or (folder / COPY).exists() or (folder / COPIES).exists():
        return
    sources = _sources(bench)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".start.") as made:
        _copy(sources, Path(made))
        if _held(bench, Path(made), sources) != wanted:
            raise SetupError(
                f"bank.init_from={bench.settings.bank.init_from} has changed since this command began: run it again"
            )
        for entry in Path(made).iterdir():
            entry.rename(folder / entry.name)
    fsync_folder(folder)


def start_copy(folder: Path, stream: str) -> Path:
    """The copy that a stream of the run in `folder` starts from."""
    if not (folder / COPIES).exists():
        return folder / COPY
    names = [folder / COPIES / f"{path_name(name)}.sqlite" for name in _like(stream)]
    return next((path for path in names if path.exists()), names[-1])


def starting_experiences(bench: Workbench, folder: Path, stream: str) -> list[Experience]:
    """What the bank of a stream of the run in `folder` begins with, under ids of its own, before position 0."""
    if bench.settings.bank.init_from is None:
        return []
    copy = start_copy(folder, stream)
    content = _read(bench, copy, copy)
    return [as_given(experience, content.scope, scope_of(bench.suite)) for experience in content.experiences]


def start_run(settings: Settings) -> RunRecord | None:
    """The run whose banks, or one of them, others start from; None where there is none that is known."""
    if settings.bank.init_from is None:
        return None
    for place in start_places(settings):
        if place.is_dir():
            try:
                return load_run(find_run(settings.bank.init_from, Path(settings.results_dir)))
            except SetupError as error:
                raise SetupError(f"bank.init_from={settings.bank.init_from}: {error}") from error
    above = Path(settings.bank.init_from).resolve().parents[:3]
    return next((load_run(folder) for folder in above if is_run(folder)), None)


def start_origin(bench: Workbench) -> Origin:
    """What had a say in the banks that a run starts from: what they say of it themselves, and what their run says."""
    if bench.settings.bank.init_from is None:
        return Origin()
    with tempfile.TemporaryDirectory() as made:
        sources = _sources(bench)
        _copy(sources, Path(made))
        found = [of_notes(files.check(Path(made) / name)) for name in sources]
    if (run := start_run(bench.settings)) is not None:
        found = [run.origin, *(each for each in found if each.origin_known)]
    return united(each.inherited(INHERITED) for each in found)


def bank_notes(bench: Workbench, folder: Path, stream: str) -> dict[str, str]:
    """What the bank of a stream of the run in `folder` says of what made it."""
    origin = bench.origin
    if bench.settings.bank.init_from is not None:
        given = of_notes(files.check(start_copy(folder, stream)))
        origin = united([origin, given.inherited(INHERITED)])
    return origin.notes()


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


def start_places(settings: Settings) -> tuple[Path, Path]:
    """Where a file, or a run by its folder or its name, may be."""
    given = settings.bank.init_from or ""
    return Path(given), Path(settings.results_dir) / given


def _sources(bench: Workbench) -> dict[str, Path]:
    """The bank files to start from, by the names of their copies. SetupError where a stream has none to start from."""
    settings = bench.settings
    given = settings.bank.init_from or ""
    if not any(place.is_dir() for place in start_places(settings)):
        return {COPY: Path(given)}
    run = start_run(settings)
    assert run is not None
    there = {stream.name: stream for stream in run.streams}
    sources = {}
    for plan in plan_streams(settings, bench.suite):
        name = next((name for name in _like(plan.name) if name in there), None)
        if name is None:
            raise SetupError(
                f"bank.init_from={given}: none of its streams ({', '.join(there)}) is of the group of {plan.name}; "
                f"name one bank for all streams, such as {bank_of(run, next(iter(there), 'STREAM'))}"
            )
        path = bank_of(run, name)
        if not there[name].complete or not path.is_file():
            done = f"{len(there[name].lines)} of {there[name].planned} tasks"
            raise SetupError(
                f"bank.init_from={given}: its stream {name} has done {done}: finish that run first, or name a bank file"
            )
        sources[f"{COPIES}/{path_name(name)}.sqlite"] = path
    return sources


def bank_of(run: RunRecord, stream: str) -> Path:
    return stream_folder(run.folder, stream) / "bank.sqlite"


def _like(stream: str) -> tuple[str, str]:
    """The names that a stream of another run may have whose bank this one starts from, the better first."""
    return stream, stream_name(group_and_trial(stream)[0], 0)


def _copy(sources: Mapping[str, Path], folder: Path) -> None:
    for name, source in sources.items():
        (folder / name).parent.mkdir(exist_ok=True)
        copy_bank(source, folder / name)


def _held(bench: Workbench, folder: Path, sources: Mapping[str, Path] | None = None) -> str | None:
    """A hash of the content of a folder's copies; None where there are none. Errors name the files in `sources`."""
    called = sources or {}
    if (folder / COPY).is_file():
        return _read(bench, folder / COPY, called.get(COPY, folder / COPY)).digest()
    copies = {f"{COPIES}/{path.name}": path for path in sorted((folder / COPIES).glob("*.sqlite"))}
    held = {name: _read(bench, path, called.get(name, path)).digest() for name, path in copies.items()}
    return digest(held) if held else None


def _read(bench: Workbench, path: Path, name: Path) -> Content:
    return read_bank(path, bench.embedder, key=bench.retrieval.key, name=name)


def _runs_from_there(settings: Settings) -> Iterator[Path]:
    """The runs (of the name that is set, if one is) that were started from the same file or run."""
    root = Path(settings.results_dir) / (settings.run_name or "")
    for meta in sorted({*root.glob("meta.json"), *root.glob("*/meta.json"), *root.glob("*/*/meta.json")}):
        try:
            given = json.loads(meta.read_text(encoding="utf-8"))["settings"]["bank"]["init_from"]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # what is wrong with that run is said when it is opened
        if given == settings.bank.init_from:
            yield meta.parent
