"""Whatever a server repeats of what it was sent, no embedder's error holds a key or a header."""

from __future__ import annotations

import traceback

import pytest
from fakes.base import FakeServer, Fault, always
from remote_makers import WAYS

from reasoningbank.errors import ReasoningBankError

KEY = "planted-key-0001"
HEADER = "planted-header-0002"
ECHO = f"who sent {KEY}, Authorization: Bearer {KEY}, x-goog-api-key: {KEY} or {HEADER} to https://me:{KEY}@host?key={KEY}?"


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
@pytest.mark.parametrize("name", WAYS)
def test_no_error_repeats_what_was_sent(name: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    way = WAYS[name]
    fault = Fault("status", status=status, message=ECHO)
    with FakeServer(way.app(64, lambda body: body), faults=always(fault)) as server:
        embedder = way.make(server.url, key_env="A_KEY", extra_headers={"x-gateway": HEADER})
        with pytest.raises(ReasoningBankError) as raised:
            embedder.embed(["a text"], "query")
        sent = [value for request in server.requests for value in request.headers.values()]
        assert any(KEY in value for value in sent)
        assert HEADER in sent
    said = "".join(traceback.format_exception(raised.value)) + repr(raised.value) + repr(embedder)
    assert KEY not in said
    assert HEADER not in said
