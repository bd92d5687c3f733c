"""One hand-written defect as an instance, made by running its tests; and its base for an agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from eval.suites.code.environment import WriteTree
from eval.suites.code.instance import Instance
from eval.suites.code.repository import Repository, apply
from eval.suites.code.sandbox import Sandbox
from eval.suites.code.testing import run_pytest
from eval.suites.swebench_mini.catalog import HardInstance, Package, load_package


@dataclass(frozen=True)
class Made:
    """An instance with what is known of it beside."""

    instance: Instance
    write_tree: WriteTree
    package: Package
    defect: HardInstance


def broken_tree(package: Package, defect: HardInstance) -> WriteTree:
    """What an agent finds."""

    def write(folder: Path) -> None:
        package.write_tree(folder)
        assert apply(folder, defect.bug) == ""

    return write


def diff_to(folder: Path, before: WriteTree, after: WriteTree) -> tuple[str, str]:
    """The diff between two trees, and the commit that it is from."""
    work = folder / "work"
    work.mkdir(parents=True)
    before(work)
    repository = Repository.begin(work, folder / "git")
    after(work)
    patch, problem = repository.patch()
    assert problem == ""
    return patch, repository.base


def made(name: str, folder: Path, sandbox: Sandbox, *, defect: int = 0) -> Made:
    """The defect of a package, by its place."""
    package = load_package(name)
    hard = package.hard[defect]
    write_tree = broken_tree(package, hard)
    gold, base = diff_to(folder / "gold", write_tree, package.write_tree)

    def with_hidden(target: Path) -> None:
        package.write_tree(target, hidden=True)

    tests, _ = diff_to(folder / "tests", package.write_tree, with_hidden)
    statuses = []
    for tree in ("broken", "clean"):
        target = folder / tree
        target.mkdir()
        (write_tree if tree == "broken" else package.write_tree)(target)
        assert apply(target, tests) == ""
        files = [path.as_posix() for path in (*package.visible(), *package.hidden()) if path.name.startswith("test_")]
        statuses.append(run_pytest(sandbox, target, files, seconds=300.0))
    before, after = statuses
    instance = Instance(
        instance_id=f"{name}__{hard.id}",
        repo=name,
        base_commit=base,
        problem_statement=hard.statement,
        patch=gold,
        test_patch=tests,
        FAIL_TO_PASS=tuple(test for test in after.statuses if after.passed(test) and not before.passed(test)),
        PASS_TO_PASS=tuple(test for test in after.statuses if after.passed(test) and before.passed(test)),
    )
    return Made(instance, write_tree, package, hard)
