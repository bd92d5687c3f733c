"""Whether this machine has what web.backend=browser needs, for the tests that use a real browser."""

from __future__ import annotations

import pytest

from eval.suites.web.chromium.find import browser_packages, find_chromium
from reasoningbank.errors import SetupError


def _missing() -> str:
    try:
        browser_packages()
        find_chromium(None)
    except SetupError as error:
        return str(error)
    return ""


MISSING = _missing()
needs_chromium = pytest.mark.skipif(bool(MISSING), reason=f"no real browser: {MISSING}")
