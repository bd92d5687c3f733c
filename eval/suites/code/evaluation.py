"""What a patch is worth: applied to a clean checkout, with the hidden tests, which are run in a sandbox.

A patch changes no test, and nothing that is loaded before the tests begin. The code that it repairs runs in the same
process as they do: one that is written to forge what they tell can do so, here as in SWE-bench.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field

from eval.journal import Outcome
from eval.suites.code.environment import WriteTree, remove
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.instance import Instance
from eval.suites.code.repository import Unusable, apply, paths_of
from eval.suites.code.sandbox import Sandbox
from eval.suites.code.testing import PLACE, PLUGIN, RanTests, RunsTests, files_of, run_pytest
from reasoningbank.errors import SetupError
from reasoningbank.types import Record

Ending = Literal[
    "resolved", "unresolved", "empty_patch", "patch_not_applied", "tests_touched", "tests_timed_out", "tests_stopped"
]
"""Of an evaluation. `tests_touched`: not resolved, and the patch changes tests; such changes are left out in any case,
and may make a solution none the worse. `tests_stopped`: by a limit other than of time."""
ENDINGS: tuple[Ending, ...] = get_args(Ending)
CONFTEST = ("conftest.py", "*/conftest.py")
"""They can make any test pass."""
ROOTS = ("", "src/")
"""Where the tests' Python looks for modules in a repository, before it looks for its own and for pytest's."""
LOADED = frozenset(
    {"pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli", "colorama"}
    | {"sitecustomize", "usercustomize"}
    | sys.stdlib_module_names
)
"""Modules that are loaded before a test is come to."""


class Evaluation(Record):
    """What came of one patch. `why` says more of an ending, where there is more to say."""

    instance_id: str
    ending: Ending
    patch: Literal["none", "empty", "there"] = "there"
    why: str = ""
    touched: tuple[str, ...] = ()
    """Tests, and what steers them, that the patch changes: these changes were left out."""
    passed: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    failed: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Of FAIL_TO_PASS and PASS_TO_PASS the tests that pass now, and those that do not; empty where none were run."""
    output: str = ""
    """What the tests printed, its ends."""

    @property
    def resolved(self) -> bool:
        return self.ending == "resolved"

    def outcome(self) -> Outcome:
        """For the journal. Its checks are the shares of tests that pass, and the ending by its name."""
        checks = {kind: share(passed, self.failed[kind]) for kind, passed in self.passed.items()}
        reward = float(self.resolved)
        if self.touched:
            checks["tests_left_out"] = float(len(self.touched))
        return Outcome(
            status="solved" if self.resolved else "unsolved", reward=reward, checks={**checks, self.ending: reward}
        )

    def report(self) -> dict[str, Any]:
        """As SWE-bench's own evaluation writes it for one instance."""
        told: dict[str, Any] = {
            "patch_is_None": self.patch == "none",
            "patch_exists": self.patch == "there",
            "patch_successfully_applied": self.ending not in ("empty_patch", "patch_not_applied"),
            "resolved": self.resolved,
        }
        if self.passed:
            told["tests_status"] = {
                **{kind: {"success": list(self.passed[kind]), "failure": list(self.failed[kind])} for kind in KINDS},
                **{kind: {"success": [], "failure": []} for kind in ("FAIL_TO_FAIL", "PASS_TO_FAIL")},
            }
        return {self.instance_id: told}


def share(passed: Sequence[object], failed: Sequence[object]) -> float:
    """Of the tests of one kind those that pass: all of them where there are none."""
    there = len(passed) + len(failed)
    return len(passed) / there if there else 1.0


KINDS = ("FAIL_TO_PASS", "PASS_TO_PASS")
TESTS_FOLDERS = frozenset({"test", "tests", "testing"})


def evaluate(
    instance: Instance,
    evidence: CodeEvidence,
    *,
    write_tree: WriteTree,
    sandbox: Sandbox,
    run_tests: RunsTests = run_pytest,
    seconds: float = 120.0,
) -> Evaluation:
    """Applies the evidence's patch to the instance's files and runs its tests, which have `seconds` in all.

    SetupError where the instance itself is at fault, InfraError where the sandbox is.
    """
    if not instance.FAIL_TO_PASS:
        raise SetupError(f"instance {instance.instance_id}: FAIL_TO_PASS is empty, so that nothing could resolve it")

    def ends(ending: Ending, why: str, touched: Sequence[str] = ()) -> Evaluation:
        given: Literal["none", "empty", "there"] = "none" if patch is None else "there" if patch.strip() else "empty"
        return Evaluation(instance_id=instance.instance_id, ending=ending, patch=given, why=why, touched=tuple(touched))

    patch = evidence.patch
    if patch is None:
        return ends("patch_not_applied", evidence.problem)
    if not patch.strip():
        return ends("empty_patch", "")
    place = Path(tempfile.mkdtemp(prefix="reasoningbank-"))
    try:
        folder = place / "workspace"
        folder.mkdir()
        write_tree(folder)
        # the tests come first: nothing that a patch puts in their way is a fault of the instance
        own = put_tests(folder, instance)
        try:
            changed = paths_of(folder, patch)
        except Unusable as error:
            return ends("patch_not_applied", str(error))
        left_out = [pattern for pattern in own if any(is_among(path, [pattern]) for path in changed)]
        touched = [path for path in changed if is_among(path, left_out)]
        if changed and len(touched) == len(changed):
            return ends("tests_touched", "the patch changes nothing but tests", touched)
        if failed := apply(folder, patch, leave_out=left_out):
            return ends("patch_not_applied", failed, touched)
        ran = run_tests(sandbox, folder, (*instance.FAIL_TO_PASS, *instance.PASS_TO_PASS), seconds=seconds)
    finally:
        remove(place)
    return judged(instance, ran, touched)


def judged(instance: Instance, ran: RanTests, touched: Sequence[str]) -> Evaluation:
    """By what became of the tests: all of both lists have to pass."""
    wanted = {"FAIL_TO_PASS": instance.FAIL_TO_PASS, "PASS_TO_PASS": instance.PASS_TO_PASS}
    failed = {kind: tuple(test for test in tests if not ran.passed(test)) for kind, tests in wanted.items()}
    ending: Ending
    if ran.timed_out:
        ending = "tests_timed_out"
    elif ran.stopped:
        ending = "tests_stopped"
    elif not any(failed.values()):
        ending = "resolved"
    else:
        ending = "tests_touched" if touched else "unresolved"
    return Evaluation(
        instance_id=instance.instance_id,
        ending=ending,
        why=ran.stopped,
        touched=tuple(touched),
        passed={kind: tuple(test for test in tests if ran.passed(test)) for kind, tests in wanted.items()},
        failed=failed,
        output=ran.output,
    )


def put_tests(folder: Path, instance: Instance) -> list[str]:
    """Applies the tests' own patch to the instance's files. Patterns of the paths that no other patch may change.

    SetupError where it does not apply.
    """
    added: list[str] = []
    failed = ""
    if instance.test_patch.strip():
        try:
            added = paths_of(folder, instance.test_patch)
        except Unusable as error:
            failed = str(error)
    found = protected(instance, added, folder)
    if added and not failed:
        failed = apply(folder, instance.test_patch)
    if failed:
        raise SetupError(f"instance {instance.instance_id}: its test_patch does not apply: {failed}")
    return found


def protected(instance: Instance, added: Sequence[str], folder: Path) -> list[str]:
    """Patterns of the paths that no patch may change: the files of the tests, the folders `tests` in which they are,
    what `added`, the tests' own patch, changes, with the folders that it makes, and what steers pytest: settings, and
    modules that would take the place of its own or of Python's. `folder` has the files before any patch.
    """
    files = {*files_of((*instance.FAIL_TO_PASS, *instance.PASS_TO_PASS)), *added}
    found = {PLACE, f"{PLUGIN}.*", f"{PLUGIN}/*", *CONFTEST, *files}
    for file in files:
        parts = file.split("/")[:-1]
        above = ["/".join(parts[: index + 1]) for index in range(len(parts))]
        named = [path for path, part in zip(above, parts, strict=True) if part in TESTS_FOLDERS]
        new = [path for path in above if file in added and not os.path.lexists(folder / path)]
        found |= {*named[:1], *new[:1]}
    for root in ROOTS:
        there = {path.name.partition(".")[0] for path in (folder / root).glob("*")}
        found |= {f"{root}{name}{ending}" for name in LOADED - there for ending in (".*", "/__init__.*")}
    return sorted(found | {f"{path}/*" for path in found if "*" not in path})


def is_among(path: str, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns is the path; `*` in them is any text."""
    from fnmatch import fnmatchcase

    return any(fnmatchcase(path, pattern) for pattern in patterns)
