"""Profiles: complete, every difference a key of its own, and told by the command as composing has it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from eval.__main__ import guarded, main
from eval.config.files import CONFIGS, group_names
from eval.config.load import compose
from eval.config.overrides import as_override
from eval.config.profiles import ProfileKey, differences
from eval.config.settings import flatten, validate

NAMES = ["official_code", "ours", "paper"]
FILES = sorted((CONFIGS / "profile").rglob("*.yaml"))


def settings(*overrides: str) -> dict[str, Any]:
    data = compose(list(overrides))[0]
    return {key: value for key, value in flatten(validate(data).model_dump(mode="json")).items() if key != "profile"}


@cache
def rows(one: str, other: str) -> tuple[ProfileKey, ...]:
    """Composing takes its time."""
    return tuple(differences(one, other))


def test_the_names() -> None:
    assert group_names("profile") == NAMES


@pytest.mark.parametrize("other", [pytest.param("official_code", marks=pytest.mark.long), "ours"])
def test_the_differences_set_one_by_one_make_the_one_profile_of_the_other(other: str) -> None:
    by_choice = defaultdict(list)
    for row in rows("paper", other):
        by_choice[row.choice].append(f"{row.key}={as_override(row.values[other])}")
    always = by_choice.pop("", [])
    assert by_choice
    for choice, keys in by_choice.items():
        last = {
            text.partition("=")[0]: text
            for text in [*always, *by_choice["judge=llm"], *by_defaults(choice, by_choice), *keys]
        }
        assert settings("profile=paper", choice, *last.values()) == settings(f"profile={other}", choice), choice


def by_defaults(choice: str, by_choice: dict[str, list[str]]) -> list[str]:
    """What the default method brings, where another group is chosen."""
    return [] if choice.startswith("memory=") else by_choice.get("memory=reasoningbank", [])


def test_what_the_official_code_does_otherwise() -> None:
    found = {
        (row.choice, row.key): (row.values["paper"], row.values["official_code"])
        for row in rows("paper", "official_code")
    }
    assert found[("judge=llm", "judge.pages")] == (1, 5)
    assert found[("judge=llm", "judge.strict")] == (False, True)
    assert found[("memory=reasoningbank", "memory.judge_reasons")] == (False, True)
    assert found[("memory=awm", "temperature.extractor")] == (1.0, 0.7)
    assert found[("scaling=parallel", "scaling.labels")] == (True, False)
    assert found[("embedder=gemini", "embedder.query_task")] == ("RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_value_has_its_reason_beside_it(path: Path) -> None:
    """Or its section has, or the key above that it goes with."""
    if path.stem.startswith("ours"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.match(r" *[a-z_]+: +[^ #]", line):
                assert "  #" in line, line
    assert yaml.safe_load(path.read_bytes())


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.parent.name.startswith("with_")], ids=lambda path: path.stem
)
def test_every_conditional_file_is_of_a_profile_and_a_choice(path: Path) -> None:
    """Hydra takes no notice of a file that is named wrongly."""
    choices = group_names(path.parent.name.removeprefix("with_"))
    assert path.stem in {f"{profile}_{choice}" for profile in NAMES for choice in choices}


def test_the_command_lists_shows_and_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile/mine.yaml").write_text("# @package _global_\n# Mine.\ndefaults: [paper, _self_]\n")

    def said(*argv: str) -> str:
        assert guarded(lambda: main(["profile", *argv])) == 0
        return capsys.readouterr().out

    assert [line.split()[0] for line in said().splitlines()] == NAMES
    assert sorted(json.loads(said("--json"))) == NAMES
    table = said("--diff", "paper", "official_code").splitlines()
    assert table[0].split() == ["key", "with", "paper", "official_code"]
    assert len(table) == 1 + len(rows("paper", "official_code"))
    assert re.search(r"judge\.pages +judge=llm +1 +5", "\n".join(table))
    assert "the same settings" in said("--diff", "mine", "mine", f"--config-dir={tmp_path}")
    changed = json.loads(said("paper", "temperature.agent=0.1", "--json"))
    assert next(row for row in changed if row["key"] == "temperature.agent")["values"] == {"paper": 0.1}
    assert {row["key"] for row in changed} > {row.key for row in rows("paper", "official_code") if not row.choice}
    assert {"retrieval.k", "judge.pages", "scaling.labels"} < {row["key"] for row in changed}


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["papr"], "no profile 'papr'; did you mean paper"),
        (["--diff", "paper", "our"], "no profile 'our'"),
        (["--diff", "paper"], "expected 2 arguments"),
        (["paper", "--diff", "paper", "ours"], "leave out paper"),
        (["profile=paper"], "without the key"),
        (["paper", "temperatur.agent=0"], "temperatur"),
    ],
)
def test_a_wrong_line_is_told_in_a_line(argv: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: main(["profile", *argv])) == 2
    said = capsys.readouterr().err
    assert error in said
    assert len(said.splitlines()) == 1


def test_a_profile_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "profile/with_memory").mkdir(parents=True)
    (tmp_path / "profile/mine.yaml").write_text("# @package _global_\n# Mine. More.\ndefaults: [paper, _self_]\nk: 2\n")
    (tmp_path / "profile/with_memory/mine_awm.yaml").write_text("# @package _global_\nmemory:\n  max_items: 9\n")
    assert main(["profile", f"--config-dir={tmp_path}"]) == 0
    assert "mine           Mine\n" in capsys.readouterr().out
    found = differences("paper", "mine", [f"--config-dir={tmp_path}"])
    assert [(row.key, row.choice, row.values) for row in found] == [
        ("k", "", {"paper": 1, "mine": 2}),
        ("memory.max_items", "memory=awm", {"paper": 3, "mine": 9}),
    ]
