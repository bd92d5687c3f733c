"""The cores of this machine that may be used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


def cores() -> int:
    """How many this process may use, where the system tells, and else how many there are."""
    affinity = getattr(os, "sched_getaffinity", None)  # macOS lacks it
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@contextmanager
def threads(number: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads, which are not waited for where the block ends early: Ctrl-C is to be heard at once."""
    pool = ThreadPoolExecutor(max_workers=number)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
