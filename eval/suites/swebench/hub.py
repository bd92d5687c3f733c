"""Hugging Face as it is asked for a published set: whether it answers is found out once, and not by five tries.

Its own client tries again for half a minute, with two lines a time, and there is no setting for how often.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from reasoningbank.boundary import capture, one_line

PATIENCE = 10.0
"""Seconds."""
DOWN = (502, 503, 504)
"""What is answered in the place of a server. Any other answer is its own: one that knows no HEAD may have the set."""


@contextmanager
def asked() -> Iterator[str]:
    """Inside, the packages datasets and huggingface_hub say nothing of tries; where the server cannot be reached, they
    take what is in their cache. Gives why it cannot be, or nothing."""
    from datasets import config
    from huggingface_hub import constants, get_session

    log = logging.getLogger("huggingface_hub")
    before = log.level, constants.HF_HUB_OFFLINE, config.HF_HUB_OFFLINE
    wrong = ""
    if not (constants.HF_HUB_OFFLINE or config.HF_HUB_OFFLINE):
        there = capture(lambda: get_session().head(constants.ENDPOINT, timeout=PATIENCE))
        host = urlsplit(constants.ENDPOINT).hostname or "the address in HF_ENDPOINT"
        if isinstance(there.error, Exception):
            wrong = f"{host} cannot be reached: {one_line(there.error)}"
        elif (status := there.unwrap().status_code) in DOWN:  # who interrupts it is obeyed
            wrong = f"{host} answers {status}"
    try:
        log.setLevel(logging.ERROR)
        if wrong:
            constants.HF_HUB_OFFLINE = config.HF_HUB_OFFLINE = True
        yield wrong
    finally:
        log.setLevel(before[0])
        constants.HF_HUB_OFFLINE, config.HF_HUB_OFFLINE = before[1:]
