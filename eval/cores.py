"""The cores of this machine that may be used."""

from __future__ import annotations

import os


def cores() -> int:
    """How many this process may use, where the system tells, and else how many there are."""
    affinity = getattr(os, "sched_getaffinity", None)  # macOS lacks it
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
