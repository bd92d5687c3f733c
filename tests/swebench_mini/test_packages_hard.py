"""Every hand-written defect, run: what fails on the broken tree, and what a fix that knows no house rule leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from package_trees import all_statuses, function_of, not_passed, patch, tree_of

from eval.suites.swebench_mini.catalog import load_package, package_names

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", package_names())
def test_hidden_tests_alone_find_the_defects_and_the_broken_rules(name: str, tmp_path: Path) -> None:
    """A broken tree passes its visible tests and not all hidden ones, and the reverse patch makes it clean. A fix that
    knows no rule leaves failures of every rule that the instance needs, and of nothing else."""
    package = load_package(name)
    trees = [tree_of(package, tmp_path / "clean")]
    for instance in package.hard:
        trees.append(tree_of(package, tmp_path / instance.id, instance.bug))
        if instance.naive is not None:
            trees.append(tree_of(package, tmp_path / f"{instance.id}.naive", instance.bug, instance.naive))
    told = all_statuses(trees)
    clean = told["clean"]
    assert set(clean.values()) == {"PASSED"}
    for instance in package.hard:
        failing = not_passed(told[instance.id], clean)
        assert 0 < len(failing) < len(clean) / 2, instance.id
        assert {test for test in failing if not test.startswith("hidden/")} == set(), instance.id
        assert patch(tmp_path / instance.id, instance.bug, "--reverse").returncode == 0, instance.id
        for path in package.visible():
            assert (tmp_path / instance.id / path).read_bytes() == (package.folder / path).read_bytes(), instance.id
        if instance.naive is not None:
            left = {function_of(test) for test in not_passed(told[f"{instance.id}.naive"], clean)}
            of_rules = {rule.id: set(rule.tests) for rule in package.rules if rule.id in instance.rules}
            assert left <= set().union(*of_rules.values()), instance.id
            assert [rule for rule, tests in of_rules.items() if not tests & left] == [], instance.id
            assert {function_of(test) for test in failing} - left, f"{instance.id}: what was reported is repaired"
