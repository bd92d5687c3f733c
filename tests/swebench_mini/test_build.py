"""The instances that are made: their schema, what their tests tell, and that none shows another's fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from object_walk import reached
from quotations import in_others, in_texts, repaired, sides
from set_checks import check_gold, check_instances, check_lists

from eval.__main__ import main
from eval.grading.normalised import normalised_grader
from eval.journal import JournalLine
from eval.suites.base import Graded, Profiled, Suite
from eval.suites.code.backend import CodeBackend
from eval.suites.code.instance import Instance
from eval.suites.code.repository import Repository
from eval.suites.swebench_mini import store
from eval.suites.swebench_mini.build import build
from eval.suites.swebench_mini.built import Built
from eval.suites.swebench_mini.catalog import Package, load_package
from eval.suites.swebench_mini.runs import write_files
from eval.suites.swebench_mini.slots import MOST_SHARED
from eval.suites.swebench_mini.suite import SwebenchMini
from reasoningbank.errors import SetupError


def few_hard(name: str) -> Package:
    """A library with two of its defects, with house rules: all of them are run before any is chosen."""
    package = load_package(name)
    return package.model_copy(update={"hard": tuple(each for each in package.hard if each.rules)[:2]})


@pytest.fixture(scope="module")
def small() -> list[Built]:
    told: list[int] = []
    made = build(0, [few_hard("cachet")], number=3, hard=2, tell=told.append)
    assert told == [1, 2, 3]
    return made


def test_a_small_set_has_all_that_instances_need(small: list[Built]) -> None:
    check_instances(small)
    assert [each.instance.instance_id for each in small] == [f"mini__cachet-{number}" for number in range(101, 104)]
    assert Counter(each.hard for each in small) == {True: 2, False: 1}
    assert max(in_others(small).values()) <= MOST_SHARED


def test_what_quotes_a_fix_is_found_as_code_as_a_diff_and_with_the_numbers_of_lines(small: list[Built]) -> None:
    one, _, other = small
    name = one.instance.instance_id
    code = "".join(text for path, text in repaired(one).items() if text != one.files[path])
    numbered = "".join(f"{number:6}\t{line}\n" for number, line in enumerate(code.splitlines(), 1))
    for text in (code, numbered, one.instance.patch):
        assert in_texts(small, {other.instance.instance_id: ["nothing", text]})[name] > 0.8
        assert in_texts(small, {name: [text]})[name] == 0.0, "its own attempts may show it"


def test_a_diff_has_two_sides() -> None:
    assert sides("@@ x\n a\n-b\n+c\n d\n")[1:] == ["@@ x\n a\nc\n d\n", "@@ x\n a\nb\n d\n"]
    assert sides("a.py:12:b - c\n13-d\n") == ["b - c\nd\n"]


def test_the_base_commit_is_that_of_the_files_that_an_agent_finds(small: list[Built], tmp_path: Path) -> None:
    folder = write_files(tmp_path / "files", small[0].files)
    assert Repository.begin(folder, tmp_path / "git").base == small[0].instance.base_commit


def test_a_known_fix_resolves_and_an_empty_patch_does_not(small: list[Built]) -> None:
    check_gold([each for each in small if not each.hard])


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
    task = next(task for task in suite.tasks() if suite.built[task.id].hard)
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
        ({"difficulty": "standard"}, "no task fulfils all"),
    ],
)
def test_settings_that_make_no_sense_are_told(suite: SwebenchMini, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        SwebenchMini(**{"packages": ["cachet"], "kept": suite._kept, **settings}).tasks()


def test_a_set_is_made_once_and_again_where_what_was_kept_is_broken(
    small: list[Built], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str]] = []

    def build_small(seed: int, packages: list[Package], tell: Callable[[int], None]) -> list[Built]:
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
