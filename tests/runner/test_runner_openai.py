"""The main job through OpenAI's client: against a server that answers with the offline model it ends in the journal
that the offline model itself makes, and against one that fails every fifth call in the same.

Providers take 31 bits of a seed, or none, so the offline model is here asked with what the server receives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.base import FakeServer, Fault, Faults, at_random, compared, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import results, run
from watched_bench import run_bench

from eval.config import load_config
from eval.workbench import Workbench, build_workbench
from reasoningbank.llm.offline import SimulatedLLM
from reasoningbank.llm.retry import RetryPolicy
from reasoningbank.providers.endpoint import wire_seed
from reasoningbank.types import ROLES, Message, Reply

JOB = [
    "suite=webarena_mini",
    "suite.sites=[shopping]",
    "memory=reasoningbank",
    "scaling=parallel",
    "k=2",
    "limit=2",
    "embedder=hashing",
]
CHAT = ["llm=openai", "llm.model=fake-model"]
RESPONSES = ["llm=openai_responses", "llm.model=fake-model", "llm.send_temperature=true"]
FAULTS = [
    *(Fault("status", status=429), Fault("status", status=429, headers=(("retry-after", "0"),))),
    *(Fault("status", status=500), Fault("status", status=503), Fault("reset"), Fault("half")),
    *(Fault("invalid_json"), Fault("wrong_type"), Fault("empty")),
    *(Fault("reply", reply=Reply.model_validate({"text": "", "usage": {}, "stop_reason": "length"})),),
]


class Reseeded:
    """The offline model, asked with another seed."""

    id = "reseeded"
    simulated = True

    def __init__(self, seed: Callable[[int], int]) -> None:
        self._inner = SimulatedLLM()
        self._seed = seed

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        return self._inner.complete(messages, temperature=temperature, seed=self._seed(seed), max_tokens=max_tokens)


def bench_at(server: FakeServer, *llm: str) -> Workbench:
    return build_workbench(load_config([*JOB, *llm, f"llm.base_url={server.url}/v1"]))


def offline(folder: Path, seed: Callable[[int], int]) -> dict[str, list[str]]:
    bench = build_workbench(load_config(JOB))
    run_bench(replace(bench, llms=dict.fromkeys(ROLES, Reseeded(seed))), folder / "streams" / "shopping.t0")
    return results(folder)


def server_of(faults: Faults = lambda request: None) -> FakeServer:
    return FakeServer(OpenAIApp(compared(simulated(SimulatedLLM()))), faults=faults)


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reasoningbank.llm.calls.RetryPolicy", lambda: RetryPolicy(first_wait=0.0))


@pytest.mark.parametrize("stream", [False, True], ids=["at-once", "stream"])
@pytest.mark.parametrize(("llm", "seed"), [(CHAT, wire_seed), (RESPONSES, lambda seed: 0)], ids=["chat", "responses"])
def test_a_run_is_the_offline_models_own_quiet_or_not(
    llm: list[str], seed: Callable[[int], int], stream: bool, tmp_path: Path
) -> None:
    expected = offline(tmp_path / "offline", seed)
    [lines] = expected.values()
    assert len(lines) == 2
    with server_of() as quiet:
        run_bench(bench_at(quiet, *llm, f"llm.stream={stream}"), tmp_path / "quiet" / "streams" / "shopping.t0")
    assert results(tmp_path / "quiet") == expected
    with server_of(at_random(0.2, FAULTS, seed=1)) as faulty:
        told = run_bench(bench_at(faulty, *llm, f"llm.stream={stream}"), tmp_path / "bad" / "streams" / "shopping.t0")
    assert results(tmp_path / "bad") == expected
    assert len(faulty.failed) == len(faulty.requests) - len(quiet.requests)
    assert len(faulty.failed) > 0.1 * len(quiet.requests)
    assert sum(line.telemetry.retries for line in told) == len(faulty.failed)


@pytest.mark.long
def test_the_command_line_with_one_word_changed(tmp_path: Path) -> None:
    with server_of(at_random(0.2, FAULTS, seed=2)) as server:
        where = [f"results_dir={tmp_path}", "run_name=chat", f"llm.base_url={server.url}/v1"]
        done = run("run", *JOB, *CHAT, *where)
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "chat") == offline(tmp_path / "offline", wire_seed)
    assert results(tmp_path / "chat") != offline(tmp_path / "other", lambda seed: wire_seed(seed) + 1)
    assert server.failed
