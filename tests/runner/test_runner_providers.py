"""The main job through each provider's client: against a server that answers with the offline model it ends in the
journal that the offline model itself makes, and against one that fails every fifth call in the same.

Providers take 31 bits of a seed, or none, so the offline model is here asked with what the server receives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from fakes.anthropic_server import AnthropicApp
from fakes.base import Answer, App, Asked, FakeServer, Fault, Faults, at_random, compared, simulated
from fakes.gemini_server import GeminiApp
from fakes.openai_server import OpenAIApp
from runner_helpers import results, run
from watched_bench import run_bench

from eval.config.load import load_config
from eval.workbench import Workbench, build_workbench
from reasoningbank.agents.web import WebAgent
from reasoningbank.llm.offline import SimulatedLLM
from reasoningbank.providers.endpoint import wire_seed
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import ROLES, Message, Reply, Task

JOB = [
    "suite=webarena_mini",
    "suite.sites=[shopping]",
    "memory=reasoningbank",
    "scaling=parallel",
    "k=2",
    "limit=2",
    "embedder=hashing",
]


@dataclass(frozen=True)
class Client:
    """A provider's client as a user chooses it, its server, and the seed that the server receives."""

    llm: tuple[str, ...]
    app: Callable[[Answer], App]
    path: str = ""
    seed: Callable[[int], int] = wire_seed


CLIENTS = {
    "openai": Client(("llm=openai", "llm.model=fake-model"), OpenAIApp, path="/v1"),
    "responses": Client(
        ("llm=openai_responses", "llm.model=fake-model", "llm.send_temperature=true"), OpenAIApp, "/v1", lambda seed: 0
    ),
    "gemini": Client(("llm=gemini_flash",), GeminiApp),
    "claude": Client(("llm=claude",), AnthropicApp, seed=lambda seed: 0),
    "vertex": Client(("llm=gemini_pro", "llm.vertex=true", "llm.key_env=EXPRESS_KEY"), GeminiApp),
}
TASK = Task(id="1", suite="any", group="any", intent="any")
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


def bench_at(server: FakeServer, client: Client, *more: str) -> Workbench:
    where = f"llm.base_url={server.url}{client.path}"
    return build_workbench(load_config([*JOB, *client.llm, where, *more]))


def offline(folder: Path, seed: Callable[[int], int]) -> dict[str, list[str]]:
    bench = build_workbench(load_config(JOB))
    run_bench(replace(bench, llms=dict.fromkeys(ROLES, Reseeded(seed))), folder / "streams" / "shopping.t0")
    return results(folder)


def server_of(client: Client, faults: Faults = lambda request: None, heard: list[Asked] | None = None) -> FakeServer:
    others = compared(simulated(SimulatedLLM()))

    def answer(asked: Asked) -> Reply:
        if heard is not None:
            heard.append(asked)
        return others(asked)

    return FakeServer(client.app(answer), faults=faults)


def first_prompts(heard: list[Asked]) -> Counter[tuple[Message, ...]]:
    """The agent's, by how often each was sent."""
    acting = WebAgent().system_prompt(TASK, "").partition("\n")[0]
    asked = (each.messages for each in heard if each.messages[0].content.startswith(acting))
    return Counter(messages for messages in asked if "\n# History\n" not in messages[1].content)


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.transport.retry_policy", lambda settings: RetryPolicy(first_wait=0.0))
    monkeypatch.setattr("reasoningbank.llm.limits.FIRST_PAUSE", 0.01)
    monkeypatch.setenv("EXPRESS_KEY", "a-key")


@pytest.mark.parametrize(
    ("name", "stream"),
    [
        *((name, False) for name in ("openai", "gemini", "claude")),
        *(pytest.param(name, True, marks=pytest.mark.long) for name in ("openai", "gemini", "claude")),
        *(pytest.param("responses", stream, marks=pytest.mark.long) for stream in (False, True)),
        *(pytest.param("vertex", stream, marks=pytest.mark.long) for stream in (False, True)),
    ],
)
def test_a_run_is_the_offline_models_own_quiet_or_not(name: str, stream: bool, tmp_path: Path) -> None:
    client, said = CLIENTS[name], f"llm.stream={stream}"
    expected = offline(tmp_path / "offline", client.seed)
    [lines] = expected.values()
    assert len(lines) == 2
    heard: list[Asked] = []
    with server_of(client, heard=heard) as quiet:
        run_bench(bench_at(quiet, client, said), tmp_path / "quiet" / "streams" / "shopping.t0")
    assert results(tmp_path / "quiet") == expected
    assert sorted(first_prompts(heard).values()) == [2, 2], "the attempts at a task begin alike, for providers' caches"
    with server_of(client, at_random(0.2, FAULTS, seed=1)) as faulty:
        few = ["llm.in_flight=1", "llm.requests_per_minute=100000", "llm.tokens_per_minute=1000000000"]
        told = run_bench(bench_at(faulty, client, said, *few), tmp_path / "bad" / "streams" / "shopping.t0")
    assert results(tmp_path / "bad") == expected
    assert len(faulty.failed) == len(faulty.requests) - len(quiet.requests)
    assert len(faulty.failed) > 0.1 * len(quiet.requests)
    assert faulty.peak == 1
    assert sum(line.telemetry.retries for line in told) == len(faulty.failed)


@pytest.mark.long
@pytest.mark.parametrize("name", ["openai", "gemini", "claude"])
def test_the_command_line_with_one_word_changed(name: str, tmp_path: Path) -> None:
    client = CLIENTS[name]
    with server_of(client, at_random(0.2, FAULTS, seed=2)) as server:
        where = [f"results_dir={tmp_path}", "run_name=real", f"llm.base_url={server.url}{client.path}"]
        done = run("run", *JOB, *client.llm, *where)
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "real") == offline(tmp_path / "offline", client.seed)
    assert results(tmp_path / "real") != offline(tmp_path / "other", lambda seed: client.seed(seed) + 1)
    assert server.failed
