"""The instances that are made: their schema, what their tests tell, and that none shows another's fix."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from eval.suites.code.evaluation import evaluate
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.local import Local
from eval.suites.code.repository import Repository
from eval.suites.swebench_mini.build import Built, build
from eval.suites.swebench_mini.catalog import KINDS, load_package, package_names
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.overlap import grams, new_grams, shared
from eval.suites.swebench_mini.patches import added
from eval.suites.swebench_mini.runs import write_files


@pytest.fixture(scope="module")
def small() -> list[Built]:
    return build(0, [load_package("cachet")], number=4, hard=2)


def check_instances(built: list[Built]) -> None:
    """What holds of every set."""
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


def quotations(built: list[Built]) -> dict[str, float]:
    """For each instance the largest share of its fix that another one shows."""
    shown = {each.instance.instance_id: [grams(text) for text in each.files.values()] for each in built}
    for each in built:
        shown[each.instance.instance_id].append(grams(each.instance.problem_statement))
    found: dict[str, float] = defaultdict(float)
    for each in built:
        name = each.instance.instance_id
        fix = new_grams(each.instance.patch, shown[name])
        for other in built:
            if other is not each and other.package == each.package:
                found[name] = max(found[name], shared(shown[other.instance.instance_id], fix))
    return found


def check_gold(built: list[Built], sandbox: Local) -> None:
    """The known fix resolves an instance, and nothing does not."""
    for each in built:

        def write(folder: Path, files: dict[str, str] = each.files) -> None:
            write_files(folder, files)

        for patch, ending in ((each.instance.patch, "resolved"), ("", "empty_patch")):
            told = evaluate(each.instance, CodeEvidence(patch=patch), write_tree=write, sandbox=sandbox)
            assert told.ending == ending, (each.instance.instance_id, told.failed, told.output)


def test_a_small_set_has_all_that_instances_need(small: list[Built]) -> None:
    check_instances(small)
    assert [each.instance.instance_id for each in small] == [f"mini__cachet-{number}" for number in range(101, 105)]
    assert Counter(each.hard for each in small) == {True: 2, False: 2}
    assert max(quotations(small).values()) < 0.5


def test_the_base_commit_is_that_of_the_files_that_an_agent_finds(small: list[Built], tmp_path: Path) -> None:
    folder = write_files(tmp_path / "files", small[0].files)
    assert Repository.begin(folder, tmp_path / "git").base == small[0].instance.base_commit


def test_known_fixes_resolve_and_empty_patches_do_not(small: list[Built]) -> None:
    check_gold([next(each for each in small if each.hard), next(each for each in small if not each.hard)], Local())


def test_an_agent_finds_tests_that_pass(small: list[Built], tmp_path: Path) -> None:
    """What finds the defect is not among them."""
    for each in small:
        for test in each.instance.PASS_TO_PASS:
            path, _, name = test.partition("::")
            if not path.startswith("hidden/"):
                assert f"def {name.partition('[')[0]}(" in each.files[path]
        visible = sum(len(re.findall(r"(?m)^def test_", text)) for text in each.files.values())
        tests = {test.partition("[")[0] for test in each.instance.PASS_TO_PASS if test.startswith("tests/")}
        assert visible == len(tests)


@pytest.mark.long
def test_the_same_seed_makes_the_same_and_another_one_another() -> None:
    package = load_package("tokkit")
    one, same, other = (build(seed, [package], number=6, hard=3) for seed in (4, 4, 5))
    assert one == same
    assert not {each.instance.patch for each in one} & {each.instance.patch for each in other}
    assert not {each.instance.base_commit for each in one} & {each.instance.base_commit for each in other}


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_whole_set_keeps_what_is_said_of_it(seed: int) -> None:
    built = build(seed)
    check_instances(built)
    assert len(built) >= 96
    assert sum(each.hard for each in built) >= 0.4 * len(built)
    assert {each.package for each in built} == set(package_names())
    assert len({each.kind for each in built if not each.hard}) >= 12
    shares = sorted(quotations(built).values(), reverse=True)
    assert sum(shares) / len(shares) <= 0.12
    assert sum(share > 0.5 for share in shares) <= 4
    check_gold(built, Local())
