"""What a caller gives by mistake is refused at once, in one line that says what to give instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reasoningbank import ReasoningBank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError, SetupError
from reasoningbank.retry import RetryPolicy

STATUS = "Thoughts: so it seems\nStatus: success"
ITEM = "# Memory Item 1\n## Title\nT\n## Description\nD\n## Content\nC"
MESSAGES = [{"role": "user", "content": "do"}, {"role": "assistant", "content": "did"}]


def ask(messages: list[dict[str, str]]) -> str:
    return STATUS if "Status:" in "".join(each["content"] for each in messages) else ITEM


def memory(path: Any, **changes: Any) -> ReasoningBank:
    return ReasoningBank(path, **{"llm": ask, "embedder": HashingEmbedder(), **changes})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("embedder", 5, "embedder is a int; give an object with id, dims, asymmetric, embed"),
        ("method", 5, "method is a int; give a name, or an object with needs_verdicts, recall, distill"),
        ("method", None, "method is a NoneType"),
        ("seed", "x", "seed is 'x'; give a whole number"),
        ("seed", True, "seed is True"),
        ("seed", 1.5, "seed is 1.5"),
        ("retry", 5, "retry is a int; give a reasoningbank.retry.RetryPolicy"),
        ("llm", 5, "llm is a int"),
        ("path", 5, "path is a int; give the bank's file, or None"),
        ("path", b"x", "path is a bytes"),
        ("path", ":memory:", "path is ':memory:', which would be a file of that name; give None for a bank in memory"),
    ],
)
def test_arguments_are_checked_when_it_is_made(
    name: str, value: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"path": tmp_path / "bank.sqlite", name: value}
    with pytest.raises(SetupError) as refused:
        memory(given.pop("path"), **given)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("success", ["failure", "no", "", 0, 1, 0.0, float("nan"), [], object()])
def test_a_verdict_that_is_neither_true_nor_false_is_refused(success: Any) -> None:
    with memory(None) as bank:
        learnt = bank.learn("q", MESSAGES, success=success)
        assert learnt.error.startswith(f"success is {success!r}, a {type(success).__name__}; give True, False, or None")
        assert not learnt.items
        assert [bank.learn("q", MESSAGES, success=each).label for each in (True, False, None)] == [
            *("success", "failure", "success")
        ]


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced", "folder gone"])
def test_what_nobody_would_find_again_is_not_called_learnt(how: str, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "bank.sqlite"
    with memory(path) as bank:
        assert not bank.learn("first", MESSAGES).error
        if how == "folder gone":
            path.parent.rename(tmp_path / "other")
        elif how == "deleted":
            path.unlink()
        else:
            path.rename(tmp_path / "other.sqlite")
        if how == "replaced":
            memory(path).close() if not list(path.parent.iterdir()) else path.write_bytes(b"")
        learnt = bank.learn("second", MESSAGES)
        assert f"bank {path} was deleted, moved or replaced while it was open" in learnt.error
        assert not learnt.items
        assert isinstance(bank.recall("first"), str)


def test_a_folder_that_is_changed_is_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with memory("bank.sqlite") as bank:
        (tmp_path / "below").mkdir()
        monkeypatch.chdir(tmp_path / "below")
        assert not bank.learn("first", MESSAGES).error


def test_a_function_that_is_plainly_wrong_is_asked_once() -> None:
    calls = []

    def wrong(messages: list[dict[str, str]]) -> str:
        calls.append(1)
        return len(5)  # type: ignore[arg-type,return-value]

    with memory(None, llm=wrong) as bank:
        learnt = bank.learn("q", MESSAGES)
    assert len(calls) == 1
    assert "TypeError" in learnt.error
    assert "test_library_refusals.py" in learnt.error
    assert BankError.__name__ not in learnt.error


@pytest.mark.parametrize("made", [None, ["a"], [["a"] * 256], [[object()] * 256], [[1.0], [1.0, 2.0]]])
def test_an_embedder_that_makes_no_vectors_is_named(made: Any) -> None:
    class Wrong(HashingEmbedder):
        def embed(self, texts: Any, side: Any) -> Any:
            return made

    with memory(None, embedder=Wrong()) as bank:
        learnt = bank.learn("q", MESSAGES)
    assert learnt.error.startswith(f"embedder {Wrong().id} returned ")
    assert not learnt.items


def test_that_a_model_is_asked_again_is_said_meanwhile(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("reasoningbank.retry.WORTH_TELLING", 0.0)

    def broke(messages: object) -> str:
        raise RuntimeError("no quota is left")

    with memory(None, llm=broke, retry=RetryPolicy(attempts=3, first_wait=0.0)) as bank:
        learnt = bank.learn("cancel the order", "I clicked, and nothing came.")
    assert "no quota is left" in learnt.error
    waits = [record.getMessage() for record in caplog.records if record.getMessage().startswith("waiting")]
    assert len(waits) == 2
    assert all("no quota is left" in text for text in waits)
