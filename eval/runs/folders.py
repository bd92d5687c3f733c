"""The folders of runs: how they are named, when one may be used, and what is written there before anything is run.

`results/<label>-<hash8>` by default, so that the same command line continues its run and other settings go elsewhere.
A run that is named (`run_name=...`) keeps its name, and refuses settings other than those it was made by.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from eval.analysis.origin import united
from eval.analysis.records import meta_or_none
from eval.config.load import Job
from eval.config.settings import Settings
from eval.journal import stream_folder
from eval.runs.first_banks import COPIES, COPY, keep_copy, start_origin, start_places
from eval.runs.identity import causes, difference, package_version, redacted, redacted_line
from eval.runs.lock import RunLock
from eval.runs.predictions import FILES
from eval.workbench import Workbench
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.types import SCHEMA_VERSION, digest

WRITTEN = frozenset(
    {
        "run.lock",
        "meta.json",
        "streams",
        COPY,
        COPIES,
        "summary.json",
        "table.txt",
        "cumulative.png",
        "rescored",
        "scored",
    },
)
"""What a run has in its folder, beside files of predictions."""

ELSEWHERE = "set results_dir to another folder"
REPORTED = frozenset({"summary.json", "table.txt", "comparison.png", "validation.json"})
"""What a sweep has in its folder, beside its runs."""


def default_name(job: Job, data: Mapping[str, Any]) -> str:
    return f"{job.label}-{digest(data)[:8]}"


def sweep_name(jobs: Sequence[Job], identities: Sequence[Mapping[str, Any]], label: str | None = None) -> str:
    """The default name of a sweep's folder: the same jobs give the same one. `label` takes the experiment's place."""
    label = label or jobs[0].choices.get("exp", "sweep")
    return f"{label}-{digest(sorted(digest(data) for data in identities))[:8]}"


def job_folders(jobs: Sequence[Job]) -> list[str]:
    """The names of a sweep's jobs below its folder: what was varied, as far as a folder's name may say it."""
    plain = [",".join(job.varied).replace("/", "_") for job in jobs]
    times = Counter(plain)
    return [
        name if len(name) <= 120 and times[name] == 1 else f"{name[:100]}-{digest(list(job.varied))[:8]}"
        for name, job in zip(plain, jobs, strict=True)
    ]


def check_writable(root: Path) -> None:
    """SetupError where no folder can be made at `root`, or in it. Leaves nothing."""
    new = [path for path in (root, *root.parents) if not path.exists()]
    try:
        root.mkdir(parents=True, exist_ok=True)
        if not os.access(root, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(root))
    except OSError as error:
        raise cannot_write(root, error) from error
    finally:
        with suppress(OSError):  # another run may have come into it, or it could not be made
            for path in new:
                path.rmdir()


def cannot_write(folder: Path, error: OSError) -> SetupError:
    return SetupError(f"cannot write to {error.filename or folder}: {error.strerror}; {ELSEWHERE}")


def check_folders(folder: Path, jobs: Mapping[Path, Job], identities: Sequence[Mapping[str, Any]]) -> None:
    """SetupError where a run's folder, or `folder` itself that is a sweep's, is something else. Changes nothing."""
    try:
        _check_folders(folder, jobs, identities)
    except OSError as error:
        raise SetupError(f"cannot read {error.filename or folder}: {error.strerror}; {ELSEWHERE}") from error


def _check_folders(folder: Path, jobs: Mapping[Path, Job], identities: Sequence[Mapping[str, Any]]) -> None:
    root = Path(next(iter(jobs.values())).settings.results_dir)
    for above in (root, *(root / part for part in folder.relative_to(root).parents)):
        if kind(above) == "run":
            raise SetupError(f"{above} is a run, and a run holds no other: choose another run_name or results_dir")
    if folder not in jobs:
        check_sweep(folder)
    for (place, job), data in zip(jobs.items(), identities, strict=True):
        check_run(place, job, data)


def check_sources(folder: Path, settings: Settings) -> None:
    """SetupError where a run is to be made from what its own folder holds, which `fresh` moves away."""
    replay, start = settings.calls.replay, settings.bank.init_from
    given = [] if replay is None else [("llm.replay", replay, Path(replay))]
    if settings.fresh and start is not None:
        given += [("bank.init_from", start, place) for place in start_places(settings)]
    for key, text, place in given:
        if place.exists() and folder.resolve() in (place.resolve(), *place.resolve().parents):
            raise SetupError(f"{key}={text} is in the folder of this run itself: choose another run_name")


def check_sweep(folder: Path) -> None:
    found = kind(folder)
    if found == "run":
        raise SetupError(f"{folder} is a single run: choose another run_name for the sweep")
    if found == "other" and not runs_in(folder):
        raise SetupError(
            f"{folder} is no sweep's folder (it has {strange(folder, WRITTEN | REPORTED)}): choose another run_name"
        )


def check_run(folder: Path, job: Job, data: Mapping[str, Any]) -> None:
    found = kind(folder)
    if found == "other" and (runs := runs_in(folder)):
        raise SetupError(f"{folder} holds runs, such as {runs[0].name}: choose another run_name for a single run")
    if found == "other":
        raise SetupError(
            f"{folder} is no run (it has {strange(folder, WRITTEN)} and no meta.json): choose another run_name"
        )
    check_sources(folder, job.settings)
    if found == "run" and not job.settings.fresh and (changed := changes(folder, data)) and not untouched(folder):
        raise SetupError(refusal(folder, changed))


def kind(folder: Path) -> Literal["new", "run", "other"]:
    """Whether there is nothing in a folder (files of the system's and a run's empty folders aside), a run, or else.

    What a run has left whose `meta.json` is lost or damaged is a run.
    """
    if not folder.is_dir():
        return "new"
    entries = [entry for entry in folder.iterdir() if entry.name[0] != "." and entry.name != "run.lock"]
    if not any(entry.is_file() or any(path.is_file() for path in entry.rglob("*")) for entry in entries):
        return "run" if (folder / "meta.json").exists() else "new"
    if isinstance(stored(folder), dict) or all(
        entry.name in WRITTEN - REPORTED or FILES.fullmatch(entry.name) for entry in entries
    ):
        return "run"
    journals = any(folder.glob("streams/*/journal.jsonl")) and not runs_in(folder)
    return "run" if journals else "other"


def strange(folder: Path, known: frozenset[str]) -> str:
    names = sorted(entry.name for entry in folder.iterdir() if entry.name[0] != "." and entry.name != "run.lock")
    return next((name for name in names if name not in known and not FILES.fullmatch(name)), names[0])


def runs_in(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_dir() and kind(each) == "run")


def stored(folder: Path) -> Any:
    """The identity in a folder's `meta.json`; None where there is none that can be read."""
    return (meta_or_none(folder) or {}).get("identity")


def open_run(
    folder: Path,
    job: Job,
    bench: Workbench,
    data: dict[str, Any],
    streams: dict[str, int],
    argv: Sequence[str] = (),
) -> RunLock:
    """Make or reopen a run's folder and hold its lock. SetupError: not writable, in use, or not this run's.

    A folder in which nothing was ever done (a run that was refused at its start) is taken over. `meta.json` comes
    first, so that a folder with anything in it is known for a run; a folder that was made is gone where that fails.
    """
    settings = job.settings
    meta = folder / "meta.json"
    check_run(folder, job, data)
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    with ExitStack() as undo:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = RunLock(folder)
            undo.callback(lock.release)
            undo.callback(remove, new)
            if kind(folder) == "run" and settings.fresh:
                put_away(folder, Path(settings.results_dir))
                undo.close()
                folder.mkdir(parents=True)
                lock = RunLock(folder)
                undo.callback(lock.release)
            elif meta.exists() and changes(folder, data):
                for name in ("streams", COPIES):
                    shutil.rmtree(folder / name, ignore_errors=True)
                (folder / COPY).unlink(missing_ok=True)
                meta.unlink()
            if not meta.exists():
                write_atomic(meta, json.dumps(describe(folder, job, bench, data, streams, argv), indent=2) + "\n")
            for name in streams:
                stream_folder(folder, name).mkdir(parents=True, exist_ok=True)
            keep_copy(bench, folder, data["bank"]["init_from"])
        except OSError as error:
            raise cannot_write(folder, error) from error
        undo.pop_all()
    return lock


def remove(folders: Sequence[Path]) -> None:
    """Take away the folder of a run that could not begin, and those above that were made for it. We hold its lock."""
    if folders and untouched(folders[0]):
        shutil.rmtree(folders[0], ignore_errors=True)
        with suppress(OSError):  # another run may have come into a folder above
            for folder in folders[1:]:
                folder.rmdir()


def untouched(folder: Path) -> bool:
    """Whether no stream of the run has a journal line or an attempt."""
    journals = folder.glob("streams/*/journal.jsonl")
    return not any(path.stat().st_size for path in journals) and not any(folder.glob("streams/*/attempts/*/*"))


def put_away(folder: Path, root: Path) -> None:
    """Move an older run to `<root>/.old/<its name>-<number>`."""
    old = root / ".old"
    old.mkdir(exist_ok=True)
    name = "-".join(folder.relative_to(root).parts)
    number = 1
    while (old / f"{name}-{number}").exists():
        number += 1
    folder.rename(old / f"{name}-{number}")


def changes(folder: Path, data: Mapping[str, Any]) -> list[str]:
    """How `data` differs from the identity of the run in `folder`."""
    old = stored(folder)
    if isinstance(old, dict):
        return difference(old, data)
    path = folder / "meta.json"
    fault = "cannot be read" if path.exists() else "is missing"
    raise SetupError(f"{path} {fault}: restore it from a copy, or start over with fresh=true")


def refusal(folder: Path, changed: Sequence[str]) -> str:
    """Why a run goes on with neither other settings nor other code.

    Where other parts were chosen the code is that of other modules: it tells nothing of whether any was changed.
    """
    settings = [each for each in changed if not each.startswith("code: ")]
    if settings:
        keys = [each.partition(": ")[0] for each in settings]
        found = f"{folder} was made by other settings ({'; '.join(causes(settings))})"
        same_parts = not any(key.endswith(".type") or key.startswith("plugins") for key in keys)
        found += " and other code" if same_parts and len(settings) < len(changed) else ""
    else:
        found = f"the code has changed since {folder} was made ({changed[0]})"
    return f"{found}: choose another run_name, or move the old run away with fresh=true"


def describe(
    folder: Path,
    job: Job,
    bench: Workbench,
    data: dict[str, Any],
    streams: dict[str, int],
    argv: Sequence[str],
) -> dict[str, Any]:
    """What `meta.json` holds: the run's stamps, those of the banks that it starts from among them, its settings, and
    what it is made by."""
    settings = job.settings
    origin = united([bench.origin, start_origin(bench)])
    root = Path(settings.results_dir)
    return {
        "schema_version": SCHEMA_VERSION,
        "run_name": str(folder.relative_to(root)),
        "label": job.label,
        **origin.model_dump(mode="json"),
        "success_metric": bench.scaling.success_metric,
        "k": settings.k,
        "streams": streams,
        "choices": job.choices,
        "varied": list(job.varied),
        "identity_hash": digest(data),
        "identity": data,
        "settings": redacted(settings.model_dump(mode="json")),
        "versions": {"reasoningbank": package_version(), "python": sys.version.split()[0]},
        "command": redacted_line(["python", "-m", "eval", "run", *argv]),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
