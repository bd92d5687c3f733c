"""Scaling: attempts that really overlap, results by index, and best-of-N in seeded random order."""

from __future__ import annotations

import inspect
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from attempt_makers import make_attempt, make_scopes
from waiting import HANG

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import AnswerCheck, ScalingStrategy
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.matts.parallel import Parallel
from reasoningbank.matts.select import select_best
from reasoningbank.matts.sequential import Sequential
from reasoningbank.matts.single import Single
from reasoningbank.memory.base import Learning
from reasoningbank.prompts import PromptPack
from reasoningbank.types import JudgedAttempt, Message, Selection

PACK = PromptPack()
CONFIGS = Path(__file__).parents[2] / "configs"


def parallel(k: int, *, select: bool = True) -> Parallel:
    return Parallel(prompts=PACK, k=k, select=select)


def rolled_out(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
    return make_attempt(index)


def prefer(index: int) -> ScriptedLLM:
    """A selector that recognises attempt `index` wherever it is shown."""

    def script(messages: Sequence[Message], temperature: float, seed: int) -> str:
        candidates = messages[-1].content.split("# Candidate ")[1:]
        (number,) = [n for n, text in enumerate(candidates, start=1) if f"of attempt {index}." in text]
        return json.dumps({"index": [number], "analysis": "It has the answer."})

    return ScriptedLLM(script)


@pytest.mark.parametrize(("name", "kind"), [("single", Single), ("parallel", Parallel), ("sequential", Sequential)])
def test_every_strategy_fits_the_protocol_and_its_yaml(name: str, kind: type) -> None:
    keys = yaml.safe_load((CONFIGS / "scaling" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert keys.pop("type") == name
    learning = {key: keys.pop(key) for key in Learning.model_fields}
    assert learning == dict(Learning())
    parameters = inspect.signature(kind).parameters
    given = {"prompts": PACK, "k": 1}
    strategy = kind(**keys, **{key: value for key, value in given.items() if key in parameters})
    assert isinstance(strategy, ScalingStrategy)
    assert keys == {key: parameters[key].default for key in parameters if key not in given}


def test_all_k_attempts_run_at_the_same_time() -> None:
    barrier = threading.Barrier(5, timeout=HANG)

    def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
        barrier.wait()  # raises unless all five are here at once
        return make_attempt(index)

    assert [attempt.index for attempt in parallel(5).run(rollout)] == [0, 1, 2, 3, 4]


def test_delays_do_not_change_the_result() -> None:
    def run(seed: int) -> tuple[JudgedAttempt, ...]:
        delays = random.Random(seed).sample(range(8), 8)

        def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
            time.sleep(delays[index] / 200)
            return make_attempt(index)

        return parallel(8).run(rollout)

    assert run(1) == run(2) == run(3) == tuple(make_attempt(index) for index in range(8))


def test_a_failure_is_raised_after_all_have_ended() -> None:
    ended: list[int] = []

    def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
        if index in (1, 3):
            raise InfraError(f"attempt {index}")
        time.sleep(0.05)
        ended.append(index)
        return make_attempt(index)

    with pytest.raises(InfraError, match="attempt 1"):
        parallel(4).run(rollout)
    assert sorted(ended) == [0, 2]


def test_an_unexpected_error_in_a_thread_is_not_lost() -> None:
    def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
        raise KeyError(index)

    with pytest.raises(KeyError):
        parallel(2).run(rollout)


def test_single() -> None:
    strategy = Single()
    assert strategy.run(rolled_out) == (make_attempt(0),)
    assert strategy.select([make_attempt(0)], make_scopes(ScriptedLLM([]))(None), seed=0) == Selection()
    assert (strategy.k, strategy.success_metric) == (1, "pass_at_1")


def test_bad_k_is_refused() -> None:
    with pytest.raises(SetupError, match="scaling=parallel"):
        Single(k=5)
    with pytest.raises(SetupError, match="k=0"):
        parallel(0)
    with pytest.raises(SetupError, match="at most 1000"):
        parallel(10**9)


def test_the_metric_follows_the_selection() -> None:
    assert parallel(3).success_metric == "best_of_n"
    assert parallel(3, select=False).success_metric == "pass_at_1"
    calls = make_scopes(ScriptedLLM([]))(None)
    assert parallel(3, select=False).select([make_attempt(0)], calls, seed=0) == Selection()


@pytest.mark.parametrize("index", [0, 1, 2, 4])
def test_the_selected_number_is_mapped_back_whatever_the_order(index: int) -> None:
    attempts = [make_attempt(number) for number in (0, 1, 2, 4)]
    for seed in range(20):
        selection = parallel(4).select(attempts, make_scopes(prefer(index))(None), seed=seed)
        assert selection == Selection(index=index)


def test_candidates_are_shown_in_seeded_random_order_without_verdicts() -> None:
    attempts = [make_attempt(0), make_attempt(1, "failure"), make_attempt(2, "unparseable")]
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(60):
        llm = prefer(0)
        parallel(3).select(attempts, make_scopes(llm)(None), seed=seed)
        text = llm.requests[0][-1].content
        orders[tuple(sorted(range(3), key=lambda index: text.index(f"of attempt {index}.")))] += 1
        assert "Reason" not in text
        assert "failure" not in text
        again = prefer(0)
        parallel(3).select(list(reversed(attempts)), make_scopes(again)(None), seed=seed)
        assert again.requests == llm.requests
    assert len(orders) == 6


def test_an_unreadable_selection_is_asked_for_again_then_the_first_shown_is_taken() -> None:
    attempts = [make_attempt(index) for index in range(3)]
    chosen = set()
    for seed in range(30):
        llm = ScriptedLLM(["Candidate 2 is best."] * 3)
        scope = make_scopes(llm)(None)
        selection = parallel(3).select(attempts, scope, seed=seed)
        assert selection.by_lot
        first = llm.requests[0][-1].content.split("# Candidate 1\n")[1]
        assert f"of attempt {selection.index}." in first.split("# Candidate 2")[0]
        assert [one.role for one in scope.refused] == ["selector"] * 3
        chosen.add(selection.index)
    assert chosen == {0, 1, 2}  # the fallback favours no attempt


def test_a_reply_that_can_be_read_at_last_leaves_nothing_to_chance() -> None:
    llm = ScriptedLLM(["what?", '{"index": [1]}'])
    attempts = [make_attempt(0), make_attempt(1)]
    scope = make_scopes(llm)(None)
    selection = select_best(attempts, scope, prompts=PACK, seed=0, tries=3, trajectory_chars=10_000)
    assert not selection.by_lot
    assert len(scope.refused) == 1


def test_no_question_without_a_choice() -> None:
    calls = make_scopes(ScriptedLLM([]))(None)
    attempts = [make_attempt(0, None, exit="infra_error"), make_attempt(1)]
    assert parallel(2).select(attempts, calls, seed=0) == Selection(index=1)
    assert parallel(2).select(attempts[:1], calls, seed=0) == Selection()


def test_many_long_candidates_share_the_budget() -> None:
    llm = ScriptedLLM(['{"index": [3]}'])
    attempts = [make_attempt(index, steps=200) for index in range(5)]
    select_best(attempts, make_scopes(llm)(None), prompts=PACK, seed=0, tries=1, trajectory_chars=10_000)
    text = llm.requests[0][-1].content
    assert len(text) < 11_000
    assert text.count("## Step 200\n") == 5


def test_more_threads_than_cores_end() -> None:
    assert len(parallel(64).run(rolled_out)) == 64


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads its own size from /proc")
def test_want_of_threads_is_an_infra_error_and_loses_no_running_attempt() -> None:
    """In a process of its own, since the limit holds for all of it."""
    script = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from attempt_makers import make_attempt
from reasoningbank.errors import InfraError
from reasoningbank.matts.parallel import Parallel
from reasoningbank.prompts import PromptPack
import threading
threading.stack_size(64 * 2**20)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 400 * 2**20,) * 2)
ended = []
gate = threading.Event()
join = threading.Thread.join
def joined(thread, *args):  # all are started, or refused: only then may one end and make room
    gate.set()
    join(thread, *args)
threading.Thread.join = joined
def rollout(index):
    gate.wait()
    ended.append(index)
    return make_attempt(index)
try:
    Parallel(prompts=PromptPack(), k=30).run(rollout)
except InfraError as error:
    print(len(ended), error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(Path(__file__).parents[1])],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
        cwd=CONFIGS.parent,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    assert "no thread for attempt" in done.stdout, (done.stdout, done.stderr)
    assert int(done.stdout.split()[0]) >= 1
