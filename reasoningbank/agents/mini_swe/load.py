"""mini-swe-agent, where it is installed: imported at first use, without what its import does to a user's machine."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoningbank.errors import SetupError

OLDEST = (2, 4)
INSTALL = "install it by: pip install 'reasoningbank[code]'"
_lock = threading.Lock()


@dataclass(frozen=True)
class MiniSwe:
    """What is used of it."""

    version: str
    DefaultAgent: Any
    Submitted: type[Exception]
    FormatError: type[Exception]
    TimeExceeded: type[Exception]


def load() -> MiniSwe:
    """SetupError where it is not installed, or too old.

    Its import makes a folder in the user's home, reads keys from a file there, and prints: not here. `litellm`, which
    is installed with it, is never imported.
    """
    with _lock:
        spec = importlib.util.find_spec("minisweagent")
        if spec is None or spec.origin is None:
            raise SetupError(f"agent=code: the package mini-swe-agent is missing; {INSTALL}")
        with _quiet(Path(spec.origin).parent):
            import minisweagent

            version = str(getattr(minisweagent, "__version__", "0"))
            if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < OLDEST:
                wanted = ".".join(map(str, OLDEST))
                raise SetupError(f"agent=code: mini-swe-agent {version} is too old, {wanted} is needed; {INSTALL}")
            from minisweagent import exceptions
            from minisweagent.agents.default import DefaultAgent
    return MiniSwe(
        version=version,
        DefaultAgent=DefaultAgent,
        Submitted=exceptions.Submitted,
        FormatError=exceptions.FormatError,
        TimeExceeded=exceptions.TimeExceeded,
    )


@contextmanager
def _quiet(package: Path) -> Iterator[None]:
    """Its two variables set: no greeting, and its own folder, which is there and holds no keys, for its settings."""
    ours = {"MSWEA_SILENT_STARTUP": "1", "MSWEA_GLOBAL_CONFIG_DIR": str(package)}
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
