"""What every change of this library has to keep."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import tokkit
from tokkit import TokenError, TokenStream, _languages, matchers, tokenize

ROOT = Path(tokkit.__file__).resolve().parent.parent


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tokkit_make_languages", ROOT / "tools/make_languages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_that_of_the_languages() -> None:
    text = (ROOT / "tokkit/languages.txt").read_text(encoding="utf-8")
    assert tool().languages(text) == _languages.LANGUAGES


def test_every_kind_has_a_style() -> None:
    assert set(matchers.MATCHERS) == set(tokkit.STYLES)
    assert len(matchers.MATCHERS) >= 9


def test_every_matcher_is_registered() -> None:
    made = {name for name in vars(matchers) if name.startswith("match_")}
    assert {f"match_{kind}" for kind in matchers.MATCHERS} == made


def test_a_string_without_an_end_is_an_error_of_ours() -> None:
    for text, shown in (("a = 'open", "'open"), ("'it\\'", "it"), ("select 'x\n", "x")):
        with pytest.raises(TokenError, match=shown):
            tokenize(text, "sql")


def test_a_text_that_ends_too_early_is_an_error_of_ours() -> None:
    stream = TokenStream(tokenize("select", "sql"))
    stream.next()
    for use in (lambda: stream.expect("from"), lambda: stream.expect_kind("from")):
        with pytest.raises(TokenError, match="from"):
            use()
    with pytest.raises(TokenError, match="token"):
        stream.next()


def test_every_change_is_in_the_changelog() -> None:
    """Three things have changed since 0.5.0."""
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert unreleased.startswith("Unreleased\n")
    assert len([line for line in unreleased.splitlines() if line.startswith("- ")]) >= 3
