"""Published sets and files in their schema: what is read, in which order, and the line for what is wrong."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from swebench_rows import line, without, write_lines

from eval.suites.swebench import hub
from eval.suites.swebench.dataset import SUBSETS, by_lines, from_hub, from_json, read_dataset
from reasoningbank.errors import SetupError

LINES = [line(3, created_at="2021-05-01 10:00:00"), line(1), line(2, created_at="2021-05-01T09:00:00+00:00")]


@pytest.mark.parametrize("shape", ["lines", "list", "by id", "pretty lines", "parquet"])
def test_a_file_is_read_by_what_it_holds(tmp_path: Path, shape: str) -> None:
    path = tmp_path / ("rows.parquet" if shape == "parquet" else "rows.jsonl")
    if shape == "lines":
        write_lines(path, LINES)
    elif shape == "parquet":
        pyarrow = pytest.importorskip("pyarrow", reason="pyarrow reads Parquet")
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(LINES), path)
    elif shape == "by id":
        path.write_text(json.dumps({each["instance_id"]: each for each in LINES}))
    else:
        path.write_text(json.dumps(LINES, indent=2 if shape == "pretty lines" else None))
    found = read_dataset(str(path))
    assert list(found.rows) == ["acme__shelf-3", "acme__shelf-1", "acme__shelf-2"]
    row = found.rows["acme__shelf-1"]
    assert row.instance.FAIL_TO_PASS == ("tests/test_rows.py::test_count",)
    assert row.line["difficulty"] == "<15 min fix"
    assert found.sha256 == read_dataset(str(write_lines(tmp_path / "same.jsonl", LINES))).sha256
    assert found.sha256 != read_dataset(str(write_lines(tmp_path / "other.jsonl", LINES[:2]))).sha256
    elsewhere = [{**each, "image": "mine/image:2"} for each in LINES]
    assert found.sha256 != read_dataset(str(write_lines(tmp_path / "image.jsonl", elsewhere))).sha256


def test_orders(tmp_path: Path) -> None:
    found = read_dataset(str(write_lines(tmp_path / "rows.jsonl", LINES)))
    assert [row.number for row in found.ordered("dataset")] == [1, 2, 3]
    assert [row.instance.instance_id[-1] for row in found.ordered("chronological")] == ["1", "2", "3"]
    undated = read_dataset(str(write_lines(tmp_path / "undated.jsonl", [line(1), line(2, created_at=None)])))
    with pytest.raises(SetupError, match=r"undated.jsonl, row 2 \(acme__shelf-2\): created_at='' is no date"):
        undated.ordered("chronological")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (without("base_commit"), "the field base_commit is missing"),
        (line(patch=7), "patch: Input should be a valid string, not int"),
        (line(patch=None), "patch: Input should be a valid string, not NoneType"),
        (line(FAIL_TO_PASS={"a": 1}), "FAIL_TO_PASS: Input should be a valid tuple, not dict"),
        (line(PASS_TO_PASS="[broken"), "PASS_TO_PASS: Value error"),
        (line(FAIL_TO_PASS="[]"), "the field FAIL_TO_PASS is empty"),
        (line(problem_statement=""), "the field problem_statement is empty"),
        (line(base_commit="--all"), "base_commit='--all' is no hash"),
        (line(instance_id="../../etc"), "instance_id='../../etc' is no name"),
        (line(1), "the instance_id acme__shelf-1 is that of row 1 too"),
        (["a"], "list where an object"),
    ],
)
def test_a_wrong_row_is_one_line_that_says_where(tmp_path: Path, wrong: Any, told: str) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [line(1), wrong])
    with pytest.raises(SetupError) as error:
        read_dataset(str(path))
    message = str(error.value)
    assert message.startswith(f"{path}, row 2")
    assert told in message
    assert "\n" not in message


def test_files_that_are_none(tmp_path: Path) -> None:
    for content, told in {
        b"": "holds no instance",
        b"\xff\xfe\x00": "no text in UTF-8",
        b"{}\n{": "line 2, is no JSON",
    }.items():
        path = tmp_path / "rows.json"
        path.write_bytes(content)
        with pytest.raises(SetupError, match=told):
            read_dataset(str(path))
    with pytest.raises(SetupError, match="cannot be read: No such file"):
        read_dataset(str(tmp_path / "absent.jsonl"))
    with pytest.raises(SetupError, match="did you mean verified"):
        read_dataset("verifed")


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow reads Parquet")
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(SetupError, match="is no Parquet file"):
        read_dataset(str(path))


def stand_in(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[tuple[str, str, str | None]]:
    """The package datasets, without the network: what it was asked for."""
    asked: list[tuple[str, str, str | None]] = []

    def load_dataset(name: str, *, split: str, revision: str | None) -> Any:
        asked.append((name, split, revision))
        if isinstance(answer, Exception):
            raise answer
        return answer

    module = ModuleType("datasets")
    module.load_dataset = load_dataset  # type: ignore[attr-defined]  # a stand-in
    module.config = SimpleNamespace(HF_HUB_OFFLINE=True)  # type: ignore[attr-defined]  # nothing is looked for
    monkeypatch.setitem(sys.modules, "datasets", module)
    return asked


def test_published_sets_are_asked_for_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stand_in(monkeypatch, LINES)
    for subset in SUBSETS:
        assert len(read_dataset(subset, split="test", revision="abc").rows) == 3
    assert asked == [(name, "test", "abc") for name in SUBSETS.values()]


def test_what_keeps_a_published_set_away_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, ConnectionError("no route\nto the host"))
    with pytest.raises(SetupError, match=r"SWE-bench_Lite, split dev, cannot be had \(ConnectionError: no route to"):
        read_dataset("lite", split="dev")
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(SetupError, match=r"the package datasets.*reasoningbank\[datasets\]"):
        read_dataset("verified")


def test_where_the_server_cannot_be_reached_it_is_not_tried_for_long(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By the packages themselves."""
    datasets = pytest.importorskip("datasets", reason="it fetches published sets")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://user:planted@127.0.0.1:1")
    for place in (constants, datasets.config):
        monkeypatch.setattr(place, "HF_HUB_OFFLINE", False)
    with pytest.raises(SetupError, match=r"nobody/nothing, .* \(127\.0\.0\.1 cannot be reached: ConnectError") as told:
        from_hub("nobody/nothing", "test", None)
    assert "planted" not in str(told.value)
    assert not caplog.records
    assert not constants.HF_HUB_OFFLINE, "next time it is looked for again"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_who_stops_it_while_the_server_is_asked_is_obeyed(
    stop: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets", reason="it fetches published sets")
    import huggingface_hub

    def stopped() -> None:
        raise stop

    for place in (huggingface_hub.constants, datasets.config):
        monkeypatch.setattr(place, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub, "get_session", stopped)
    with pytest.raises(stop), hub.asked():
        pytest.fail("it goes on")


@pytest.mark.parametrize(("status", "down"), [(200, False), (405, False), (501, False), (503, True)])
def test_a_server_that_answers_itself_is_asked_for_the_set(
    status: int, down: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets", reason="it fetches published sets")
    from huggingface_hub import constants

    class Answers(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return None

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        for place in (constants, datasets.config):
            monkeypatch.setattr(place, "HF_HUB_OFFLINE", False)
        with hub.asked() as wrong:
            assert wrong == (f"127.0.0.1 answers {status}" if down else "")
            assert constants.HF_HUB_OFFLINE is down
        thread.join()


SHORT = st.text(max_size=5)
JSON = SHORT | st.integers() | st.lists(SHORT, max_size=3) | st.dictionaries(SHORT, SHORT, max_size=3)


@settings(deadline=None, max_examples=60)
@given(st.lists(JSON, min_size=2, max_size=4))
def test_lines_are_read_as_they_were_written(values: list[Any]) -> None:
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in values)
    assert by_lines(text, "a file") == values


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:a1\n', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_in_one_line(raw: bytes) -> None:
    message, found = "", list[object]()
    try:
        found = from_json(raw, "a file")
    except SetupError as error:
        message = str(error)
    assert isinstance(found, list)
    assert "\n" not in message
    assert message.startswith("a file") or not message
