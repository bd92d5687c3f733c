"""What servers send that no server should: counts that no call can take, waits without an end, another role's key."""

from __future__ import annotations

import pytest
from fakes.base import Fault, always, plain
from hypothesis import given, settings
from hypothesis import strategies as st
from provider_models import ASK, TEXT, Way, ask, each_way, serving

from reasoningbank.errors import ReasoningBankError
from reasoningbank.llm.counted import counted
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.providers.faults import LONGEST_WAIT, retry_after
from reasoningbank.providers.secrets import holds_key, struck
from reasoningbank.types import Reply, Usage

ECHO = "the key of the other role, {0!r}, went with it: {0}"


@each_way
@pytest.mark.parametrize("tokens", [(10**30, 10**30), (10**9 + 1, 5), (10, 10**30)])
def test_counts_that_no_call_can_take_are_as_if_not_given(way: Way, tokens: tuple[int, int]) -> None:
    with serving(way, answer=lambda asked: plain(TEXT, tokens_in=tokens[0], tokens_out=tokens[1])) as (model, _):
        usage = ask(model).usage
    estimate = counted(ASK, Reply(text=TEXT, usage=Usage(calls=1)), "m").usage
    wanted = [told if told <= 10**9 else guess for told, guess in zip(tokens, (estimate.input_tokens, 10), strict=True)]
    assert [usage.input_tokens, usage.output_tokens] == wanted


def test_a_cache_without_an_input_has_no_figures() -> None:
    """Else more would have been read from it than was sent, and the cost would be below nothing."""
    usage = counted(ASK, Reply(text=TEXT, usage=Usage(calls=1, output_tokens=3, cached_tokens=900)), "m").usage
    assert (usage.cached_tokens, usage.output_tokens) == (0, 3)
    assert usage.input_tokens > 0


YEARS = st.integers(0, 10**6)
DATES = st.builds(
    "{}, {:02} {} {} {}:00:00 {}".format,
    st.sampled_from(["Mon", "Xyz"]),
    st.integers(0, 40),
    st.sampled_from(["Nov", "Foo"]),
    YEARS | st.integers(10**20, 10**40),
    st.integers(0, 30),
    st.sampled_from(["GMT", "-0000", "+99999999999999999999", "-9999", "+2359"]) | st.text(max_size=8),
)


@settings(deadline=None, max_examples=60)
@given(DATES | st.floats().map(str) | st.text(), DATES | st.none(), st.sampled_from(["retry-after", "retry-after-ms"]))
def test_whatever_is_asked_to_be_waited_is_a_time_or_none(asked: str, date: str | None, name: str) -> None:
    wait = retry_after({name: asked, **({} if date is None else {"date": date})})
    assert wait is None or 0 <= wait <= LONGEST_WAIT


@pytest.mark.parametrize("asked", ["1e308", "Mon, 30 Nov 99999999999999999999 06:00:00 GMT", "9" * 300])
def test_a_wait_without_an_end_is_no_wall_of_digits(asked: str) -> None:
    wait = retry_after({"retry-after": asked})
    assert len(f"{wait:,.0f}" if wait is not None else "") < 12
    body = {"error": {"details": [{"retryDelay": f"{'9' * 300}s"}]}}
    assert retry_after({}, body) == LONGEST_WAIT


@each_way
def test_no_role_tells_the_key_of_another(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their variables are named: one gateway may serve them all, and repeat any of them."""
    planted = "planted-login-0005"
    monkeypatch.setenv("OWN_LOGIN", "own-login-0001")
    monkeypatch.setenv("OTHER_LOGIN", planted)
    other = OpenAIChat(model="m", base_url="http://localhost:1/v1", key_env="OTHER_LOGIN", where="roles.judge")
    fault = Fault("status", status=400, message=ECHO.format(planted))
    with (
        serving(way, faults=always(fault), key_env="OWN_LOGIN") as (model, _),
        pytest.raises(ReasoningBankError, match="the key of the other role") as raised,
    ):
        ask(model)
    assert planted not in str(raised.value)
    assert planted not in struck(f"anywhere, {planted} is struck out")
    other.close()


@each_way
def test_no_reply_keeps_a_key(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway may write it into one; what is recorded and shown is the reply as it is used."""
    for name, value in (
        ("A_KEY", "planted-key-000000001"),
        ("OTHER_KEY", "planted-other-00000001"),
        ("B_KEY", "anything"),
    ):
        monkeypatch.setenv(name, value)
        holds_key(name)
    said = "you sent planted-key-000000001, and before it planted-other-00000001; anything else?"
    with serving(way, answer=lambda asked: plain(said), key_env="A_KEY") as (model, _):
        assert ask(model).text == "you sent ***, and before it ***; anything else?"


@each_way
@pytest.mark.parametrize("key", ["e", "key"])
def test_a_key_of_a_letter_spoils_no_message(way: Way, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", key)
    fault = Fault("status", status=400, message="there is no key of the other role")
    with (
        serving(way, faults=always(fault), key_env="A_KEY") as (model, _),
        pytest.raises(ReasoningBankError, match="there is no key of the other role"),
    ):
        ask(model)


@given(before=st.sampled_from(["", " ", "'", "x: "]), after=st.sampled_from(["", " ", "'", ","]))
def test_a_short_secret_is_struck_out_where_it_is_a_word(before: str, after: str) -> None:
    assert struck(f"{before}open{after}", ("open",)) == f"{before}***{after}"
    assert struck("opened, reopen", ("open",)) == "opened, reopen"
