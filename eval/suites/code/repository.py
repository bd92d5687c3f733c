"""The repository of a task, as git sees it: one commit to begin with, and what has been changed since.

The agent has a repository of its own in its folder, and may do with it what it likes. What was changed is asked of
another one outside, of which it knows nothing: settings, hooks, filters and attributes that a command has left in the
folder are not carried out by this process, and a history that it has rewritten changes no patch.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.text import last_words

MESSAGE = "As it is"
USER = "agent"
"""Whose commits all are: those of this process, and those of a model's commands."""
IDENTITY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", USER), ("EMAIL", f"{USER}@localhost"), ("DATE", "2024-01-01T00:00:00+0000"))
}
"""Variables by which the same files make the same commit at any time."""
BRANCH = "main"
MOST_BYTES = 4 * 1024 * 1024
"""Of a patch."""
MOST_CHANGED = 16 * MOST_BYTES
"""Of all files together that were changed or added: they are read, and a file may be far larger than what of it is on
the disk."""
SETTINGS = (
    *("safe.directory=*", f"core.hooksPath={os.devnull}", "core.fsmonitor=false", "core.autocrlf=false", "gc.auto=0"),
)
PATIENCE = 300.0
"""Seconds for one command of git."""
DROPPINGS = (
    "__pycache__/",
    "*.py[cod]",
    ".pytest_cache/",
    ".hypothesis/",
    ".mypy_cache/",
    ".ruff_cache/",
    "*.egg-info/",
)
"""What running a program leaves behind."""
AS_THEY_ARE = "* -text !filter !ident !diff !working-tree-encoding\n"
"""Attributes that come before those of any file in the folder."""


class Unusable(Exception):
    """A patch that nobody can take. The message says why."""


class Repository:
    """The files of `folder`, watched from `git_dir` outside of it."""

    def __init__(self, folder: Path, git_dir: Path) -> None:
        self.folder = folder
        self.git_dir = git_dir

    @classmethod
    def begin(cls, folder: Path, git_dir: Path) -> Repository:
        """With the files that are there as the only commit, which the same files make the same at any time.

        Where the folder came with a repository of its own, files that this one ignores and does not track are none.
        """
        made = cls(folder, git_dir)
        made._git("init", "--quiet", f"--initial-branch={BRANCH}", "--template=")
        (git_dir / "info").mkdir(exist_ok=True)
        (git_dir / "info" / "exclude").write_text("\n".join(DROPPINGS) + "\n", encoding="utf-8")
        (git_dir / "info" / "attributes").write_text(AS_THEY_ARE, encoding="utf-8")
        if (folder / ".git").exists():
            made._git("add", "--all", ".")
            made._add_tracked()
        else:
            made._git("add", "--all", "--force", ".")
        made._git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", MESSAGE)
        return made

    def _add_tracked(self) -> None:
        """What the folder's own repository tracks, though it may ignore it."""
        listed = run_git(["ls-files", "-z"], self.folder).stdout.split(b"\0")
        there = b"\0".join(path for path in listed if path and os.path.lexists(os.fsencode(self.folder) + b"/" + path))
        words = ["--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"]
        done = run_git(words, self.folder, git_dir=self.git_dir, given=there)
        if there and done.returncode:
            raise InfraError(f"git add failed: {_said(done)}")

    def hand_over(self) -> None:
        """A copy of it in the folder, for who works there, unless the folder came with a repository of its own."""
        if (self.folder / ".git").exists():
            return
        shutil.copytree(self.git_dir, self.folder / ".git")
        (self.folder / ".git" / "info" / "attributes").unlink()
        config = self.folder / ".git" / "config"
        config.write_text(re.sub(r"(?m)^\s*worktree = .*\n", "", config.read_text(encoding="utf-8")), encoding="utf-8")

    @property
    def base(self) -> str:
        """The hash of the commit."""
        return self._git("rev-parse", "HEAD").strip()

    def patch(self) -> tuple[str, str]:
        """What was changed, in full, and what could not be taken up (empty where all could).

        Unusable where it is larger than a patch may be, or the files that it is of are.
        """
        problem = self._take_up()
        text = _files(self._diff("--binary"))
        if all(_is_utf8(part) for part in text):
            return b"".join(text).decode("utf-8"), problem
        # lines in another encoding: as binary data they are plain letters
        attributes = self.git_dir / "info" / "attributes"
        attributes.write_text("* -diff\n", encoding="utf-8")
        try:
            binary = _files(self._diff("--binary"))
        finally:
            attributes.write_text(AS_THEY_ARE, encoding="utf-8")
        parts = [mine if _is_utf8(mine) else theirs for mine, theirs in zip(text, binary, strict=True)]
        return b"".join(parts).decode("utf-8"), problem

    def changes(self) -> str:
        """What was changed, to be read by somebody."""
        try:
            self._take_up()
            return self._diff().decode("utf-8", errors="replace")
        except Unusable as error:
            return f"({error})"

    def _take_up(self) -> str:
        """All files as they are now. What git says of those that it cannot take."""
        open_folders(self.folder)
        words = ["ls-files", "-z", "--others", "--modified", "--exclude-standard"]
        listed = run_git(words, self.folder, git_dir=self.git_dir).stdout.split(b"\0")
        size = sum(_size(os.path.join(os.fsencode(self.folder), path)) for path in set(listed) if path)
        if size > MOST_CHANGED:
            raise Unusable(f"the changed files have {size:,} bytes, and {MOST_CHANGED:,} are taken at most")
        done = run_git(["add", "--all", "--ignore-errors", "."], self.folder, git_dir=self.git_dir)
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("error: ")]
        return "; ".join(line.removeprefix("error: ") for line in said[:5])

    def _diff(self, *options: str) -> bytes:
        target = self.git_dir / "patch"
        plain = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", f"--output={target}")
        self._git("diff", "--cached", *options, *plain, "HEAD")
        size = target.stat().st_size
        if size > MOST_BYTES:
            raise Unusable(f"the patch has {size:,} bytes, and {MOST_BYTES:,} are taken at most")
        return target.read_bytes()

    def _git(self, *words: str) -> str:
        done = run_git(words, self.folder, git_dir=self.git_dir)
        if done.returncode:
            raise InfraError(f"git {words[0]} failed: {_said(done)}")
        return done.stdout.decode("utf-8", errors="replace")


def apply(folder: Path, patch: str, *, leave_out: Sequence[str] = (), back: bool = False) -> str:
    """Applies a patch to the files of a folder that is no repository, or takes it `back`: all of it or none. Why not,
    where it cannot be.

    `leave_out` are patterns of paths that stay as they are; `*` in them is any text.
    """
    words = ["apply", "--whitespace=nowarn", *(f"--exclude={pattern}" for pattern in leave_out)]
    words += [*(["--reverse"] if back else []), "-"]
    done = run_git(words, folder, given=patch.encode("utf-8", errors="surrogateescape"))
    return _said(done) if done.returncode else ""


def paths_of(folder: Path, patch: str) -> list[str]:
    """The files that a patch changes, by their old and new names. Unusable where it is no patch, or of
    files elsewhere."""
    done = run_git(["apply", "--numstat", "-z", "-"], folder, given=patch.encode("utf-8", errors="surrogateescape"))
    if done.returncode:
        raise Unusable(_said(done))
    counted = done.stdout.decode("utf-8", errors="replace").split("\0")
    found = {line.split("\t", 2)[2] for line in counted if line.count("\t") >= 2}
    found |= set(re.findall(r"^(?:rename|copy) from (.+)$", patch, re.MULTILINE))
    if out := sorted(path for path in found if path.startswith("/") or ".." in path.split("/")):
        raise Unusable(f"it leads out of the folder: {out[0]}")
    return sorted(found)


def strip_history(repository: Path, base: str, *, keep_files: bool = False) -> None:
    """Leaves of a repository of others what was known at `base`, checked out: no branch, tag, remote or lost object
    that is newer. SetupError where anything is left.

    With `keep_files`, where `base` is what is checked out, files stay as they are, changed or added.
    """
    if not keep_files:
        for words in (["checkout", "--quiet", "--force", "--detach", base], ["clean", "-fdq"]):
            _must(repository, *words)
    else:
        _must(repository, "checkout", "--quiet", "--detach")
    for name in _must(repository, "remote").split():
        _must(repository, "remote", "remove", name)
    for name in _must(repository, "for-each-ref", "--format=%(refname)").split():
        _must(repository, "update-ref", "--no-deref", "-d", name)
    for path in (repository / ".git").glob("*_HEAD"):
        path.unlink()
    _must(repository, "checkout", "--quiet", "-B", BRANCH, base)
    _must(repository, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    _must(repository, "-c", "gc.pruneExpire=now", "gc", "--quiet", "--prune=now")
    if left := newer_commits(repository, base):
        raise SetupError(
            f"{repository}: {len(left)} commits newer than {base[:12]} cannot be removed, {left[0]} among them"
        )


def newer_commits(repository: Path, base: str) -> list[str]:
    """All commits that are stored in a repository and do not come before `base`: the fix may be among them."""
    stored = _must(repository, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")
    commits = {line.partition(" ")[2] for line in stored.splitlines() if line.startswith("commit ")}
    return sorted(commits - set(_must(repository, "rev-list", base).split()))


def run_git(
    words: Sequence[str], folder: Path, *, git_dir: Path | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """git in a folder, without anybody's settings. InfraError where it does not end; SetupError where there is none."""
    where = [f"--git-dir={git_dir}", f"--work-tree={folder}"] if git_dir else []
    told = {
        **{"PATH": os.environ.get("PATH", os.defpath), "HOME": os.devnull, "LC_ALL": "C", "TZ": "UTC"},
        **{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"},
        **{"GIT_TERMINAL_PROMPT": "0", "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)},
        **IDENTITY,
    }
    try:
        return subprocess.run(
            ["git", *(word for setting in SETTINGS for word in ("-c", setting)), *where, *words],
            cwd=folder,
            env=told,
            input=given,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        raise SetupError("the program git is missing, which suites of code need; install it") from None
    except subprocess.TimeoutExpired:
        raise InfraError(f"git {words[0]} did not end within {PATIENCE:g} s") from None


def open_folders(folder: Path) -> None:
    """Makes those folders usable for their owner again, of which somebody has taken away the right to."""
    with suppress(OSError):
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IRWXU)
    for place, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(place, name)
            with suppress(OSError):
                mode = os.lstat(path).st_mode
                if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                    os.chmod(path, stat.S_IMODE(mode) | stat.S_IRWXU)


def _size(path: bytes) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0  # it was removed


def _files(diff: bytes) -> list[bytes]:
    """The parts of a diff, one a file."""
    return re.split(rb"(?m)^(?=diff --git )", diff)[1:]


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _must(repository: Path, *words: str) -> str:
    done = run_git(words, repository)
    if done.returncode:
        raise SetupError(f"{repository}: git {words[0]} failed: {_said(done)}")
    return done.stdout.decode("utf-8", errors="replace")


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """In one line what git complains of."""
    return last_words(done.stderr.decode("utf-8", errors="replace"), 400) or f"it returned {done.returncode}"
