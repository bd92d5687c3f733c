"""Commands behind bubblewrap: no network, a system that can only be read, one folder that can be written, and an end to
all of it when the command has ended, or this process has.

Every command has namespaces of its own: of processes, so that none outlives it and none of the others is seen; of the
network, so that not even this machine's own servers are reached; of mounts. Who runs this as root has the commands run
as a user of no other rights, to whom the folder is given; else they run as who runs this. What a process may take is
bounded by ulimit, what all of a command take together is looked at four times a second, and where memory grows short
for the whole machine its processes are the first to go.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from eval.suites.code.bounded import MIB, Ended, await_end, family, run_bounded
from eval.suites.code.ownership import owner
from eval.suites.code.python_home import TEST_PACKAGES, base_prefix, files_of, package_folders, program
from eval.suites.code.repository import USER
from eval.suites.code.sandbox import (
    HOST_NAME,
    LOCAL_RISK,
    SCRATCH,
    WORKSPACE,
    Limits,
    Ran,
    SandboxName,
    variables,
)
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.text import last_words

PROJECT = Path(__file__).parents[3]
PROGRAMS = ("/usr/bin", "/usr/lib", "/usr/local/bin")
HOME, PACKAGES, TOOLS = "/python", "/packages", "/tools"
"""Of the interpreter, its packages, and its programs' names."""
SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
HOW = "run ./scripts/setup_bubblewrap.sh, or start docker and set code.sandbox=docker"
START = (
    '{ echo 1000 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f "$2"; ulimit -v "$3"; ulimit -u "$4"; } 2>/dev/null'
    '; cd "$1" && exec bash -c "$5"'
)
"""Sets the limits in the sandbox, and then is the command. A limit that cannot be set is one that was lower before."""
PYTEST = '#!/bin/sh\nexec python -m pytest "$@"\n'

PLAIN = 1000
"""The user's number that commands are shown."""


class Bubblewrap:
    """Implements `Sandbox`. `packages` are those that its Python has, with all that they need."""

    name: SandboxName = "bubblewrap"

    def __init__(self, *, limits: Limits | None = None, packages: tuple[str, ...] = TEST_PACKAGES) -> None:
        self.limits = limits or Limits()
        self._packages = packages

    def check(self) -> str:
        """Its version. SetupError where it is missing, or not allowed to work."""
        return self._works

    @cached_property
    def _works(self) -> str:
        """Told of what has been tried."""
        with _empty_folder() as folder:
            try:
                ran = self.run("python -c 'import sys, pytest; print(*sys.version_info[:2])'", folder, seconds=60.0)
            except InfraError as error:
                raise SetupError(
                    f"code.sandbox=bubblewrap: {self._program} cannot make a sandbox here ({error}); allow user "
                    f"namespaces, or start docker and set code.sandbox=docker. {LOCAL_RISK}"
                ) from None
        if ran.returncode:
            said = ran.stopped or last_words(ran.output) or "it says nothing; code.limits may leave it too little"
            raise SetupError(f"code.sandbox=bubblewrap: the Python of {base_prefix()} does not run in it: {said}")
        return f"bubblewrap ({self._program}), Python {'.'.join(ran.output.split())}"

    @cached_property
    def _program(self) -> str:
        found = shutil.which("bwrap")
        if found is None:
            raise SetupError(f"code.sandbox=bubblewrap: the program bwrap is missing ({HOW}). {LOCAL_RISK}")
        return found

    def run(self, command: str, folder: Path, *, seconds: float, scratch: Path | None = None) -> Ran:
        """As `Sandbox.run`."""
        user = owner(folder, scratch) if os.geteuid() == 0 else None
        with ExitStack() as stack:
            told, tell = os.pipe()
            stack.callback(os.close, told)
            files = [stack.enter_context(_file(text)) for text in (*_accounts(user), PYTEST)]
            options = stack.enter_context(_file("\0".join(self.options(folder, scratch, user, files))))
            line = [self._program, "--args", str(options), "--json-status-fd", str(tell), *_becomes(user)]
            limits = self.limits
            amounts = (limits.disk_mb * 1024, limits.memory_mb * 1024, limits.processes)
            line += ["bash", "-c", START, "bash", WORKSPACE, *map(str, amounts), command]
            try:
                ended = run_bounded(
                    line,
                    seconds=seconds,
                    output_mb=limits.output_mb,
                    env={},
                    pass_fds=(tell, options, *files),
                    watch=lambda pid: limits.exceeded((folder, scratch), family(pid)),
                )
            finally:
                os.close(tell)
            status = [json.loads(line) for line in _read_all(told).splitlines()]
            # with its first process all others end; bwrap itself may be gone a moment earlier
            await_end([said["child-pid"] for said in status if "child-pid" in said])
        return self._ran(ended, status, folder, user)

    def options(self, folder: Path, scratch: Path | None, user: int | None, files: Sequence[int]) -> list[str]:
        """What bwrap is told of the sandbox, in a file: a process in it can read the line that started it. `user` is
        whom the command runs as, None for who runs this. `files` are open: users, groups, and the program pytest."""
        passwd, group, pytest = map(str, files)
        tmp = ["--size", str(self.limits.memory_mb * MIB // 2), "--tmpfs", SCRATCH]
        whose = ["--unshare-user", "--uid", str(PLAIN), "--gid", str(PLAIN)]
        if user is not None:
            whose = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        return [
            *("--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
            *("--unshare-cgroup-try", "--hostname", HOST_NAME, *whose),
            *self._system,
            *("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(MIB * 16), "--tmpfs", "/dev/shm"),
            *("--remount-ro", "/dev"),
            *("--perms", "0644", "--ro-bind-data", passwd, "/etc/passwd"),
            *("--perms", "0644", "--ro-bind-data", group, "/etc/group"),
            *("--perms", "0755", "--ro-bind-data", pytest, f"{TOOLS}/pytest"),
            *(["--bind", str(scratch), SCRATCH] if scratch else ["--perms", "1777", *tmp]),
            *("--bind", str(folder), WORKSPACE, "--remount-ro", "/", "--clearenv"),
            *self._variables,
        ]

    @cached_property
    def _system(self) -> list[str]:
        """What of this machine can be read: programs, the interpreter, a few packages; nothing that is a user's."""
        base = base_prefix()
        inside = base.is_relative_to("/usr")
        home = str(base) if inside else HOME
        line = ["--ro-bind", "/usr", "/usr"]
        for name in SYSTEM:
            here = Path("/", name)
            if here.is_symlink():
                line += ["--symlink", str(here.readlink()), str(here)]
            elif here.is_dir():
                line += ["--ro-bind", str(here), str(here)]
        for made in ("/etc", PACKAGES, TOOLS):
            line += ["--perms", "0755", "--dir", made]
        line += ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"]
        if not inside:
            line += ["--ro-bind", str(base), HOME]
        for folder in package_folders():
            seen = str(folder) if folder.is_relative_to("/usr") else f"{HOME}/{folder.relative_to(base)}"
            line += ["--tmpfs", seen, "--remount-ro", seen]
        # where somebody works below /usr, as in some images, results with patches and instances may be there
        for own in sorted({PROJECT, Path.cwd()}):
            needed = any(Path(each).is_relative_to(own) for each in (base, *PROGRAMS))
            within = any(own.is_relative_to(each) for each in package_folders())
            if own.is_relative_to("/usr") and not needed and not within:
                line += ["--tmpfs", str(own), "--remount-ro", str(own)]
        for name, path in files_of(self._packages).items():
            line += ["--ro-bind", str(path.resolve()), f"{PACKAGES}/{name}"]
        for name in ("python", "python3"):
            line += ["--symlink", f"{home}/{program()}", f"{TOOLS}/{name}"]
        return line

    @cached_property
    def _variables(self) -> list[str]:
        base = base_prefix()
        told = dict(variables(f"{TOOLS}:/usr/local/bin:/usr/bin:/bin", home=SCRATCH, packages=PACKAGES))
        if not base.is_relative_to("/usr") and list(base.glob("lib/libpython*.so*")):
            told["LD_LIBRARY_PATH"] = f"{HOME}/lib"  # it has been moved
        return [word for name, value in told.items() for word in ("--setenv", name, value)]

    def _ran(self, ended: Ended, status: Sequence[Mapping[str, int]], folder: Path, user: int | None) -> Ran:
        output = ended.output.decode("utf-8", errors="replace")
        returned = [said["exit-code"] for said in status if "exit-code" in said]
        if not ended.stopped and not returned:
            raise InfraError(f"the sandbox did not start, or was ended from outside: {last_words(output)}")
        output = output.replace(str(folder), WORKSPACE)
        if user is not None:
            output = re.sub(rf"(^|(?:uid|gid|groups)=){user}(?=$|\()", rf"\g<1>{PLAIN}", output, flags=re.MULTILINE)
        return Ran(
            output=output,
            returncode=124 if ended.timed_out else 137 if ended.stopped else returned[0],
            timed_out=ended.timed_out,
            stopped=ended.stopped,
        )


def _becomes(user: int | None) -> list[str]:
    """Who it is from there on, without a way back."""
    if user is None:
        return []
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all", "--no-new-privs"]


def _accounts(user: int | None) -> tuple[str, str]:
    """The lists of users and of groups, in which the command's own has a name."""
    number = PLAIN if user is None else user
    users = f"root:x:0:0::{SCRATCH}:/bin/bash\n{USER}:x:{number}:{number}::{SCRATCH}:/bin/bash\n"
    return users, f"root:x:0:\n{USER}:x:{number}:\n"


@contextmanager
def _file(text: str) -> Iterator[int]:
    """An open file that is nowhere."""
    handle = os.memfd_create("text")
    try:
        os.write(handle, text.encode())
        os.lseek(handle, 0, os.SEEK_SET)
        yield handle
    finally:
        os.close(handle)


def _read_all(handle: int) -> bytes:
    """What has been written into a pipe by those who have ended."""
    os.set_blocking(handle, False)
    try:
        return os.read(handle, 65536)
    except BlockingIOError:
        return b""


@contextmanager
def _empty_folder() -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
        yield Path(name)
