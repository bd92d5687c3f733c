"""What providers share: how long to wait, what of a server's words may be repeated, which seed is sent."""

from __future__ import annotations

from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.errors import InfraError, RateLimited, SetupError
from reasoningbank.providers.endpoint import Endpoint, imported, wire_seed
from reasoningbank.providers.faults import body_error, detail_of, retry_after, status_error, typed_error
from reasoningbank.providers.secrets import scrub

PLACE = Endpoint.of(where="roles.judge", model="m", url="http://host/v1", key_env="A_KEY")
DATE = "Mon, 01 Jan 2024 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({}, None, None),
        ({"retry-after": "7"}, None, 7.0),
        ({"retry-after": "0.5"}, None, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, None, 0.25),
        ({"retry-after": "Mon, 01 Jan 2024 10:00:30 GMT", "date": DATE}, None, 30.0),
        ({"retry-after": "Mon, 01 Jan 2024 09:00:00 GMT", "date": DATE}, None, 0.0),
        ({"retry-after": "-3"}, None, 0.0),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "inf"}, None, None),
        ({}, {"error": {"details": [{"@type": "google.rpc.RetryInfo", "retryDelay": "36s"}]}}, 36.0),
    ],
)
def test_how_long_a_provider_asks_to_wait(headers: dict[str, str], body: object, seconds: float | None) -> None:
    assert retry_after(headers, body) == seconds


def test_a_date_without_the_servers_own_is_taken_by_the_clock_here() -> None:
    from datetime import UTC, datetime, timedelta

    later = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    found = retry_after({"retry-after": later})
    assert found is not None
    assert 7000 < found <= 7200


@given(st.text(), st.text())
def test_any_header_is_a_number_of_seconds_or_nothing(after: str, date: str) -> None:
    found = retry_after({"retry-after": after, "date": date})
    assert found is None or 0.0 <= found < float("inf")


@given(
    st.integers(400, 599),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda x: (
            st.lists(x) | st.dictionaries(st.sampled_from(["error", "message", "code", "param", "status", "type"]), x)
        ),
    ),
)
def test_any_error_reply_is_one_of_ours(status: int, body: object) -> None:
    error = status_error(PLACE, status, body, {})
    assert isinstance(error, (InfraError, SetupError))
    assert str(status) in str(error)
    assert "\n" not in str(error)
    assert "roles.judge" in str(error)
    assert isinstance(body_error(PLACE, body), (InfraError, SetupError))


SECRETS = [
    *("Incorrect API key provided: sk-proj-abcdefghijklmnop", "Authorization: Bearer abc.def-ghi", "api_key=abcdef"),
    *("x-api-key: abcdef", "https://user:pa55word@host/v1", "https://host/v1?key=AIzaSyabcdefghijk&x=1"),
    *('{"password": "abcdef"}', "AIzaSyD-abcdefghijklmnop_q", "hf_abcdefghijklmnop", "Basic dXNlcjpwYXNz"),
]


@pytest.mark.parametrize("text", SECRETS)
def test_what_looks_like_a_secret_is_struck_out(text: str) -> None:
    found = scrub(f"the server says {text} and goes on")
    assert "***" in found
    for secret in ("abcdef", "abc.def", "pa55word", "dXNlc"):
        assert secret not in found
    assert found.endswith("and goes on") or "x=1" in text


def test_the_key_itself_is_struck_out_wherever_a_server_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "plainword")
    body = {"error": {"message": "what is this plainword you sent? plainword!"}}
    for error in (
        *(status_error(PLACE, status, body, {}) for status in (400, 401, 403, 404, 429, 500)),
        *(typed_error(PLACE, ValueError("plainword")), body_error(PLACE, body)),
    ):
        assert "plainword" not in str(error)
        assert "plainword" not in repr(error)
    assert "plainword" not in repr(PLACE)


def test_words_of_a_server_are_cut() -> None:
    assert len(str(status_error(PLACE, 500, {"error": {"message": "long " * 1000}}))) < 600


@given(st.integers(0, 2**64 - 1))
def test_seeds_on_the_wire_are_31_bits(seed: int) -> None:
    assert 0 <= wire_seed(seed) < 2**31
    assert wire_seed(wire_seed(seed)) == wire_seed(seed)


def test_a_rate_limit_that_speaks_of_billing_is_still_one() -> None:
    """One provider says so in every rate limit."""
    body = {
        "error": {
            "code": 429,
            "message": "You exceeded your quota, check your plan and billing details",
            "status": "RESOURCE_EXHAUSTED",
        }
    }
    assert isinstance(status_error(PLACE, 429, body), RateLimited)
    assert detail_of(body).code == "429 RESOURCE_EXHAUSTED"


def test_a_bad_key_told_by_status_400_names_the_variable() -> None:
    body = [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}]
    error = status_error(PLACE, 400, body)
    assert isinstance(error, SetupError)
    assert "A_KEY" in str(error)


def test_a_library_that_is_missing_is_named_with_what_installs_it() -> None:
    with pytest.raises(SetupError, match=r'no_such_library is not installed: pip install "reasoningbank\[thing\]"'):
        imported("no_such_library", "thing")
    with pytest.raises(SetupError, match=r"no_such_library is not installed: pip install no_such_library"):
        imported("no_such_library", None)
