"""The files of `configs/` show every setting of what they choose, with the value it has anyway."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from eval.build import PACKAGES, find_class
from eval.outcome_judges import DOORS
from eval.suites.code.backend import CodeBackend
from reasoningbank.memory.base import Learning, Retrieval

CONFIGS = Path(__file__).parents[1] / "configs"
FILLED_IN = {"prompts", "embedder", "k", "retrieval", "learning", "where", "web", "code", "kept"}
FILES = [(group, path) for group in PACKAGES for path in sorted((CONFIGS / group).glob("*.yaml"))]


def keys_of(path: Path) -> dict[str, Any]:
    """What the file sets, and what it shows as a comment because other classes would refuse it."""
    shown = re.sub(r"(?m)^# (?=[a-z_]+: +\S+ +#)", "", path.read_text(encoding="utf-8"))
    keys: dict[str, Any] = yaml.safe_load(shown)
    return keys


@pytest.mark.parametrize(("group", "path"), FILES, ids=lambda each: each.stem if isinstance(each, Path) else each)
def test_every_file_has_the_keywords_of_its_class(group: str, path: Path) -> None:
    keys = keys_of(path)
    # other groups that it chooses from, or the file of its own group that it begins with
    begins = [each for each in keys.pop("defaults", []) if isinstance(each, str) and each != "_self_"]
    name = keys.pop("type", (*begins, path.stem)[0])
    cls = DOORS[name] if group == "judge" and name in DOORS else find_class(group, name, [], group)
    if group == "scaling":
        assert {key: keys.pop(key) for key in Learning.model_fields} == dict(Learning())
    parameters = {key: each for key, each in inspect.signature(cls).parameters.items() if key not in FILLED_IN}
    if path.stem != name:
        # one of several files for a class: it sets what is its own, and the class's file shows the rest
        needed = {key for key, each in parameters.items() if each.default is each.empty}
        assert needed <= set(keys) <= set(parameters)
        return
    assert set(keys) == set(parameters)
    given = {key: each.default for key, each in parameters.items() if each.default is not each.empty}
    assert {key: keys[key] for key in given} == {key: as_written(default) for key, default in given.items()}


def as_written(default: Any) -> Any:
    """A default as a YAML file has it."""
    if isinstance(default, BaseModel):
        return default.model_dump()
    return list(default) if isinstance(default, tuple) else default


def test_every_kind_of_part_has_a_file() -> None:
    assert {group for group, _ in FILES} == set(PACKAGES)


def test_commands_of_small_libraries_run_as_the_class_says() -> None:
    assert keys_of(CONFIGS / "code" / "small.yaml") == CodeBackend().model_dump()
    CodeBackend.model_validate(keys_of(CONFIGS / "code" / "large.yaml"), strict=True)


def test_the_file_of_retrieval_has_the_keys_of_retrieval() -> None:
    assert keys_of(CONFIGS / "retrieval/default.yaml") == dict(Retrieval())
