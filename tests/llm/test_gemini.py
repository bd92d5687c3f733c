"""What is sent to Gemini and what is read from it alone: requests by both doors, reasons to stop, blocks, thoughts."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fakes.base import FakeServer, Fault, Faults, Kind, Request, Response, at, plain
from fakes.gemini_server import TOKEN, GeminiApp, service_account
from provider_models import ASK, TEXT, ask, serving

from reasoningbank.errors import InfraError, Outage, RateLimited, SetupError
from reasoningbank.llm.gemini import STOPS, Gemini
from reasoningbank.types import Message, Reply, Usage

COUNTS = Usage(calls=1, input_tokens=100, output_tokens=40, cached_tokens=64, thinking_tokens=30)
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["at-once", "stream"])


@contextmanager
def at_app(app: GeminiApp, faults: Faults = lambda request: None, **settings: Any) -> Iterator[Gemini]:
    with FakeServer(app, faults=faults) as server:
        model = Gemini(**{"model": "fake-model", "base_url": server.url, **settings})
        try:
            yield model
        finally:
            model.close()


class Ends(GeminiApp):
    """Stops for a reason of its own, with the text that it is given."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(lambda asked: Reply(text=text, usage=COUNTS))
        self._reason = reason

    def finish(self, reply: Reply) -> str:
        return self._reason


class Says(GeminiApp):
    """Sends what it is given."""

    def __init__(self, *pieces: dict[str, Any]) -> None:
        super().__init__(lambda asked: plain(TEXT))
        self._said = pieces

    def respond(self, request: Request, given: Reply | None) -> Response:
        from fakes.openai_server import events

        return events(self._said) if "stream" in request.path else Response.json(self._said[-1])


def test_what_a_request_holds() -> None:
    with serving("gemini") as (model, server):
        ask(model, seed=2**63 + 5)
        system, user = ({"role": "user", "parts": [{"text": message.content}]} for message in ASK)
        assert server.requests[0].path == "/v1/models/fake-model:generateContent"
        assert server.requests[0].body == {
            **{"systemInstruction": system, "contents": [user]},
            "generationConfig": {"temperature": 0.7, "seed": 5, "maxOutputTokens": 50},
        }
        other = Gemini(
            model="m",
            base_url=f"{server.url}/",
            send_seed=False,
            send_temperature=False,
            top_p=0.9,
            thinking_budget=0,
            system_as="user",
            extra_body={"generationConfig": {"topK": 40}, "safetySettings": [{"category": "C", "threshold": "OFF"}]},
        )
        other.complete([*ASK, Message(role="assistant", content="Two.")], temperature=0.7, seed=1, max_tokens=50)
        other.close()
        assert server.requests[1].body == {
            "contents": [
                {"role": "user", "parts": [{"text": "You count.\n\nHow many?"}]},
                {"role": "model", "parts": [{"text": "Two."}]},
            ],
            "generationConfig": {
                **{"topP": 0.9, "topK": 40, "maxOutputTokens": 50, "thinkingConfig": {"thinking_budget": 0}},
            },
            "safetySettings": [{"category": "C", "threshold": "OFF"}],
        }


@BOTH
def test_thinking_is_asked_for_by_budget_or_by_level(stream: bool) -> None:
    asked: list[tuple[str, Any, Any]] = [
        *(("thinking_budget", 512, 512), ("thinking_budget", -1, -1), ("thinking_level", "low", "LOW")),
    ]
    for key, value, sent in asked:
        with serving("gemini", stream=stream, **{key: value}) as (model, server):
            ask(model)
            assert server.requests[0].body["generationConfig"]["thinkingConfig"] == {key: sent}
    with pytest.raises(SetupError, match=r"roles.judge.thinking_level are both set"):
        Gemini(model="m", thinking_budget=1, thinking_level="low", where="roles.judge")


def test_a_system_message_alone_is_the_users() -> None:
    with serving("gemini") as (model, server):
        model.complete(ASK[:1], temperature=0.7, seed=1, max_tokens=50)
        assert "systemInstruction" not in server.requests[0].body
        assert server.requests[0].body["contents"] == [{"role": "user", "parts": [{"text": "You count."}]}]


@BOTH
@pytest.mark.parametrize("text", ["", TEXT])
@pytest.mark.parametrize(
    "reason",
    [*STOPS, "OTHER", "MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL", "CONTINUATION"],
)
def test_every_reason_to_stop(reason: str, text: str, stream: bool) -> None:
    with at_app(Ends(reason, text), stream=stream) as model:
        assert ask(model) == Reply(text=text, usage=COUNTS, stop_reason=STOPS.get(reason, "other"))


def test_a_reason_that_nobody_knows_yet() -> None:
    with at_app(Ends("A_NEW_ONE", TEXT)) as model:
        assert ask(model).stop_reason == "other"


@BOTH
@pytest.mark.parametrize("reason", ["SAFETY", "OTHER", "PROHIBITED_CONTENT", "JAILBREAK"])
def test_a_blocked_prompt_is_declined(reason: str, stream: bool) -> None:
    counts = {"promptTokenCount": 7, "totalTokenCount": 7}
    with at_app(Says({"promptFeedback": {"blockReason": reason}, "usageMetadata": counts}), stream=stream) as model:
        assert ask(model) == Reply(text="", usage=Usage(calls=1, input_tokens=7), stop_reason="safety")


@BOTH
@pytest.mark.parametrize("part", [{}, {"content": {}}, {"content": {"role": "model"}}, {"content": {"parts": []}}])
def test_a_candidate_without_content_has_no_text(part: dict[str, Any], stream: bool) -> None:
    with at_app(Says({"candidates": [{"finishReason": "MAX_TOKENS", **part}]}), stream=stream) as model:
        reply = ask(model)
        assert (reply.text, reply.stop_reason) == ("", "length")


@BOTH
def test_thoughts_and_other_parts_are_no_text(stream: bool) -> None:
    parts = [
        {"text": "hm", "thought": True},
        *({"functionCall": {"name": "f", "args": {}}}, {"text": "a"}, {"text": "b", "thoughtSignature": "YQ=="}),
    ]
    with at_app(Says({"candidates": [{"finishReason": "STOP", "content": {"parts": parts}}]}), stream=stream) as model:
        assert ask(model).text == "ab"


def test_thinking_that_is_counted_among_the_candidates_is_not_counted_twice() -> None:
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 8, "thoughtsTokenCount": 5, "totalTokenCount": 18}
    told = {"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "a"}]}}], "usageMetadata": counts}
    with at_app(Says(told)) as model:
        assert ask(model).usage == Usage(calls=1, input_tokens=10, output_tokens=8, thinking_tokens=5)


@BOTH
@pytest.mark.parametrize("told", [{"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}}])
def test_an_error_inside_a_reply_that_began_well(told: dict[str, Any], stream: bool) -> None:
    begun = {"candidates": [{"content": {"parts": [{"text": "The"}]}}]}
    with at_app(Says(begun, told), stream=stream) as model, pytest.raises(RateLimited, match="slow down"):
        ask(model)


def test_a_stream_without_a_reason_to_stop_is_half_a_reply() -> None:
    begun = {"candidates": [{"content": {"parts": [{"text": "The"}]}}]}
    with at_app(Says(begun, begun), stream=True) as model, pytest.raises(InfraError, match="without a reason to stop"):
        ask(model)


@BOTH
def test_googles_own_way_to_ask_for_a_wait(stream: bool) -> None:
    faults = at({1: Fault("status", status=429, message="quota, billing", code="RESOURCE_EXHAUSTED:36.5s")})
    with at_app(GeminiApp(lambda asked: plain(TEXT)), faults, stream=stream) as model:
        with pytest.raises(RateLimited) as caught:
            ask(model)
        assert caught.value.retry_after == 36.5
        assert ask(model).text == TEXT


@pytest.mark.parametrize(
    ("status", "message", "words"),
    [
        (400, "API key not valid. Please pass a valid API key.", "the environment variable A_KEY"),
        (404, "models/x is not found for API version v1beta", "set llm.model"),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed", "agent.page_budget"),
        (400, "Budget 0 is invalid. This model only works in thinking mode.", "set llm.thinking_budget"),
        (400, "Thinking level is not supported for this model.", "set llm.thinking_level"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it", "set llm.system_as=user"),
    ],
)
def test_what_google_says_leads_to_the_key_to_change(
    status: int, message: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "a-key")
    faults = at({1: Fault("status", status=status, message=message)})
    with (
        at_app(GeminiApp(lambda asked: plain(TEXT)), faults, key_env="A_KEY") as model,
        pytest.raises(SetupError, match=words.replace(".", r"\.")),
    ):
        ask(model)


@pytest.mark.parametrize("kind", ["invalid_json", "half", "empty"])
def test_streams_that_fail_leave_their_connection_to_others(kind: Kind) -> None:
    with FakeServer(GeminiApp(lambda asked: plain(TEXT)), faults=lambda request: Fault(kind)) as server:
        model = Gemini(model="m", base_url=server.url, stream=True, max_connections=2, timeout=5.0)
        kept = []
        for _ in range(4):
            with pytest.raises(InfraError, match=r"is no reply|broke off") as caught:
                ask(model)
            kept.append(caught.value)  # with all that its traceback holds
        model.close()


def test_the_key_of_either_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SetupError, match=r"set the environment variable GEMINI_API_KEY \(or GOOGLE_API_KEY\)"):
        ask(Gemini(model="m"))
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):  # with both, the one that Google's own library takes
        monkeypatch.setenv(name, f"value-of-{name}")
        connection = Gemini(model="m").connection
        assert connection.endpoint.key == f"value-of-{name}"
        assert connection.endpoint.variable == name


def test_ids_do_not_tell_by_which_of_googles_doors() -> None:
    assert Gemini(model="gemini-x").id == "gemini:gemini-x"
    assert Gemini(model="gemini-x", vertex=True, project="p", location="europe-west4").id == "gemini:gemini-x"
    assert Gemini(model="gemini-x", base_url="http://big.box:80").id == "gemini:gemini-x@big.box"


@pytest.fixture
def _no_login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path / "none"))
    monkeypatch.setenv("NO_GCE_CHECK", "true")


@pytest.mark.usefixtures("_no_login")
@BOTH
def test_vertex_with_a_login(stream: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A service account's key signs for a token, at a token server of its own, by Google's library."""
    monkeypatch.setenv("GOOGLE_API_KEY", "not-for-vertex")
    with FakeServer(GeminiApp(lambda asked: plain(TEXT))) as server:
        (tmp_path / "account.json").write_text(service_account(f"{server.url}/token"))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
        settings: dict[str, Any] = {"model": "fake-model", "vertex": True, "base_url": server.url, "stream": stream}
        for given, place in (
            ({}, "the-accounts-project/locations/global"),
            ({"project": "mine", "location": "europe-west4"}, "mine/locations/europe-west4"),
        ):
            model = Gemini(**{**settings, **given})
            assert model.check() == f"login, project {place.partition('/')[0]}"
            assert [ask(model).text, ask(model).text] == [TEXT, TEXT]
            token, *calls = server.requests[-3:]
            assert token.path == "/token"
            for call in calls:
                assert call.path.startswith(f"/v1beta1/projects/{place}/publishers/google/models/fake-model:")
                assert call.headers["authorization"] == f"Bearer {TOKEN}"
                assert "not-for-vertex" not in str(call.headers)
            server.next.append(Fault("status", status=500, message=f"what is this {TOKEN}?"))
            with pytest.raises(InfraError, match=r"what is this \*\*\*\?"):
                ask(model)
            model.close()


@pytest.mark.usefixtures("_no_login")
def test_a_token_is_asked_for_once_and_again_when_it_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    app = GeminiApp(lambda asked: plain(TEXT))
    with FakeServer(app) as server:
        (tmp_path / "account.json").write_text(service_account(f"{server.url}/token"))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
        for seconds, tokens in ((3600, 1), (1, 2 * 17)):  # the library asks too, where ours ended at once
            app.token_seconds = seconds
            model = Gemini(model="fake-model", vertex=True, base_url=server.url)
            with ThreadPoolExecutor(16) as pool:
                assert set(pool.map(lambda number, model=model: ask(model, number).text, range(16))) == {TEXT}
            assert ask(model).text == TEXT
            model.close()
            asked = [request for request in server.requests if request.path == "/token"]
            assert 1 <= len(asked) <= tokens
            assert (len(asked) > 1) == (seconds == 1)
            server.requests.clear()


@pytest.mark.usefixtures("_no_login")
def test_a_login_that_is_missing_or_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="gcloud auth application-default login"):
        ask(Gemini(model="m", vertex=True, project="p"))
    file = tmp_path / "account.json"
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    refused = Fault("status", status=400, message="Invalid JWT Signature.", code="invalid_grant")
    with FakeServer(GeminiApp(lambda asked: plain(TEXT)), faults=lambda request: refused) as server:
        file.write_text(service_account(f"{server.url}/token"))
        model = Gemini(model="m", vertex=True, project="p", base_url=server.url)
        with pytest.raises(SetupError, match="does not take the credentials found here: log in by"):
            ask(model)
    with pytest.raises(Outage):
        ask(model)
    model.close()
