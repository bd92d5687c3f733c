"""Commands on this machine as they are, with limits and without a sandbox: for a machine that is one itself."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from eval.suites.code.bounded import family, run_bounded
from eval.suites.code.sandbox import LOCAL_RISK, WORKSPACE, Limits, Ran, SandboxName, variables
from reasoningbank.errors import SetupError

START = '{ ulimit -c 0; ulimit -f "$1"; ulimit -v "$2"; } 2>/dev/null; exec bash -c "$3"'
_WORKSPACE = re.compile(rf"(?<![\w./-]){WORKSPACE}(?![\w-])")


class Local:
    """Implements `Sandbox`, but for what the word promises. Where a command says `/workspace` it means the folder."""

    name: SandboxName = "local"

    def __init__(self, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()

    def check(self) -> str:
        """What it risks. SetupError where there is no bash."""
        if shutil.which("bash") is None:
            raise SetupError("code.sandbox=local: the program bash is missing")
        return LOCAL_RISK

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        """As `Sandbox.run`. What it has started and what then began a session of its own is not ended; `/tmp` is this
        machine's, and `scratch` is where programs put their temporary files."""
        here = str(folder)
        told = {**variables(f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin", home=str(scratch or folder))}
        if scratch is not None:
            told["TMPDIR"] = str(scratch)
        limits = self.limits
        amounts = (str(limits.disk_mb * 1024), str(limits.memory_mb * 1024))
        ended = run_bounded(
            ["bash", "-c", START, "bash", *amounts, _WORKSPACE.sub(lambda _: here, command)],
            seconds=seconds,
            output_mb=limits.output_mb,
            env=told,
            cwd=folder,
            watch=lambda pid: limits.exceeded((folder, scratch), family(pid), counted=True),
        )
        output = ended.output.decode("utf-8", errors="replace").replace(here, WORKSPACE)
        code = ended.returncode if ended.returncode >= 0 else 128 - ended.returncode
        return Ran(
            output=output,
            returncode=124 if ended.timed_out else 137 if ended.stopped else code,
            timed_out=ended.timed_out,
            stopped=ended.stopped,
        )
