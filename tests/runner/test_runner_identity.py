"""What makes two runs one, of models and embedders: every key of theirs but those that their classes call transport."""

from __future__ import annotations

import inspect
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import TINY

import reasoningbank.embed
import reasoningbank.llm
from eval.build import PACKAGES, find_class
from eval.config.load import load_config
from eval.runs.identity import asked_of, identity
from eval.workbench import build_workbench
from reasoningbank.errors import SetupError
from reasoningbank.modules import classes
from reasoningbank.providers.endpoint import without_port

PLUGIN = """
class {name}:
    id = "planted"
    simulated = True
    {declared}
    def __init__(self, *, {keys}):
        pass
    def complete(self, messages, *, temperature, seed, max_tokens):
        raise NotImplementedError
"""
TRAVEL = {"timeout": 1, "stream": True, "cache": "5m", "location": "eu", "project": "p", "device": "cpu"} | {
    **{"vertex": True, "download": True, "encoding": "float", "batch_tokens": 3, "extra_headers": None}
}


def _ours() -> list[tuple[str, str]]:
    found = []
    for kind, package in (("llm", reasoningbank.llm), ("embedder", reasoningbank.embed)):
        for module in pkgutil.iter_modules(package.__path__):
            __import__(f"{package.__name__}.{module.name}")
            if classes(getattr(package, module.name), PACKAGES[kind][1]) and module.name not in ("record", "cache"):
                found.append((kind, module.name))
    return found


def of(*overrides: str) -> dict[str, Any]:
    return identity(build_workbench(load_config(list(overrides)), asked=False))


@pytest.mark.parametrize(("kind", "name"), _ours())
def test_of_each_of_our_classes_every_key_counts_that_it_does_not_call_transport(kind: str, name: str) -> None:
    cls = find_class(kind, name, [], kind)
    keys = set(inspect.signature(cls).parameters)
    declared: frozenset[str] = getattr(cls, "transport_keys", frozenset())
    assert declared <= keys
    assert {"model", "base_url", "dims", "temperature", "instruction"}.isdisjoint(declared)
    assert set(asked_of(kind, {"type": name, **dict.fromkeys(keys, "")}, [])) == {"type", *keys} - declared
    if "timeout" in keys:
        assert {"timeout", "connect_timeout", "max_connections", "key_env", "extra_headers"} <= declared


@pytest.mark.long
def test_a_plugins_keys_count_whatever_their_names(tmp_path: Path) -> None:
    """It may call what changes a reply as others call how theirs travel."""
    path = tmp_path / "planted_plain.py"
    path.write_text(PLUGIN.format(name="Planted", declared="", keys=", ".join(f"{key}=None" for key in TRAVEL)))
    line = [*TINY[:1], *TINY[2:], f"plugins=[{Path(__file__).parent / 'arithmetic.py'},{path}]"]
    for where in ("llm", "roles.judge"):
        chosen = [f"+{where}.type=planted_plain"] if where != "llm" else ["++llm.type=planted_plain", "~llm.slow"]
        plain = of(*line, *chosen)
        for key, value in TRAVEL.items():
            assert of(*line, *chosen, f"+{where}.{key}={value or 'null'}") != plain, (where, key)
    assert of(*line, "++llm.type=planted_plain", "~llm.slow", "llm.tries=3") == of(
        *line, "++llm.type=planted_plain", "~llm.slow"
    )


def test_a_plugin_says_itself_which_keys_are_transport(tmp_path: Path) -> None:
    path = tmp_path / "planted_says.py"
    declared = "transport_keys = frozenset({'route'})"
    path.write_text(PLUGIN.format(name="Planted", declared=declared, keys="route=None, model=None"))
    part = {"type": "planted_says", "route": 1, "model": "m"}
    assert asked_of("llm", part, [str(path)]) == {"type": "planted_says", "model": "m"}
    wrong = tmp_path / "planted_wrongly.py"
    wrong.write_text(PLUGIN.format(name="Planted", declared="transport_keys = 'route'", keys="route=None"))
    with pytest.raises(SetupError, match="must be a frozenset"):
        asked_of("llm", {"type": "planted_wrongly"}, [str(wrong)])


@pytest.mark.parametrize("where", ["llm", "embedder"])
def test_a_server_on_another_port_is_the_same_and_on_another_host_is_not(where: str) -> None:
    line = [
        *TINY[:2],
        "suite=arithmetic",
        f"{where}=openai",
        *(["embedder=hashing"] if where == "llm" else ["llm=arithmetic"]),
    ]

    def at(url: str) -> dict[str, Any]:
        return of(*line, f"{where}.base_url={url}")

    one = at("http://big.box:8000/v1")
    assert at("http://big.box:8001/v1/") == one
    assert at("http://big.box/v1") == one
    assert at("http://other.box:8000/v1") != one
    assert at("http://big.box:8000/other/v1") != one


@pytest.mark.parametrize(
    ("url", "left"),
    [
        ("http://h:1/v1", "http://h/v1"),
        ("http://h/", "http://h"),
        ("https://[::1]:8000/a/b/", "https://[::1]/a/b"),
        ("http://127.0.0.1:8000", "http://127.0.0.1"),
    ],
)
def test_an_address_without_its_port(url: str, left: str) -> None:
    assert without_port(url) == left
