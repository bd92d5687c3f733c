"""Tokens of a reply whose server did not count them: an estimate, and one warning a model."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import Message, Reply

_log = logging.getLogger("reasoningbank")
_warned: set[str] = set()
_lock = threading.Lock()


def counted(messages: Sequence[Message], reply: Reply, model: str) -> Reply:
    """The reply with estimated tokens where it has none: a free call is no call that costs nothing."""
    if reply.usage.input_tokens or reply.usage.output_tokens:
        return reply
    with _lock:
        if model not in _warned:
            _warned.add(model)
            _log.warning("%s does not say how many tokens a call took: they are estimated from its characters", model)
    tokens_in = sum(estimate_tokens(message.content) for message in messages)
    usage = reply.usage.model_copy(
        update={"input_tokens": tokens_in, "output_tokens": estimate_tokens(reply.text)},
    )
    return reply.model_copy(update={"usage": usage})
