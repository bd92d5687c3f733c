"""Every hand-written defect, run: what fails on the broken tree, and what a fix that knows no house rule leaves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from package_trees import function_of, not_passed, statuses, tree_of

from eval.suites.swebench_mini.catalog import HardInstance, all_packages, load_package

HARD = [instance for package in all_packages() for instance in package.hard]
pytestmark = pytest.mark.long


@cache
def clean(name: str, folder: Path) -> dict[str, str]:
    return statuses(tree_of(load_package(name), folder / name))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clean")


@pytest.mark.parametrize("instance", HARD, ids=lambda each: f"{each.package}/{each.id}")
def test_hidden_tests_alone_find_the_defect_and_the_broken_rule(
    instance: HardInstance, folder: Path, tmp_path: Path
) -> None:
    """The broken tree passes its visible tests and not all hidden ones. The fix that knows no rule leaves failures of
    every rule that the instance needs, and of nothing else."""
    package = load_package(instance.package)
    all_tests = clean(package.name, folder)
    failing = not_passed(statuses(tree_of(package, tmp_path / "broken", instance.bug)), all_tests)
    assert failing
    assert len(failing) < len(all_tests) / 2
    assert {test for test in failing if not test.startswith("hidden/")} == set()
    if instance.naive is not None:
        tree = tree_of(package, tmp_path / "naive", instance.bug, instance.naive)
        left = {function_of(test) for test in not_passed(statuses(tree), all_tests)}
        of_rules = {rule.id: set(rule.tests) for rule in package.rules if rule.id in instance.rules}
        assert left <= set().union(*of_rules.values())
        assert [rule for rule, tests in of_rules.items() if not tests & left] == []
        assert {function_of(test) for test in failing} - left, "it repairs what was reported"
