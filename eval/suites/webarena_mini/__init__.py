"""WebArena in small: real web applications on seeded data, with tasks in WebArena's schema."""

from eval.suites.webarena_mini.suite import WebArenaMini

__all__ = ["WebArenaMini"]
