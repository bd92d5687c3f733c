"""The environment of an attempt: what the agent finds, what is told of its changes, and what it cannot do to us."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from sandbox_here import SMALL, needs_bubblewrap

from eval.suites.base import Inspectable
from eval.suites.code.environment import CodeEnvironment
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.local import Local
from eval.suites.code.repository import (
    MOST_BYTES,
    MOST_CHANGED,
    Repository,
    Unusable,
    apply,
    newer_commits,
    paths_of,
    strip_history,
)
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Environment, ShowsChanges
from reasoningbank.types import Task

TASK = Task(id="a__b-1", suite="any", group="any", intent="It is wrong")
FILES = {"a.py": "A = 1\n", "pkg/b.py": "B = 1\nB2 = 2\n", ".gitignore": "ignored\n", "run.sh": "echo 1\n"}


def write_tree(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "run.sh").chmod(0o755)


@pytest.fixture
def env() -> CodeEnvironment:
    """In the real sandbox."""
    made = CodeEnvironment(sandbox=SMALL, write_tree=write_tree, command_seconds=60.0)
    made.reset(TASK, 0)
    return made


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    (tmp_path / "w").mkdir()
    write_tree(tmp_path / "w")
    return Repository.begin(tmp_path / "w", tmp_path / "git")


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def test_it_is_what_agents_and_runner_ask_for() -> None:
    made = CodeEnvironment(sandbox=Local(), write_tree=write_tree)
    for protocol in (Environment, ShowsChanges, Inspectable):
        assert isinstance(made, protocol)
    with pytest.raises(InfraError, match="reset"):
        made.step("ls")
    made.close()


@needs_bubblewrap
def test_an_agent_finds_the_files_as_one_commit_and_its_changes_are_told(env: CodeEnvironment) -> None:
    assert env.reset(TASK, 0).text == ""
    seen = env.step("git status --short; git log --format=%s; git rev-list --all --count; ls -a")
    assert seen.text.split() == ["As", "it", "is", "1", *(".", "..", ".git", ".gitignore", "a.py", "pkg", "run.sh")]
    assert (seen.returncode, seen.error) == (0, "")
    assert env.changes() == ""
    assert env.finish(None) == CodeEvidence()
    env.step("sed -i 's/B = 1/B = 3/' pkg/b.py; echo new > new.txt; rm a.py; touch ignored; echo > /tmp/kept")
    assert env.step("ls /tmp; false").text == "kept\n"
    found = env.look("done")
    assert found.answer == "done"
    assert found.patch is not None
    for line in ("-B = 1", "+B = 3", "+new", "-A = 1", "deleted file mode 100644"):
        assert f"\n{line}\n" in found.patch
    assert "ignored" not in found.patch
    assert env.changes() == found.patch
    assert env.finish("done") == found
    assert CodeEvidence.model_validate(found.model_dump(mode="json")) == found
    env.reset(TASK, 0)
    assert (env.changes(), env.step("ls /tmp").text) == ("", "")
    env.close()


@needs_bubblewrap
def test_two_attempts_see_the_same_and_nothing_of_this_machine(env: CodeEnvironment) -> None:
    looks = (
        "ls -la . .git; git log -p | head -20; git show --stat; id; id -u; hostname; env",
        'python -c \'print(object(), hash("a"), {"b", "a", "c"})\'; mktemp',
        "mkdir -p tests; printf 'def test_a(): pass\\n' > tests/test_a.py; python -m pytest",
        "git add -A; git commit -m x; git log; time true; no-such-program",
        "python -c 'import tempfile; tempfile.mkdtemp(); 1/0'",
    )
    first = [env.step(each) for each in looks]
    other = CodeEnvironment(sandbox=SMALL, write_tree=write_tree, command_seconds=60.0)
    other.reset(TASK, 1)
    assert [other.step(each) for each in looks] == first
    text = "".join(each.text for each in first)
    assert "/workspace" in text
    for name in (os.uname().nodename, str(Path.home()), "reasoningbank"):
        assert name not in text.replace("sandbox", "")
    for each in (env, other):
        each.close()


@needs_bubblewrap
def test_what_takes_too_long_is_an_error_of_the_step(env: CodeEnvironment) -> None:
    env._seconds = 0.3
    shown = env.step("echo begun; sleep 60")
    assert (shown.text, shown.returncode, shown.error) == ("begun\n", 124, "it was stopped after 0.3 s")
    env._seconds = 60.0
    assert env.step("echo on").text == "on\n"
    env.close()


@needs_bubblewrap
def test_an_agent_that_destroys_its_folder_still_leaves_evidence(env: CodeEnvironment) -> None:
    env.step("rm -rf /workspace/* /workspace/.* 2>/dev/null; mkdir closed; chmod 000 closed; mkfifo pipe; ln -s / out")
    found = env.finish(None)
    assert found.patch is not None
    assert "-A = 1" in found.patch
    assert "closed" not in found.patch
    assert found.patch.count("new file") == 1  # the link
    folder = env._opened().folder
    env.close()
    assert not folder.exists()


def test_a_handed_in_patch_is_the_evidence_where_that_is_asked_for(tmp_path: Path) -> None:
    made = CodeEnvironment(sandbox=Local(), write_tree=write_tree, patch_from="answer")
    made.reset(TASK, 0)
    assert made.finish("diff --git a b\n").patch == "diff --git a b\n"
    assert made.finish(None).patch == ""
    made.close()


def test_nothing_that_was_left_in_the_folder_runs_here(place: Repository, tmp_path: Path) -> None:
    """Settings, hooks and attributes by which git starts programs."""
    folder, mark = place.folder, tmp_path / "mark"
    place.hand_over()
    touch = f"touch {mark}; cat"
    for key in (
        "filter.x.clean",
        "filter.x.smudge",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "core.pager",
    ):
        git(folder, "config", key, touch)
    git(folder, "config", "core.fsmonitor", touch)
    git(folder, "config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    for hook in ("pre-commit", "post-index-change", "fsmonitor-watchman"):
        (tmp_path / "hooks" / hook).write_text(f"#!/bin/sh\n{touch}\n")
        (tmp_path / "hooks" / hook).chmod(0o755)
    (folder / ".gitattributes").write_text("* filter=x diff=x text eol=crlf working-tree-encoding=UTF-16\n")
    (folder / "a.py").write_text("A = 2\n")
    patch, problem = place.patch()
    assert "+A = 2\n" in patch
    assert problem == ""
    assert "+A = 2" in place.changes()
    assert not mark.exists()


def test_a_rewritten_history_changes_no_patch(place: Repository) -> None:
    place.hand_over()
    (place.folder / "a.py").write_text("A = 2\n")
    git(place.folder, "add", "-A")
    git(place.folder, "commit", "-qm", "mine")
    before = place.patch()
    git(place.folder, "checkout", "-q", "--orphan", "other")
    git(place.folder, "commit", "-qm", "all")
    git(place.folder, "branch", "-D", "main")
    assert place.patch() == before
    assert "+A = 2" in before[0]


def test_the_same_files_are_the_same_commit(tmp_path: Path, place: Repository) -> None:
    (tmp_path / "again").mkdir()
    write_tree(tmp_path / "again")
    assert Repository.begin(tmp_path / "again", tmp_path / "git2").base == place.base


def test_a_patch_makes_the_same_files_again_whatever_is_in_them(place: Repository, tmp_path: Path) -> None:
    folder = place.folder
    contents = {
        "a.py": b"A = 1",
        "latin": "Gr\u00fc\u00dfe\n".encode("latin-1"),
        "binary": bytes(range(256)),
        "crlf": b"a\r\nb\r\n",
        "with blank": b"x\n",
        "\u00fcber": "\u00fc\n".encode(),
        "diff": b"diff --git a/x b/x\n",
        "empty": b"",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "link").symlink_to("a.py")
    (folder / "run.sh").chmod(0o644)
    (folder / "pkg" / "b.py").unlink()
    patch, problem = place.patch()
    assert problem == ""
    target = tmp_path / "target"
    target.mkdir()
    write_tree(target)
    assert set(paths_of(target, patch)) == {*contents, "link", "run.sh", "pkg/b.py"}
    assert apply(target, patch) == ""
    for name, content in contents.items():
        assert (target / name).read_bytes() == content, name
    assert (target / "link").readlink() == Path("a.py")
    assert not os.access(target / "run.sh", os.X_OK) or os.stat(target / "run.sh").st_mode & 0o111 == 0
    assert not (target / "pkg" / "b.py").exists()
    assert "Binary files" in place.changes()


def test_what_git_cannot_take_is_told_beside_the_rest(place: Repository) -> None:
    (place.folder / "sub").mkdir()
    git(place.folder / "sub", "init", "-q")
    (place.folder / "a.py").write_text("A = 2\n")
    patch, problem = place.patch()
    assert "+A = 2" in patch
    assert "sub" in problem
    with (place.folder / "large").open("wb") as file:
        file.write(b"0123456789abcde\n" * (MOST_BYTES // 16 + 1))
    with pytest.raises(Unusable, match="bytes"):
        place.patch()
    assert "bytes" in place.changes()


def test_files_that_are_larger_than_what_of_them_is_on_the_disk_are_not_read(place: Repository) -> None:
    def hole(name: str, size: int) -> None:
        with (place.folder / name).open("wb") as file:
            file.truncate(size)

    hole("ignored", 1 << 40)
    (place.folder / "a.py").write_text("A = 2\n")
    assert "+A = 2" in place.patch()[0]
    for number in range(8):
        hole(f"large-{number}", MOST_CHANGED // 8 + 1)
    with pytest.raises(Unusable, match="the changed files have"):
        place.patch()
    assert "the changed files have" in place.changes()
    hole("ignored", 1)
    for number in range(8):
        hole(f"large-{number}", 10)
    hole("a.py", 1 << 40)
    with pytest.raises(Unusable, match="the changed files have"):
        place.patch()


@pytest.mark.parametrize("path", ["../out.py", "pkg/../../out.py", "..", "/etc/out.py"])
def test_a_patch_of_files_elsewhere_is_none(place: Repository, path: str) -> None:
    for patch in (
        f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+a\n",
        f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n",
    ):
        with pytest.raises(Unusable, match="leads out of the folder"):
            paths_of(place.folder, patch)


def test_folders_that_were_closed_are_opened_again(place: Repository, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    (place.folder / "new" / "inner").mkdir(parents=True)
    (place.folder / "new" / "inner" / "c.py").write_text("C = 1\n")
    (place.folder / "new" / "out").symlink_to(tmp_path / "out")
    for folder in ("new/inner", "new", "pkg", "."):
        (place.folder / folder).chmod(0)
    patch, problem = place.patch()
    assert problem == ""
    assert "+C = 1" in patch
    assert "b.py" not in patch
    assert (place.folder / "new" / "inner").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o500


def test_of_a_repository_of_others_only_what_came_before_is_left(tmp_path: Path) -> None:
    upstream, here = tmp_path / "upstream", tmp_path / "here"
    upstream.mkdir()
    git(upstream, "init", "-q", "-b", "main")
    hashes = []
    for number in range(4):
        (upstream / "a.py").write_text(f"A = {number}\n")
        git(upstream, "add", "-A")
        git(upstream, "commit", "-qm", f"change {number}")
        git(upstream, "tag", f"v{number}")
        hashes.append(git(upstream, "rev-parse", "HEAD"))
    git(upstream, "branch", "older", hashes[0])
    git(tmp_path, "clone", "-q", str(upstream), str(here))
    (here / "a.py").write_text("lost\n")
    git(here, "commit", "-qam", "lost")
    git(here, "stash", "list")
    git(here, "reset", "-q", "--hard", "HEAD~1")
    assert set(newer_commits(here, hashes[1])) > {hashes[2], hashes[3]}
    strip_history(here, hashes[1])
    assert newer_commits(here, hashes[1]) == []
    assert git(here, "log", "--all", "--format=%s").splitlines() == ["change 1", "change 0"]
    assert (git(here, "remote"), git(here, "tag"), git(here, "stash", "list"), git(here, "reflog")) == ("", "", "", "")
    assert (here / "a.py").read_text() == "A = 1\n"
    for lost in (hashes[2], hashes[3]):
        assert subprocess.run(["git", "cat-file", "-e", lost], cwd=here, check=False, capture_output=True).returncode
    with pytest.raises(SetupError, match="git checkout failed"):
        strip_history(here, hashes[3])
