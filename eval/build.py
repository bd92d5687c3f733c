"""From settings to objects: `type: NAME` is the module NAME of the kind's package, or one that `plugins` brings.

The module holds exactly one class with the Protocol's methods. The other keys of the settings are the constructor's
keyword arguments; arguments that no key sets are filled with the collaborators of that name (`prompts`, `k`, ...).
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import pkgutil
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from eval.config.files import group_names
from eval.config.settings import Part, Settings, problem
from eval.faults import ends_python, in_one_line, load
from eval.names import nearest
from eval.outcome_judges import door_of
from eval.suites.base import Suite
from eval.suites.code.backend import CodeBackend
from eval.suites.web.backend import WebBackend
from reasoningbank.boundary import capture
from reasoningbank.errors import ReasoningBankError, SetupError
from reasoningbank.interfaces import LLM, Agent, Embedder, Judge, MemoryMethod, ScalingStrategy
from reasoningbank.llm.record import RecordedModel
from reasoningbank.modules import one_class
from reasoningbank.providers.secrets import hidden
from reasoningbank.types import ROLES, Role

PACKAGES: dict[str, tuple[str, type]] = {
    "suite": ("eval.suites", Suite),
    "memory": ("reasoningbank.memory", MemoryMethod),
    "llm": ("reasoningbank.llm", LLM),
    "embedder": ("reasoningbank.embed", Embedder),
    "scaling": ("reasoningbank.matts", ScalingStrategy),
    "judge": ("reasoningbank.distill", Judge),
    "agent": ("reasoningbank.agents", Agent),
}
"""For each kind of object the package of its modules, and its Protocol."""


class UnknownKey(SetupError):
    """A key that a constructor lacks. `near` when the message names one like it."""

    def __init__(self, message: str, *, near: bool) -> None:
        super().__init__(message)
        self.near = near


def build(kind: str, part: Part, plugins: list[str], collaborators: Mapping[str, Any], where: str = "") -> Any:
    """The object that `part` describes. `where` names the settings in errors (default: the kind)."""
    where = where or kind
    keys = {key: value for key, value in part.items() if key != "type"}
    name = part.get("type")
    if name is not None and not isinstance(name, str):
        raise SetupError(f"{where}.type={name}: must be the name of a module")
    if name is None:
        raise SetupError(f"{where} has no type: its YAML file must name a module, such as `type: my_{kind}`")
    cls = find_class(kind, name, plugins, where)
    try:
        made = construct(cls, keys, collaborators, where)
    except UnknownKey as error:
        if error.near or where != kind or name not in group_names(kind):
            raise
        raise SetupError(f"{error}; if {kind}.type={name} was to choose, {kind}={name} takes its keys too") from error
    check_attributes(made, PACKAGES[kind][1], f"{where}.type={name}")
    return made


def construct(cls: type, keys: Mapping[str, Any], collaborators: Mapping[str, Any], where: str) -> Any:
    parameters = inspect.signature(cls).parameters
    unknown = [key for key in keys if key not in parameters]
    if unknown:
        mine = [name for name in parameters if name not in collaborators]
        hint = nearest(unknown[0], mine)
        raise UnknownKey(
            f"unknown key {where}.{unknown[0]} ({cls.__name__}): {hint}", near=hint.startswith("did you mean")
        )
    given = {key: checked(cls, key, value, where) for key, value in keys.items()}
    for name, parameter in parameters.items():
        if name in given:
            continue
        if name in collaborators:
            given[name] = collaborators[name]
        elif parameter.default is parameter.empty:
            raise SetupError(f"{where}.{name} is not set, and {cls.__name__} needs it")
    made = capture(lambda: cls(**given))
    match made.error:
        case ValidationError() as error:
            raise SetupError("; ".join(f"{where}.{problem(each)}" for each in error.errors())) from error
        case TypeError() | ValueError() as error:
            raise SetupError(f"{where} ({cls.__name__}) cannot be made from {hidden(dict(keys))}: {error}") from error
        case SystemExit() as error:
            raise SetupError(f"{where} ({cls.__name__}) cannot be made: {ends_python(error)}") from error
        case Exception() as error if not isinstance(error, ReasoningBankError):
            raise SetupError(f"{where} ({cls.__name__}) cannot be made: {in_one_line(error)}") from error
    return made.unwrap()


def check_attributes(made: object, protocol: type, where: str) -> None:
    """SetupError where the object lacks an attribute that the Protocol names, or has it of another type."""
    cls = type(made)
    place = f"{cls.__name__} in {getattr(sys.modules.get(cls.__module__), '__file__', cls.__module__)}"
    for name, hint in get_type_hints(protocol).items():
        kind = getattr(hint, "__name__", None) or str(hint).removeprefix("typing.")
        found = capture(lambda name=name: getattr(made, name))  # type: ignore[misc]  # a property may do anything
        if isinstance(found.error, AttributeError) and not hasattr(cls, name):
            raise SetupError(f"{where}: {place} has no attribute {name!r}; every {protocol.__name__} has one: {kind}")
        if isinstance(found.error, Exception):
            raise SetupError(f"{where}: {name!r} of {place} fails: {in_one_line(found.error)}") from found.error
        try:
            TypeAdapter(hint).validate_python(found.unwrap(), strict=True)
        except ValidationError as error:
            raise SetupError(
                f"{where}: {name!r} of {place} is {found.value!r}; every {protocol.__name__} has one: {kind}"
            ) from error


def checked(cls: type, key: str, value: Any, where: str) -> Any:
    """The value as the constructor's annotation has it. A model checks its own fields."""
    if issubclass(cls, BaseModel):
        return value
    hint = get_type_hints(cls.__init__, include_extras=True).get(key, Any)
    try:
        return TypeAdapter(hint).validate_python(value, strict=hint in (int, bool, str) or None)
    except ValidationError as error:
        first = {**error.errors()[0], "loc": (where, key)}
        raise SetupError(problem(first)) from error


def find_class(kind: str, name: str, plugins: list[str], where: str) -> type:
    """The one class of module `name` that has the Protocol's methods. Plugins come first."""
    package, protocol = PACKAGES[kind]
    module = plugin_module(name, plugins) or package_module(package, name)
    if module is None:
        modules = [entry.name for entry in pkgutil.iter_modules(importlib.import_module(package).__path__)]
        known = group_names(kind) or modules
        given = f" (plugins: {', '.join(plugins)}; type must be a file's name, without .py)" if plugins else ""
        raise SetupError(
            f"{where}.type={name}: no module {package}.{name}, and no plugin of that name{given}; "
            f"{nearest(name, [*known, *(Path(each).stem for each in plugins if each.endswith('.py'))])}"
        )
    return one_class(module, protocol, f"{where}.type={name}")


def part_modules(settings: Settings, agent: str) -> list[str]:
    """The modules of the classes that a run with these settings and this agent is built from, but for its suite."""
    parts: list[tuple[str, Part]] = [
        *(("agent", {"type": agent}), ("memory", settings.memory), ("scaling", settings.scaling)),
        ("embedder", settings.embedder),
        *([("judge", settings.judge)] if door_of(settings.judge) is None else []),
        *(("llm", settings.client(role)) for role in ROLES),
    ]
    found = {(kind, str(part.get("type"))) for kind, part in parts}
    return sorted(find_class(kind, name, settings.plugins, kind).__module__ for kind, name in found)


def package_module(package: str, name: str) -> ModuleType | None:
    full = f"{package}.{name}"
    try:
        found = importlib.util.find_spec(full)
    except ModuleNotFoundError:
        return None
    return load(full, lambda: importlib.import_module(full)) if found else None


def plugin_module(name: str, plugins: list[str]) -> ModuleType | None:
    for plugin in plugins:
        module = load_plugin(plugin)
        if module.__name__.rpartition(".")[2] == name:
            return module
        if hasattr(module, "__path__") and (inner := package_module(module.__name__, name)):
            return inner
    return None


def load_plugin(plugin: str) -> ModuleType:
    """A module by its dotted name, or a `.py` file by its path."""
    if not plugin.endswith(".py"):
        return load(f"plugins: {plugin}", lambda: dotted(plugin))
    path = Path(plugin).resolve()
    if not path.is_file():
        raise SetupError(f"plugins: no file {path}")
    if path.stem in sys.modules and getattr(sys.modules[path.stem], "__file__", None) == str(path):
        return sys.modules[path.stem]
    if path.stem in sys.modules or path.stem in sys.stdlib_module_names:
        raise SetupError(f"plugins: {path} has the name of another module; rename it")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    execute = spec.loader.exec_module

    def run() -> ModuleType:
        execute(module)
        return module

    try:
        return load(f"plugins: {plugin}", run)
    except SetupError:
        del sys.modules[path.stem]
        raise


def dotted(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise SetupError(f"plugins: no module {name!r} on the Python path; a file needs its .py") from error
        raise


def build_suite(settings: Settings) -> Suite:
    """The suite alone: its tasks, its environments, its evaluation."""
    given = {"web": settings.web, "code": settings.code, "kept": Path(settings.results_dir) / ".suites"}
    suite = build("suite", settings.suite, settings.plugins, given)
    taken = inspect.signature(type(suite)).parameters
    if settings.web != WebBackend() and "web" not in taken:
        raise SetupError(f"web: {suite.id} has no pages that a browser looks at; leave the keys of web out")
    if settings.code != CodeBackend() and "code" not in taken:
        raise SetupError(f"code: {suite.id} has no commands that a sandbox runs; leave the keys of code out")
    return cast(Suite, suite)


def build_llms(settings: Settings) -> dict[Role, LLM]:
    """A client for every role; roles with equal settings share one, except that the grader has its own.

    Where a run is replayed, its records stand for its models.
    """
    made: dict[str, LLM] = {}
    llms: dict[Role, LLM] = {}
    replayed = recorded_models(Path(settings.calls.replay)) if settings.calls.replay is not None else {}
    for role in ROLES:
        if role in replayed:
            llms[role] = replayed[role]
            continue
        part = settings.client(role)
        key = f"{role if role == 'grader' else ''}{sorted(part.items(), key=str)}"
        if key not in made:
            where = f"roles.{role}" if role in settings.roles else "llm"
            made[key] = cast(LLM, build("llm", part, settings.plugins, {"where": where}, where))
        llms[role] = made[key]
    return llms


def recorded_models(run: Path) -> dict[Role, LLM]:
    """What stands for the models of a run, by role. SetupError where there is no run."""
    try:
        meta = json.loads((run / "meta.json").read_bytes())
        ids, compared = meta["identity"]["models"], meta["identity"]["grading"] == "comparison"
        simulated: dict[Role, bool] = {**dict.fromkeys(ROLES, bool(meta["simulated"])), "grader": compared}
        return {role: RecordedModel(id=str(ids[role]), simulated=simulated[role]) for role in ROLES}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise SetupError(f"llm.replay={run}: no run is there (its meta.json is missing or cannot be read)") from None
