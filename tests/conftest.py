"""Settings of all tests. That this file is here also puts `tests/` on the path, for makers that several folders use."""

from __future__ import annotations

from hypothesis import settings

# two busy cores make any deadline a coin toss
settings.register_profile("repository", deadline=None, max_examples=60)
settings.load_profile("repository")
