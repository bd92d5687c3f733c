"""Settings of all tests. That this file is here also puts `tests/` on the path, for makers that several folders use."""

from __future__ import annotations

import pytest
from hypothesis import settings

from eval.cores import cores

# two busy cores make any deadline a coin toss
settings.register_profile("repository", deadline=None, max_examples=60)
settings.load_profile("repository")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Of `-n auto`. One more than there are cores: tests of programs, servers and browsers wait much of their time."""
    return cores() + 1
