"""The command line of a run whose attempts leave patches, and what `score` has put beside one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from waiting import HANG

from eval.grading.rescoring import Rescored

HERE = Path(__file__).parent
RUNNER = HERE.parent / "runner"
JOB = [
    *(f"--config-dir={HERE / 'configs'}", f"--config-dir={RUNNER / 'configs'}"),
    f"plugins=[{HERE / 'patch_tasks.py'},{RUNNER / 'shell_tasks.py'}]",
    *("suite=patch_tasks", "llm=mender", "embedder=hashing", "memory=none", "progress=quiet", "figure=false"),
    *("concurrency.workers=1", "run_name=one", "on_infra_error=skip", "retries=0"),
]


def rescored(run: Path) -> Rescored:
    """The one file that there is."""
    (path,) = run.glob("rescored/*.json")
    return Rescored.model_validate_json(path.read_bytes())


def kill_at(place: str, passage: int, mark: Path, *argv: str) -> None:
    """`python -m eval` up to the n-th passage of a failpoint, and killed there with all that it has started."""
    with subprocess.Popen(
        [sys.executable, "-m", "eval", *argv],
        cwd=HERE.parents[1],
        env={**os.environ, "REASONINGBANK_FAILPOINT": f"{place}@{passage}:{mark}"},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        until = time.monotonic() + HANG
        while not mark.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    mark.unlink()
