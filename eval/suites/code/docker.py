"""Commands in a container of their own: no network, a system that can only be read, one folder that can be written."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from eval.suites.code.bounded import MIB, run_bounded
from eval.suites.code.ownership import owner
from eval.suites.code.python_home import TEST_PACKAGES, files_of
from eval.suites.code.sandbox import HOST_NAME, LOCAL_RISK, SCRATCH, WORKSPACE, Limits, Ran, SandboxName, variables
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.text import last_words

PACKAGES = "/packages"
CLIENT_VARIABLES = (
    "PATH",
    "HOME",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "DOCKER_CONFIG",
    "DOCKER_CERT_PATH",
    "DOCKER_TLS_VERIFY",
)
"""Of this process, for docker's own program and for no command."""
STARTING = 120.0
"""Seconds that a container has to start: the first time its image is fetched."""
KILLED = 137
"""What a command returns that was ended by KILL."""
DOCKERS_OWN = 125
"""What `docker run` returns where it is docker that failed."""


class Unreachable(Exception):
    """There is no docker. The message says what is missing, and what to do."""


def program() -> str:
    """docker's own. Unreachable where there is none."""
    found = shutil.which("docker")
    if found is None:
        raise Unreachable("the program docker is missing; install it")
    return found


def daemon() -> str:
    """The version of its daemon. Unreachable where there is none to be reached."""
    line = [program(), "version", "--format", "{{.Server.Version}}"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=30.0, check=False, env=client_variables())
    except subprocess.TimeoutExpired:
        raise Unreachable("the daemon does not answer; see to it") from None
    if done.returncode:
        raise Unreachable(f"the daemon cannot be reached ({last_words(done.stderr)}); start it")
    return done.stdout.strip()


class Docker:
    """Implements `Sandbox`. `packages` are those of this Python that the container's has, with all that they need; they
    must be of Python alone. An `image` needs bash, git and a Python; by default it is Python's own.

    For an image with a project of its own: `workspace` is where the folder is seen, and `path` the PATH, or None for
    the image's; the line of bash `before` is carried out before every command, and variables `without` are not set.
    """

    name: SandboxName = "docker"

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        image: str | None = None,
        packages: tuple[str, ...] = TEST_PACKAGES,
        workspace: str = WORKSPACE,
        path: str | None = "/usr/local/bin:/usr/bin:/bin",
        before: str = "",
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.limits = limits or Limits()
        self.image = image or f"python:{sys.version_info.major}.{sys.version_info.minor}"
        self._packages = packages
        self._workspace = workspace
        self._before = before
        told = variables(path or "", home=SCRATCH, packages=PACKAGES if packages else "")
        left_out = without if path is not None else without | {"PATH"}
        self._variables = {key: value for key, value in told.items() if key not in left_out}

    def check(self) -> str:
        """The daemon's version. SetupError where there is none to be reached."""
        return self._works

    @cached_property
    def _works(self) -> str:
        try:
            return f"docker {daemon()}, image {self.image}"
        except Unreachable as error:
            raise SetupError(f"code.sandbox=docker: {error}. {LOCAL_RISK}") from None

    @cached_property
    def _program(self) -> str:
        try:
            return program()
        except Unreachable as error:
            raise SetupError(f"code.sandbox=docker: {error}. {LOCAL_RISK}") from None

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        """As `Sandbox.run`."""
        name = f"reasoningbank-{secrets.token_hex(8)}"
        began = time.monotonic()
        ended = run_bounded(
            [self._program, *self.arguments(name, command, folder, scratch, seconds)],
            seconds=seconds + STARTING,
            output_mb=self.limits.output_mb,
            env=client_variables(),
            watch=lambda pid: self.limits.exceeded((folder, scratch)),
        )
        output = ended.output.decode("utf-8", errors="replace")
        if ended.stopped:
            self._remove(name)
        if ended.timed_out or (ended.returncode == DOCKERS_OWN and output.startswith(("docker:", "Unable to find"))):
            raise InfraError(f"docker did not run the command: {last_words(output)}")
        # by KILL, after its time: so `timeout` ends what is late, whatever a command's own code says
        late = ended.returncode == KILLED and not ended.stopped and time.monotonic() - began >= seconds
        return Ran(
            output=output.replace(str(folder), self._workspace),
            returncode=124 if late else KILLED if ended.stopped else ended.returncode,
            timed_out=late,
            stopped=f"it was stopped after {seconds:g} s" if late else ended.stopped,
        )

    def arguments(self, name: str, command: str, folder: Path, scratch: Path | None, seconds: float) -> list[str]:
        """What docker is told. The time is kept inside: to end docker's own program ends no container."""
        limits = self.limits
        user = os.geteuid() or owner(folder, scratch)
        bash = (
            ["bash", "-c", f'{self._before}\nexec bash -c "$0"', command] if self._before else ["bash", "-c", command]
        )
        tmp = ["--tmpfs", f"{SCRATCH}:rw,exec,mode=1777,size={limits.memory_mb * MIB // 2}"]
        return [
            *("run", "--rm", "--init", "--name", name, "--hostname", HOST_NAME, "--network", "none", "--read-only"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{user}:{user}"),
            *("--memory", f"{limits.memory_mb}m", "--memory-swap", f"{limits.memory_mb}m"),
            *("--pids-limit", str(limits.processes), "--ulimit", f"fsize={limits.disk_mb * MIB}", "--ulimit", "core=0"),
            *("--volume", f"{folder}:{self._workspace}", "--workdir", self._workspace),
            *(["--volume", f"{scratch}:{SCRATCH}"] if scratch else tmp),
            *self._mounted,
            *(word for key, value in self._variables.items() for word in ("--env", f"{key}={value}")),
            *(self.image, "timeout", "--signal=KILL", f"{seconds:g}", *bash),
        ]

    @cached_property
    def _mounted(self) -> Sequence[str]:
        found = files_of(self._packages).items()
        return [word for name, path in found for word in ("--volume", f"{path.resolve()}:{PACKAGES}/{name}:ro")]

    def _remove(self, name: str) -> None:
        """Ends a container. InfraError where that cannot be had: it would go on for ever."""
        line = [self._program, "rm", "--force", name]
        try:
            subprocess.run(line, capture_output=True, timeout=60.0, check=False, env=client_variables())
        except subprocess.TimeoutExpired:
            raise InfraError(f"docker does not end the container {name}") from None


def client_variables() -> dict[str, str]:
    """What docker's own program is told of this process's variables."""
    return {name: os.environ[name] for name in CLIENT_VARIABLES if name in os.environ}
