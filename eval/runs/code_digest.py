"""The code a run executes, as a hash: the modules of its parts, and all that these import of the same packages.

A module that nobody in the run imports (another memory method, a command, a report) is not in it.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNNER = "eval.stream"
"""The harness's module that runs a stream of episodes: what it imports is in every run."""
LAZY = frozenset({"reasoningbank.library"})
"""Named in a package that every run imports, and loaded for others only."""
WITHOUT_EFFECT = frozenset(
    {
        *("eval.names", "eval.config.load", "eval.config.overrides", "eval.config.files", "eval.faults"),
        *("eval.analysis", "eval.analysis.records", "eval.analysis.origin"),
        *("eval.runs.predictions", "eval.suites.code.backend", "eval.suites.web.backend"),
        *("eval.transport", "reasoningbank.retry", "reasoningbank.providers.secrets", "reasoningbank.providers.pool"),
        *(f"reasoningbank.llm.{name}" for name in ("limits", "prices", "budget", "transport")),
    },
)
"""Loaded in every run to read settings and other runs, to word errors, and to say how fast and how patiently models are
asked and what they cost: no result depends on them, once the settings and the banks to start from are hashed."""
STATEMENT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]*(?P<base>[.\w]+?)[ \t]*)?\bimport\b[ \t]*(?P<names>\([^)]*\)|[^\n;]*)", re.MULTILINE
)
"""An import. It begins a line, or follows what ends another statement or begins a block."""
COMMENT = re.compile(r"#.*")


def code_digest(modules: Iterable[str], plugins: Sequence[str] = ()) -> str:
    """The hash for a run whose parts are defined in `modules`. `plugins` as in the settings: they are followed too.

    A suite is no part here: it has a version of its own.
    """
    homes = {"eval": ROOT, "reasoningbank": ROOT, **plugin_homes(plugins)}
    roots = {RUNNER, *modules, *(module_name(plugin) for plugin in plugins)}
    hasher = hashlib.sha256()
    for name, path in sorted(modules_used(roots, homes).items()):
        hasher.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return hasher.hexdigest()[:16]


def module_name(plugin: str) -> str:
    return Path(plugin).stem if plugin.endswith(".py") else plugin


def plugin_homes(plugins: Sequence[str]) -> dict[str, Path]:
    """For each top-level name that a plugin brings, the folder it is in: a file's neighbours can be imported too."""
    homes: dict[str, Path] = {}
    for plugin in plugins:
        if plugin.endswith(".py"):
            folder = Path(plugin).resolve().parent
            homes |= {path.stem: folder for path in folder.glob("*.py")}
            homes |= {path.parent.name: folder for path in folder.glob("*/__init__.py")}
        else:
            top = plugin.partition(".")[0]
            # a package without an __init__.py has a path, and no file
            if places := list(getattr(sys.modules.get(top), "__path__", [])):
                homes[top] = Path(places[0]).parent
            elif file := getattr(sys.modules.get(top), "__file__", None):
                homes[top] = Path(file).parent
    return homes


def modules_used(roots: Iterable[str], homes: Mapping[str, Path]) -> dict[str, Path]:
    """The files of `roots` and of everything they import, at any depth, as far as it lies in `homes`."""
    used: dict[str, Path] = {}
    waiting = list(roots)
    seen = set(LAZY | WITHOUT_EFFECT)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        home = homes.get(name.partition(".")[0])
        path = None if home is None else file_of(home, name)
        if path is None:
            continue
        used[name] = path
        # importing a module runs the packages it is in
        waiting += [name.rpartition(".")[0], *imported(path, name)]
    return used


def file_of(home: Path, name: str) -> Path | None:
    stem = home.joinpath(*name.split("."))
    candidates = (stem.with_name(f"{stem.name}.py"), stem / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


@cache
def imported(path: Path, module: str) -> tuple[str, ...]:
    """The names that the file of `module` imports anywhere in it; `from a import b` may mean the module a.b.

    Statements are found by their words, thirty times as fast as by parsing. A text that looks like one counts too:
    rather a module too many than one that is missing.
    """
    names: list[str] = []
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    source = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    for found in STATEMENT.finditer(source):
        parts = COMMENT.sub("", found["names"].strip("()")).split(",")
        listed = [words[0] for part in parts if (words := part.split())]  # without `as` and what follows it
        if found["base"] is None:
            names += listed
            continue
        after = found["base"].lstrip(".")
        level = len(found["base"]) - len(after)
        above = here[: len(here) - level + 1] if level else []
        base = ".".join([*above, *([after] if after else [])])
        names += [base, *(f"{base}.{name}" for name in listed)]
    return tuple(names)
