"""Runs whose embedder is behind a network: with faults they end as without, and no text is paid for twice."""

from __future__ import annotations

import json
import socket
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from fakes.base import FakeServer, Fault, Faults, always, at
from fakes.embedding_server import OpenAIEmbeddingsApp
from fakes.gemini_embed_server import GeminiEmbeddingsApp, texts_of
from runner_helpers import TINY, results, run
from watched_bench import run_bench

from eval.config.load import load_config
from eval.runs.identity import identity
from eval.workbench import EMBEDDINGS, Workbench, build_workbench
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.retry import RetryPolicy

JOB = [*(word for word in TINY if not word.startswith("embedder=")), "memory=reasoningbank", "limit=8"]
FAULTS = [
    *(Fault("status", status=429, headers=(("retry-after", "0"),)), Fault("status", status=500), Fault("reset")),
    *(Fault("half"), Fault("invalid_json"), Fault("wrong_type"), Fault("empty")),
]
APPS = {"gemini": GeminiEmbeddingsApp, "openai": OpenAIEmbeddingsApp}


def words(kind: str, url: str) -> list[str]:
    place = url if kind == "gemini" else f"{url}/v1"
    return [f"embedder={kind}", "embedder.model=fake-embedder", "embedder.dims=64", f"embedder.base_url={place}"]


def server_of(kind: str, faults: Faults = lambda request: None) -> FakeServer:
    return FakeServer(APPS[kind](dims=64), faults=faults)


def bench_at(server: FakeServer, kind: str, root: Path, *more: str) -> Workbench:
    return build_workbench(load_config([*JOB, *words(kind, server.url), f"results_dir={root}", *more]))


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.workbench.retry_policy", lambda settings: RetryPolicy(first_wait=0.0))


def sent(server: FakeServer, kind: str) -> Counter[str]:
    """How often each text arrived, in calls that did not fail."""
    texts = texts_of if kind == "gemini" else lambda body: body["input"]
    return Counter(text for request in server.requests for text in texts(request.body))


@pytest.mark.parametrize("kind", APPS)
def test_a_run_with_faults_ends_as_one_without(kind: str, tmp_path: Path) -> None:
    with server_of(kind) as quiet:
        lines = run_bench(bench_at(quiet, kind, tmp_path / "quiet"), tmp_path / "quiet" / "r" / "streams" / "sums.t0")
        assert sum(bool(line.result.recalled) for line in lines) > len(lines) // 2
    with server_of(kind, at(dict(zip(range(1, 40, 2), FAULTS * 3)))) as faulty:
        run_bench(bench_at(faulty, kind, tmp_path / "bad"), tmp_path / "bad" / "r" / "streams" / "sums.t0")
        assert len(faulty.failed) >= 3
    assert results(tmp_path / "bad" / "r") == results(tmp_path / "quiet" / "r")
    # each task's text is a query, and with another task type a document; without one it is the same, and sent once
    assert max(sent(quiet, kind).values()) == (2 if kind == "gemini" else 1)


def test_runs_of_one_results_folder_pay_once_for_a_text(tmp_path: Path) -> None:
    with server_of("openai") as server:
        for name, more in (("one", ["seed=0"]), ("two", ["seed=1"])):
            run_bench(bench_at(server, "openai", tmp_path, *more), tmp_path / name / "streams" / "sums.t0")
            asked = len(server.requests)
            assert asked == len(sent(server, "openai")), "a text in every call, and each once"
        assert asked <= 8 + 1
    assert (tmp_path / EMBEDDINGS).is_file()


def test_a_server_that_is_lost_stops_the_stream_and_the_same_command_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "r" / "streams" / "sums.t0"
    with server_of("openai") as quiet:
        run_bench(bench_at(quiet, "openai", tmp_path / "whole"), tmp_path / "whole" / "r" / "streams" / "sums.t0")
    with server_of("openai") as server:
        server.faults = lambda request: Fault("status", status=500) if request.number > 4 else None
        bench = bench_at(server, "openai", tmp_path, "retries=0")
        with pytest.raises(InfraError, match="answered 500"):
            run_bench(bench, folder)
        assert 0 < len((folder / "journal.jsonl").read_bytes().splitlines()) < 8
        server.faults = lambda request: None
        run_bench(bench, folder)
    assert results(tmp_path / "r") == results(tmp_path / "whole" / "r")


def test_a_replay_takes_the_vectors_of_the_recorded_run_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "any-key-of-the-embedder")
    with server_of("gemini") as server:
        bench = bench_at(server, "gemini", tmp_path / "one", "embedder.key_env=A_KEY", "+llm.record=true")
        first = tmp_path / "one" / "r"
        run_bench(bench, first / "streams" / "sums.t0")
        asked = len(server.requests)
        (first / "meta.json").write_text(json.dumps({"identity": identity(bench), "simulated": True}))
        monkeypatch.delenv("A_KEY")
        words = ["embedder.key_env=A_KEY", f"+llm.replay={first}"]
        run_bench(bench_at(server, "gemini", tmp_path / "two", *words), tmp_path / "two" / "r" / "streams" / "sums.t0")
        assert len(server.requests) == asked
        server.faults = always(Fault("status", status=500))
        assert results(tmp_path / "two" / "r") == results(first)
        assert not (tmp_path / "two" / EMBEDDINGS).exists()
        # what is not recorded is refused, with and without a key, and never asked for
        (tmp_path / "one" / EMBEDDINGS).rename(tmp_path / "away")
        for key in ({}, {"A_KEY": "any-key-of-the-embedder"}):
            for name, value in key.items():
                monkeypatch.setenv(name, value)
            bench = bench_at(server, "gemini", tmp_path / "three", *words)
            with pytest.raises(SetupError, match=r"^llm\.replay: \S+three/\.embeddings\.sqlite has no vector .*\Z"):
                run_bench(bench, tmp_path / "three" / "r" / "streams" / "sums.t0")
        assert len(server.requests) == asked


def test_how_calls_travel_is_no_part_of_a_runs_identity(tmp_path: Path) -> None:
    with server_of("openai") as server:
        whole = identity(bench_at(server, "openai", tmp_path))
        for same in ("batch_texts=3", "timeout=7", "max_connections=2", "encoding=float"):
            assert identity(bench_at(server, "openai", tmp_path, f"embedder.{same}")) == whole
        other = identity(bench_at(server, "openai", tmp_path, "embedder.max_tokens=100"))
        assert other["embedder"]["id"] != whole["embedder"]["id"]
        assert not server.requests


def said(*overrides: str, root: Path) -> subprocess.CompletedProcess[str]:
    return run("run", *JOB, *overrides, f"results_dir={root}", "llm.outage_wait=0", "llm.tries=1", "retries=0")


@pytest.mark.parametrize(
    ("embedder", "found"),
    [
        ("gemini", "set the environment variable GEMINI_API_KEY"),
        pytest.param("openai", "set the environment variable OPENAI_API_KEY", marks=pytest.mark.long),
        ("qwen", "is not"),
        pytest.param("fastembed", "is not", marks=pytest.mark.long),
    ],
)
def test_what_is_missing_is_one_line_before_any_work(
    embedder: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "bge"))
    done = said(f"embedder={embedder}", root=tmp_path / "results")
    assert done.returncode == 2
    assert found in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("broken", ["garbage", "folder"])
def test_a_file_of_vectors_that_is_none_is_told_before_a_model_is_asked(broken: str, tmp_path: Path) -> None:
    place = tmp_path / EMBEDDINGS
    if broken == "garbage":
        place.write_bytes(b"garbage" * 1000)
    else:
        place.mkdir()
    with server_of("openai") as server:
        with pytest.raises(SetupError, match=rf"embedding cache {place}: "):
            bench_at(server, "openai", tmp_path)
        place.rmdir() if broken == "folder" else place.unlink()
        bench_at(server, "openai", tmp_path)
        place.touch()  # an empty file is a database without tables
        bench_at(server, "openai", tmp_path)
        assert not server.requests


def test_no_key_reaches_a_file_or_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "planted-embedding-key-123456"
    monkeypatch.setenv("AN_EMBEDDING_KEY", secret)
    rude = Fault("status", status=500, message=f"your key {secret} is fine, and I am not")
    with server_of("gemini", lambda request: rude if request.number == 3 else None) as server:
        done = said(*words("gemini", server.url), "embedder.key_env=AN_EMBEDDING_KEY", root=tmp_path)
        assert secret in str(server.requests[0].headers)
    assert done.returncode == 3, done.stderr
    assert "answered 500" in done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == EMBEDDINGS for path in files)
    assert not [path for path in files if secret.encode() in path.read_bytes()]
    assert secret not in done.stdout + done.stderr


@pytest.mark.long
def test_where_nobody_listens_it_is_an_outage(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        done = said(*words("openai", f"http://127.0.0.1:{taken.getsockname()[1]}"), root=tmp_path)
    assert done.returncode == 3
    assert "cannot be reached" in done.stderr
    assert "the same command continues" in done.stderr


@pytest.mark.long
def test_the_experiment_of_embedders_needs_no_key(tmp_path: Path) -> None:
    job = [word for word in JOB if not word.startswith("memory=")]
    done = run("run", "+exp=embedders", *job, f"results_dir={tmp_path}", "run_name=e")
    assert done.returncode == 0, done.stderr
    runs = {path.parent.name: json.loads(path.read_bytes()) for path in (tmp_path / "e").glob("*/meta.json")}
    assert set(runs) == {"embedder=wordllama", "embedder=hashing"}
    assert len({meta["identity"]["embedder"]["id"] for meta in runs.values()}) == 2
