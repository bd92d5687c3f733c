"""WebArena itself: its 812 tasks on servers that somebody runs, looked at by Chromium."""

from eval.suites.webarena.suite import WebArena

__all__ = ["WebArena"]
