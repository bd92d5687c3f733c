"""Whether this machine can make the sandbox for commands, for the tests that use a real one."""

from __future__ import annotations

import pytest

from eval.suites.code.bubblewrap import Bubblewrap
from eval.suites.code.sandbox import Limits
from reasoningbank.errors import SetupError

SMALL = Bubblewrap(limits=Limits(memory_mb=256, processes=40, disk_mb=16, output_mb=1))


def _missing() -> str:
    try:
        SMALL.check()
    except SetupError as error:
        return str(error)
    return ""


MISSING = _missing()
needs_bubblewrap = pytest.mark.skipif(bool(MISSING), reason=f"no sandbox: {MISSING}")
