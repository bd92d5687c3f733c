"""From a command line to checked settings: Hydra composes the YAML, a schema holds it, errors name what is near.

`load_config(overrides)` gives the settings of one run. Hydra's own folders and logs are off: folders are the business
of `eval.identity`. `--config-dir=DIR` among the overrides adds a folder of configuration groups of your own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from eval.config_files import CONFIGS, check_files, culprit, group_names, groups
from eval.names import nearest
from eval.overrides import as_override, check_axes, check_choices, in_words, product, quoted, split_sweeps
from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import SetupError
from reasoningbank.types import Role

Part = dict[str, Any]
"""Settings of one object: `type` names its module, the other keys are its constructor's keyword arguments."""

Count = Annotated[int, Field(strict=True, ge=1)]
Times = Annotated[int, Field(strict=True, ge=1, le=1000)]
"""A number of things made at once: more than this is a slip of the finger."""
Natural = Annotated[int, Field(strict=True, ge=0)]


NO_RESULT = frozenset(
    {
        *("run_name", "fresh", "results_dir", "progress", "sweep", "profile"),
        *("concurrency", "retries", "retry_wait", "on_infra_error"),
    }
)
"""Settings that no result depends on: they are no part of a run's identity. (Of a profile all that it sets is.)"""


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StreamSettings(Section):
    by: Literal["site", "suite", "sites_in_order"] = "site"


class PromptSettings(Section):
    pack: str | None = None


class BankSettings(Section):
    init_from: str | None = None
    frozen: Annotated[bool, Field(strict=True)] = False

    @model_validator(mode="after")
    def holds_something(self) -> BankSettings:
        if self.frozen and self.init_from is None:
            raise ValueError(
                "bank.frozen=true: nothing is learnt, and without bank.init_from there is nothing to recall; name a "
                "run or a bank file with it"
            )
        return self


class CallSettings(Section):
    """What is said of all calls to models, beside the keys of a client."""

    record: bool | None = None
    replay: Annotated[str, Field(min_length=1)] | None = None


CALL_KEYS = frozenset(CallSettings.model_fields)


class ConcurrencySettings(Section):
    workers: Times | None = None


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
    k: Times
    seed: Natural
    trials: Times
    limit: Count | None
    order: Literal["ascending", "shuffled", "hardest_last"]
    order_seed: Natural
    stream: StreamSettings
    agent: Part
    temperature: dict[Role, Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]]
    max_tokens: dict[Role, Count]
    prompts: PromptSettings
    bank: BankSettings
    plugins: list[Annotated[str, Field(min_length=1)]]
    allow_zero_temperature: bool
    sweep: dict[str, list[Any]] = Field(default_factory=dict)
    run_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.,=+/-]*$")] | None
    fresh: bool
    results_dir: Annotated[str, Field(min_length=1)]
    retries: Natural
    retry_wait: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    on_infra_error: Literal["stop", "skip"]
    concurrency: ConcurrencySettings
    progress: Literal["auto", "plain", "quiet"]

    @property
    def calls(self) -> CallSettings:
        """Of the key `llm`, where a user looks for it, what is no client's business."""
        return CallSettings.model_validate({key: self.llm[key] for key in CALL_KEYS & set(self.llm)})

    @property
    def client(self) -> Part:
        """Of the key `llm` what chooses and makes the model."""
        return {key: value for key, value in self.llm.items() if key not in CALL_KEYS}

    @field_validator("llm")
    @classmethod
    def calls_are_told_rightly(cls, llm: Part) -> Part:
        for key in sorted(CALL_KEYS & set(llm)):
            try:
                CallSettings.model_validate({key: llm[key]}, strict=True)
            except ValidationError as error:
                raise ValueError(f"llm.{problem(error.errors()[0])}") from None
        return llm

    @field_validator("run_name")
    @classmethod
    def stays_in_the_results(cls, run_name: str | None) -> str | None:
        if run_name and ".." in Path(run_name).parts:
            raise ValueError(f"run_name={run_name} leaves the results folder")
        return run_name

    @field_validator("agent")
    @classmethod
    def ends(cls, agent: Part) -> Part:
        if (steps := agent.get("max_steps", 1)) is not None and not (type(steps) is int and steps >= 1):
            raise ValueError(f"agent.max_steps={steps}: must be a whole number, 1 or more")
        return agent

    @field_validator("temperature", "max_tokens")
    @classmethod
    def every_role(cls, values: dict[Role, Any], info: ValidationInfo) -> dict[Role, Any]:
        if missing := [role for role in get_args(Role) if role not in values]:
            raise ValueError(f"{info.field_name}.{missing[0]} is not set, and must be: every role needs one")
        return values

    @field_validator("sweep")
    @classmethod
    def something_to_vary(cls, sweep: dict[str, list[Any]]) -> dict[str, list[Any]]:
        if empty := [key for key, values in sweep.items() if not values]:
            raise ValueError(f"sweep.{empty[0]}=[]: write the values to try, such as [0,1,2]")
        return sweep


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
    done = capture(lambda: composed(rest, folders))
    if isinstance(done.error, HydraException | OmegaConfBaseException):
        raise SetupError(explain(done.error, folders, rest)) from done.error
    if isinstance(done.error, Exception):
        wrong = culprit(done.error, folders, rest)
        raise SetupError(wrong or f"the configuration cannot be read: {one_line(done.error)}") from done.error
    data, choices = done.unwrap()
    check_files(choices, folders)
    return {"profile": choices.get("profile", ""), **{str(key): value for key, value in data.items()}}, choices


def composed(overrides: Sequence[str], folders: Sequence[Path]) -> tuple[Any, dict[str, str]]:
    """As `compose`, with errors as Hydra has them."""
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
    return OmegaConf.to_container(config, resolve=True, throw_on_missing=True), chosen


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
    if error["type"] == "string_too_short":
        return f"{key} has an empty text: write something, or leave it out"
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
    if found := re.search(r"An item is already at '([^']+)'", message):
        return f"'+{found[1]}': the key exists; write it without the +"
    override = getattr(error, "override", None)
    if said := in_words(error):
        return said
    return " ".join(f"{override or ''} {message.partition('See https')[0]}".split())


def known_keys(folders: Sequence[Path], overrides: Sequence[str]) -> list[str]:
    """Every key there is with the groups chosen in `overrides`, dotted, and the groups' names."""
    names = groups(folders)
    chosen = [text for text in overrides if text.lstrip("+").partition("=")[0].partition("@")[0] in names]
    done = capture(lambda: composed(chosen, folders))
    data = {} if done.value is None else done.value[0]
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


def expand(
    overrides: Sequence[str], *, multirun: bool, begin: Callable[[Settings, int], None] = lambda first, count: None
) -> list[Job]:
    """The jobs of a command line: one, or with `-m` or an experiment's `sweep` the product of all that varies.

    A value given on the command line takes the place of the experiment's list for that key. `begin` gets the first
    job's settings and the number of jobs, before the others are composed: each takes its tenth of a second.
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
