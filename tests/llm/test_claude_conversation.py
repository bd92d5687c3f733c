"""The cache's marks in a conversation, as a code agent has one: each prompt begins with all of the one before."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from provider_models import serving

from reasoningbank.types import Message

SYSTEM = Message(role="system", content="You repair.")


def conversation(turns: int) -> list[Message]:
    roles = ("user", "assistant")
    return [SYSTEM, *(Message(role=roles[turn % 2], content=f"turn {turn}") for turn in range(turns))]


def marked(body: dict[str, Any]) -> list[tuple[str, bool]]:
    """Every block's text, and whether it has the mark."""
    blocks = list(body["system"])
    for message in body["messages"]:
        content = message["content"]
        blocks += [{"text": content}] if isinstance(content, str) else content
    return [(block["text"], "cache_control" in block) for block in blocks]


def test_the_end_of_a_conversation_is_marked_and_found_again() -> None:
    with serving("claude") as (model, server):
        for turns in (1, 3, 5):
            model.complete(conversation(turns), temperature=0.7, seed=1, max_tokens=50)
        sent = [marked(request.body) for request in server.requests]
    assert [[text for text, mark in blocks if mark] for blocks in sent] == [
        ["You repair."],
        ["You repair.", "turn 2"],
        ["You repair.", "turn 4"],
    ]
    for before, after in pairwise(sent):
        texts = [text for text, _ in before]
        assert [text for text, _ in after][: len(texts)] == texts  # the same blocks, at most 20 before the next mark


@pytest.mark.parametrize("cache", [None, "5m", "1h"])
def test_marks_are_as_the_cache_is_set(cache: str | None) -> None:
    with serving("claude", cache=cache) as (model, server):
        model.complete(conversation(3), temperature=0.7, seed=1, max_tokens=50)
        last = server.requests[0].body["messages"][-1]["content"]
    if cache is None:
        assert last == "turn 2"
    else:
        ttl = {"ttl": "1h"} if cache == "1h" else {}
        assert last == [{"type": "text", "text": "turn 2", "cache_control": {"type": "ephemeral", **ttl}}]


def test_heads_come_first_and_blanks_have_no_mark() -> None:
    with serving("claude") as (model, server):
        for last in (Message(role="user", content="a\n\nb", heads=(3,)), Message(role="user", content=" ")):
            model.complete([*conversation(2), last], temperature=0.7, seed=1, max_tokens=50)
        first, second = (request.body["messages"][-1]["content"] for request in server.requests)
    assert [block["text"] for block in first] == ["a\n\n", "b"]
    assert second == " "
