"""How calls travel: which roles share a limiter, what workers share, and that no result depends on any of it."""

from __future__ import annotations

import pytest
from runner_helpers import TINY

from eval.config.load import load_config
from eval.runner import worker_count
from eval.runs.identity import identity
from eval.transport import Limiters
from eval.workbench import Shared, Workbench, build_workbench
from reasoningbank.errors import SetupError
from reasoningbank.llm.limits import Limiter
from reasoningbank.types import Role

REAL = ["llm=openai", "llm.model=m", "llm.base_url=http://localhost:9/v1"]


def bench(*argv: str, kept: Shared | None = None) -> Workbench:
    return build_workbench(load_config([*TINY, *argv]), kept, asked=False)


def limiter(made: Workbench, role: Role) -> Limiter | None:
    return made.transport.limiters.get(role)


def test_roles_at_one_provider_share_what_it_allows() -> None:
    made = bench(*REAL, "llm.in_flight=4", "+llm@roles.judge=openai_responses", "roles.judge.base_url=" + REAL[2][13:])
    assert limiter(made, "agent") is not None
    assert len({id(each) for each in made.transport.limiters.values()}) == 1


def test_another_provider_and_limits_of_its_own_have_their_own() -> None:
    other = bench(*REAL, "+llm@roles.judge=openai")
    assert limiter(other, "judge") is not limiter(other, "agent")
    vertex = bench(
        "llm=gemini_flash", "+llm@roles.judge=gemini_flash", "roles.judge.vertex=true", "roles.judge.project=p"
    )
    assert limiter(vertex, "judge") is not limiter(vertex, "agent")
    assert limiter(vertex, "extractor") is limiter(vertex, "agent")
    own = bench(*REAL, "+llm@roles.judge=openai", "roles.judge.base_url=" + REAL[2][13:], "+roles.judge.in_flight=2")
    assert limiter(own, "judge") is not limiter(own, "agent")
    assert own.settings.limits("judge").in_flight == 2
    assert own.settings.limits("agent").in_flight is None
    assert own.settings.client("judge").keys() == own.settings.client("agent").keys()


def test_the_runs_of_a_sweep_share_it_too() -> None:
    kept = Shared()
    assert limiter(bench(*REAL, "seed=1", kept=kept), "agent") is limiter(bench(*REAL, "seed=2", kept=kept), "agent")


def test_a_simulated_model_is_limited_only_where_that_is_asked_for() -> None:
    assert not bench().transport.limiters
    assert limiter(bench("llm.in_flight=2"), "agent") is not None


@pytest.mark.parametrize(
    ("limits", "expected"), [([], 6), (["llm.in_flight=2"], 2), (["llm.requests_per_minute=3"], 3)]
)
def test_no_more_processes_than_limits_can_be_divided_among(limits: list[str], expected: int) -> None:
    assert worker_count(load_config([*TINY, "concurrency.workers=6", *limits]), 9) == expected


def test_each_worker_has_its_share() -> None:
    shares = [
        limiter(bench("llm.in_flight=5", kept=Shared(limiters=Limiters(number, 3))), "agent") for number in range(3)
    ]
    assert [share._most for share in shares if share is not None] == [2, 2, 1]


CHANGES = [
    *("llm.tries=2", "llm.give_up_after=1", "llm.outage_wait=1", "llm.requests_per_minute=9", "llm.in_flight=3"),
    *("llm.tokens_per_minute=9000", "budget.usd=1", "budget.tokens=9"),
]


def test_no_result_depends_on_it() -> None:
    before = identity(bench())
    for change in CHANGES:
        assert identity(bench(change)) == before, change


@pytest.mark.parametrize(
    "given",
    [
        *("llm.tries=0", "llm.outage_wait=-1", "llm.give_up_after=soon", "llm.requests_per_minute=0.5"),
        *("llm.in_flight=true", "llm.tokens_per_minute=-3", "budget.usd=0", "budget.usd=-1", "budget.tokens=1.5"),
        *("budget.tokens=many", "budget.usd=.inf"),
    ],
)
def test_a_value_that_is_none_is_told_with_its_key(given: str) -> None:
    with pytest.raises(SetupError, match=given.partition("=")[0].replace(".", r"\.")):
        load_config([*TINY, given])
