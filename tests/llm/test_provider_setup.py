"""Settings of clients that can never work, or change unseen what another says: refused by name before any call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from provider_models import WAYS, Way, ask, each_way, serving

from eval.config.load import load_config
from reasoningbank.embed.gemini import GeminiEmbedder
from reasoningbank.embed.openai import OpenAIEmbedder
from reasoningbank.embed.qwen_server import QwenServerEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.llm.anthropic import Claude
from reasoningbank.llm.gemini import Gemini
from reasoningbank.providers import pool
from reasoningbank.providers.endpoint import checked_url

EMPTY = ("", " ")
OWN: dict[str, Any] = {"top_p": 0.9}


def refused(way: Way, words: str, **settings: Any) -> str:
    with serving(way) as (_, server):
        given = {"model": "m", "base_url": f"{server.url}{way.path}", **way.settings, **settings}
        with pytest.raises(SetupError, match=words) as caught:
            ask(way.model(**given))
        assert not server.requests
    return str(caught.value)


@each_way
@pytest.mark.parametrize("text", EMPTY)
def test_an_empty_text_is_not_null(way: Way, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-for-openai-alone")
    refused(way, r"llm\.base_url has an empty text", base_url=text)
    refused(way, r"llm\.key_env has an empty text", key_env=text)


@pytest.mark.parametrize("text", EMPTY)
def test_nor_for_embedders_and_places(text: str) -> None:
    for made in (OpenAIEmbedder, GeminiEmbedder, QwenServerEmbedder):
        with pytest.raises(SetupError, match=r"embedder\.base_url has an empty text"):
            made(base_url=text)
        with pytest.raises(SetupError, match=r"embedder\.key_env has an empty text"):
            made(key_env=text)
    for llm in (Gemini, Claude):
        for key in ("project", "location"):
            with pytest.raises(SetupError, match=rf"llm\.{key} has an empty text"):
                llm(model="m", vertex=True, **{key: text})  # type: ignore[arg-type]


def test_a_header_whose_setting_cannot_be_read_is_not_told() -> None:
    with pytest.raises(SetupError, match=r"^llm\.extra_headers=\*\*\*: the value cannot be read") as caught:
        load_config(["llm=openai", "llm.extra_headers={a: planted\u00e9}"])
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize("key", ["prompts.pack", "bank.init_from", "llm.replay", "prices", "results_dir", "profile"])
def test_nor_for_a_run(key: str) -> None:
    with pytest.raises(SetupError, match=rf"^{key}( has an empty text|=)"):
        load_config([f"{key}="])


@each_way
def test_what_a_client_sends_is_not_sent_again(way: Way) -> None:
    """Whatever it is: all that was found in a request is tried."""
    with serving(way, **OWN) as (model, server):
        ask(model)
        body = server.requests[0].body
    inner = "generationConfig"
    tried = [{key: value} for key, value in body.items() if key != inner]
    tried += [{inner: {key: value}} for key, value in body.get(inner, {}).items()]
    tried += [{inner: 5}] if inner in body else []
    assert len(tried) >= 4
    for extra in tried:
        name = next(iter(extra))
        refused(
            way,
            rf"llm\.extra_body(\.| has ){name}.*(: write|, which is sent already: leave it out; )",
            extra_body=extra,
            **OWN,
        )
    with serving(way, extra_body={"top_k": 40}) as (model, server):
        ask(model)
        assert server.requests[0].body["top_k"] == 40


@pytest.mark.parametrize(
    "way", [way for way in WAYS if way.name in ("openai", "gemini", "responses")], ids=lambda way: way.name
)
def test_what_a_client_leaves_out_can_be_sent_so(way: Way) -> None:
    extra: dict[str, Any] = {"temperature": 1}
    extra = {"generation_config": extra} if way.name == "gemini" else extra
    with serving(way, send_temperature=False, extra_body=extra) as (model, server):
        ask(model)
        assert '"temperature":1' in server.requests[0].raw.decode().replace(" ", "")
    refused(way, "temperature, which is sent already", extra_body=extra, send_temperature=True)


UNFIT = [
    *({"extra_headers": {"x-gateway": value}} for value in ("planted\u00e9", "planted\U0001f600", "planted\nx: y")),
    *({"extra_headers": {name: "planted"}} for name in ("two words", "\u00e9", "", "a:b")),
    *({"extra_body": {"x": value}} for value in (float("nan"), float("inf"), "\ud800", {1, 2}, [object()])),
    *(
        {"base_url": url}
        for url in ("http://\u00e9\U0001f600/v1", "http://exa mple/v1", "http://h/v 1", "http://h/\u00e9")
    ),
]


@each_way
@pytest.mark.parametrize("settings", UNFIT, ids=range(len(UNFIT)))
def test_what_no_request_can_hold(way: Way, settings: dict[str, Any]) -> None:
    assert "planted" not in refused(way, rf"llm\.{next(iter(settings))}", **settings)


@pytest.mark.parametrize("url", ["http://b\u00fccher.example/v1", "http://[::1]:8000/v1", "https://a_b.c-d/v1/x"])
def test_addresses_that_are(url: str) -> None:
    assert checked_url(url, "llm") == url


@pytest.mark.parametrize("model", ["../../x y", "a..b", "a?key=b", "a b", "a#b", "\u00e9"])
def test_a_name_that_cannot_stand_in_an_address(model: str) -> None:
    with pytest.raises(SetupError, match=r"llm\.model=.* cannot stand in an address"):
        Gemini(model=model)
    with pytest.raises(SetupError, match=r"llm\.model=.* cannot stand in an address"):
        Claude(model=model, vertex=True)
    for key in ("project", "location"):
        with pytest.raises(SetupError, match=rf"llm\.{key}=.* cannot stand in an address"):
            Gemini(model="m", vertex=True, **{key: model})  # type: ignore[arg-type]
    for name in (
        "models/gemini-2.5-flash",
        "projects/p/locations/l/endpoints/1",
        "tunedModels/a-b",
        "claude-x@20250101",
    ):
        assert Gemini(model=name).id == f"gemini:{name}"


@pytest.mark.parametrize("key", ["project", "location"])
def test_a_place_that_nobody_would_be_told(key: str) -> None:
    place: dict[str, Any] = {key: "p"}
    for made in (Gemini, Claude):
        with pytest.raises(SetupError, match=rf"llm\.{key} is for Vertex AI alone: set llm.vertex=true"):
            made(model="m", **place)
        made(model="m", vertex=True, **place)
    with pytest.raises(SetupError, match=rf"embedder\.{key} is for Vertex AI alone"):
        GeminiEmbedder(**place)
    with pytest.raises(SetupError, match=rf"llm\.{key}: the express key"):
        Gemini(model="m", vertex=True, key_env="A_KEY", **place)


PROXIES = ["socks5://me:planted-password@127.0.0.1:1", "foo://me:planted-password@h", "http://exa mple:x"]


@each_way
@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_that_is_none(way: Way, proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert "planted" not in refused(way, "ALL_PROXY names no proxy that can be used")


@each_way
@pytest.mark.parametrize("there", [True, False])
def test_certificates_that_are_none(way: Way, there: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if there:
        (tmp_path / "none.pem").write_text("nothing of the kind")
    why = "" if there else r" \(No such file or directory\)"
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    pool.authorities.cache_clear()
    try:
        refused(way, f"SSL_CERT_FILE.* names no certificates that can be read{why}")
    finally:
        monkeypatch.undo()
        pool.authorities.cache_clear()
