"""A process that holds a server until it ends."""

from __future__ import annotations

import subprocess

HOLD = """
import sys, time
from pathlib import Path
from eval.suites.webarena.backends import Backends
lease = Backends({"shopping": sys.argv[2:]}, folder=Path(sys.argv[1])).lease(["shopping"])
print(lease.addresses["shopping"], flush=True)
time.sleep(600)
"""


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()
