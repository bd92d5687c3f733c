"""No key, header or credential reaches a file, a log or an error: planted in real runs, and looked for in every byte.

The server is a local one that speaks the provider's protocol, fails now and then, and repeats in its errors whatever it
was sent, as real ones do.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from fakes.base import FakeServer, Fault, Faults, always, at, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import ROOT, command
from waiting import HANG

from eval.__main__ import guarded, main
from reasoningbank.llm.offline import SimulatedLLM

KEY = "plantedinenvironment0001"
DOTENV = "plantedindotenv0002"
HEADER = "plantedinheader0003"
BODY = "plantedinbody0004"
INTERPOLATED = "plantedininterpolation0005"
CREDENTIAL = "plantedinaddress0006"
WRITTEN = "sk-proj-Planted-As-Variable-0007"
PLANTED = (KEY, DOTENV, HEADER, BODY, INTERPOLATED, CREDENTIAL, WRITTEN)
ECHO = (
    f"who sent Authorization: Bearer {KEY}, or {KEY}, or {DOTENV}? also x-gateway: {HEADER}; "
    f"body {{'api_key': '{BODY}', 'user': '{INTERPOLATED}'}} https://me:{CREDENTIAL}@host/?key={KEY}"
)
SMALL = ["suite.sites=[shopping]", "limit=1", "embedder=hashing", "retries=0", "retry_wait=0", "run_name=one"]
REMOTE = [
    *("llm=openai", "llm.model=fake-model", "llm.key_env=PLANTED_KEY", "+llm@roles.grader=offline"),
    *("+llm@roles.judge=openai", "roles.judge.model=fake-model", "roles.judge.key_env=JUDGE_KEY"),
    f"llm.extra_headers={{x-gateway: {HEADER}}}",
    f"llm.extra_body={{api_key: {BODY}, user: '${{oc.env:SOME_TOKEN}}'}}",
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder to run in, with a `.env`."""
    (tmp_path / ".env").write_text(f"JUDGE_KEY={DOTENV}\nPLANTED_KEY=overrides-nothing\n", encoding="utf-8")
    return tmp_path


def serving(faults: Faults = lambda request: None) -> FakeServer:
    return FakeServer(OpenAIApp(simulated(SimulatedLLM())), faults=faults)


def program(place: Path, *argv: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command in `place`, with keys in its environment; what it printed has no secret in it."""
    given = {"PLANTED_KEY": KEY, "SOME_TOKEN": INTERPOLATED, "PYTHONPATH": str(ROOT)} if env is None else env
    done = subprocess.run(
        command(*argv),
        cwd=place,
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    leaks(done.stdout.encode(), "stdout")
    leaks(done.stderr.encode(), "stderr")
    return done


def leaks(data: bytes, where: str) -> None:
    for secret in PLANTED:
        assert secret.encode() not in data, f"{where} holds {secret}"


def search(place: Path) -> int:
    """Looks through all files; returns how many there are."""
    files = [path for path in place.rglob("*") if path.is_file() and path.name != ".env"]
    for path in files:
        leaks(path.read_bytes(), str(path))
        leaks(str(path).encode(), "a file's name")
    return len(files)


def urls(server: FakeServer) -> list[str]:
    return [f"llm.base_url={server.url}/v1", f"roles.judge.base_url={server.url}/v1"]


def test_a_run_with_faults_and_all_that_reads_it_hold_no_secret(place: Path) -> None:
    zero = (("retry-after", "0"),)
    faults = at({number: Fault("status", status=429, message=ECHO, headers=zero) for number in (1, 4)})
    with serving(faults) as server:
        done = program(place, "run", *SMALL, *REMOTE, *urls(server))
        assert (done.returncode, done.stderr) == (0, "")
        sent = [request.headers for request in server.requests]
        assert {headers["authorization"] for headers in sent} == {f"Bearer {KEY}", f"Bearer {DOTENV}"}
        assert HEADER in {headers.get("x-gateway") for headers in sent}
        assert any(
            (request.body.get("api_key"), request.body.get("user")) == (BODY, INTERPOLATED)
            for request in server.requests
        )
    assert search(place) > 5
    assert any(place.rglob("*.calls.jsonl"))
    for line in (["show", "one"], ["report", "results/one"], ["run", "--show-config", *SMALL, *REMOTE]):
        shown = program(place, *line)
        assert shown.returncode == 0, shown.stderr
    search(place)


def test_an_error_that_ends_a_run_repeats_no_secret(place: Path) -> None:
    with serving(always(Fault("status", status=401, message=ECHO, code=BODY))) as server:
        done = program(place, "run", *SMALL, *REMOTE, *urls(server))
    assert done.returncode == 2, done.stderr
    assert "answered 401" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    search(place)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["llm.base_url=https://me:plantedinaddress0006@host/v1"], "llm.base_url"),
        (["llm.base_url=https://host/v1?key=plantedinaddress0006"], "llm.base_url"),
        ([f"llm.key_env={WRITTEN}"], "llm.key_env"),
        ([f"llm.extra_headers={HEADER}"], "llm.extra_headers"),
        ([f"+llm.api_key={BODY}"], "llm.api_key"),
    ],
    ids=["credential", "query", "key-for-name", "header", "api-key"],
)
def test_a_secret_in_the_wrong_place_is_refused_without_it(
    place: Path, words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setattr(os, "environ", {**os.environ, "OPENAI_API_KEY": KEY})
    assert guarded(lambda: main(["run", "llm=openai", *SMALL, *words])) == 2
    told = capsys.readouterr()
    leaks(f"{told.out}{told.err}".encode(), "what is printed")
    assert said in told.err
    assert len(told.err.splitlines()) == 1
    assert search(place) == 0


def test_a_missing_key_is_told_before_anything_is_done(place: Path) -> None:
    with serving() as server:
        line = [*SMALL, *REMOTE, *urls(server)]
        env = {"PYTHONPATH": str(ROOT), "SOME_TOKEN": INTERPOLATED, "JUDGE_KEY": ""}
        (place / ".env").write_text("PLANTED_KEY=\n", encoding="utf-8")
        done = program(place, "run", *line, env=env)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "PLANTED_KEY" in done.stderr
        assert "JUDGE_KEY" in done.stderr
        assert done.stdout == ""
        assert server.requests == []
    assert search(place) == 0
