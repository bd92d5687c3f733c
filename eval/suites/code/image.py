"""What sandboxes that are containers have in common: their image, and how a command is carried out in it."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

from eval.suites.code.bounded import Ended
from eval.suites.code.python_home import TEST_PACKAGES, files_of
from eval.suites.code.sandbox import SCRATCH, WORKSPACE, Limits, Ran, Sandbox, variables

PACKAGES = "/packages"
KILLED = 137
"""What a command returns that was ended by KILL."""


class Container(Sandbox, Protocol):
    """A sandbox whose commands run in an image."""

    image: str

    def copy_out(self, inside: str, folder: Path) -> None:
        """What is in a folder of the image, which is fetched where it is not here, into one of this machine that there
        is not yet. InfraError where it cannot be had."""
        ...


class InImage:
    """`packages` are those of this Python that the container's has, with all that they need; they must be of Python
    alone. An `image` needs bash, git and a Python; by default it is Python's own.

    For an image with a project of its own: `workspace` is where the folder is seen, and `path` the PATH, or None for
    the image's; the line of bash `before` is carried out before every command, and variables `without` are not set.
    """

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
        self.workspace = workspace
        self._packages = packages
        self._before = before
        told = variables(path or "", home=SCRATCH, packages=PACKAGES if packages else "")
        left_out = without if path is not None else without | {"PATH"}
        self.variables: Mapping[str, str] = {key: value for key, value in told.items() if key not in left_out}

    def words(self, command: str, seconds: float) -> list[str]:
        """The command as it is carried out inside, where its time is kept."""
        bash = ["bash", "-c", command]
        if self._before:
            bash = ["bash", "-c", f'{self._before}\nexec bash -c "$0"', command]
        return ["timeout", "--signal=KILL", f"{seconds:g}", *bash]

    @cached_property
    def mounted(self) -> Mapping[str, Path]:
        """What can be read inside beside the image, by where it is there."""
        return {f"{PACKAGES}/{name}": path.resolve() for name, path in files_of(self._packages).items()}

    def ran(self, ended: Ended, folder: Path, *, began: float, seconds: float) -> Ran:
        """What became of `words`, which began at that time of the monotonic clock."""
        # by KILL, after its time: so `timeout` ends what is late, whatever a command's own code says
        late = ended.returncode == KILLED and not ended.stopped and time.monotonic() - began >= seconds
        return Ran(
            output=ended.output.decode("utf-8", errors="replace").replace(str(folder), self.workspace),
            returncode=124 if late else KILLED if ended.stopped else ended.returncode,
            timed_out=late,
            stopped=f"it was stopped after {seconds:g} s" if late else ended.stopped,
        )
