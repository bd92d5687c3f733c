"""From a command line to checked settings: Hydra composes the YAML, a schema holds it, errors name what is near.

`load_config(overrides)` gives the settings of one run. Hydra's own folders and logs are off: folders are the business
of `eval.runs.folders`. `--config-dir=DIR` among the overrides adds a folder of configuration groups of your own.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.config.files import CONFIGS, check_files, culprit, files_stamp, group_names, groups
from eval.config.overrides import (
    as_override,
    check_axes,
    check_choices,
    in_words,
    parsed,
    product,
    quoted,
    split_sweeps,
)
from eval.config.settings import NO_RESULT, Settings, flatten, unknown_key, validate
from eval.names import nearest
from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import hidden_line

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override
    from omegaconf import DictConfig

FREE = ("extra_headers", "extra_body")
"""Settings that hold names of the user's own."""


@dataclass(frozen=True)
class Job:
    """One run as asked for: its settings, the names chosen in each group, and what the sweep varied (or nothing)."""

    settings: Settings
    choices: dict[str, str]
    varied: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        if "exp" in self.choices:
            return self.choices["exp"]
        return f"{self.choices['memory']}-{self.choices['scaling']}-k{self.settings.k}"


def load_config(overrides: Sequence[str]) -> Settings:
    """The checked settings of one run."""
    return load_job(overrides).settings


def load_job(overrides: Sequence[str], varied: tuple[str, ...] = ()) -> Job:
    data, choices = compose(overrides)
    return Job(settings=validate(data), choices=choices, varied=varied)


def compose(overrides: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Hydra's composition as plain data, and the chosen name of every group."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    if not (CONFIGS / "config.yaml").is_file():
        raise SetupError(f"no config.yaml in {CONFIGS}: run from a checkout of the repository")
    own, rest = split_config_dirs(overrides)
    folders = [CONFIGS, *own]
    rest = [f"+{text}" if text.startswith("exp=") else text for text in rest]
    check_choices(rest, folders)
    # whatever a file may hold, Hydra meets it unprepared
    done = capture(lambda: composed_before(rest, folders) or composed(rest, folders))
    if isinstance(done.error, SetupError):
        raise done.error
    if isinstance(done.error, HydraException | OmegaConfBaseException):
        raise SetupError(explain(done.error, folders, rest)) from done.error
    if isinstance(done.error, Exception):
        wrong = culprit(done.error, folders, rest)
        raise SetupError(wrong or f"the configuration cannot be read: {one_line(done.error)}") from done.error
    data, choices = done.unwrap()
    return {"profile": choices.get("profile", ""), **{str(key): value for key, value in data.items()}}, choices


def composed_before(overrides: Sequence[str], folders: Sequence[Path]) -> tuple[Any, dict[str, str]] | None:
    """As `composed`, ten times as fast where this process has composed the same choices before. None where it has to be
    composed as if for the first time, which says what is wrong, too.

    Single values change no choice: Hydra itself puts them into what is composed already.
    """
    names, stamp = groups(folders), files_stamp(folders)
    chosen: list[str] = []
    values: list[Override] = []
    for text in overrides:
        override = parsed(text)
        added = override.is_add() or override.is_force_add() or override.is_delete()
        if override.key_or_group in names:
            chosen.append(text)
        elif added or override.is_sweep_override() or override.package is not None:
            return None
        else:
            values.append(override)
    if stamp is None:
        return None
    config, choices = chosen_files(tuple(chosen), tuple(folders), stamp)
    done = capture(lambda: with_values(config, values))
    return None if isinstance(done.error, Exception) else (done.unwrap(), dict(choices))


@lru_cache(maxsize=64)
def chosen_files(
    chosen: tuple[str, ...], folders: tuple[Path, ...], stamp: tuple[tuple[str, int, int], ...]
) -> tuple[DictConfig, dict[str, str]]:
    """What the chosen files are together. `stamp`: in which state they are."""
    return hydra_composed(chosen, folders)


def with_values(config: DictConfig, values: Sequence[Override]) -> Any:
    from omegaconf import OmegaConf

    config = copy.deepcopy(config)
    for override in values:
        OmegaConf.update(config, override.key_or_group, override.value(), merge=True)
    return plain_data(config)


def composed(overrides: Sequence[str], folders: Sequence[Path]) -> tuple[Any, dict[str, str]]:
    """As `compose`, with errors as Hydra has them."""
    config, choices = hydra_composed(overrides, folders)
    return plain_data(config), choices


def hydra_composed(overrides: Sequence[str], folders: Sequence[Path]) -> tuple[DictConfig, dict[str, str]]:
    """Hydra's configuration without its own part, and the choices, whose files are as they must be."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from omegaconf import OmegaConf, open_dict

    # so that a file can name another one of the repository, from whichever folder the command is given
    OmegaConf.register_new_resolver("checkout", lambda: str(CONFIGS.parent), replace=True)
    path = ",".join(quoted(f"file://{folder}") for folder in folders[1:])
    with initialize_config_dir(config_dir=str(CONFIGS), version_base=None):
        given = [f"hydra.searchpath=[{path}]", *overrides]
        config = hydra_compose("config", overrides=given, return_hydra_config=True)
    chosen = {
        str(group): str(name)
        for group, name in config.hydra.runtime.choices.items()
        if "/" not in str(group)  # Hydra's own, and what follows from other choices
    }
    with open_dict(config):
        del config["hydra"]
    check_files(chosen, folders)
    return config, chosen


def plain_data(config: DictConfig) -> Any:
    from omegaconf import OmegaConf

    return OmegaConf.to_container(config, resolve=True, throw_on_missing=True)


def split_config_dirs(overrides: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The folders of `--config-dir=DIR` arguments, and the other overrides."""
    given = [text.partition("=")[2] for text in overrides if text.startswith("--config-dir=")]
    if "" in given:
        raise SetupError("--config-dir= names no folder: write --config-dir=DIR")
    folders = [Path(text).resolve() for text in given]
    for folder in folders:
        if not folder.is_dir():
            raise SetupError(f"--config-dir: no folder {folder}")
    return folders, [text for text in overrides if not text.startswith("--config-dir=")]


def explain(error: Exception, folders: Sequence[Path], overrides: Sequence[str]) -> str:
    """Hydra's message in one line, with the nearest names."""
    message = str(error) or str(error.__cause__ or error.__context__)
    if found := re.search(r"Could not find '([\w@./-]+)/([^'/]+)'", message):
        group, name = found[1].partition("@")[0], found[2]
        return f"{group}={name}: no such name in configs/{group}; {nearest(name, group_names(group, folders))}"
    if found := re.search(r"Could not (?:override|append to|delete) '([^']+)'", message):
        return not_there(found[1], known_keys(folders, overrides), overrides)
    if found := re.search(r"Ambiguous value for argument '([^']+)'|Sweep parameters '([^']+)'", message):
        return f"{found[1] or found[2]}: several values need -m (a sweep), or [..] for a list"
    if found := re.search(r"An item is already at '([^']+)'", message):
        return f"'+{found[1]}': the key exists; write it without the +"
    if said := in_words(error):
        return said
    if found := re.match(r"Error merging override (.*)", message, re.DOTALL):
        return f"{hidden_line(found[1])}: one of a list, a mapping and a single value stands in another's place"
    override = getattr(error, "override", None)
    return " ".join(f"{hidden_line(str(override or ''))} {hidden_line(message.partition('See https')[0])}".split())


def not_there(key: str, keys: Sequence[str], overrides: Sequence[str]) -> str:
    """The line for a key that Hydra does not find, or for the keys in a mapping that was given to it."""
    section, _, name = key.rpartition(".")
    if section.endswith(FREE) and section in keys:
        return f"{key}: {section} has no {name} yet: write +{key}=VALUE"
    if key not in keys:
        return unknown_key(key, keys)
    given = [text for text in overrides if f"{text.lstrip('+').partition('=')[0]}.".startswith(f"{key}.")]
    if len(given) > 1:
        return f"{key} is given {len(given)} times: write it once, with all that it holds, as '{key}={{NAME: VALUE}}'"
    return f"{key} has no such keys as are given: set each that there is by itself, such as {key}.NAME=VALUE"


def known_keys(folders: Sequence[Path], overrides: Sequence[str]) -> list[str]:
    """Every key there is with the groups chosen in `overrides`, dotted, and the groups' names."""
    names = groups(folders)
    chosen = [text for text in overrides if text.lstrip("+").partition("=")[0].partition("@")[0] in names]
    done = capture(lambda: composed(chosen, folders))
    data = {} if done.value is None else done.value[0]
    return [*data, *flatten(data), *names]


def expand(
    overrides: Sequence[str], *, multirun: bool, begin: Callable[[Settings, int], None] = lambda first, count: None
) -> list[Job]:
    """The jobs of a command line: one, or with `-m` or an experiment's `sweep` the product of all that varies.

    A value given on the command line takes the place of the experiment's list for that key. `begin` gets the first
    job's settings and the number of jobs, before the others are composed: each choice of files takes its tenth of a
    second.
    """
    folders, rest = split_config_dirs(overrides)
    given, axes = split_sweeps(rest, [CONFIGS, *folders]) if multirun else (rest, {})
    given = [*(f"--config-dir={folder}" for folder in folders), *given]
    check_axes(axes, NO_RESULT)
    first = load_job([*given, *(f"{key}={values[0]}" for key, values in axes.items())])
    typed = {text.lstrip("+~").partition("=")[0] for text in given} | set(axes)
    listed = {key: [as_override(value) for value in values] for key, values in first.settings.sweep.items()}
    axes |= {key: values for key, values in listed.items() if key not in typed}
    check_axes(axes, NO_RESULT)
    if not axes:
        return [first]
    points = list(product(axes))
    begin(first.settings, len(points))
    return [load_job([*given, *point], varied=tuple(point)) for point in points]
