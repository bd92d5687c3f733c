"""Call records: what was paid for answers again, and nothing else does."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attempt_makers import make_scopes
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoningbank.errors import SetupError
from reasoningbank.llm.calls import CallScope
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.llm.record import CallLogs, RecordedModel, Request, every_call, hashed, read_calls
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Reply, Usage, canonical_json

ASK = (Message(role="system", content="Count."), Message(role="user", content="How many?"))
OTHER = (ASK[0], Message(role="user", content="How many now?"))


def scope(folder: Path, *replies: str, source: Path | None = None, index: int | None = 0) -> CallScope:
    logs = CallLogs(folder, source=source)
    return make_scopes(ScriptedLLM(list(replies)), logs=logs)(index)


def test_a_finished_call_is_not_made_again(tmp_path: Path) -> None:
    first = scope(tmp_path, "three", "four")
    said = [first.ask("agent", ASK), first.ask("agent", OTHER)]
    again = scope(tmp_path, "five")
    assert [again.ask("agent", ASK), again.ask("agent", OTHER)] == said
    assert again.usage == first.usage
    assert again.ask("agent", ASK).text == "five", "what is not there is asked of the model, and goes on from there"
    assert len((tmp_path / "0.calls.jsonl").read_text().splitlines()) == 3


def test_every_attempt_and_the_episode_have_records_of_their_own(tmp_path: Path) -> None:
    for index, text in ((0, "a"), (1, "b"), (None, "c")):
        scope(tmp_path, text, index=index).ask("selector", ASK)
    for index, text in ((0, "a"), (1, "b"), (None, "c")):
        assert scope(tmp_path, index=index).ask("selector", ASK).text == text
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("0.calls.jsonl", "1.calls.jsonl", "episode.calls.jsonl")
    ]


def test_the_record_is_there_before_the_reply_is_used(tmp_path: Path) -> None:
    """Where it cannot be kept, that is said, rather than a reply handed out that a restart would pay for again."""
    logs = CallLogs(tmp_path)
    asked = make_scopes(ScriptedLLM(["three"]), logs=logs)(0)
    (tmp_path / "0.calls.jsonl").mkdir()
    with pytest.raises(OSError, match=r"0\.calls\.jsonl"):
        asked.ask("agent", ASK)
    (tmp_path / "0.calls.jsonl").rmdir()
    # the next try of the episode has the same logs
    assert make_scopes(ScriptedLLM(["four"]), logs=logs)(0).ask("agent", ASK).text == "four"
    assert scope(tmp_path).ask("agent", ASK).text == "four"


def test_from_the_first_call_that_asks_for_something_else_models_are_asked_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = scope(tmp_path, "three", "four")
    first.ask("agent", ASK)
    first.ask("agent", ASK)
    again = scope(tmp_path, "six")
    assert again.ask("agent", ASK).text == "three"
    with caplog.at_level(logging.WARNING, "reasoningbank"):
        assert again.ask("agent", OTHER).text == "six"
    assert "call 1 of role agent" in caplog.text
    assert "message 2 has another text" in caplog.text
    assert again.failed == first.usage["agent"].model_copy(
        update={name: value // 2 for name, value in first.usage["agent"].model_dump().items()}
    ), "the old reply was paid for in vain"
    assert scope(tmp_path).ask("agent", ASK).text == "three"
    third = scope(tmp_path)
    third.ask("agent", ASK)
    assert third.ask("agent", OTHER).text == "six", "the later line of a key holds"


def test_a_line_that_was_copied_is_not_paid_for_again(tmp_path: Path) -> None:
    asked = Request(role="agent", number=0, model="one", temperature=0.7, seed=0, max_tokens=8, messages=hashed(ASK))
    log = CallLogs(tmp_path)(0)
    empty = Reply(text="", usage=Usage(calls=1, input_tokens=5))
    for _ in range(2):  # equal, and both were made
        log.keep_unused(asked, empty)
    log.keep(asked, Reply(text="three", usage=Usage(calls=1, input_tokens=7)))
    path = tmp_path / "0.calls.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    again = CallLogs(tmp_path)(0)
    assert again.unused(asked) == [empty, empty]
    assert [reply.usage.input_tokens for _, reply in every_call(path)] == [5, 5, 7]


CHANGES: dict[str, Any] = {
    "model": "another",
    "temperature": 0.1,
    "seed": 1,
    "max_tokens": 9,
    "messages": hashed(ASK[:1]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_of_a_request_changes_is_named(name: str, tmp_path: Path) -> None:
    asked = Request(role="agent", number=0, model="one", temperature=0.7, seed=0, max_tokens=8, messages=hashed(ASK))
    log = CallLogs(tmp_path)(0)
    log.keep(asked, Reply(text="three", usage=Usage()))
    changed = asked.model_copy(update={name: CHANGES[name]})
    assert log.find(asked) is not None
    assert log.find(changed) is None
    replay = CallLogs(tmp_path / "new", source=tmp_path)(0)
    with pytest.raises(SetupError, match=f"call 0 of role agent was another .*{name}"):
        replay.find(changed)
    assert not asked.difference(asked)


def test_a_replay_asks_no_model_and_writes_nothing(tmp_path: Path) -> None:
    scope(tmp_path / "old", "three").ask("agent", ASK)
    logs = CallLogs(tmp_path / "new", source=tmp_path / "old")
    replayed = make_scopes(RecordedModel(id="scripted", simulated=True), logs=logs)(0)
    assert replayed.ask("agent", ASK).text == "three"
    with pytest.raises(SetupError, match=f"call 1 of role agent is missing in {tmp_path / 'old'}"):
        replayed.ask("agent", ASK)
    assert not (tmp_path / "new").exists()
    with pytest.raises(SetupError, match="came to the model"):
        RecordedModel(id="scripted", simulated=True).complete(ASK, temperature=0, seed=0, max_tokens=1)


def test_a_torn_end_costs_its_call_and_no_other(tmp_path: Path) -> None:
    first = scope(tmp_path, "three", "four")
    first.ask("agent", ASK)
    first.ask("agent", ASK)
    path = tmp_path / "0.calls.jsonl"
    whole = path.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        again = scope(tmp_path, "five")
        assert [again.ask("agent", ASK).text, again.ask("agent", ASK).text] == ["three", "five"]
        third = scope(tmp_path)
        assert [third.ask("agent", ASK).text, third.ask("agent", ASK).text] == ["three", "five"]


def test_an_edited_reply_is_not_the_models(tmp_path: Path) -> None:
    scope(tmp_path, "three").ask("agent", ASK)
    path = tmp_path / "0.calls.jsonl"
    path.write_text(path.read_text().replace("three", "seven"))
    assert scope(tmp_path, "three").ask("agent", ASK).text == "three"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.binary(max_size=40), st.from_type(dict).map(lambda data: json.dumps(str(data)).encode()))))
def test_garbage_counts_for_nothing(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("garbage") / "0.calls.jsonl"
    path.write_bytes(b"\n".join(lines))
    assert read_calls(path) == {}


@settings(deadline=None, max_examples=40)
@given(text=st.text(min_size=1).filter(lambda text: text.strip()))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("texts")
    messages = (Message(role="user", content=text),)
    said = scope(folder, text).ask("agent", messages)
    assert scope(folder).ask("agent", messages) == said


@given(st.text(min_size=1).filter(str.strip))
def test_a_line_is_the_canonical_json_of_its_call(text: str) -> None:
    with TemporaryDirectory() as folder:
        scope(Path(folder), text).ask("agent", ASK)
        path = Path(folder) / "0.calls.jsonl"
        [call] = read_calls(path).values()
        assert path.read_bytes() == canonical_json(call.model_dump(mode="json")).encode() + b"\n"


class Killed(BaseException):
    """Ends a process wherever it stands: nothing that it would still have noted is noted."""


class EmptyThen:
    """Nothing but paid silence, `empty` times; then an answer, or the end of the process."""

    id = "scripted"
    simulated = True

    def __init__(self, empty: int, text: str | None) -> None:
        self.empty = empty
        self._text = text

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        if self.empty:
            self.empty -= 1
            return Reply(text="", usage=PAID, stop_reason="length")
        if self._text is None:
            raise Killed
        return Reply(text=self._text, usage=PAID)


PAID = Usage(calls=1, input_tokens=50, output_tokens=4)
PATIENT = RetryPolicy(attempts=99, first_wait=0.0)


def silent_scope(folder: Path, empty: int, text: str | None, source: Path | None = None) -> CallScope:
    logs = CallLogs(folder, source=source)
    return make_scopes(EmptyThen(empty, text), logs=logs, retry=PATIENT)(0)


@pytest.mark.parametrize("empty", [1, 4])
def test_what_was_paid_for_and_is_no_answer_outlives_its_process(empty: int, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        silent_scope(tmp_path, empty, None).ask("agent", ASK)
    assert len(every_call(tmp_path / "0.calls.jsonl")) == empty
    assert read_calls(tmp_path / "0.calls.jsonl") == {}, "no resume takes it for an answer"
    with pytest.raises(Killed):
        silent_scope(tmp_path, 1, None).ask("agent", ASK)
    again = silent_scope(tmp_path, 2, "three")
    assert again.ask("agent", ASK).text == "three"
    assert again.failed == sum([PAID] * (empty + 3), Usage())
    assert again.lost == Usage(), "the next try finds it"
    third = silent_scope(tmp_path, 0, None)
    assert third.ask("agent", ASK).text == "three"
    assert (third.failed, third.usage) == (again.failed, again.usage), "and counts each once"


def test_a_replay_pays_for_nothing_that_was_no_answer(tmp_path: Path) -> None:
    silent_scope(tmp_path / "old", 3, "three").ask("agent", ASK)
    replayed = silent_scope(tmp_path / "new", 0, None, source=tmp_path / "old")
    assert replayed.ask("agent", ASK).text == "three"
    assert replayed.failed == Usage()


def test_an_edited_line_of_what_is_no_answer_counts_for_nothing(tmp_path: Path) -> None:
    silent_scope(tmp_path, 1, "three").ask("agent", ASK)
    path = tmp_path / "0.calls.jsonl"
    for before, after in (('"unused"', '"reply"'), ('"text":""', '"text":"four"')):
        edited = path.read_text().replace(before, after, 1)
        assert edited != path.read_text()
        (tmp_path / "1.calls.jsonl").write_text(edited)
        assert len(every_call(tmp_path / "1.calls.jsonl")) == 1
        assert [call.reply.text for call in read_calls(tmp_path / "1.calls.jsonl").values()] == ["three"]
