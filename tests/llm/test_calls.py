"""Call scopes: seeds by call number, retries, room for replies that thinking ate, the account of tokens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest
from attempt_makers import make_scopes

from reasoningbank.boundary import capture
from reasoningbank.errors import BudgetSpent, InfraError, SetupError, UnusableReply
from reasoningbank.interfaces import Calls
from reasoningbank.llm.budget import Budget, Ledger
from reasoningbank.llm.calls import DEFAULT_SETTINGS, CallScope, EpisodeScopes, ScopeKey
from reasoningbank.llm.limits import Limiter, Limits
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Reply, Role, Usage, derive_seed

ASK = (Message(role="user", content="How many?"),)


class Recorder:
    """A model that answers with what `reply` makes, and keeps how it was called."""

    id = "recorder"
    simulated = True

    def __init__(self, reply: Callable[[int], Reply | Exception]) -> None:
        self.calls: list[tuple[float, int, int]] = []
        self._reply = reply
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        with self._lock:
            self.calls.append((temperature, seed, max_tokens))
            reply = self._reply(len(self.calls))
        if isinstance(reply, Exception):
            raise reply
        return reply


def reply(text: str = "three", stop: str = "stop", tokens: int = 2) -> Reply:
    return Reply.model_validate(
        {"text": text, "stop_reason": stop, "usage": {"input_tokens": 10, "output_tokens": tokens}}
    )


def test_a_scope_is_calls() -> None:
    assert isinstance(make_scopes(ScriptedLLM([]))(0), Calls)


def test_seeds_come_from_what_identifies_the_call() -> None:
    llm = Recorder(lambda number: reply())
    scopes = make_scopes(llm)
    for index in (0, 1, None):
        for role in ("agent", "agent", "judge"):
            scopes(index).ask(role, ASK)
    expected = [
        derive_seed(0, 0, "any", 0, "7", attempt, role, number)
        for attempt in (0, 1, -1)
        for role, number in (("agent", 0), ("agent", 1), ("judge", 0))
    ]
    assert [seed for _, seed, _ in llm.calls] == expected
    assert len(set(expected)) == len(expected)


def test_the_number_of_one_role_does_not_move_another() -> None:
    """A judge asked after many steps gets the seed that it gets after few: arms stay paired."""
    llm = Recorder(lambda number: reply())
    busy, idle = make_scopes(llm)(0), make_scopes(llm)(0)
    for _ in range(5):
        busy.ask("agent", ASK)
    busy.ask("judge", ASK)
    idle.ask("judge", ASK)
    assert llm.calls[-1] == llm.calls[-2]


def test_temperatures_of_the_roles() -> None:
    llm = Recorder(lambda number: reply())
    scope = make_scopes(llm)(0)
    roles: tuple[Role, ...] = ("agent", "judge", "extractor", "selector", "refiner", "grader")
    for role in roles:
        scope.ask(role, ASK)
    assert [temperature for temperature, _, _ in llm.calls] == [0.7, 0.0, 1.0, 0.0, 0.7, 0.0]
    assert {role: settings.temperature for role, settings in DEFAULT_SETTINGS.items()}["extractor"] == 1.0


def test_an_infra_error_is_tried_again_with_the_same_seed() -> None:
    waits: list[float] = []
    llm = Recorder(lambda number: InfraError("reset by peer") if number < 3 else reply())
    scope = make_scopes(llm, sleep=waits.append)(0)
    assert scope.ask("agent", ASK).text == "three"
    assert len({seed for _, seed, _ in llm.calls}) == 1
    assert scope.retries == len(waits) == 2
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0
    assert scope.usage == {"agent": Usage(calls=1, input_tokens=10, output_tokens=2)}
    scope.ask("agent", ASK)
    assert llm.calls[-1][1] == derive_seed(0, 0, "any", 0, "7", 0, "agent", 1)


def test_retries_end_with_the_last_error() -> None:
    llm = Recorder(lambda number: InfraError(f"failure {number}"))
    scope = make_scopes(llm, retry=RetryPolicy(attempts=3))(0)
    with pytest.raises(InfraError, match="failure 3"):
        scope.ask("agent", ASK)
    assert len(llm.calls) == 3
    assert scope.usage == {}


def test_what_the_user_must_mend_is_not_tried_again() -> None:
    llm = Recorder(lambda number: SetupError("no such model"))
    with pytest.raises(SetupError, match="no such model"):
        make_scopes(llm)(0).ask("agent", ASK)
    assert len(llm.calls) == 1


@pytest.mark.parametrize("error", [KeyError("choices"), ValueError("no JSON"), TimeoutError(), UnusableReply("x", "y")])
@pytest.mark.parametrize("role", ["agent", "judge", "extractor"])
def test_whatever_a_client_raises_is_the_fault_of_the_model(error: Exception, role: Role) -> None:
    llm = Recorder(lambda number: error)
    with pytest.raises(InfraError, match=f"model: {type(error).__name__}") as caught:
        make_scopes(llm, retry=RetryPolicy(attempts=2))(0).ask(role, ASK)
    assert caught.value.__cause__ is error
    assert len(llm.calls) == 2


def test_a_reply_that_thinking_ate_is_asked_for_with_more_room() -> None:
    llm = Recorder(lambda number: reply("", "length", tokens=100) if number < 3 else reply())
    scope = make_scopes(llm)(0)
    assert scope.ask("judge", ASK).text == "three"
    room = DEFAULT_SETTINGS["judge"].max_tokens
    assert [max_tokens for _, _, max_tokens in llm.calls] == [room, 2 * room, 4 * room]
    assert scope.failed == Usage(calls=2, input_tokens=20, output_tokens=200)
    assert scope.usage["judge"].calls == 1


@pytest.mark.parametrize("stop", ["stop", "length", "other"])
@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_reply_is_never_an_answer(text: str, stop: str) -> None:
    llm = Recorder(lambda number: reply(text, stop))
    scope = make_scopes(llm, retry=RetryPolicy(attempts=6))(0)
    with pytest.raises(InfraError, match=f"no text.*{stop}.*max_tokens"):
        scope.ask("agent", ASK)
    assert scope.failed.calls == 6
    assert max(max_tokens for _, _, max_tokens in llm.calls) <= 8 * DEFAULT_SETTINGS["agent"].max_tokens


def test_a_model_that_declines_is_not_asked_again() -> None:
    llm = Recorder(lambda number: reply("", "safety"))
    scope = make_scopes(llm)(0)
    with pytest.raises(UnusableReply, match="declined"):
        scope.ask("extractor", ASK)
    assert len(llm.calls) == 1
    assert scope.usage["extractor"].input_tokens == 10


def test_a_reply_cut_off_in_the_middle_says_so() -> None:
    scope = make_scopes(Recorder(lambda number: reply("thr", "length")))(0)
    assert scope.ask("agent", ASK).stop_reason == "length"


def test_a_role_without_a_model_is_a_setup_error() -> None:
    with pytest.raises(SetupError, match="judge"):
        make_scopes({"agent": ScriptedLLM(["x"])})(0).ask("judge", ASK)


def test_threads_share_one_scope_without_losing_a_call() -> None:
    llm = Recorder(lambda number: reply())
    scope = make_scopes(llm)(0)
    threads = [threading.Thread(target=lambda: [scope.ask("agent", ASK) for _ in range(25)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scope.usage["agent"] == Usage(calls=200, input_tokens=2000, output_tokens=400)
    assert len({seed for _, seed, _ in llm.calls}) == 200


def test_the_scopes_of_an_episode_are_kept_and_listed_in_order() -> None:
    scopes = make_scopes(ScriptedLLM([]))
    wanted = [scopes(2), scopes(None), scopes(0)]
    assert scopes(2) is wanted[0]
    assert [scope.key.attempt for scope in scopes.all()] == [-1, 0, 2]


def test_no_wait_exceeds_the_cap_and_jitter_is_repeatable() -> None:
    def waits() -> list[float]:
        taken: list[float] = []
        key = ScopeKey(seed=3, trial=0, suite="any", suite_seed=0, task="1", attempt=0)
        llm = Recorder(lambda number: InfraError("down"))
        policy = RetryPolicy(attempts=12, first_wait=0.5, longest_wait=4)
        scope = CallScope(llms={"agent": llm}, key=key, transport=Transport(retry=policy, sleep=taken.append))
        with pytest.raises(InfraError):
            scope.ask("agent", ASK)
        return taken

    first = waits()
    assert first == waits()
    assert len(first) == 11
    assert max(first) <= 4
    assert len(set(first)) == 11


def test_more_room_than_a_model_has_ends_no_command() -> None:
    most = 2 * DEFAULT_SETTINGS["agent"].max_tokens

    def answer(number: int) -> Reply | Exception:
        if llm.calls[-1][2] > most:
            return SetupError("400: max_tokens is too large")
        return reply("", "length") if number < 5 else reply()

    llm = Recorder(answer)
    assert make_scopes(llm, retry=RetryPolicy(attempts=9))(0).ask("agent", ASK).text == "three"
    assert [room for _, _, room in llm.calls] == [most // 2, most, 2 * most, most, most]
    refused = Recorder(lambda number: SetupError("400: max_tokens is too large"))
    with pytest.raises(SetupError):
        make_scopes(refused)(0).ask("agent", ASK)


def test_calls_that_waited_for_their_turn_find_the_budget_spent() -> None:
    ledger = Ledger([0.0, 0.0], 0)
    transport = Transport(budget=Budget(ledger=ledger, tokens=20), limiters={"agent": Limiter(Limits(in_flight=1))})
    llm = Recorder(lambda number: reply(tokens=5))
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task="1", attempt=0)
    scopes = EpisodeScopes(llms={"agent": llm}, key=key, transport=transport)
    ends: list[BaseException | None] = []

    def ask(index: int) -> None:
        ends.append(capture(lambda: scopes(index).ask("agent", ASK)).error)

    threads = [threading.Thread(target=ask, args=(index,)) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    paid = [error for error in ends if error is None]
    assert all(isinstance(error, BudgetSpent) for error in ends if error is not None)
    assert len(paid) == len(llm.calls) == 2
    assert ledger.tokens == 30
