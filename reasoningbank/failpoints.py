"""Named places where a test can stop the process dead, to prove that a kill there loses nothing.

`REASONINGBANK_FAILPOINT=name@n:path` makes the n-th passage of `name` create the file `path` and then hang, so that
the test can kill the process at exactly that place. Without the variable a failpoint costs one dictionary look-up.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

_passages = 0
_lock = threading.Lock()


def failpoint(name: str) -> None:
    """Hang here if this passage is the one the environment names."""
    wanted = os.environ.get("REASONINGBANK_FAILPOINT")
    if not wanted or not wanted.startswith(f"{name}@"):
        return
    count, _, path = wanted.removeprefix(f"{name}@").partition(":")
    global _passages
    with _lock:
        _passages += 1
        reached = _passages == int(count)
    if reached:
        Path(path).touch()
        while True:
            time.sleep(60)
