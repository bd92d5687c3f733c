"""How an offline model's reply is counted."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import Message, Reply, Usage


def reply_of(messages: Sequence[Message], text: str) -> Reply:
    """`text` as the reply to `messages`, with its estimated tokens."""
    tokens_in = sum(estimate_tokens(message.content) for message in messages)
    return Reply(text=text, usage=Usage(calls=1, input_tokens=tokens_in, output_tokens=estimate_tokens(text)))
