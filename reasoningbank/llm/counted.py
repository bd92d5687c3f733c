"""Tokens of a reply whose server did not count them: an estimate, and one warning a model."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import CACHE_FIGURES, Message, Reply

_log = logging.getLogger("reasoningbank")
_warned: set[str] = set()
_lock = threading.Lock()


def counted(messages: Sequence[Message], reply: Reply, model: str) -> Reply:
    """The reply with estimated tokens where some were not counted: a free call is no call that costs nothing."""
    estimated: dict[str, int] = {}
    if not reply.usage.input_tokens:
        # what is a part of the input is not known without it
        estimated |= dict.fromkeys(CACHE_FIGURES, 0)
        estimated["input_tokens"] = sum(estimate_tokens(message.content) for message in messages)
    if not reply.usage.output_tokens:
        estimated["output_tokens"] = max(estimate_tokens(reply.text), reply.usage.thinking_tokens)
    if not any(estimated.values()):
        return reply
    with _lock:
        if model not in _warned:
            _warned.add(model)
            _log.warning("%s does not say how many tokens a call took: they are estimated from its characters", model)
    return reply.model_copy(update={"usage": reply.usage.model_copy(update=estimated)})
