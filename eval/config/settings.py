"""What a run can be told, as a schema: every key with its type, and the line for whatever is none of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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

from eval.config.files import groups
from eval.config.invalid import must_be
from eval.names import close_names, nearest
from eval.suites.code.backend import CodeBackend
from eval.suites.web.backend import WebBackend
from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import HIDDEN, hidden, is_secret
from reasoningbank.types import Role

Part = dict[str, Any]
"""Settings of one object: `type` names its module, the other keys are its constructor's keyword arguments."""

Count = Annotated[int, Field(strict=True, ge=1)]
Times = Annotated[int, Field(strict=True, ge=1, le=1000)]
"""A number of things made at once: more than this is a slip of the finger."""
Natural = Annotated[int, Field(strict=True, ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


NO_RESULT = frozenset(
    {
        *("run_name", "fresh", "results_dir", "progress", "figure", "sweep", "profile"),
        *("concurrency", "retries", "retry_wait", "on_infra_error", "prices", "budget"),
    }
)
"""Settings that no result depends on: they are no part of a run's identity. (Of a profile all that it sets is; and an
episode that `on_infra_error=skip` leaves for later teaches nothing then, which its line in the journal says.)"""


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StreamSettings(Section):
    by: Literal["site", "suite", "sites_in_order"] = "site"


class PromptSettings(Section):
    pack: Annotated[str, Field(min_length=1)] | None = None


class BankSettings(Section):
    init_from: Annotated[str, Field(min_length=1)] | None = None
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
    """What is said of all calls to models, beside the keys of a client. Seconds."""

    record: bool | None = None
    replay: Annotated[str, Field(min_length=1)] | None = None
    tries: Times = 5
    give_up_after: Seconds = 900.0
    outage_wait: Seconds = 600.0


class LimitSettings(Section):
    """What a provider allows a whole run."""

    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    in_flight: Count | None = None


CALL_KEYS = frozenset(CallSettings.model_fields)
LIMIT_KEYS = frozenset(LimitSettings.model_fields)


class BudgetSettings(Section):
    """What a command's runs may spend in all."""

    usd: Positive | None = None
    tokens: Count | None = None

    @property
    def given(self) -> bool:
        """Whether there is any limit."""
        return self.usd is not None or self.tokens is not None


class ConcurrencySettings(Section):
    workers: Times | None = None


class Settings(Section):
    """Everything a run is told. Defaults and their meaning stand in `configs/config.yaml`."""

    suite: Part
    web: WebBackend = WebBackend()
    code: CodeBackend = CodeBackend()
    memory: Part
    scaling: Part
    llm: Part
    roles: dict[Role, Part]
    embedder: Part
    judge: Part
    retrieval: Part
    profile: Annotated[str, Field(min_length=1)]
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
    run_name: str | None
    fresh: bool
    results_dir: Annotated[str, Field(min_length=1)]
    retries: Natural
    retry_wait: Seconds
    on_infra_error: Literal["stop", "skip"]
    concurrency: ConcurrencySettings
    progress: Literal["auto", "plain", "quiet"]
    figure: Annotated[bool, Field(strict=True)] = True  # runs that were made before it was there have none
    prices: Annotated[str, Field(min_length=1)] | None = None
    budget: BudgetSettings = BudgetSettings()

    @property
    def calls(self) -> CallSettings:
        """Of the key `llm` what is said of all calls."""
        return CallSettings.model_validate({key: self.llm[key] for key in CALL_KEYS & set(self.llm)})

    def client(self, role: Role) -> Part:
        """What chooses and makes a role's model: of the key `llm`, where a user looks for it, some is no client's."""
        own = role in self.roles
        part, others = (self.roles[role], LIMIT_KEYS) if own else (self.llm, CALL_KEYS | LIMIT_KEYS)
        return {key: value for key, value in part.items() if key not in others}

    def limits(self, role: Role) -> LimitSettings:
        """What a role's provider allows: by its own keys, where it has any."""
        own = self.roles.get(role, {})
        part = own if LIMIT_KEYS & set(own) else self.llm
        return LimitSettings.model_validate({key: part[key] for key in LIMIT_KEYS & set(part)})

    @field_validator("llm", "roles")
    @classmethod
    def calls_are_told_rightly(cls, value: Any, info: ValidationInfo) -> Any:
        every = info.field_name == "llm"
        parts = {"llm": value} if every else {f"roles.{role}": part for role, part in value.items()}
        for where, part in parts.items():
            for schema in (CallSettings, LimitSettings) if every else (LimitSettings,):
                for key in sorted(set(schema.model_fields) & set(part)):
                    try:
                        schema.model_validate({key: part[key]}, strict=True)
                    except ValidationError as error:
                        raise ValueError(f"{where}.{problem(error.errors()[0])}") from None
        return value

    @field_validator("run_name")
    @classmethod
    def stays_in_the_results(cls, run_name: str | None) -> str | None:
        if run_name and ".." in Path(run_name).parts:
            raise ValueError(f"run_name={run_name} leaves the results folder: name a folder below it")
        if run_name is not None and not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.,=+/-]*", run_name):
            raise ValueError(
                f"run_name={run_name}: a name holds letters a-z and A-Z, digits and _ . , = + - /, and begins with a "
                "letter, a digit or _"
            )
        return run_name

    @field_validator("agent")
    @classmethod
    def ends(cls, agent: Part) -> Part:
        if (steps := agent.get("max_steps", 1)) is not None and not (type(steps) is int and steps >= 1):
            raise ValueError(f"agent.max_steps={hidden(steps)}: must be a whole number, 1 or more")
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


def validate(data: dict[str, Any]) -> Settings:
    """The settings of a run that is to be made. SetupError for what they cannot be."""
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        raise SetupError("; ".join(problem(entry) for entry in error.errors())) from error
    if settings.budget.given and settings.calls.record is False:
        raise SetupError(
            "llm.record=false and a budget: of a run that is cut off nothing else tells what it has paid; leave out "
            "llm.record, or the budget"
        )
    return settings


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
    hint = f": {nearest(str(error['input']), allowed(error))}" if error["type"] == "literal_error" else ""
    hint = "" if hint.startswith(": there are") else hint  # the message has told them
    given = HIDDEN if is_secret(key) else hidden(error["input"])
    return f"{key}={given}: {must_be(error, key)}{hint}"


def allowed(error: Any) -> list[str]:
    return re.findall(r"'([^']*)'", str(error["ctx"]["expected"]))


def unknown_key(key: str, keys: Sequence[str]) -> str:
    """The line for a key that does not exist: what is near, else its neighbours, else where to look."""
    section, _, last = key.rpartition(".")
    beside = [each for each in keys if each.startswith(f"{section}.")] if section else []
    # a name and its section are compared apart: of keys with the same beginning only what follows tells them apart
    like = [section] if beside or not section else close_names(section, {each.rpartition(".")[0] for each in keys})
    there = {each: each.rpartition(".")[2] for each in keys if each.rpartition(".")[0] in like}
    if near := close_names(last, there.values()):
        close = sorted((each for each, name in there.items() if name in near), key=lambda each: near.index(there[each]))
        return f"unknown key {key!r}: did you mean {' or '.join(close[:3])}?"
    neighbours = f"there are: {', '.join(sorted(beside))}" if beside else f"the groups are {', '.join(groups())}"
    return f"unknown key {key!r}: {neighbours}; `python -m eval run --help` lists the keys"


def flatten(data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings as dotted keys; lists and empty sections are values."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict) and value:
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def stored_settings(file: Path, meta: Mapping[str, Any]) -> Settings:
    """Those that a run's `meta.json` holds. SetupError where this version knows other ones."""
    try:
        return Settings.model_validate(meta.get("settings"))
    except ValidationError as error:
        fields = ", ".join(sorted({str(each["loc"][0]) if each["loc"] else "settings" for each in error.errors()})[:3])
        raise SetupError(
            f"{file} has other settings than this version knows ({fields}): use the version that made the run"
        ) from None
