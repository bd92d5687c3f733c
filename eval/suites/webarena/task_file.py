"""The tasks with their gold, from the file that libwebarena ships or one of your own in its schema.

The package is found by its record of files and never imported: its modules ask for the sites' addresses, and for data
that NLTK fetches from the network.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval.suites.web.evaluators import EvalSpec, ProgramHtml
from eval.suites.webarena.places import Look, check_look
from eval.suites.webarena.sites import SITES
from reasoningbank.errors import SetupError
from reasoningbank.types import Record

PACKAGE, INSIDE = "libwebarena", "webarena/test.raw.json"
HOW = "run ./scripts/setup_webarena.sh, or name a file by suite.task_file=PATH"


class _Entry(BaseModel):
    """A task as the file has it; what is not read here is left alone."""

    model_config = ConfigDict(frozen=True, strict=True)

    task_id: int
    sites: Annotated[list[str], Field(min_length=1)]
    start_url: Annotated[str, Field(min_length=1)]
    intent: Annotated[str, Field(min_length=1)]
    intent_template_id: int
    eval: dict[str, Any]


class RealTask(Record):
    """A task with its gold. `looks` are the places to look at in the end, each once; what must be there they do not
    say."""

    task_id: int
    sites: tuple[str, ...]
    start_url: str
    intent: str
    template_id: int
    spec: EvalSpec
    looks: tuple[Look, ...]

    @property
    def group(self) -> str:
        """The site, or `multi`."""
        return self.sites[0] if len(self.sites) == 1 else "multi"

    @property
    def kind(self) -> str:
        """What the task asks for, by how it is evaluated."""
        types = self.spec.eval_types
        return "change" if "program_html" in types else "information" if "string_match" in types else "navigation"


@dataclass(frozen=True)
class TaskFile:
    """A file's tasks by their ids, in ascending order, and the hash of its content."""

    path: Path
    sha256: str
    tasks: dict[str, RealTask]


def packaged_file() -> Path:
    """The file of the installed package. SetupError where there is none."""
    for found in metadata.distributions(name=PACKAGE):
        path = Path(str(found.locate_file(INSIDE)))
        if path.is_file():
            return path
        raise SetupError(f"{PACKAGE} {found.version} has no {INSIDE}; version 0.0.4 has: {HOW}")
    raise SetupError(f"suite=webarena: the package {PACKAGE}, which has the tasks, is missing; {HOW}")


def read_tasks(given: str | None) -> TaskFile:
    """The tasks of the given file, or of the package. SetupError with the task and the field where one is wrong."""
    path = packaged_file() if given is None else Path(given).expanduser()
    try:
        raw = path.read_bytes()
        entries = json.loads(raw)
    except OSError as error:
        raise SetupError(f"suite.task_file={path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SetupError(f"suite.task_file={path} is not JSON: {error}") from error
    if not isinstance(entries, list) or not entries:
        raise SetupError(f"suite.task_file={path} holds no list of tasks; WebArena's schema is a list of objects")
    tasks: dict[int, RealTask] = {}
    for number, entry in enumerate(entries):
        task = read_task(entry, f"{path}, {_named(entry, number)}")
        if task.task_id in tasks:
            raise SetupError(f"{path}: two tasks have the id {task.task_id}")
        tasks[task.task_id] = task
    return TaskFile(path, hashlib.sha256(raw).hexdigest(), {str(key): tasks[key] for key in sorted(tasks)})


def read_task(entry: object, where: str) -> RealTask:
    """One task. SetupError, which begins with `where`, names the field that is missing or wrong."""
    try:
        read = _Entry.model_validate(entry)
    except ValidationError as error:
        raise SetupError(f"{where}: {_problem(error)}") from None
    if unknown := [name for name in read.sites if name not in SITES]:
        raise SetupError(f"{where}: sites holds {unknown[0]!r}; there are {', '.join(SITES)}")
    # what is null in the file is left to its default
    gold = {key: value for key, value in read.eval.items() if key in EvalSpec.model_fields and value is not None}
    try:
        spec = EvalSpec.model_validate(gold)
        looks = looks_of(spec)
        for look in looks:
            check_look(look)
    except ValidationError as error:
        raise SetupError(f"{where}: {_problem(error, 'eval')}") from None
    except ValueError as error:
        raise SetupError(f"{where}: eval.program_html: {error}") from None
    return RealTask(
        task_id=read.task_id,
        sites=tuple(read.sites),
        start_url=read.start_url,
        intent=read.intent,
        template_id=read.intent_template_id,
        spec=spec,
        looks=looks,
    )


def looks_of(spec: EvalSpec) -> tuple[Look, ...]:
    """Where to look for an evaluation."""
    if "program_html" not in spec.eval_types:
        return ()
    return tuple(dict.fromkeys(map(look_of, spec.program_html)))


def look_of(target: ProgramHtml) -> Look:
    """Where to look for one of its places."""
    return Look(url=target.url, locator=target.locator, prep_actions=target.prep_actions)


def _named(entry: object, number: int) -> str:
    if isinstance(entry, dict) and isinstance(entry.get("task_id"), int):
        return f"task {entry['task_id']}"
    return f"entry {number} (from 0)"


def _problem(error: ValidationError, above: str = "") -> str:
    """`eval.eval_types is missing`, or what is wrong with it."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in (above, *first["loc"]) if part != "")
    if first["type"] == "missing":
        return f"the field {field} is missing"
    message = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
    return f"{field}: {message}" if field else message
