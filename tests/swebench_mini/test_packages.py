"""The libraries of the suite and their hand-written defects, by their files; and their tests on the clean tree."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from package_trees import all_statuses, function_of, patch, statuses, tree_of
from waiting import HANG

from eval.suites.swebench_mini.catalog import KINDS, UNSEEN, HardInstance, all_packages, load_package, package_names
from reasoningbank.errors import SetupError

NAMES = package_names()
HARD = [instance for package in all_packages() for instance in package.hard]
every_package = pytest.mark.parametrize("name", NAMES)
every_instance = pytest.mark.parametrize("instance", HARD, ids=lambda each: f"{each.package}/{each.id}")


def changed(text: str, sign: str = "+-") -> list[str]:
    """The lines that a unified diff takes away or adds, without blank ones."""
    body = [line for line in text.splitlines() if not line.startswith(("---", "+++"))]
    return [line[1:].strip() for line in body if line[:1] in tuple(sign) and line[1:].strip()]


def test_an_unknown_package_is_told_with_the_nearest_name() -> None:
    with pytest.raises(SetupError, match=NAMES[0]):
        load_package(NAMES[0] + "s")


@every_package
def test_a_package_has_the_size_and_the_parts_of_a_small_library(name: str) -> None:
    package = load_package(name)
    texts = [(package.folder / path).read_text(encoding="utf-8") for path in package.sources()]
    assert 150 <= sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= 400
    assert 3 <= len(texts) <= 12
    seen = {path.as_posix() for path in package.visible()}
    assert {"README.md", "CHANGELOG.md", "pyproject.toml", f"{name}/__init__.py", f"{name}/errors.py"} <= seen
    assert [path for path in seen if path.startswith("tests/test_")]
    assert package.hidden()
    assert not [path for path in seen if path.split("/")[0] in UNSEEN]


@every_package
def test_a_package_needs_nothing_but_the_standard_library(name: str) -> None:
    package = load_package(name)
    for path in package.visible() + package.hidden():
        if path.suffix == ".py":
            for node in ast.walk(ast.parse((package.folder / path).read_text(encoding="utf-8"))):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                for module in modules:
                    top = module.partition(".")[0]
                    assert top in sys.stdlib_module_names or top in (name, "pytest"), f"{path}: {module}"


@every_package
def test_every_house_rule_is_checked_and_needed_more_than_once_and_told_to_nobody(name: str) -> None:
    package = load_package(name)
    assert len(package.rules) >= 3
    assert len(package.hard) >= 5
    tests = {
        f"{path.as_posix()}::{node.name}"
        for path in package.hidden()
        for node in ast.parse((package.folder / path).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    needed = Counter(rule for instance in package.hard for rule in instance.rules)
    assert set(needed) <= {rule.id for rule in package.rules}
    for rule in package.rules:
        assert needed[rule.id] >= 2, rule.id
        assert rule.tests, rule.id
        assert set(rule.tests) <= tests, rule.id
        for path in package.visible():
            text = " ".join((package.folder / path).read_text(encoding="utf-8").split())
            assert rule.rule not in text, path


def test_all_kinds_of_hard_instances_are_there() -> None:
    assert set(Counter(instance.kind for instance in HARD)) == set(KINDS)
    assert len({instance.id for instance in HARD}) == len(HARD)


@every_instance
def test_a_statement_is_a_report_and_quotes_no_line_of_the_fix(instance: HardInstance) -> None:
    assert 20 <= len(instance.statement.split()) <= 120
    told = " ".join(instance.statement.split())
    for line in changed(instance.bug):
        assert len(line) < 12 or " ".join(line.split()) not in told, line
    assert not re.search(r"\bline \d+|\bhidden\b|\brule\b|\.py\b", told)
    assert (instance.naive is not None) == bool(instance.rules)


def test_no_fix_repeats_lines_of_another() -> None:
    """But for single short ones, such as `else:` or a member's name: three lines on end are a quotation."""
    owners: dict[tuple[str, ...], str] = {}
    for instance in HARD:
        lines = changed(instance.bug, "-")
        for run in {tuple(lines[start : start + 3]) for start in range(len(lines) - 2)}:
            assert owners.setdefault((instance.package, *run), instance.id) == instance.id, run


@every_package
def test_every_patch_applies_and_changes_what_an_agent_sees(name: str, tmp_path: Path) -> None:
    package = load_package(name)
    package.write_tree(tmp_path)
    for instance in package.hard:
        done = patch(tmp_path, instance.bug, "--check")
        assert done.returncode == 0, (instance.id, done.stderr)
        touched = set(re.findall(r"^diff --git a/\S+ b/(\S+)$", instance.bug, re.MULTILINE))
        assert touched
        assert not [path for path in touched if path.startswith(("tests/", *UNSEEN))], instance.id
        if instance.kind == "two_files":
            assert len([path for path in touched if path.startswith(f"{name}/")]) >= 2, instance.id


def test_all_tests_of_the_packages_pass_on_the_clean_trees(tmp_path: Path) -> None:
    told = all_statuses(tree_of(load_package(name), tmp_path / name) for name in NAMES)
    assert sorted(told) == NAMES
    for name, found in told.items():
        assert {test for test, status in found.items() if status != "PASSED"} == set()
        assert not [test for test in found if " " in test], "an id with a blank cannot be told from what follows it"
        listed = {test for rule in load_package(name).rules for test in rule.tests}
        assert listed <= {function_of(test) for test in found}


def test_pytest_by_itself_says_the_same(tmp_path: Path) -> None:
    tree = tree_of(load_package("cachet"), tmp_path / "tree", load_package("cachet").hard[0].bug)
    found = statuses(tree)
    assert set(found.values()) == {"PASSED", "FAILED"}
    assert found == all_statuses([tree])["tree"]


@pytest.mark.parametrize("name", [name for name in NAMES if list(load_package(name).folder.glob("tools/make_*.py"))])
def test_a_generated_table_is_what_its_tool_writes(name: str, tmp_path: Path) -> None:
    package = load_package(name)
    package.write_tree(tmp_path)
    (tool,) = tmp_path.glob("tools/make_*.py")
    (table,) = package.generated()
    (tmp_path / table).unlink()
    subprocess.run([sys.executable, str(tool)], check=True, timeout=HANG)
    for path in package.visible():
        assert (tmp_path / path).read_bytes() == (package.folder / path).read_bytes(), path
