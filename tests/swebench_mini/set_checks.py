"""What holds of every set of instances, whatever the seed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from eval.suites.code.evaluation import evaluate
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.local import Local
from eval.suites.code.repository import apply
from eval.suites.swebench_mini.built import Built
from eval.suites.swebench_mini.catalog import KINDS, load_package
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.patches import added
from eval.suites.swebench_mini.runs import run_tests, write_files
from eval.suites.swebench_mini.tree import Tree


def check_instances(built: list[Built]) -> None:
    """Their schema, and what their agents find and are told."""
    for part in ("instance_id", "problem_statement", "patch", "base_commit"):
        assert len({getattr(each.instance, part) for each in built}) == len(built), part
    for each in built:
        package, instance = load_package(each.package), each.instance
        assert instance.FAIL_TO_PASS, instance.instance_id
        assert instance.PASS_TO_PASS, instance.instance_id
        assert not set(instance.FAIL_TO_PASS) & set(instance.PASS_TO_PASS)
        assert all(test.startswith("hidden/") for test in instance.FAIL_TO_PASS)
        assert not [path for path in each.files if path.startswith(("hidden/", "hard/")) or path == "rules.yaml"]
        assert "+++ b/tests/" not in instance.patch
        assert "+++ b/hidden/" not in instance.patch
        assert set(re.findall(r"(?m)^\+\+\+ b/(.+)$", instance.test_patch)) == {
            path.as_posix() for path in package.hidden()
        }
        if each.hard:
            assert each.kind in {*KINDS, *(rule.id for rule in package.rules)}
        else:
            assert each.kind in OPERATORS
            assert each.kind.replace("_", " ") not in instance.problem_statement
        for path, text in each.files.items():
            if path.endswith(".py"):
                ast.parse(text)
        for lines in added(instance.patch):
            for line in lines:
                assert len(line.split()) < 4 or line.strip() not in instance.problem_statement, instance.instance_id
        assert not re.search(r"\.py\b|\bhidden\b|(?<!\w)_[a-z]", instance.problem_statement), instance.instance_id


def check_gold(built: list[Built]) -> None:
    """The known fix resolves an instance, and nothing does not: as an attempt is evaluated."""
    for each in built:
        for patch, ending in ((each.instance.patch, "resolved"), ("", "empty_patch")):
            told = evaluate(
                each.instance, CodeEvidence(patch=patch), write_tree=Tree(each.files), sandbox=Local(), seconds=300.0
            )
            assert told.ending == ending, (each.instance.instance_id, told.failed, told.output)


def check_lists(built: list[Built], place: Path) -> None:
    """With the known fix all listed tests pass, so that it resolves the instance; without it those that shall not fail
    pass, and none of the others does."""
    trees = []
    for each in built:
        for kind, patch in (("fixed", each.instance.patch), ("as-it-is", "")):
            tree = write_files(place / f"{each.instance.instance_id}-{kind}", each.files)
            for text in filter(None, (patch, each.instance.test_patch)):
                assert not apply(tree, text), each.instance.instance_id
            trees.append(tree)
    ran = run_tests(trees)
    for each in built:
        fixed, base = (ran[f"{each.instance.instance_id}-{kind}"] for kind in ("fixed", "as-it-is"))
        find, keep = set(each.instance.FAIL_TO_PASS), set(each.instance.PASS_TO_PASS)
        assert find | keep <= fixed.passed, each.instance.instance_id
        assert keep <= base.passed, each.instance.instance_id
        assert not find & base.passed, each.instance.instance_id
        assert {test for test in base.statuses if test.startswith("tests/")} <= base.passed, each.instance.instance_id
