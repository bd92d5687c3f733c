"""The containers of SWE-bench's instances: the repository of one as a folder here, and commands that run in its image.

What an agent changes is in that folder, which its container sees as `/testbed`; of the rest of the image it can write
to nothing. Packages cannot be installed: there is no network.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from eval.suites.code.docker import Docker
from eval.suites.code.environment import remove
from eval.suites.code.image import Container
from eval.suites.code.repository import run_git, strip_history
from eval.suites.code.sandbox import Limits, SandboxName
from eval.suites.code.singularity import Singularity
from reasoningbank.errors import SetupError
from reasoningbank.text import last_words

TESTBED = "/testbed"
CONDA = "/opt/miniconda3"
"""In the images."""
ACTIVATE = f"if [ -f {CONDA}/bin/activate ]; then . {CONDA}/bin/activate testbed; fi"
"""What gives an image of Python its interpreter; those of other languages have theirs on the PATH."""
OF_OUR_TESTS = frozenset({"PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_ADDOPTS"})
"""Variables that the tests of a real project do without: they need their plugins."""


def container_of(sandbox: SandboxName, image: str, limits: Limits) -> Container:
    """Where the commands of an attempt run. SetupError for a sandbox that has no images."""
    kinds: dict[SandboxName, type[Docker | Singularity]] = {"docker": Docker, "singularity": Singularity}
    if sandbox not in kinds:
        raise SetupError(
            f"code.sandbox={sandbox}: the tasks of suite=swebench are in images; choose {' or '.join(kinds)}"
        )
    return kinds[sandbox](
        limits=limits, image=image, packages=(), workspace=TESTBED, path=None, before=ACTIVATE, without=OF_OUR_TESTS
    )


class Tree:
    """Implements `WriteTree`: the repository as it is in an image, without what is newer than its commit.

    It is taken out once and copied for every attempt, until `forget`.
    """

    def __init__(self, container: Container, base: str) -> None:
        self._container = container
        self._base = base
        self._lock = threading.Lock()
        self._kept: Path | None = None

    def __call__(self, folder: Path) -> None:
        with self._lock:
            if self._kept is None:
                with ExitStack() as failed:
                    place = Path(tempfile.mkdtemp(prefix="reasoningbank-"))
                    failed.callback(remove, place)
                    self._container.copy_out(TESTBED, place / "tree")
                    prepare(place / "tree", self._base, self._container.image)
                    failed.pop_all()
                self._kept = place
            shutil.copytree(self._kept / "tree", folder, symlinks=True, dirs_exist_ok=True)

    def forget(self) -> None:
        """Removes what it keeps."""
        with self._lock:
            kept, self._kept = self._kept, None
            if kept is not None:
                remove(kept)


def prepare(folder: Path, base: str, image: str) -> None:
    """Takes out of a repository what is newer than `base`, whatever names it, and looks whether anything is left. Files
    stay as they are, with what the image's makers have changed and built.

    SetupError where the image is of another commit, or its fix may be in it.
    """
    ahead = git(folder, image, "rev-list", "--count", f"{base}..HEAD").strip()
    behind = git(folder, image, "rev-list", "--count", f"HEAD..{base}").strip()
    # the makers' own commit, for what they had to change, may come on top
    if behind != "0" or ahead not in ("0", "1"):
        raise SetupError(
            f"{image}: {TESTBED} is {ahead} commits ahead of base_commit={base} and {behind} behind: it is the image "
            "of another instance"
        )
    strip_history(folder, git(folder, image, "rev-parse", "HEAD").strip(), keep_files=True)


def git(folder: Path, image: str, *words: str) -> str:
    done = run_git(words, folder)
    if done.returncode:
        said = last_words(done.stderr.decode(errors="replace"))
        raise SetupError(f"{image}: git {words[0]} fails in {TESTBED}: {said}")
    return done.stdout.decode(errors="replace")
