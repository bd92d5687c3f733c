"""What commands that sleep are known by, among all processes of the machine."""

from __future__ import annotations

import os

MARK = f"31{os.getpid():07}.5"
"""Seconds that this run's sleepers take: no other run's are taken for them."""
