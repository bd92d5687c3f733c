"""What makes two runs one: everything that can change a result, hashed; and the folder that follows from it.

`results/<label>-<hash8>` by default, so that the same command line continues its run and other settings go elsewhere.
A run that is named (`run_name=...`) keeps its name, and refuses settings other than those it was made by.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from eval.build import part_modules
from eval.code import code_digest
from eval.config import Job, flatten
from eval.lock import RunLock
from eval.start import COPY, keep_copy, start_digest
from eval.workbench import Workbench
from reasoningbank.errors import SetupError
from reasoningbank.files import path_name, write_atomic
from reasoningbank.types import SCHEMA_VERSION, digest

NOT_IDENTITY = frozenset(
    {
        *("run_name", "fresh", "results_dir", "progress", "sweep", "profile"),
        *("concurrency", "retries", "retry_wait", "on_infra_error"),
    }
)
"""Settings that no result depends on."""

TRANSPORT = frozenset({"timeout", "max_connections", "requests_per_minute", "tokens_per_minute"})
"""Keys of a model's settings that say how calls travel, not what they are."""

SECRET = re.compile(r"(^|[._])(api_?key|password|secret|access_?token)$", re.IGNORECASE)


def identity(bench: Workbench) -> dict[str, Any]:
    """Everything that can change a result, as nested plain data."""
    settings = bench.settings
    data = redacted({key: value for key, value in settings.model_dump(mode="json").items() if key not in NOT_IDENTITY})
    for part in (data["llm"], *data["roles"].values()):
        for key in TRANSPORT & set(part):
            del part[key]
    data["prompts"] = {"digest": bench.prompts.digest()}
    data["bank"] = {"init_from": start_digest(bench)}
    data["plugins"] = {name: file_digest(name) if name.endswith(".py") else name for name in settings.plugins}
    data["suite"] = {**data["suite"], "id": bench.suite.id, "version": bench.suite.version}
    data["embedder"] = {**data["embedder"], "id": bench.embedder.id}
    data["models"] = {role: llm.id for role, llm in sorted(bench.llms.items())}
    data["code"] = code_digest(part_modules(settings, bench.suite.agent), settings.plugins)
    data["schema_version"] = SCHEMA_VERSION
    return data


def file_digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from error


def package_version() -> str:
    try:
        return metadata.version("reasoningbank")
    except metadata.PackageNotFoundError:
        return "unknown"


def redacted(data: Mapping[str, Any]) -> dict[str, Any]:
    """A copy without the values of keys that hold secrets."""
    return {
        key: redacted(value) if isinstance(value, dict) else "***" if value and SECRET.search(key) else value
        for key, value in data.items()
    }


def redacted_line(argv: Sequence[str]) -> str:
    """The command line, for a person to repeat, without secrets."""
    words = []
    for word in argv:
        key, equals, _ = word.partition("=")
        words.append(f"{key}=***" if equals and SECRET.search(key) else word)
    return shlex.join(words)


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """`key: old value -> new value` for every key in which two identities differ."""
    before, after = flatten(dict(old)), flatten(dict(new))
    return [
        f"{key}: {short(before.get(key, 'not set'))} -> {short(after.get(key, 'not set'))}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key, "not set") != after.get(key, "not set")
    ]


def short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}..."


def default_name(job: Job, data: Mapping[str, Any]) -> str:
    return f"{job.label}-{digest(data)[:8]}"


def sweep_name(jobs: Sequence[Job], identities: Sequence[Mapping[str, Any]]) -> str:
    """The default name of a sweep's folder: the same jobs give the same one."""
    label = jobs[0].choices.get("exp", "sweep")
    return f"{label}-{digest(sorted(digest(data) for data in identities))[:8]}"


def job_folder(varied: Sequence[str]) -> str:
    """The name of a sweep's job below the sweep's folder: what was varied, as far as a folder's name may say it."""
    name = ",".join(varied).replace("/", "_")
    return name if len(name) <= 120 else f"{name[:100]}-{digest(list(varied))[:8]}"


def open_run(folder: Path, job: Job, bench: Workbench, data: dict[str, Any], streams: dict[str, int]) -> RunLock:
    """Make or reopen a run's folder and hold its lock. SetupError: not writable, in use, or made by other settings.

    A folder in which nothing was ever done (a run that was refused at its start) is taken over.
    """
    settings = job.settings
    meta = folder / "meta.json"
    with ExitStack() as undo:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = RunLock(folder)
            undo.callback(lock.release)
            if settings.fresh and meta.exists():
                put_away(folder, Path(settings.results_dir))
                undo.close()
                folder.mkdir(parents=True)
                lock = RunLock(folder)
                undo.callback(lock.release)
            if (changed := changes(folder, data)) and untouched(folder):
                shutil.rmtree(folder / "streams", ignore_errors=True)
                (folder / COPY).unlink(missing_ok=True)
                meta.unlink()
            elif changed:
                raise SetupError(refusal(folder, changed))
            for name in streams:
                (folder / "streams" / path_name(name)).mkdir(parents=True, exist_ok=True)
            if not meta.exists():
                write_atomic(meta, json.dumps(describe(folder, job, bench, data, streams), indent=2) + "\n")
            keep_copy(bench, folder, data["bank"]["init_from"])
        except OSError as error:
            where = error.filename or folder
            raise SetupError(f"cannot write to {where}: {error.strerror}; set results_dir") from error
        undo.pop_all()
    return lock


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
    """How `data` differs from the identity of the run in `folder`, which may be new."""
    path = folder / "meta.json"
    if not path.exists():
        others = sorted(entry.name for entry in folder.iterdir() if entry.name != "run.lock" and entry.name[0] != ".")
        if others:
            raise SetupError(f"{folder} is no run (it has {others[0]}, but no meta.json): choose another run_name")
        return []
    try:
        old = json.loads(path.read_text(encoding="utf-8"))["identity"]
    except (ValueError, KeyError, TypeError) as error:
        raise SetupError(f"{path} cannot be read: restore it from a copy, or start over with fresh=true") from error
    return difference(old, data)


def refusal(folder: Path, changed: Sequence[str]) -> str:
    """Why a run goes on with neither other settings nor other code."""
    settings = [each for each in changed if not each.startswith("code: ")]
    if settings:
        found = f"{folder} was made by other settings ({'; '.join(settings)})"
        found += " and other code" if len(settings) < len(changed) else ""
    else:
        found = f"the code has changed since {folder} was made ({changed[0]})"
    return f"{found}: choose another run_name, or move the old run away with fresh=true"


def describe(folder: Path, job: Job, bench: Workbench, data: dict[str, Any], streams: dict[str, int]) -> dict[str, Any]:
    """What `meta.json` holds. `simulated` says that a simulated model made it, `gold_doors` what it saw of gold."""
    settings = job.settings
    root = Path(settings.results_dir)
    return {
        "schema_version": SCHEMA_VERSION,
        "run_name": str(folder.relative_to(root)),
        "label": job.label,
        "simulated": bench.simulated,
        "gold_doors": bench.gold_doors,
        "success_metric": bench.scaling.success_metric,
        "k": settings.k,
        "streams": streams,
        "choices": job.choices,
        "varied": list(job.varied),
        "identity_hash": digest(data),
        "identity": data,
        "settings": redacted(settings.model_dump(mode="json")),
        "versions": {"reasoningbank": package_version(), "python": sys.version.split()[0]},
        "command": redacted_line(["python", "-m", "eval", "run", *sys.argv[2:]]),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
