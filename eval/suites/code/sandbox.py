"""Where commands of a model run, and what they may take: the same seam for bubblewrap, docker, singularity and no
sandbox at all.

    sandbox = choose("bubblewrap")
    ran = sandbox.run("python -m pytest -q", folder, seconds=30.0)

A command sees the folder as `/workspace`, whatever it is called here, and begins in it. Nothing else that it can write
to outlives it, but for `scratch`, which it sees as `/tmp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict, Field

from eval.names import nearest
from eval.suites.code.bounded import MIB, memory_of, takes_more
from eval.suites.code.python_home import TEST_PACKAGES
from eval.suites.code.repository import IDENTITY, USER
from reasoningbank.errors import SetupError
from reasoningbank.types import Record

if TYPE_CHECKING:
    from eval.suites.code.backend import CodeBackend

SandboxName = Literal["bubblewrap", "docker", "singularity", "local"]
SANDBOXES: tuple[SandboxName, ...] = get_args(SandboxName)
CONTAINERS: tuple[SandboxName, ...] = ("docker", "singularity")
"""Those that run an image."""

WORKSPACE = "/workspace"
SCRATCH = "/tmp"
HOST_NAME = "sandbox"
LOCAL_RISK = (
    "code.sandbox=local runs every command of the model as you, with nothing in between: it can read, change and "
    "delete all that you can, use the network, and find the hidden tests"
)
Amount = Annotated[int, Field(strict=True, ge=1)]


class Limits(BaseModel):
    """What one command may take beside its time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    memory_mb: Amount = 1024
    """MiB, of each of its processes by its address space, and of all together by what they hold. `/tmp`, which is
    memory where it is not kept, has half as much."""
    processes: Amount = 100
    """Processes and threads at one time."""
    disk_mb: Amount = 512
    """MiB of a file, and of all files that are in its folder, where none counts as less than a KiB."""
    output_mb: Amount = 8
    """MiB that it prints."""

    def exceeded(self, folders: Iterable[Path | None], pids: Sequence[int] = (), *, counted: bool = False) -> str:
        """Why a command is to be ended that has these processes and folders; empty where it is not.

        `counted`: nothing else bounds how many processes it has.
        """
        if counted and len(pids) > self.processes:
            return f"it was stopped when it had {self.processes} processes"
        if memory_of(pids) > self.memory_mb * MIB:
            return f"it was stopped when its processes held {self.memory_mb} MiB of memory"
        if takes_more(folders, self.disk_mb * MIB):
            return f"it was stopped when the folder had {self.disk_mb} MiB"
        return ""


class Ran(Record):
    """What became of a command."""

    output: str
    """What it printed, on both of its outputs together."""
    returncode: int
    timed_out: bool = False
    stopped: str = ""
    """Why it was ended before it ended by itself: by its time, or by a limit. Empty where it was not."""


class Sandbox(Protocol):
    """Runs commands. Thread-safe, where no two threads use the same folder."""

    name: SandboxName

    def check(self) -> str:
        """In a few words what it goes by. SetupError where it cannot be used: what is missing, and what to do."""
        ...

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        """A bash command in `folder`. All that it has started has ended when this returns.

        `scratch` is a folder for what the next command shall find in `/tmp`. InfraError where the sandbox itself
        fails.
        """
        ...


def open_sandbox(code: CodeBackend, packages: tuple[str, ...] = TEST_PACKAGES) -> Sandbox:
    """The one that the settings name, found to work. SetupError where it does not. `packages` are those that tests
    need."""
    return choose(code.sandbox, limits=code.limits, image=code.image, packages=packages)


def choose(
    name: str, *, limits: Limits | None = None, image: str | None = None, packages: tuple[str, ...] = TEST_PACKAGES
) -> Sandbox:
    """A sandbox by its name, looked at and found to work. `image` is a container's; `packages` are those of this
    Python's that its own has; `local` has all. SetupError where it cannot be used.
    """
    # each is loaded where it is chosen
    sandbox: Sandbox
    if name == "bubblewrap":
        from eval.suites.code.bubblewrap import Bubblewrap

        sandbox = Bubblewrap(limits=limits, packages=packages)
    elif name == "docker":
        from eval.suites.code.docker import Docker

        sandbox = Docker(limits=limits, image=image, packages=packages)
    elif name == "singularity":
        from eval.suites.code.singularity import Singularity

        sandbox = Singularity(limits=limits, image=image, packages=packages)
    elif name == "local":
        from eval.suites.code.local import Local

        sandbox = Local(limits=limits)
    else:
        raise SetupError(f"code.sandbox={name}: there is no such sandbox; {nearest(name, SANDBOXES)}")
    sandbox.check()
    return sandbox


def variables(path: str, *, home: str, packages: str = "") -> Mapping[str, str]:
    """The environment of every command: nothing of the user's, and what makes its output the same at any time.

    `path` is its PATH, `packages` a folder of Python packages.
    """
    return {
        **{"PATH": path, "HOME": home, "USER": USER, "LOGNAME": USER, "SHELL": "/bin/bash", "HOSTNAME": HOST_NAME},
        **{"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "COLUMNS": "100"},
        # `ls -l` shows no times
        **{"TIME_STYLE": "+-", "NO_COLOR": "1", "PY_COLORS": "0"},
        **{"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"},
        **({"PYTHONPATH": packages} if packages else {}),
        **{"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider"},
        # nobody is there to answer
        **{"PAGER": "cat", "GIT_PAGER": "cat", "EDITOR": "true", "GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0"},
        **IDENTITY,
    }
