"""What a refusal says: in words of our own, the cause before what follows from it, names only where they are near."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runner_helpers import HERE, TINY

from eval.__main__ import main
from eval.build import build_suite
from eval.config.load import compose, load_config
from eval.config.settings import Settings, unknown_key, validate
from eval.names import known_ids, ranges
from eval.runs.identity import causes
from reasoningbank.errors import SetupError

PARSERS = ("valid ", "parse", "unable", "instance", "Sequence", "pattern", "dictionary", "validator", "Errno")
JUNK = ("x", "3", "", 3.5, True, [1], {"a": 1}, None, -1, [[1]], [None])


def in_our_words(said: str, key: str) -> None:
    assert key in said
    assert not [word for word in PARSERS if word in said], said


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    return compose(TINY)[0]


@pytest.mark.parametrize("key", Settings.model_fields)
def test_no_value_is_refused_in_a_parser_s_words(key: str, composed: dict[str, Any]) -> None:
    refused = []
    for value in JUNK:
        data = {**copy.deepcopy(composed), key: value}
        try:
            validate(data)
        except SetupError as error:
            refused.append(str(error))
    assert refused
    for said in refused:
        in_our_words(said, key)


@pytest.mark.parametrize("key", ["seed", "count", "sites"])
def test_nor_is_one_of_a_part(key: str) -> None:
    refused = []
    for value in JUNK:
        settings = load_config(TINY).model_copy(deep=True)
        settings.suite[key] = value
        try:
            build_suite(settings)
        except SetupError as error:
            refused.append(str(error))
    assert refused
    for said in refused:
        in_our_words(said, f"suite.{key}")


def test_show_config_fails_where_the_run_would(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "--show-config"]
    assert main(line) == 0
    capsys.readouterr()
    for wrong in ("suite.sites=sums", "memory.max_items=many", "prompts.pack=missing"):
        assert main([*line, wrong]) == 2
        said = capsys.readouterr()
        assert "no folder: it cannot be run" in said.out
        assert said.err.startswith("error: ")


def test_run_help_names_what_folders_and_plugins_bring(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for group in ("memory", "exp"):
        (tmp_path / group).mkdir()
        (tmp_path / group / "sparse.yaml").write_text("type: sparse\n")
    plugins = "plugins=[sparse.py,folder/other.py]"
    assert main(["run", "--help", "--config-dir", str(tmp_path), plugins]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("memory ") and line.endswith("sparse, synapse") for line in lines)
    assert any(line.startswith("experiments ") and "sparse" in line for line in lines)
    assert [line.partition(":")[0] for line in lines if "no name yet" in line] == ["folder/other.py"]


def test_a_type_that_is_no_plugin_s_name_tells_the_plugins(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "mine.yaml").write_text("type: my_mine\n")
    from eval.workbench import build_workbench

    settings = load_config([*TINY, f"--config-dir={tmp_path}", "memory=mine"])
    with pytest.raises(SetupError, match=r"type must be a file's name, without \.py") as told:
        build_workbench(settings, asked=False)
    assert f"plugins: {HERE / 'arithmetic.py'}" in str(told.value)


DIFFERENCES = ["grading: a -> b", "llm.type: a -> b", "llm.x: 1 -> 2", "models.agent: a -> b", "seed: 0 -> 1"]


@pytest.mark.parametrize("prefix", ["", "settings."])
def test_what_follows_from_another_part_is_counted_and_not_listed(prefix: str) -> None:
    told = causes([f"{prefix}{each}" for each in DIFFERENCES])
    assert told == [f"{prefix}llm.type: a -> b and 1 key that come with it", f"{prefix}seed: 0 -> 1"]
    assert causes(["llm.x: 1 -> 2"]) == ["llm.x: 1 -> 2"]
    assert causes(["memory.max_items: 1 -> 2", "seed: 0 -> 1"]) == ["memory.max_items: 1 -> 2", "seed: 0 -> 1"]


def test_of_keys_in_one_section_only_the_last_part_is_compared() -> None:
    keys = ["memory.type", "memory.max_items", "memory.max_items_contrast", "memory", "max_items", "retrieval.key"]
    assert unknown_key("memory.max_item", keys).endswith("did you mean memory.max_items or memory.max_items_contrast?")
    assert "there are: memory.max_items, " in unknown_key("memory.dims", keys)
    assert unknown_key("memry.max_items", keys).endswith("did you mean memory.max_items or memory.max_items_contrast?")


@given(st.sets(st.integers(0, 40), min_size=1))
def test_ranges_hold_every_number_and_no_other(numbers: set[int]) -> None:
    said = ranges(sorted(numbers))
    if " between " in said:
        assert said == f"{len(numbers)} between {min(numbers)} and {max(numbers)}"
        return
    held: set[int] = set()
    for part in said.replace(" and ", ", ").split(", "):
        first, _, last = part.partition(" to ")
        held |= set(range(int(first), int(last or first) + 1))
    assert held == numbers


def test_ids_that_are_numbers_are_told_by_their_ranges_and_others_by_what_is_near() -> None:
    numbers = [*map(str, range(107)), *map(str, range(1000, 1109))]
    for wrong in ("9999", "abc", "107"):
        assert known_ids(wrong, numbers) == "there are 0 to 106 and 1000 to 1108"
    names = [f"django__django-{number}" for number in range(100, 140)]
    assert known_ids("django_django-101", names).startswith("did you mean django__django-101")
    assert known_ids("9999", names) == f"there are 40, such as {', '.join(names[:3])}"
