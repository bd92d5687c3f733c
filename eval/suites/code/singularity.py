"""Commands in a container of singularity's or apptainer's: for machines where nobody may use docker, such as clusters.

The image is docker's, kept as a file of which nothing can be changed. As with docker there is no network and one folder
that can be written; what all of a command take together is looked at four times a second.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from eval.suites.code.bounded import MIB, family, run_bounded
from eval.suites.code.image import InImage
from eval.suites.code.ownership import owner
from eval.suites.code.sandbox import LOCAL_RISK, SCRATCH, Ran, SandboxName
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.files import path_name
from reasoningbank.text import last_words

PROGRAMS = ("apptainer", "singularity")
"""One program under two names; the options that are used here are those of both."""
ENDING = ".sif"
COPIED = "/mnt"
"""Where a folder of this machine is seen that a part of the image is copied to: each image has that one."""
STARTING = 120.0
"""Seconds that a container has to start: its file is mounted."""
FETCHING = 3600.0
"""Seconds for an image that is not here yet: some have several GB."""
OWN_FAULT, COMPLAINT = 255, "FATAL:"
"""What the program returns, and how it begins, where it is the program that failed."""
VARIABLES = ("PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
OF_PROGRAM = tuple(f"{name}_{what}" for name in ("APPTAINER", "SINGULARITY") for what in ("CACHEDIR", "TMPDIR"))
OF_FETCHING = (
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"),
    *(f"{name}_DOCKER_{what}" for name in ("APPTAINER", "SINGULARITY") for what in ("USERNAME", "PASSWORD")),
)
"""Of this process, for the program itself and for no command."""


class Singularity(InImage):
    """Implements `Container`. An `image` is a name of docker's, or a `.sif` file."""

    name: SandboxName = "singularity"

    def check(self) -> str:
        """The program's version. SetupError where there is none."""
        return f"{self._works}, image {self.image}"

    @cached_property
    def _works(self) -> str:
        try:
            return self._ask("--version", seconds=30.0)
        except InfraError as error:
            raise SetupError(f"code.sandbox=singularity: {error}") from None

    @cached_property
    def _program(self) -> str:
        found = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if found is None:
            raise SetupError(
                f"code.sandbox=singularity: neither of the programs {' and '.join(PROGRAMS)} is here; install one, or "
                f"load its module. {LOCAL_RISK}"
            )
        return found

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        """As `Sandbox.run`."""
        limits = self.limits
        with ExitStack() as stack:
            if scratch is None:  # what it would make itself has few MiB
                scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reasoningbank-")))
            line = [self._program, *self.arguments(self.file(), command, folder, scratch, seconds)]
            began = time.monotonic()
            ended = run_bounded(
                line,
                seconds=seconds + STARTING,
                output_mb=limits.output_mb,
                env=_environment(VARIABLES, OF_PROGRAM),
                watch=lambda pid: limits.exceeded((folder, scratch), family(pid), counted=True),
            )
        if ended.timed_out or (ended.returncode == OWN_FAULT and ended.output.startswith(COMPLAINT.encode())):
            said = last_words(ended.output.decode("utf-8", errors="replace"))
            raise InfraError(f"{self._program} did not run the command: {said}")
        return self.ran(ended, folder, began=began, seconds=seconds)

    def arguments(self, file: Path, command: str, folder: Path, scratch: Path, seconds: float) -> list[str]:
        """What the program is told. Variables are set inside: its own option takes no commas, and sets no HOME."""
        user = os.geteuid() or owner(folder, scratch)
        becomes = [] if os.geteuid() else ["--no-privs", "--security", f"uid:{user}", "--security", f"gid:{user}"]
        binds = [f"{folder}:{self.workspace}", f"{scratch}:{SCRATCH}"]
        binds += [f"{path}:{inside}:ro" for inside, path in self.mounted.items()]
        limited = f'ulimit -c 0 -f {self.limits.disk_mb * MIB // 1024} 2>/dev/null; cd "$1" && shift && exec "$@"'
        return [
            *("--silent", "exec", "--containall", "--no-home", "--net", "--network", "none", *becomes),
            *(word for bind in binds for word in ("--bind", bind)),
            *(str(file), "env", *(f"{key}={value}" for key, value in self.variables.items())),
            *("bash", "-c", limited, "bash", self.workspace, *self.words(command, seconds)),
        ]

    def file(self) -> Path:
        """The image as a file, fetched where it is not here. InfraError where it cannot be had."""
        if self.image.endswith(ENDING):
            return Path(self.image).expanduser()
        kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "reasoningbank", "images")
        file = kept / f"{path_name(self.image)}{ENDING}"
        if not file.is_file():
            kept.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=kept) as place:
                made = Path(place, "image")
                self._ask("--silent", "pull", "--disable-cache", str(made), f"docker://{self.image}", seconds=FETCHING)
                made.replace(file)
        return file

    def copy_out(self, inside: str, folder: Path) -> None:
        """As `Container.copy_out`."""
        folder.mkdir(parents=True)
        copy = ["cp", "--archive", "--no-preserve=ownership", f"{inside}/.", COPIED]
        words = ["--silent", "exec", "--containall", "--no-home", "--net", "--network", "none"]
        self._ask(*words, "--bind", f"{folder}:{COPIED}", str(self.file()), *copy, seconds=FETCHING)

    def _ask(self, *words: str, seconds: float) -> str:
        """What the program answers. InfraError tells what it complains of."""
        try:
            done = subprocess.run(
                [self._program, *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
                env=_environment(VARIABLES, OF_PROGRAM, OF_FETCHING),
            )
        except subprocess.TimeoutExpired:
            raise InfraError(f"{self._program} did not end within {seconds:g} s") from None
        if done.returncode:
            raise InfraError(f"{self._program} failed: {last_words(done.stderr)}")
        return done.stdout.strip()


def _environment(*names: tuple[str, ...]) -> Mapping[str, str]:
    """What the program is told of this process's variables; others of its own would mount more than is said here."""
    return {name: os.environ[name] for each in names for name in each if name in os.environ}
