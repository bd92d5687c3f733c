"""A secret typed where it does not belong is in no line that the commands print; what a line advises then works."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.build import build_llms
from eval.config.load import load_config
from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import typed_secrets

X = "Zz8PlantedCmdSecret"
MAPPED = ("llm.timeout", "suite.sites", "agent.max_steps", "memory.max_items", "llm", "roles", "no_such_key")
TYPED = [
    *([f"{key}={{token: {X}}}"] for key in MAPPED),
    *([f"{key}=[{{a: b, password: {X}}}]"] for key in ("llm.timeout", "llm.extra_body")),
    ["llm.extra_headers={x-gw: a}", f"llm.extra_headers=[{X}]"],
    ["llm.extra_headers={x-gw: a}", f"llm.extra_headers={{b: {X}}}"],
    ["llm.extra_body={a: 1}", f"llm.extra_body={{api_key: {X}}}"],
    *([f"llm.extra_headers{value}"] for value in (f"={X}", f"=[{X}]", f".authorization={X}", f"={{a: Bearer {X}=}}")),
    *([word] for word in (f"--api-key={X}", f"--api-key {X}", f"-k={X}", f"--config-dir=https://u:{X}@h/")),
    *([word] for word in (f"api_key={X}", f"+api_key={X}", f"api_key:{X}", f"api_key {X}", f'"api_key {X}"')),
    *([f"llm.key_env={X}"], ["-m", f"llm.key_env={X},{X}"], ["-m", f"llm.timeout={{token: {X}}},{{token: {X}}}"]),
]


@pytest.mark.parametrize("words", TYPED, ids=[" ".join(words).replace(X, "X") for words in TYPED])
def test_no_line_repeats_it(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", {**os.environ, "OPENAI_API_KEY": "any-key-0001"})
    job = ["suite.sites=[shopping]", "limit=1", "embedder=hashing", "llm=openai", "llm.model=m"]
    job += ["llm.base_url=http://127.0.0.1:9/v1", "llm.outage_wait=0", "llm.tries=1", "retries=0"]
    assert main(["run", *job, *words]) == 2
    told = capsys.readouterr()
    assert X not in told.out + told.err
    assert told.err.count("\n") == 1


def test_what_is_typed_and_no_secret_is_told() -> None:
    words = [
        "llm.extra_headers={HTTP-Referer: some-name, x-b: 'Bearer abc=='}",
        "llm.key_env=MY_KEY",
        "seed=null",
        "-m",
    ]
    assert typed_secrets(words) == ("abc==", "some-name")


OPENAI = ["llm=openai", "llm.model=m"]


@pytest.mark.parametrize("key", ["llm.extra_headers", "llm.extra_body"])
@pytest.mark.parametrize("form", ["{key}=abc", "{key}=[abc]", "{key}.NAME=abc", "{key}={{a: b}} {key}={{c: d}}"])
def test_what_is_advised_for_names_of_ones_own_works(key: str, form: str) -> None:
    words = form.format(key=key).split(" " + key)
    words = [words[0], *(f"{key}{rest}" for rest in words[1:])]
    with pytest.raises(SetupError) as caught:
        build_llms(load_config([*OPENAI, *words]))
    advice = str(caught.value).rpartition("write ")[2].rpartition(" as ")[2].strip("'")
    assert advice in (f"{key}={{NAME: VALUE}}", f"+{key}.NAME=VALUE")
    part = key.rpartition(".")[2]
    assert load_config([*OPENAI, advice]).llm[part] == {"NAME": "VALUE"}
