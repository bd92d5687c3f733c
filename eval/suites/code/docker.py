"""Commands in a container of their own: no network, a system that can only be read, one folder that can be written."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from functools import cached_property
from pathlib import Path

from eval.suites.code.bounded import MIB, run_bounded
from eval.suites.code.image import InImage
from eval.suites.code.ownership import owner
from eval.suites.code.sandbox import HOST_NAME, LOCAL_RISK, SCRATCH, Ran, SandboxName
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.text import last_words

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
FETCHING = 3600.0
"""Seconds for an image that is not here yet: some have several GB."""
DOCKERS_OWN = 125
"""What `docker run` returns where it is docker that failed."""
COMPLAINTS = (b"docker:", b"Unable to find")
"""How its output begins then."""
GONE = ("No such container", "is already in progress")
"""What it says of a container that has ended by itself, or is just about to."""


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
        raise Unreachable("docker's daemon does not answer; see to it") from None
    if done.returncode:
        raise Unreachable(f"docker's daemon cannot be reached ({last_words(done.stderr)}); start it")
    return done.stdout.strip()


class Docker(InImage):
    """Implements `Container`."""

    name: SandboxName = "docker"

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
        if ended.stopped:
            self._remove(name)
        if ended.timed_out or (ended.returncode == DOCKERS_OWN and ended.output.startswith(COMPLAINTS)):
            said = last_words(ended.output.decode("utf-8", errors="replace"))
            raise InfraError(f"docker did not run the command: {said}")
        return self.ran(ended, folder, began=began, seconds=seconds)

    def arguments(self, name: str, command: str, folder: Path, scratch: Path | None, seconds: float) -> list[str]:
        """What docker is told. The time is kept inside: to end docker's own program ends no container."""
        limits = self.limits
        user = os.geteuid() or owner(folder, scratch)
        tmp = ["--tmpfs", f"{SCRATCH}:rw,exec,mode=1777,size={limits.memory_mb * MIB // 2}"]
        return [
            *("run", "--rm", "--init", "--name", name, "--hostname", HOST_NAME, "--network", "none", "--read-only"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{user}:{user}"),
            *("--memory", f"{limits.memory_mb}m", "--memory-swap", f"{limits.memory_mb}m"),
            *("--pids-limit", str(limits.processes), "--ulimit", f"fsize={limits.disk_mb * MIB}", "--ulimit", "core=0"),
            *("--volume", f"{folder}:{self.workspace}", "--workdir", self.workspace),
            *(["--volume", f"{scratch}:{SCRATCH}"] if scratch else tmp),
            *(word for inside, path in self.mounted.items() for word in ("--volume", f"{path}:{inside}:ro")),
            *(word for key, value in self.variables.items() for word in ("--env", f"{key}={value}")),
            *(self.image, *self.words(command, seconds)),
        ]

    def copy_out(self, inside: str, folder: Path) -> None:
        """As `Container.copy_out`."""
        container = self._ask("create", "--network", "none", self.image, "true").split()[-1]
        try:
            self._ask("cp", "--quiet", f"{container}:{inside}/.", str(folder))
        finally:
            self._ask("rm", "--force", container)

    def _ask(self, *words: str) -> str:
        """What docker's own program answers. InfraError tells what it complains of."""
        try:
            done = subprocess.run(
                [self._program, *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=FETCHING,
                check=False,
                env=client_variables(),
            )
        except subprocess.TimeoutExpired:
            raise InfraError(f"docker {words[0]} did not end within {FETCHING:g} s") from None
        if done.returncode:
            raise InfraError(f"docker {words[0]} failed: {last_words(done.stderr)}")
        return done.stdout

    def _remove(self, name: str) -> None:
        """Ends a container. InfraError where that cannot be had: it would go on for ever."""
        line = [self._program, "rm", "--force", name]
        try:
            done = subprocess.run(
                line,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=60.0,
                check=False,
                env=client_variables(),
            )
        except subprocess.TimeoutExpired:
            raise InfraError(f"docker does not end the container {name} within 60 s") from None
        if done.returncode and not any(words in done.stderr for words in GONE):
            raise InfraError(f"docker does not end the container {name}: {last_words(done.stderr)}")


def client_variables() -> dict[str, str]:
    """What docker's own program is told of this process's variables."""
    return {name: os.environ[name] for name in CLIENT_VARIABLES if name in os.environ}
