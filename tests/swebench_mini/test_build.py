"""The instances that are made: their schema, what their tests tell, and that none shows another's fix."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from object_walk import reached

from eval.__main__ import main
from eval.grading import normalised_grader
from eval.journal import JournalLine
from eval.suites.base import Graded, Profiled, Suite
from eval.suites.code.backend import CodeBackend
from eval.suites.code.evaluation import evaluate
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.instance import Instance
from eval.suites.code.local import Local
from eval.suites.code.repository import Repository, apply
from eval.suites.swebench_mini import store
from eval.suites.swebench_mini.build import Built, build
from eval.suites.swebench_mini.catalog import KINDS, Package, load_package, package_names
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.overlap import grams, new_grams, shared
from eval.suites.swebench_mini.patches import added
from eval.suites.swebench_mini.runs import run_tests, write_files
from eval.suites.swebench_mini.suite import SwebenchMini
from reasoningbank.errors import SetupError


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


def check_lists(built: list[Built], place: Path) -> None:
    """With the known fix all listed tests pass; without it those that shall not fail pass, and the others do not."""
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


def test_the_lists_are_what_the_tests_tell(small: list[Built], tmp_path: Path) -> None:
    check_lists(small, tmp_path)


@pytest.fixture(scope="module")
def suite(small: list[Built], tmp_path_factory: pytest.TempPathFactory) -> SwebenchMini:
    """With the small set as that of seed 0."""
    kept = tmp_path_factory.mktemp("results") / ".suites"
    kept.mkdir()
    stored = store.BuiltSet(key=store.digest(), seed=0, package="cachet", built=tuple(small))
    (kept / f"swebench_mini-0-cachet-{store.digest()}.json").write_text(stored.model_dump_json(), encoding="utf-8")
    return SwebenchMini(packages=["cachet"], kept=kept, code=CodeBackend(sandbox="local"))


def test_tasks_and_environments_show_no_gold(suite: SwebenchMini) -> None:
    assert isinstance(suite, Suite)
    assert isinstance(suite, Graded | Profiled)
    assert [task.id for task in suite.tasks()] == sorted(suite.built)
    for task in suite.tasks():
        built = suite.built[task.id]
        assert (task.group, task.template_id, task.intent) == ("cachet", built.kind, built.instance.problem_statement)
        assert task.start == built.instance.base_commit
        assert suite.difficulty(task) == (2 if built.rules else 1 if built.hard else 0)
        things = reached(suite.environment(task))
        assert not [thing for thing in things if isinstance(thing, Built | Instance | SwebenchMini)]
        gold = {built.instance.patch, built.instance.test_patch, *built.instance.FAIL_TO_PASS}
        for text in [thing for thing in things if isinstance(thing, str)] + [task.model_dump_json()]:
            assert not gold & {text}
        assert not [test for test in built.instance.FAIL_TO_PASS if test in task.model_dump_json()]


def test_an_attempt_is_evaluated_by_tests_that_it_does_not_find(suite: SwebenchMini, tmp_path: Path) -> None:
    task = suite.tasks()[0]
    (tmp_path / "fix").write_text(suite.built[task.id].instance.patch, encoding="utf-8")
    environment = suite.environment(task)
    environment.reset(task, 0)
    try:
        assert "hidden" not in environment.step("ls; git log --stat | cat").text
        assert environment.step("python -m pytest -q").returncode == 0
        nothing = suite.evaluate(task, environment.look(None), normalised_grader)
        assert environment.step(f"git apply {tmp_path}/fix").returncode == 0
        evidence = environment.finish("done")
    finally:
        environment.close()
    assert (nothing.status, suite.evaluate(task, evidence, normalised_grader).status) == ("unsolved", "solved")
    again = suite.load_evidence(evidence.model_dump(mode="json"))
    assert suite.evaluation(task, again).resolved


def test_the_profile_counts_what_is_there(suite: SwebenchMini) -> None:
    profile = SwebenchMini(
        packages=["cachet"], kept=suite._kept, task_ids=[suite.tasks()[0].id], code=CodeBackend(sandbox="local")
    ).profile()
    assert (profile.tasks, profile.solved) == (1, 1.0)
    assert profile.measures["lines of a fix"].lowest >= 1


def test_a_run_learns_from_one_repair_and_recalls_it_for_the_next(
    suite: SwebenchMini, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert suite._kept is not None
    words = ["run", "suite=swebench_mini", "suite.packages=[cachet]", "limit=2", "figure=false", "progress=quiet"]
    assert main([*words, f"results_dir={suite._kept.parent}", "run_name=learns"]) == 0
    assert capsys.readouterr().err == "", "nothing had to be made"
    text = (suite._kept.parent / "learns" / "streams" / "cachet.t0" / "journal.jsonl").read_text(encoding="utf-8")
    first, second = [JournalLine.model_validate_json(line).result for line in text.splitlines()]
    assert [first.task_id, second.task_id] == [task.id for task in suite.tasks()[:2]]
    assert all(each.attempts[0].outcome is not None for each in (first, second))
    assert [each.experience_id for each in second.recalled] == [each.id for each in first.learnt] != []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"seed": -1}, "suite.seed=-1"),
        ({"packages": ["cache"]}, "did you mean cachet"),
        ({"packages": "cachet"}, "a list is needed"),
        ({"kinds": ["nothing"]}, "no kind 'nothing'"),
        ({"task_ids": ["mini__cachet-1"]}, "no task mini__cachet-1"),
        ({"difficulty": "harder"}, "did you mean hard"),
        ({"kinds": ["registry"], "difficulty": "easy"}, "no task fulfils all"),
    ],
)
def test_settings_that_make_no_sense_are_told(suite: SwebenchMini, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        SwebenchMini(**{"packages": ["cachet"], "kept": suite._kept, **settings}).tasks()


def test_a_set_is_made_once_and_again_where_what_was_kept_is_broken(
    small: list[Built], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str]] = []

    def build_small(seed: int, packages: list[Package]) -> list[Built]:
        made.append([package.name for package in packages])
        return [small[0].model_copy(update={"package": package.name}) for package in packages]

    monkeypatch.setattr(store, "build", build_small)
    kept = tmp_path / "kept"
    first = store.built_set(0, ["cachet", "tokkit"], kept)
    assert [each.package for each in first] == ["cachet", "tokkit"]
    assert store.built_set(0, ["tokkit", "cachet"], kept) == first[::-1]
    assert made == [["cachet", "tokkit"]]
    path = next(kept.glob("*-cachet-*"))
    path.write_bytes(path.read_bytes()[:1000])
    assert store.built_set(0, ["cachet", "tokkit"], kept) == store.built_set(0, ["cachet", "tokkit"], kept) == first
    assert made == [["cachet", "tokkit"], ["cachet"]]
    store.built_set(1, ["cachet"], kept)
    assert made[2:] == [["cachet"]]
    (tmp_path / "file").touch()
    assert store.built_set(0, ["cachet"], tmp_path / "file") == first[:1]


@pytest.mark.long
def test_the_same_seed_makes_the_same_and_another_one_another() -> None:
    package = load_package("tokkit")
    one, same, other = (build(seed, [package], number=6, hard=3) for seed in (4, 4, 5))
    assert one == same
    assert not {each.instance.patch for each in one} & {each.instance.patch for each in other}
    assert not {each.instance.base_commit for each in one} & {each.instance.base_commit for each in other}


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_whole_set_keeps_what_is_said_of_it(seed: int, tmp_path: Path) -> None:
    built = build(seed)
    check_instances(built)
    assert len(built) >= 96
    assert sum(each.hard for each in built) >= 0.4 * len(built)
    assert {each.package for each in built} == set(package_names())
    assert len({each.kind for each in built if not each.hard}) >= 12
    shares = sorted(quotations(built).values(), reverse=True)
    assert sum(shares) / len(shares) <= 0.1
    assert sum(share > 0.5 for share in shares) <= 5
    check_lists(built, tmp_path)
    check_gold(built[:: len(built) // 8], Local())
