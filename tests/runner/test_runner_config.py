"""Configuration files that cannot be read: one line with the file, the line in it and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner_helpers import TINY

from eval.__main__ import main
from eval.config.files import CONFIGS
from eval.config.load import composed, composed_before, load_config
from reasoningbank.errors import SetupError

BROKEN: dict[str, tuple[bytes, str]] = {
    "nested_below_a_value": (b"type: none\n  hits: 1\n", "line 2: mapping values"),
    "list_left_open": (b"type: none\nhits: [1\n", "line 2: expected ',' or ']'"),
    "quote_left_open": (b'type: none\nhits: "1\n\n', "line 2: "),
    "tab": (b"type: none\n\thits: 1\n", "line 2: a tab character"),
    "list": (b"- 1\n- 2\n", "line 1: must hold lines `key: value`"),
    "words": (b"hello there\n", "line 1: must hold lines `key: value`"),
    "number": (b"42\n", "line 1: must hold lines `key: value`"),
    "latin_1": ("type: none\nwords: Stra\xdfe\n".encode("latin-1"), "line 2: not UTF-8 (byte 0xdf)"),
    "utf_16": ("type: none\n".encode("utf-16"), "line 1: not UTF-8"),
    "nul": (b"type: none\nx: \x00\n", "line 2: special characters"),
    "key_twice": (b"type: none\ntype: awm\n", "line 2: found duplicate key type"),
    "key_of_no_text": (b"type: none\n? [a, b]\n: c\n", "line 2: found unhashable key"),
    "tag": (b"type: !!python/object:os.system {}\n", "line 1: could not determine"),
    "two_documents": (b"type: none\n---\ntype: awm\n", "line 2: "),
    "defaults_of_no_list": (b"defaults: 3\n", "`defaults` must be a list"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_told_in_a_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, found = BROKEN[name]
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "mine.yaml").write_bytes(content)
    # a broken file that nobody asks for is nobody's business
    (tmp_path / "memory" / "a_draft.yaml").write_bytes(b"a: [")
    assert main(["run", *TINY, f"--config-dir={tmp_path}", "memory=mine", f"results_dir={tmp_path / 'results'}"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"error: {tmp_path / 'memory' / 'mine.yaml'}")
    assert said.err.count("\n") == 1
    assert found in said.err
    assert not (tmp_path / "results").exists()
    assert main(["run", *TINY, "--show-config", f"--config-dir={tmp_path}", "memory=none"]) == 0


def test_an_experiment_may_be_broken_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "exp").mkdir()
    (tmp_path / "exp" / "mine.yaml").write_text("# @package _global_\nk: 5\n  seed: 1\n")
    assert main(["run", *TINY, f"--config-dir={tmp_path}", "+exp=mine"]) == 2
    assert f"{tmp_path / 'exp' / 'mine.yaml'}, line 3: " in capsys.readouterr().err


@pytest.mark.parametrize("value", ["${nope", "${nowhere}", "${oc.env:NOT_SET_ANYWHERE}"])
def test_a_reference_that_leads_nowhere(value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "mine.yaml").write_text(f"type: none\nwords: {value}\n")
    assert main(["run", *TINY, f"--config-dir={tmp_path}", "memory=mine"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert value.strip("${}").rpartition(":")[2] in said


VALUES = [
    *("seed=3", "limit=2", "results_dir=/a b/c", "run_name='a,b'", "plugins=[x.py,y]", "suite.sites=[reddit]"),
    *("retrieval.k=0", "concurrency={workers: 3}", "prompts=${checkout:}", "bank={frozen: true}", "seed=4"),
]


@pytest.mark.parametrize("chosen", [[], ["+exp=tour"], ["memory=none", "profile=paper"]], ids=str)
def test_what_is_composed_from_what_was_composed_before_is_as_if_composed_anew(chosen: list[str]) -> None:
    for values in ([], VALUES):
        text = [json.dumps(make([*chosen, *values], [CONFIGS])) for make in (composed_before, composed)]
        assert text[0] == text[1] != "null"


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for hits in (1, 22):
        (tmp_path / "memory" / "mine.yaml").write_text(f"type: none\nhits: {hits}\n")
        assert load_config([f"--config-dir={tmp_path}", "memory=mine"]).memory == {"type": "none", "hits": hits}
    (tmp_path / "memory" / "mine.yaml").unlink()
    with pytest.raises(SetupError, match="no such name"):
        load_config([f"--config-dir={tmp_path}", "memory=mine"])
