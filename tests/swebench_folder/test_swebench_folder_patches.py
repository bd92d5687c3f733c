"""Patches of a suite's folder that are no patches of its files are told before anybody works on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.suites.code.instance import Instance
from eval.suites.swebench_folder.content import taken_back
from reasoningbank.errors import SetupError


def moved(old: str, new: str, lines: str = "") -> str:
    """A patch of a file that was `old` and is `new`, or not there by the name of /dev/null."""
    names = [f"{side}{name}" if name != "/dev/null" else name for side, name in (("a/", old), ("b/", new))]
    kind = {"/dev/null": "new file mode 100644\n"}.get(old) or {"/dev/null": "deleted file mode 100644\n"}.get(new, "")
    path = new if old == "/dev/null" else old
    return f"diff --git a/{path} b/{path}\n{kind}--- {names[0]}\n+++ {names[1]}\n{lines}"


CHANGED = "@@ -1 +1 @@\n-old\n+new\n"
ADDED = "@@ -0,0 +1 @@\n+new\n"
REMOVED = "@@ -1 +0,0 @@\n-old\n"


RENAMED = "diff --git a/before.py b/there.py\nsimilarity index 100%\nrename from before.py\nrename to there.py\n"
UNFIT = {
    "changes what is not there": moved("nowhere.py", "nowhere.py", CHANGED),
    "adds what is not there": moved("/dev/null", "nowhere.py", ADDED),
    "adds what is not there in a folder": moved("/dev/null", "folder/nowhere.py", ADDED),
    "adds what is there": moved("/dev/null", "there.py", ADDED),
    "removes what is not there": moved("nowhere.py", "/dev/null", REMOVED),
    "renames": RENAMED,
    "changes a folder": moved("folder", "folder", CHANGED),
    "changes what is in a file": moved("there.py/inside.py", "there.py/inside.py", CHANGED),
    "changes a link": moved("link.py", "link.py", CHANGED),
    "changes what a link leads to": moved("linked/there.py", "linked/there.py", CHANGED),
    "changes what a program left": moved("__pycache__/there.py", "__pycache__/there.py", CHANGED),
    "changes what no folder can have": moved(f"{'a' * 300}.py", f"{'a' * 300}.py", CHANGED),
    "is none": "no patch at all",
}


def with_patches(patch: str, test_patch: str) -> Instance:
    texts = dict.fromkeys(("repo", "base_commit", "problem_statement"), "x")
    tests: dict[str, tuple[str, ...]] = {"FAIL_TO_PASS": (), "PASS_TO_PASS": ()}
    return Instance.model_validate({"instance_id": "a-1", "patch": patch, "test_patch": test_patch, **texts, **tests})


def test_two_patches_of_one_file_are_both_taken_back(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("new\nnew\n")
    patch = moved("a.py", "a.py", "@@ -1,2 +1,2 @@\n-old\n+new\n old\n")
    test_patch = moved("a.py", "a.py", "@@ -1,2 +1,2 @@\n new\n-old\n+new\n")
    assert taken_back(tmp_path, with_patches(patch, test_patch)) == {"a.py": b"old\nold\n"}


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("patch", UNFIT.values(), ids=UNFIT)
def test_patches_of_files_that_are_not_the_trees_are_unusable(patch: str, hidden: bool, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in ("there.py", "also.py", "folder/there.py", "__pycache__/there.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("new\n")
    (tree / "link.py").symlink_to("there.py")
    (tree / "linked").symlink_to("folder")
    good = moved("also.py", "also.py", CHANGED)
    patches = (good, patch) if hidden else (patch, good)
    assert taken_back(tree, with_patches(good, moved("there.py", "there.py", CHANGED))) == {
        "also.py": b"old\n",
        "there.py": b"old\n",
    }
    with pytest.raises(SetupError, match="instance a-1: its patches do not fit") as error:
        taken_back(tree, with_patches(*patches))
    assert "\n" not in str(error.value)
