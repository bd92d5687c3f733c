"""From a command line to checked settings: Hydra composes the YAML, a schema holds it, errors name what is near.

`load_config(overrides)` gives the settings of one run. Hydra's own folders and logs are off: folders are the business
of `eval.identity`. `--config-dir=DIR` among the overrides adds a folder of configuration groups of your own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from eval.config_files import CONFIGS, check_files, culprit, group_names, groups
from eval.names import nearest
from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import SetupError
from reasoningbank.types import Role

Part = dict[str, Any]
"""Settings of one object: `type` names its module, the other keys are its constructor's keyword arguments."""

Count = Annotated[int, Field(strict=True, ge=1)]
Natural = Annotated[int, Field(strict=True, ge=0)]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StreamSettings(Section):
    by: Literal["site", "suite"] = "site"


class PromptSettings(Section):
    pack: str | None = None


class BankSettings(Section):
    init_from: str | None = None


class ConcurrencySettings(Section):
    workers: Count | None = None


class Settings(Section):
    """Everything a run is told. Defaults and their meaning stand in `configs/config.yaml`."""

    suite: Part
    memory: Part
    scaling: Part
    llm: Part
    roles: dict[Role, Part]
    embedder: Part
    judge: Part
    retrieval: Part
    profile: str
    k: Count
    seed: Natural
    trials: Count
    limit: Count | None
    order: Literal["ascending", "shuffled"]
    order_seed: Natural
    stream: StreamSettings
    agent: Part
    temperature: dict[Role, Annotated[float, Field(ge=0, le=2)]]
    max_tokens: dict[Role, Count]
    prompts: PromptSettings
    bank: BankSettings
    plugins: list[str]
    allow_zero_temperature: bool
    sweep: dict[str, list[Any]] = Field(default_factory=dict)
    run_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.,=+/-]*$")] | None
    fresh: bool
    results_dir: str
    retries: Natural
    retry_wait: Annotated[float, Field(ge=0)]
    on_infra_error: Literal["stop", "skip"]
    concurrency: ConcurrencySettings
    progress: Literal["auto", "plain", "quiet"]

    @model_validator(mode="after")
    def k_makes_sense(self) -> Settings:
        if self.run_name and ".." in Path(self.run_name).parts:
            raise ValueError(f"run_name={self.run_name} leaves the results folder")
        if (steps := self.agent.get("max_steps", 1)) is not None and not (type(steps) is int and steps >= 1):
            raise ValueError(f"agent.max_steps={steps}: must be a whole number, 1 or more")
        if self.k > 1 and self.scaling.get("type") == "single":
            raise ValueError(f"k={self.k} with scaling=single: several attempts need scaling=parallel")
        copies = self.k > 1 and self.scaling.get("type") != "sequential"  # whose k answers follow one upon the other
        if copies and self.temperature.get("agent") == 0 and not self.allow_zero_temperature:
            raise ValueError(
                f"k={self.k} at temperature.agent=0 makes {self.k} equal attempts: raise the temperature, "
                "or set allow_zero_temperature=true"
            )
        return self


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
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf import OmegaConf, open_dict
    from omegaconf.errors import OmegaConfBaseException

    if not (CONFIGS / "config.yaml").is_file():
        raise SetupError(f"no config.yaml in {CONFIGS}: run from a checkout of the repository")
    folders, rest = split_config_dirs(overrides)
    rest = [f"+{text}" if text.startswith("exp=") else text for text in rest]
    if folders:
        rest.insert(0, f"hydra.searchpath=[{','.join(f'file://{folder}' for folder in folders)}]")

    def composed() -> tuple[Any, dict[str, str]]:
        with initialize_config_dir(config_dir=str(CONFIGS), version_base=None):
            config = hydra_compose("config", overrides=rest, return_hydra_config=True)
        chosen = {
            str(group): str(name)
            for group, name in config.hydra.runtime.choices.items()
            if not str(group).startswith("hydra/")
        }
        with open_dict(config):
            del config["hydra"]
        return OmegaConf.to_container(config, resolve=True, throw_on_missing=True), chosen

    # whatever a file may hold, Hydra meets it unprepared
    done = capture(composed)
    if isinstance(done.error, HydraException | OmegaConfBaseException):
        raise SetupError(explain(done.error, [CONFIGS, *folders], rest)) from done.error
    if isinstance(done.error, Exception):
        wrong = culprit(done.error, [CONFIGS, *folders], rest)
        raise SetupError(wrong or f"the configuration cannot be read: {one_line(done.error)}") from done.error
    data, choices = done.unwrap()
    check_files(choices, [CONFIGS, *folders])
    return {"profile": choices.get("profile", ""), **{str(key): value for key, value in data.items()}}, choices


def split_config_dirs(overrides: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The folders of `--config-dir=DIR` arguments, and the other overrides."""
    folders = [Path(text.partition("=")[2]).resolve() for text in overrides if text.startswith("--config-dir=")]
    for folder in folders:
        if not folder.is_dir():
            raise SetupError(f"--config-dir: no folder {folder}")
    return folders, [text for text in overrides if not text.startswith("--config-dir=")]


def validate(data: dict[str, Any]) -> Settings:
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        raise SetupError("; ".join(problem(entry) for entry in error.errors())) from error


def problem(error: Any) -> str:
    """One pydantic error as a person would say it."""
    key = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "extra_forbidden":
        return unknown_key(key, list(Settings.model_fields))
    if error["type"] == "missing":
        return f"{key} is not set, and must be"
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    message = str(error["msg"]).removeprefix("Input ").replace("should be", "must be")
    hint = f": {nearest(str(error['input']), allowed(error))}" if error["type"] == "literal_error" else ""
    hint = "" if hint.startswith(": there are") else hint  # the message has told them
    return f"{key}={error['input']}: {message[0].lower()}{message[1:]}{hint}"


def allowed(error: Any) -> list[str]:
    return re.findall(r"'([^']*)'", str(error["ctx"]["expected"]))


def explain(error: Exception, folders: Sequence[Path], overrides: Sequence[str]) -> str:
    """Hydra's message in one line, with the nearest names."""
    message = str(error) or str(error.__cause__ or error.__context__)
    if found := re.search(r"Could not find '([\w@./-]+)/([^'/]+)'", message):
        group, name = found[1].partition("@")[0], found[2]
        return f"{group}={name}: no such name in configs/{group}; {nearest(name, group_names(group, folders))}"
    if found := re.search(r"Could not (?:override|append to|delete) '([^']+)'", message):
        return unknown_key(found[1], known_keys(folders, overrides))
    if found := re.search(r"Ambiguous value for argument '([^']+)'|Sweep parameters '([^']+)'", message):
        return f"{found[1] or found[2]}: several values need -m (a sweep), or [..] for a list"
    if found := re.search(r"Error parsing override '([^']*)'", message):
        return f"{found[1]!r} is not a setting: write key=value"
    if found := re.search(r"An item is already at '([^']+)'", message):
        return f"'+{found[1]}': the key exists; write it without the +"
    override = getattr(error, "override", None)
    return " ".join(f"{override or ''} {message.partition('See https')[0]}".split())


def known_keys(folders: Sequence[Path], overrides: Sequence[str]) -> list[str]:
    """Every key there is with the groups chosen in `overrides`, dotted, and the groups' names."""
    names = groups(folders)
    chosen = [text for text in overrides if text.lstrip("+").partition("=")[0].partition("@")[0] in names]
    data, _ = compose([*(f"--config-dir={folder}" for folder in folders if folder != CONFIGS), *chosen])
    return [*data, *flatten(data), *names]


def unknown_key(key: str, keys: Sequence[str]) -> str:
    """The line for a key that does not exist: what is near, else its neighbours, else where to look."""
    section = key.rpartition(".")[0]
    beside = [each for each in keys if each.startswith(f"{section}.")] if section else []
    there = f"there are: {', '.join(sorted(beside))}" if beside else f"the groups are {', '.join(groups())}"
    names = [each for each in keys if ("." in each) == bool(section)]
    return f"unknown key {key!r}: {nearest(key, names, f'{there}; `python -m eval run --help` lists the keys')}"


def flatten(data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings as dotted keys; lists and empty sections are values."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict) and value:
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def expand(overrides: Sequence[str], *, multirun: bool) -> list[Job]:
    """The jobs of a command line: one, or with `-m` or an experiment's `sweep` the product of all that varies.

    A value given on the command line takes the place of the experiment's list for that key.
    """
    given, axes = split_sweeps(overrides) if multirun else (list(overrides), {})
    first = load_job([*given, *(f"{key}={values[0]}" for key, values in axes.items())])
    typed = {text.lstrip("+~").partition("=")[0] for text in given} | set(axes)
    for key, values in first.settings.sweep.items():
        if key not in typed:
            axes[key] = [as_override(value) for value in values]
    if not axes:
        return [first]
    return [load_job([*given, *point], varied=tuple(point)) for point in product(axes)]


def as_override(value: object) -> str:
    """A YAML value as Hydra's command line writes it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def product(axes: dict[str, list[str]]) -> Iterator[list[str]]:
    """Every combination as overrides, the first axis slowest."""
    points: list[list[str]] = [[]]
    for key, values in axes.items():
        points = [[*point, f"{key}={value}"] for point in points for value in values]
    yield from points


def split_sweeps(overrides: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Overrides that are single values, and those that name several (Hydra's choices, ranges and globs)."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    single: list[str] = []
    axes: dict[str, list[str]] = {}
    for text in overrides:
        if text.startswith("--"):
            single.append(text)
            continue
        try:
            override = OverridesParser.create().parse_override(text)
            if not override.is_sweep_override():
                single.append(text)
            elif not override.is_discrete_sweep():
                raise SetupError(f"{text}: only choices and ranges can be swept over")
            else:
                axes[override.get_key_element()] = [str(value) for value in override.sweep_string_iterator()]
        except HydraException as error:
            raise SetupError(explain(error, [CONFIGS], [])) from error
    return single, axes
