"""Keys from a `.env` file, and the names under which secrets stand."""

from __future__ import annotations

import base64
import json
import os
import urllib.parse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.config.keys import take_env_file
from eval.runs.identity import redacted, redacted_line
from reasoningbank.errors import SetupError
from reasoningbank.providers.endpoint import Endpoint
from reasoningbank.providers.secrets import hidden, is_secret, struck

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file sets is gone after the test."""
    monkeypatch.setattr(os, "environ", dict(os.environ))


def env_file(folder: Path, text: str | bytes) -> Path:
    path = folder / ".env"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_sets_what_is_not_set(tmp_path: Path) -> None:
    os.environ["HAD_KEY"] = "before"
    env_file(tmp_path, "# keys\nexport NEW_KEY='one two'\nHAD_KEY=after\nEMPTY_KEY=\n\nOTHER=x # said\n")
    assert take_env_file(tmp_path) == ["NEW_KEY", "OTHER"]
    assert (os.environ["NEW_KEY"], os.environ["HAD_KEY"], os.environ["OTHER"]) == ("one two", "before", "x")
    assert "EMPTY_KEY" not in os.environ
    assert take_env_file(tmp_path) == []


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    assert take_env_file(tmp_path) == []


def test_a_dollar_is_a_sign_like_any_other(tmp_path: Path) -> None:
    os.environ["HOME"] = "elsewhere"
    values = {"A_KEY": "ab${HOME}cd", "B_KEY": "$HOME", "C_KEY": "a${NOBODY:-x}b$$c"}
    env_file(tmp_path, f"A_KEY='{values['A_KEY']}'\nB_KEY=\"{values['B_KEY']}\"\nC_KEY={values['C_KEY']}\n")
    assert take_env_file(tmp_path) == sorted(values)
    assert {name: os.environ[name] for name in values} == values


@pytest.mark.parametrize(
    "make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")], ids=["folder", "fifo", "broken link"]
)
def test_what_is_no_file_is_told(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / ".env")
    with pytest.raises(SetupError, match=r"^\S+\.env: this is no file: make it one .*\Z"):
        take_env_file(tmp_path)


def test_a_virtual_environment_of_that_name_is_none_of_it(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    (tmp_path / ".env" / "pyvenv.cfg").touch()
    assert take_env_file(tmp_path) == []


@pytest.mark.parametrize("text", ["GOOD=1\nthis is planted text\n", b"GOOD=planted\xff\n", "A='planted\n"])
def test_a_file_that_cannot_be_read_is_told_without_what_it_holds(tmp_path: Path, text: str | bytes) -> None:
    env_file(tmp_path, text)
    with pytest.raises(SetupError, match=r"\.env") as raised:
        take_env_file(tmp_path)
    assert "planted" not in str(raised.value)


@pytest.mark.parametrize("line", ["K=planted\0def", "K\0planted=1", "'planted=B'=5", "'A\0B'=planted", "'='=planted"])
def test_a_variable_that_no_environment_takes_is_told_by_its_line(tmp_path: Path, line: str) -> None:
    env_file(tmp_path, f"GOOD=1\n# a comment\n{line}\nMORE=2\n")
    with pytest.raises(SetupError, match=r"\.env, line 3: ") as raised:
        take_env_file(tmp_path)
    assert "planted" not in str(raised.value)
    assert "GOOD" not in os.environ


@given(st.text(st.sampled_from("AB=\0'\"\\\n #é${}"), max_size=20))
def test_what_is_taken_can_be_set(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    env_file(folder, text)
    with suppress(SetupError):
        for name in take_env_file(folder):
            os.putenv(name, os.environ.pop(name))
            os.unsetenv(name)


def test_git_leaves_the_file_out_and_the_example_holds_no_key() -> None:
    assert ".env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    given = [line for line in lines if line and not line.startswith("#")]
    assert "OPENAI_API_KEY=" in given
    assert all(line.endswith("=") for line in given)


@pytest.mark.parametrize("name", ["sk-abcdef", "AIzaSyabc", "lower_case", "A-B", "", "2KEY"])
def test_a_key_in_the_place_of_its_variables_name_is_refused_unread(name: str) -> None:
    with pytest.raises(SetupError, match=r"llm\.key_env is no variable's name") as raised:
        Endpoint.of(where="llm", model="m", url="http://localhost", key_env=name)
    assert not name or name not in str(raised.value).replace("MY_API_KEY", "")


SECRET_NAMES = ["api_key", "llm.api_key", "x-api-key", "Authorization", "password", "llm.extra_headers.x", "auth_token"]
PLAIN_NAMES = ["key_env", "max_tokens", "max_tokens_key", "retrieval.key", "llm", "token_count", "send_seed", "keys"]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_names_of_secrets(name: str) -> None:
    assert is_secret(name)
    assert redacted({"a": [{name: "planted"}], name: {"deep": "planted"}}) == {"a": [{name: "***"}], name: "***"}
    assert "planted" not in redacted_line(["run", f"{name}=planted", f"llm.extra_body={{{name}: planted, top_k: 4}}"])


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_names_of_settings(name: str) -> None:
    assert not is_secret(name)
    assert redacted({name: "value", "n": 3, "b": True, "none": None}) == {
        name: "value",
        "n": 3,
        "b": True,
        "none": None,
    }
    assert redacted_line([f"{name}=value"]) == f"{name}=value"


@pytest.mark.parametrize(
    "text",
    [
        *("results/skills_comparison_of_many_1", "pkg.module_of_mine_2", "hf", "google/gemma-3-27b-it", "sk-learn"),
        *("http://localhost:8000/v1", "http://host/a@b", "a=b&key", "memory=none,awm", "xai-methods-for-web-agents"),
    ],
)
def test_a_setting_that_resembles_a_key_stays(text: str) -> None:
    assert struck(text) == text
    assert hidden({"x": [text]}) == {"x": [text]}


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40), st.text(), st.text())
def test_a_secret_is_struck_out_of_any_text(secret: str, before: str, after: str) -> None:
    assert secret not in struck(before + secret + after, (secret,)) or secret in "***" * 40


@pytest.mark.parametrize("secret", ["planted-Key-0001", "aB3dE6gH9jK2", "p/lant+ed=0001?", "sk-Planted0001x"])
def test_a_secret_is_struck_in_whatever_form_it_is_repeated(secret: str) -> None:
    quoted = urllib.parse.quote(secret, safe="")
    forms = [secret, secret.upper(), secret.lower(), quoted, json.dumps(secret)[1:-1]]
    forms += [f"{secret[:5]}{gap}{secret[5:]}" for gap in ("\n", "\r\n  ", "\\n", " ")]
    for before in ("", "u:", "me:", "user:", "Bearer "):
        for after in ("", "x", "\n"):
            data = f"{before}{secret}{after}".encode()
            forms += [base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()]
    for form in forms:
        said = struck(f"it said <{form}>, and more", (secret,))
        assert "***" in said, form
        assert said.startswith("it said <")
        assert said.endswith(">, and more"), form
        assert len(said) < len("it said <***>, and more") + 16, form
    assert struck("nothing of it", (secret,)) == "nothing of it"
