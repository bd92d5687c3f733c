"""`KEY=VALUE` as Hydra's grammar has it: what may be chosen, what is a sweep, and what is wrong, in plain words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from eval.config.files import group_names, groups
from eval.names import nearest
from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import HIDDEN, hidden_line, is_secret

if TYPE_CHECKING:
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import Override

MOST = 1000
"""Runs in a sweep: more are a slip of the finger."""

_PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")
_KEY = re.compile(r"[~+]{0,2}[A-Za-z_][\w@./-]*")


def quoted(text: str) -> str:
    """A text that Hydra reads as nothing but that text."""
    # before a quote, and nowhere else, a backslash is an escape
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', text)
    escaped = re.sub(r"(\\+)$", r"\1\1", escaped)
    return f'"{escaped}"'.replace("${", "\\${")


def as_override(value: object) -> str:
    """A YAML value as Hydra's command line writes it."""
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) and type(parsed(f"key={value}").value()) is str else quoted(value)
    if isinstance(value, list):
        return f"[{','.join(as_override(each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key}: {as_override(each)}' for key, each in value.items())}}}"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def parsed(text: str) -> Override:
    """SetupError where the text is no override."""
    from hydra.errors import HydraException

    try:
        return _parser().parse_override(text)
    except HydraException as error:
        raise SetupError(not_read(text)) from error


@cache
def _parser() -> OverridesParser:
    from hydra.core.override_parser.overrides_parser import OverridesParser

    return OverridesParser.create()


def not_read(text: str) -> str:
    """What is wrong with an override that Hydra's grammar does not hold."""
    key, equals, value = text.partition("=")
    if not equals or not _KEY.fullmatch(key) or value.startswith("="):
        first, *more = hidden_line(text).split(" ", 1)
        shown = f"{first} {HIDDEN}" if more and is_secret(first.strip("\"'-")) else " ".join([first, *more])
        return f"{shown!r} is not a setting: write key=value"
    return (
        f"{hidden_line(text)}: the value cannot be read; one with spaces, quotes, brackets, commas, = or letters "
        f"beyond a-z needs quotes within quotes, such as '{key}=\"...\"'"
    )


def in_words(error: Exception) -> str:
    """The line for Hydra's grammar errors; empty for others."""
    from hydra.errors import OverrideParseException

    return not_read(str(error.override)) if isinstance(error, OverrideParseException) else ""


def check_choices(overrides: Sequence[str], folders: Sequence[Path]) -> None:
    """SetupError where something else than one name is chosen in a group, or a setting is Hydra's own."""
    names = groups(folders)
    for text in overrides:
        override = parsed(text)
        group, value = override.key_or_group, override.value()
        if group.partition(".")[0].partition("/")[0] == "hydra":
            raise SetupError(f"{text}: Hydra's own settings have no effect here; leave it out")
        if group in names and isinstance(value, str) and (value.startswith("/") or ".." in Path(value).parts):
            # Hydra would take a file that is no choice of the group
            raise SetupError(f"{text}: no such name in configs/{group}; {nearest(value, group_names(group, folders))}")
        if group not in names or override.is_delete() or override.is_sweep_override():
            continue
        if type(value) is int and str(value) not in (known := group_names(group, folders)):
            raise SetupError(f"{text}: no such name in configs/{group}; {nearest(str(value), known)}")
        if not ((value and isinstance(value, str)) or type(value) is int):
            raise SetupError(f"{text}: {group} takes one name; {nearest('', group_names(group, folders))}")


def split_sweeps(overrides: Sequence[str], folders: Sequence[Path]) -> tuple[list[str], dict[str, list[str]]]:
    """Overrides that are single values, and those that name several (Hydra's choices, ranges and globs)."""
    from hydra.core.override_parser.types import Glob

    single: list[str] = []
    axes: dict[str, list[str]] = {}
    for text in overrides:
        override = parsed(text)
        value = override.value()
        if not override.is_sweep_override():
            single.append(text)
        elif isinstance(value, Glob):
            names = group_names(override.key_or_group, folders)
            axes[override.get_key_element()] = value.filter(names)
            if not axes[override.get_key_element()]:
                raise SetupError(f"{text}: no such name in configs/{override.key_or_group}; {nearest('', names)}")
        elif not override.is_discrete_sweep():
            raise SetupError(f"{text}: only choices, ranges and globs can be swept over")
        else:
            values = map(str, islice(override.sweep_string_iterator(), MOST + 1))
            # as it is typed in YAML, on the command line, and thus in names of folders
            axes[override.get_key_element()] = [{"True": "true", "False": "false"}.get(each, each) for each in values]
    return single, axes


def check_axes(axes: Mapping[str, Sequence[str]], fixed: Collection[str]) -> None:
    """SetupError where a sweep cannot be meant. `fixed` are settings that are the same for all of its runs."""
    for key, values in axes.items():
        if (section := key.lstrip("+").partition(".")[0]) in fixed and section != "profile":
            raise SetupError(f"{key}: one value for a whole sweep, since no result depends on it; {len(values)} given")
        if twice := [value for number, value in enumerate(values) if value in values[:number]]:
            raise SetupError(f"{key}={','.join(values)[:80]}: {twice[0]} is there twice; name each value once")
    if (count := prod(map(len, axes.values()))) > MOST:
        raise SetupError(f"a sweep of {count} runs or more ({', '.join(axes)}): at most {MOST}; split it")


def product(axes: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Every combination as overrides, the first axis slowest."""
    points: list[list[str]] = [[]]
    for key, values in axes.items():
        points = [[*point, f"{key}={value}"] for point in points for value in values]
    yield from points
