"""Whatever a server repeats of what it was sent, no client's error holds a key, a header or a secret of the body."""

from __future__ import annotations

import traceback
from typing import Any

import pytest
from fakes.base import Fault, always
from provider_models import Way, ask, each_way, serving

from reasoningbank.errors import ReasoningBankError

KEY = "planted-key-0001"
HEADER = "planted-header-0002"
BODY = "planted-body-0003"
OTHER = "planted-other-0004"
ECHO = (
    f"who sent {KEY}? Authorization: Bearer {KEY}; x-goog-api-key: {KEY}, x-gateway: {HEADER}; it said "
    f'{{"api_key": "{BODY}", "user": "{OTHER}"}}, or in other words {HEADER} {BODY} {OTHER}, at https://me:{KEY}@host?key={KEY}'
)
FAULTS = {
    **{str(status): Fault("status", status=status, message=ECHO, code=BODY) for status in (400, 401, 429, 500)},
    "404": Fault("status", status=404, message=f"no such model, {ECHO}", code="model_not_found"),
    "half": Fault("half"),
}


@each_way
@pytest.mark.parametrize("fault", FAULTS)
def test_no_error_repeats_what_was_sent(way: Way, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    monkeypatch.setenv("SOME_OTHER_TOKEN", OTHER)
    settings: dict[str, Any] = {"extra_headers": {"x-gateway": HEADER}, "extra_body": {"api_key": BODY, "user": OTHER}}
    with serving(way, faults=always(FAULTS[fault]), key_env="A_KEY", **settings) as (model, server):
        with pytest.raises(ReasoningBankError) as raised:
            ask(model)
        sent = [value for request in server.requests for value in request.headers.values()]
        assert any(KEY in value for value in sent)
        assert HEADER in sent
    said = (
        "".join(traceback.format_exception(raised.value)) + repr(raised.value) + repr(model) + repr(vars(raised.value))
    )
    for secret in (KEY, HEADER, BODY, OTHER):
        assert secret not in said


@each_way
def test_no_list_of_models_repeats_it_either(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    with serving(way, key_env="A_KEY", extra_headers={"x-gateway": HEADER}) as (model, server):
        server.get_fault = Fault("status", status=401, message=ECHO)
        with pytest.raises(ReasoningBankError) as raised:
            model.models()
    said = "".join(traceback.format_exception(raised.value))
    assert KEY not in said
    assert HEADER not in said
