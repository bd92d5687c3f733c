"""The files of the configuration: where they are, how they are named, what is wrong with one that cannot be read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from reasoningbank.errors import SetupError

CONFIGS = Path(__file__).parents[2] / "configs"
MOST_FILES = 1000
"""In folders whose state is to be told at every start of a run."""


def group_names(group: str, folders: Sequence[Path] = (CONFIGS,)) -> list[str]:
    """The names a configuration group offers."""
    return sorted({path.stem for folder in folders for path in (folder / group).glob("*.yaml") if path.is_file()})


def groups(folders: Sequence[Path] = (CONFIGS,)) -> list[str]:
    return sorted({path.name for folder in folders for path in folder.iterdir() if path.is_dir()})


def files_stamp(folders: Sequence[Path]) -> tuple[tuple[str, int, int], ...] | None:
    """In which state the files of all groups are: name, time and size of each. None where there is too much to look
    through, as in a home folder."""
    found: list[tuple[str, int, int]] = []
    seen, waiting = 0, [str(folder) for folder in folders]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            seen += 1
            if seen > MOST_FILES:
                return None
            if entry.name.endswith(".yaml"):
                state = entry.stat()
                found.append((entry.path, state.st_mtime_ns, state.st_size))
            elif entry.is_dir():
                waiting.append(entry.path)
    return tuple(sorted(found))


def check_files(choices: Mapping[str, str], folders: Sequence[Path]) -> None:
    """SetupError where a chosen file does not hold keys with values. (Composing takes `words` for a key.)"""
    for group, name in choices.items():
        for folder in folders:
            path = folder / group.partition("@")[0] / f"{name}.yaml"
            if path.is_file() and (wrong := what_is_wrong(path)):
                raise SetupError(wrong)


def culprit(error: Exception, folders: Sequence[Path], overrides: Sequence[str]) -> str:
    """What is wrong with the file that `error` is about: the one it names, one that was asked for, or any other.

    Empty when all can be read.
    """
    if isinstance(error, RecursionError) and (circle := includes_itself(folders)):
        return circle
    name = getattr(getattr(error, "problem_mark", None), "name", None) or getattr(error, "name", None)
    if isinstance(name, str) and Path(name).is_file():
        return what_is_wrong(Path(name)) or yaml_problem(error, Path(name), "")
    asked = [text.lstrip("+").partition("=") for text in overrides]
    paths = [folder / group.partition("@")[0] / f"{name}.yaml" for folder in folders for group, _, name in asked]
    for folder in reversed(folders):
        paths += sorted(folder.rglob("*.yaml"))
    return next(filter(None, (what_is_wrong(path) for path in paths if path.is_file())), "")


def includes_itself(folders: Sequence[Path]) -> str:
    """The line for a group's file that is among its own `defaults`, at whatever depth; empty where none is."""
    import yaml

    named: dict[Path, list[Path]] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*/*.yaml")) if not what_is_wrong(path)):
        listed = (yaml.safe_load(path.read_bytes()) or {}).get("defaults", [])
        names = [each for each in listed if isinstance(each, str)]
        for each in (each for each in listed if isinstance(each, dict)):
            names += [f"{group}/{name}" for group, name in each.items()]
        named[path] = [
            folder / f"{name[1:]}.yaml" if name.startswith("/") else folder / path.parent.name / f"{name}.yaml"
            for name in names
            for folder in folders
        ]
    for start in named:
        reached: set[Path] = set()
        waiting = list(named[start])
        while waiting:
            if (path := waiting.pop()) in named and path not in reached:
                reached.add(path)
                waiting += named[path]
        if start in reached:
            return f"{start}: its `defaults` lead back to itself"
    return ""


def what_is_wrong(path: Path) -> str:
    """`FILE, line N: what`; empty when the file is as it must be."""
    import yaml

    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        return f"{path}: cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        return f"{path}, line {raw[: error.start].count(10) + 1}: not UTF-8 (byte 0x{raw[error.start]:02x})"
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return yaml_problem(error, path, text)
    if data is None:
        return ""
    if not isinstance(data, dict):
        return f"{path}, line 1: must hold lines `key: value`, such as `type: NAME`; it holds one {type(data).__name__}"
    for key in data:
        if not isinstance(key, str):
            return f"{path}: the key {key!r} is not a word"
    if not isinstance(data.get("defaults", []), list):
        return f"{path}: `defaults` must be a list, with a line `- NAME` for each"
    return ""


def yaml_problem(error: Exception, path: Path, text: str) -> str:
    """A parser's error in one line."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    position = getattr(error, "position", None)
    if mark is not None:
        line, lines = mark.line + 1, text.splitlines()
        # a list or a quote that is never closed is noticed at the end of the file
        while lines and line > 1 and (line > len(lines) or not lines[line - 1].strip()):
            line -= 1
    else:
        line = text[: position if isinstance(position, int) else 0].count("\n") + 1
    said = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    context = getattr(error, "context", None)
    if "\\t" in said:
        said = "a tab character: indent with spaces"
    elif context:
        said = f"{said} ({context})"
    return f"{path}, line {line}: {said}"
