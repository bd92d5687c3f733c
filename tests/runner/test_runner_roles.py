"""Keys and prices are looked for of those roles alone whose models a run may ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from runner_helpers import TINY
from watched_bench import SuiteAround, run_bench

from eval.config.load import load_config
from eval.estimates.samples import thinkers
from eval.runs.spending import check_budget
from eval.workbench import Workbench, build_workbench, check_calls
from reasoningbank.errors import SetupError
from reasoningbank.types import ROLES, Role

JOB = ["suite.sites=[shopping]", "limit=4"]
ARMS = {
    "none": (["memory=none"], {"agent"}),
    "none, a judge all the same": (["memory=none", "judge=llm"], {"agent"}),
    "lessons": (["memory=oracle"], {"agent"}),
    "synapse": (["memory=synapse"], {"agent", "judge"}),
    "reasoningbank": (["memory=reasoningbank"], {"agent", "judge", "extractor"}),
    "an oracle": (["memory=reasoningbank", "judge=oracle"], {"agent", "extractor"}),
    "best of two": (["memory=none", "scaling=parallel", "k=2"], {"agent", "selector"}),
    "two": (["memory=none", "scaling=parallel", "k=2", "scaling.select=false"], {"agent"}),
    "two answers": (["memory=awm", "scaling=sequential", "k=2"], {"agent", "refiner", "judge", "extractor"}),
}


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


def bench_of(words: Sequence[str], *, asked: bool) -> Workbench:
    given = [] if any(word.startswith("embedder=") for word in words) else ["embedder=hashing"]
    return build_workbench(load_config([*JOB, *given, *words]), asked=asked)


@pytest.mark.parametrize("arm", ARMS)
def test_a_key_is_missed_where_its_role_is_asked(arm: str) -> None:
    words, roles = ARMS[arm]
    wanted = roles | {"grader"}
    bare = bench_of([*words, "budget.usd=1"], asked=False)
    assert bare.asks == wanted
    claude = load_config([*JOB, "+llm@roles.judge=claude"]).roles["judge"]
    for role in ROLES:
        part = claude if role in wanted else {**claude, "model": "unheard-of"}
        settings = bare.settings.model_copy(update={"roles": {**bare.settings.roles, role: part}})
        if role in wanted:
            with pytest.raises(SetupError, match="set the environment variable ANTHROPIC_API_KEY"):
                build_workbench(settings, asked=True)
        else:
            check_budget(settings, [build_workbench(settings, asked=True)])


def test_the_embedders_key_is_missed_where_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    remote = ["embedder=openai"]
    assert not bench_of([*remote, "memory=none"], asked=True).embeds
    for words in (["memory=synapse"], ["memory=oracle"], ["memory=none", "bank.init_from=a-run"]):
        with pytest.raises(SetupError, match="set the environment variable OPENAI_API_KEY"):
            bench_of([*remote, *words], asked=True)


def test_a_part_that_does_not_say_may_ask_any_role() -> None:
    """Such as the tiny suite's agent."""
    assert build_workbench(load_config([*TINY, "memory=none"]), asked=False).asks == set(ROLES)


CODE = [
    ["suite=swebench_mini"],
    ["suite=swebench_folder", "suite.folder=nowhere"],
    ["suite=swebench", "code.sandbox=docker"],
]


@pytest.mark.parametrize("words", CODE)
def test_no_key_and_no_price_of_a_grader_is_missed_where_tests_evaluate(words: list[str]) -> None:
    line = [*words, "embedder=hashing", "memory=none", "budget.usd=1", "+llm@roles.grader=claude"]
    for model in ("claude-sonnet-4-5", "unheard-of"):
        bench = build_workbench(load_config([*line, f"roles.grader.model={model}"]), asked=False)
        assert bench.asks == {"agent"}
        check_calls(bench)
        check_budget(bench.settings, [bench])
        assert thinkers(bench) == []


class Saying(SuiteAround):
    roles: tuple[Role, ...] = ()


def test_a_suite_says_whether_it_asks_the_grader() -> None:
    bare = bench_of(["memory=none"], asked=False)
    assert bare.asks == {"agent", "grader"}, "it does not say"
    suite = Saying(bare.suite)
    assert replace(bare, suite=suite).asks == {"agent"}
    suite.roles = ("grader",)
    assert replace(bare, suite=suite).asks == {"agent", "grader"}


@pytest.mark.parametrize("arm", ["lessons", "reasoningbank", "best of two", "two answers"])
def test_no_run_asks_a_role_that_is_not_among_them(arm: str, tmp_path: Path) -> None:
    bench = bench_of(ARMS[arm][0], asked=True)
    lines = run_bench(bench, tmp_path / "streams" / "shopping.t0")
    assert {role for line in lines for role in line.result.tokens} == bench.asks - {"grader"}
