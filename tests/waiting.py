"""How long tests wait: for what must come at all, and for what must come soon."""

from __future__ import annotations

import time

HANG = 600.0
"""Seconds until a test gives up: a guard against what never ends, not a measure of speed. A busy machine takes long."""


def slowness() -> float:
    """How many seconds of the clock one second of work takes at the moment: 1 on an idle machine."""
    wall, cpu = time.perf_counter(), time.thread_time()
    while time.thread_time() - cpu < 0.1:
        pass
    return max(1.0, (time.perf_counter() - wall) / (time.thread_time() - cpu))
