"""Profiles (`configs/profile`): what each sets, by whichever choice it is set, and in which keys two of them differ.

A profile sets some keys always, and some with one method, scaling, judge or embedder only (`with_GROUP/PROFILE_NAME`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from pydantic import Field

from eval.config.files import CONFIGS, group_names
from eval.config.load import compose, split_config_dirs
from eval.config.settings import flatten, validate
from eval.names import nearest
from reasoningbank.errors import SetupError
from reasoningbank.types import Record

GROUP = "profile"
WITH = "with_"


class ProfileKey(Record):
    """A key that profiles set."""

    key: str
    choice: str = Field(description="`GROUP=NAME` with which alone it is so; empty where it is always")
    values: dict[str, Any] = Field(description="by profile; a profile that does not set it has the default's value")


def about(name: str, folders: Sequence[Path] = (CONFIGS,)) -> str:
    """The first sentence of what a profile's file says of itself."""
    path = next(folder / GROUP / f"{name}.yaml" for folder in folders if (folder / GROUP / f"{name}.yaml").is_file())
    lines = path.read_text(encoding="utf-8").splitlines()
    said = takewhile(lambda line: line.startswith("#"), (line for line in lines if "@package" not in line))
    return " ".join(line.lstrip("# ") for line in said).partition(". ")[0].rstrip(".")


def profile_keys(names: Sequence[str], overrides: Sequence[str] = ()) -> list[ProfileKey]:
    """Every key that one of the profiles sets, with its value in each of them; first those that hold always.

    SetupError for a profile that there is not.
    """
    own, _ = split_config_dirs(overrides)
    folders = [CONFIGS, *own]
    known = group_names(GROUP, folders)
    for name in names:
        if name not in known:
            raise SetupError(f"no profile {name!r}; {nearest(name, known)}")
    found: list[ProfileKey] = []
    always = _values(names, overrides)
    for key in _set_by(names, folders):
        found.append(_row(key, "", names, always))
    for choice, keys in _conditions(names, folders):
        values = _values(names, [*overrides, choice])
        found += [_row(key, choice, names, values) for key in keys]
    return found


def differences(one: str, other: str, overrides: Sequence[str] = ()) -> list[ProfileKey]:
    """The keys in which two profiles differ."""
    return [row for row in profile_keys([one, other], overrides) if row.values[one] != row.values[other]]


def _row(key: str, choice: str, names: Sequence[str], values: dict[str, dict[str, Any]]) -> ProfileKey:
    return ProfileKey(key=key, choice=choice, values={name: values[name].get(key) for name in names})


def _values(names: Sequence[str], overrides: Sequence[str]) -> dict[str, dict[str, Any]]:
    """All settings with each profile, dotted; checked, so that a profile with a mistake is not listed as if it held."""
    composed = {}
    for name in names:
        data = compose([*overrides, f"{GROUP}={name}"])[0]
        composed[name] = flatten(validate(data).model_dump(mode="json"))
    return composed


def _set_by(names: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """The keys in the profiles' own files, and in those that they begin with."""
    keys: dict[str, None] = {}
    for name in names:
        keys |= dict.fromkeys(_keys_in(GROUP, name, folders))
    return list(keys)


def _conditions(names: Sequence[str], folders: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """`GROUP=NAME`, and the keys that the profiles set with it. What another choice is needed for comes with it."""
    inner = sorted({path.name for folder in folders for path in (folder / GROUP).glob(f"{WITH}*") if path.is_dir()})
    for folder_name in inner:
        group = folder_name.removeprefix(WITH)
        files = group_names(f"{GROUP}/{folder_name}", folders)
        choices = {
            file.removeprefix(f"{name}_"): None for name in names for file in files if file.startswith(f"{name}_")
        }
        for choice in sorted(choices):
            if choice not in group_names(group, folders):
                continue
            keys: dict[str, None] = {}
            for name in names:
                if f"{name}_{choice}" in files:
                    keys |= dict.fromkeys(_keys_in(f"{GROUP}/{folder_name}", f"{name}_{choice}", folders))
            yield f"{group}={choice}", list(keys)


def _keys_in(group: str, name: str, folders: Sequence[Path]) -> list[str]:
    """The dotted keys of one file, after those of the files that it begins with."""
    import yaml

    path = next(
        (folder / group / f"{name}.yaml" for folder in folders if (folder / group / f"{name}.yaml").is_file()), None
    )
    if path is None:
        return []
    data = yaml.safe_load(path.read_bytes()) or {}
    keys: dict[str, None] = {}
    for each in data.pop("defaults", []):
        if isinstance(each, str) and each != "_self_":
            keys |= dict.fromkeys(_keys_in(group, each, folders))
    return list(keys | dict.fromkeys(flatten(data)))
