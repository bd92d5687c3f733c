"""Text that can be stored: what is kept, joined and written out, and that no record holds anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.interfaces import Observation
from reasoningbank.text import encodable, storable, storable_data
from reasoningbank.types import Message, Record, Reply, Task, Usage, Verdict

ANY = st.text(st.characters(codec=None) | st.characters(categories=["Cs"]), max_size=12)
"""Any string Python can hold, with many halves of surrogate pairs."""


@given(st.text(st.characters(codec="utf-8")))
def test_what_utf8_holds_stays(text: str) -> None:
    assert storable(text) == text


@given(ANY)
def test_what_comes_out_is_utf8_and_stays(text: str) -> None:
    once = storable(text)
    once.encode()
    assert storable(once) == once


@given(ANY)
def test_of_what_no_server_takes_each_half_is_a_question_mark(text: str) -> None:
    sent = encodable(text)
    sent.encode()
    assert sent == "".join("?" if "\ud800" <= each <= "\udfff" else each for each in text)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("\ud83d\ude00", "😀"),
        ("é \ud83d\ude00!", "é 😀!"),
        ("\ud83d", "\\ud83d"),
        ("\ude00\ud83d", "\\ude00\\ud83d"),
        ("\ud83d\ud83d\ude00", "\\ud83d😀"),
        ("\x00\u2028\ufffe", "\x00\u2028\ufffe"),
    ],
)
def test_pairs_are_joined_and_halves_written_out(text: str, stored: str) -> None:
    assert storable(text) == stored


@given(st.recursive(ANY | st.integers() | st.none(), lambda part: st.lists(part) | st.dictionaries(ANY, part)))
def test_data_is_storable_however_deep(data: object) -> None:
    repr(storable_data(data)).encode()
    assert storable_data(storable_data(data)) == storable_data(data)


class Nested(Record):
    texts: tuple[str, ...]
    data: dict[str, object]
    inner: Message


@given(ANY)
def test_no_record_holds_text_that_cannot_be_stored(text: str) -> None:
    inner = Message(role="user", content=text)
    made = Nested(texts=(text,), data={text: [text, {"a": [text]}]}, inner=inner)
    assert Nested.model_validate_json(made.model_dump_json()) == made
    changed = made.model_copy(update={"texts": (text, text)})
    assert Nested.model_validate_json(changed.model_dump_json()) == changed
    for door in (
        Reply(text=text, usage=Usage()),
        Observation(text=text, url=text, error=text),
        Task(id=text, suite="s", group=text, intent=text),
        Verdict(label="success", reasons=text),
    ):
        assert type(door).model_validate_json(door.model_dump_json()) == door
