"""What calls cost: prices from a dated file, the user's own before ours.

prices = read_prices(Path("mine.yaml"))        # None: ours alone
prices.of("gemini:gemini-2.5-flash")           # None where it is not known
spent_on(reply.usage, price).cost_usd          # None where the price is not known, and never 0
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from reasoningbank.errors import SetupError
from reasoningbank.types import Record, Spent, Usage

OURS = Path(__file__).with_name("prices.yaml")
_MILLION = 1_000_000
_MOST_BYTES = 1_000_000
_MOST_NODES = 200_000
_WORDS = {
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), "must hold keys with values"),
    "extra_forbidden": "there is no such key",
    "missing": "is not set, and must be",
}
"""For a person what is wrong with a value, by pydantic's kind of error, where its own words are those of a program."""
_DATED = re.compile(r"(-latest|-\d{4}-\d{2}-\d{2}|[-@]\d{8}|-\d{3})$")
"""The end of a model's name that tells its version: the price is that of the name without it, unless it has its own."""
_HOST = re.compile(r"@(?!\d{8}$)[^@]*$")


class Rate(Record):
    """US dollars a million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(None, ge=0, allow_inf_nan=False, description="None: as input")
    written: float | None = Field(None, ge=0, allow_inf_nan=False, description="into the cache; None: as input")
    written_1h: float | None = Field(None, ge=0, allow_inf_nan=False, description="for an hour; None: as written")

    def cost(self, usage: Usage) -> float:
        """US dollars."""
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        written_1h = written if self.written_1h is None else self.written_1h
        hour = min(usage.cache_written_1h_tokens, usage.cache_written_tokens)
        spent = (
            max(0, usage.input_tokens - usage.cached_tokens - usage.cache_written_tokens) * self.input
            + usage.cached_tokens * cached
            + (usage.cache_written_tokens - hour) * written
            + hour * written_1h
            + usage.output_tokens * self.output
        )
        return spent / _MILLION


class LongRate(Rate):
    """For calls of more input than `over` tokens."""

    over: int = Field(ge=1)


class Price(Rate):
    """Of one model."""

    long: LongRate | None = None

    def of_call(self, usage: Usage) -> float:
        """US dollars for the usage of one call."""
        if self.long is not None and usage.input_tokens > self.long.over:
            return self.long.cost(usage)
        return self.cost(usage)


def spent_on(usage: Usage, price: Price | None) -> Spent:
    """One call's."""
    return Spent(usage=usage, cost_usd=None if price is None else price.of_call(usage))


class PriceFile(Record):
    """The content of a file of prices."""

    models: dict[str, Price]
    same: dict[str, str] = Field(default_factory=dict)
    dated: Any = None
    sources: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class Prices:
    """Those of a run."""

    files: tuple[PriceFile, ...]

    def of(self, model: str) -> Price | None:
        """The price of a model by its id; None where it is not known. An address of its own is part of an id."""
        found = self._found(model)
        return None if found is None else found[1]

    def dated(self, model: str) -> str:
        """Of which day the price is, as its file says; empty where it does not, or there is no price."""
        found = self._found(model)
        return "" if found is None or found[0].dated is None else str(found[0].dated)

    def _found(self, model: str) -> tuple[PriceFile, Price] | None:
        kind, _, name = model.partition(":")
        kinds = [kind, *(file.same[kind] for file in self.files if kind in file.same)]
        found = _HOST.search(name)
        name, host = (name, "") if found is None else (name[: found.start()], found[0])
        names = list(dict.fromkeys([name, _DATED.sub("", name)]))
        for file in self.files:
            for each in (f"{kind}:{name}{host}" for kind in kinds for name in names):
                if each in file.models:
                    return file, file.models[each]
        return None


def read_prices(own: Path | None = None) -> Prices:
    """Ours, behind those of the user's file. SetupError where it cannot be used."""
    return Prices((*(() if own is None else (_read(own),)), _ours()))


@cache
def _ours() -> PriceFile:
    return _read(OURS)


def _read(path: Path) -> PriceFile:
    import yaml

    example = "{models: {'openai:MODEL@HOST': {input: 0.5, output: 1.5}}}, in US dollars a million tokens"
    try:
        text = _text(path)
        _check_nodes(yaml.compose(text, Loader=yaml.SafeLoader), path, {})
        return PriceFile.model_validate(yaml.safe_load(text))
    except OSError as error:
        raise SetupError(f"prices={path}: it cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"{part}." for part in first["loc"])[:-1]
        said = _WORDS.get(first["type"], first["msg"].lower())
        raise SetupError(f"prices={path}: {where}{': ' if where else ''}{said}; write {example}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise SetupError(f"prices={path}: this is no YAML; write {example}") from None


def _text(path: Path) -> str:
    """What a file holds. A device or a pipe may have no end."""
    if path.exists() and not path.is_file():
        raise SetupError(f"prices={path}: this is no file")
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise SetupError(f"prices={path}: this is no file of prices: it is larger than {_MOST_BYTES // 1_000_000} MB")
    return data.decode("utf-8")


def _check_nodes(node: Any, path: Path, seen: dict[int, int]) -> int:
    """How many nodes of YAML it is, with an alias as many as it stands for. SetupError for more than any prices are,
    which aliases of aliases come to in a few lines, and where a key is there twice."""
    import yaml

    if id(node) not in seen:
        seen[id(node)] = _MOST_NODES  # an alias of what it is a part of has no end
        inner = node.value if isinstance(node, yaml.SequenceNode) else []
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in keys:
                        line = key.start_mark.line + 1
                        raise SetupError(f"prices={path}, line {line}: {key.value} is there twice; leave one of them")
                    keys.add(key.value)
            inner = [each for pair in node.value for each in pair]
        seen[id(node)] = 1 + sum(_check_nodes(each, path, seen) for each in inner)
    if seen[id(node)] >= _MOST_NODES:
        raise SetupError(f"prices={path}: this is no file of prices: its aliases stand for more than any file of them")
    return seen[id(node)]
