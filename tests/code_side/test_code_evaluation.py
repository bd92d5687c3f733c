"""Every way in which a patch can end, with a real package, its hand-written defect, and real tests in the sandbox."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from instances import Made, diff_to, made
from sandbox_here import SMALL, needs_bubblewrap

from eval.suites.code.evaluation import ENDINGS, LOADED, Evaluation, evaluate, protected
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.instance import Instance
from eval.suites.code.sandbox import Sandbox
from eval.suites.code.testing import PLACE, PLUGIN, RECORD, RanTests, read_record
from reasoningbank.errors import SetupError

PACKAGE = "unitbox"
MODULE = f"{PACKAGE}/__init__.py"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made(PACKAGE, tmp_path_factory.mktemp("made"), SMALL)


def ending(known: Made, patch: str | None, *, seconds: float = 300.0, problem: str = "") -> Evaluation:
    evidence = CodeEvidence(patch=patch, problem=problem)
    return evaluate(known.instance, evidence, write_tree=known.write_tree, sandbox=SMALL, seconds=seconds)


def patch_of(known: Made, folder: Path, change: Callable[[Path], None], *, fixed: bool = True) -> str:
    """The gold patch, if wanted, and a change on top of it."""

    def after(target: Path) -> None:
        if fixed:
            known.package.write_tree(target)
        change(target)

    return diff_to(folder, known.write_tree, after)[0]


@needs_bubblewrap
def test_the_known_fix_resolves_and_one_that_breaks_a_rule_does_not(known: Made) -> None:
    done = ending(known, known.instance.patch)
    assert (done.ending, done.why, done.touched) == ("resolved", "", ())
    assert done.outcome().model_dump() == {
        "status": "solved",
        "reward": 1.0,
        "checks": {"FAIL_TO_PASS": 1.0, "PASS_TO_PASS": 1.0, "resolved": 1.0},
    }
    told = done.report()[known.instance.instance_id]
    assert told["resolved"] is told["patch_successfully_applied"] is told["patch_exists"] is True
    assert told["tests_status"]["FAIL_TO_PASS"] == {"success": list(known.instance.FAIL_TO_PASS), "failure": []}
    assert set(told["tests_status"]) == {"FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL"}
    json.dumps(told)
    assert known.defect.naive
    naive = ending(known, known.defect.naive)
    assert (naive.ending, naive.outcome().status) == ("unresolved", "unsolved")
    assert 0 < naive.outcome().checks["FAIL_TO_PASS"] < 1
    assert naive.report()[known.instance.instance_id]["resolved"] is False


@pytest.mark.parametrize(
    ("patch", "ends", "flags"),
    [
        ("", "empty_patch", (False, False, False)),
        (" \n", "empty_patch", (False, False, False)),
        (None, "patch_not_applied", (True, False, False)),
        ("Here is what I did.\n", "patch_not_applied", (False, True, False)),
        ("--- a/no.py\n+++ b/no.py\n@@ -1 +1 @@\n-a\n+b\n", "patch_not_applied", (False, True, False)),
        ("--- /dev/null\n+++ b/../out.py\n@@ -0,0 +1 @@\n+a\n", "patch_not_applied", (False, True, False)),
        ("--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+a\n", "patch_not_applied", (False, True, False)),
    ],
    ids=["empty", "blank", "none", "prose", "other file", "outside", "git"],
)
def test_what_is_no_patch_is_told_apart_and_runs_no_test(
    patch: str | None, ends: str, flags: tuple[bool, bool, bool], tmp_path: Path
) -> None:
    instance = Instance(
        **{"instance_id": "a__b-1", "repo": "a/b", "base_commit": "0", "problem_statement": "", "patch": "x"},
        **{"test_patch": "", "FAIL_TO_PASS": ("tests/test_a.py::test_a",), "PASS_TO_PASS": ()},
    )

    def write(folder: Path) -> None:
        (folder / "a.py").write_text("a\n")

    done = evaluate(instance, CodeEvidence(patch=patch, problem="too large"), write_tree=write, sandbox=SMALL)
    assert done.ending == ends
    assert bool(done.why) == (ends == "patch_not_applied")
    told = done.report()["a__b-1"]
    assert (told["patch_is_None"], told["patch_exists"], told["patch_successfully_applied"]) == flags
    assert "tests_status" not in told
    assert (done.outcome().status, done.outcome().checks) == ("unsolved", {ends: 0.0})
    assert not list(tmp_path.parent.glob("out.py"))


@needs_bubblewrap
def test_changes_of_tests_count_for_nothing(known: Made, tmp_path: Path) -> None:
    """Nor do those of what steers tests."""
    cheat = "import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
    cheat += "    report = yield\n    report.outcome = 'passed'\n    return report\n"

    def conftest(folder: Path) -> None:
        (folder / "conftest.py").write_text(cheat)

    def cheats(folder: Path) -> None:
        conftest(folder)
        (folder / "README.md").write_text("changed\n")

    alone = ending(known, patch_of(known, tmp_path / "1", conftest, fixed=False))
    assert (alone.ending, alone.touched, alone.passed) == ("tests_touched", ("conftest.py",), {})
    beside = ending(known, patch_of(known, tmp_path / "2", cheats, fixed=False))
    assert (beside.ending, beside.touched) == ("tests_touched", ("conftest.py",))
    assert beside.failed["FAIL_TO_PASS"]
    assert beside.outcome().checks["tests_left_out"] == 1.0


@needs_bubblewrap
@pytest.mark.long
def test_a_solution_may_bring_tests_or_lose_some(known: Made, tmp_path: Path) -> None:
    def added(folder: Path) -> None:
        (folder / "tests" / "test_more.py").write_text("def test_more() -> None:\n    assert True\n")

    def removed(folder: Path) -> None:
        for path in (folder / "tests").iterdir():
            path.unlink()

    for number, change in enumerate((added, removed)):
        done = ending(known, patch_of(known, tmp_path / str(number), change))
        assert done.ending == "resolved"
        assert all(path.startswith("tests/") for path in done.touched)
        assert done.touched


@needs_bubblewrap
def test_tests_that_hang_end_by_their_time(known: Made, tmp_path: Path) -> None:
    def hangs(folder: Path) -> None:
        with (folder / MODULE).open("a") as file:
            file.write("\nimport time\ntime.sleep(600)\n")

    done = ending(known, patch_of(known, tmp_path, hangs), seconds=1.5)
    assert (done.ending, done.why) == ("tests_timed_out", "it was stopped after 1.5 s")
    assert not any(done.passed.values())


@needs_bubblewrap
@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("import os; os._exit(0)", "unresolved"),
        pytest.param("raise SystemExit(0)", "unresolved", marks=pytest.mark.long),
        pytest.param("this is no Python", "unresolved", marks=pytest.mark.long),
        pytest.param(
            "import os, time; os.fork(), os.fork(); x = bytearray(90 << 20); time.sleep(600)",
            "tests_stopped",
            marks=pytest.mark.long,
        ),
    ],
    ids=["leaves", "exits", "syntax", "takes"],
)
def test_code_that_ends_the_tests_before_they_have_begun_passes_none(
    known: Made, tmp_path: Path, line: str, ends: str
) -> None:
    def change(folder: Path) -> None:
        with (folder / MODULE).open("a") as file:
            file.write(f"\n{line}\n")

    done = ending(known, patch_of(known, tmp_path, change))
    assert done.ending == ends, done.output
    assert not any(done.passed.values())


def test_what_the_tests_have_put_in_the_records_place_is_not_followed(tmp_path: Path) -> None:
    place = tmp_path / PLACE
    secret = tmp_path / "secret"
    secret.write_text('["tests/test_a.py::test_a", "PASSED"]\n')
    assert read_record(place) == {}
    place.mkdir()
    assert read_record(place) == {}
    (place / RECORD).symlink_to(secret)
    assert read_record(place) == {}
    (place / RECORD).unlink()
    os.mkfifo(place / RECORD)
    assert read_record(place) == {}
    (place / RECORD).unlink()
    (place / RECORD).write_text('["a", "FAILED"]\n["a", "PASSED"]\nno line\n[1]\n["b", "PASSED"]\n')
    assert read_record(place) == {"a": "FAILED", "b": "PASSED"}


@needs_bubblewrap
def test_no_module_of_the_repository_takes_the_place_of_what_tells_of_tests(known: Made, tmp_path: Path) -> None:
    def write(folder: Path) -> None:
        known.write_tree(folder)
        (folder / "recorder.py").write_text("VALUE = 1\n")

    evidence = CodeEvidence(patch=known.instance.patch)
    assert evaluate(known.instance, evidence, write_tree=write, sandbox=SMALL).ending == "resolved"

    def replace(folder: Path) -> None:
        (folder / f"{PLUGIN}.py").write_text("VALUE = 1\n")

    done = ending(known, patch_of(known, tmp_path, replace))
    assert (done.ending, done.touched) == ("resolved", (f"{PLUGIN}.py",))


def test_an_instance_at_fault_is_told() -> None:
    line = {"instance_id": "a__b-1", "repo": "a/b", "base_commit": "0", "problem_statement": "s", "patch": "p"}
    read = Instance.model_validate({**line, "test_patch": None, "FAIL_TO_PASS": "[]", "PASS_TO_PASS": ["x::y"]})
    assert (read.PASS_TO_PASS, read.test_patch) == (("x::y",), "")
    assert Instance.model_validate(read.line()) == read
    with pytest.raises(SetupError, match="FAIL_TO_PASS is empty"):
        evaluate(read, CodeEvidence(patch="x"), write_tree=lambda folder: None, sandbox=SMALL)


@pytest.mark.parametrize(
    ("tests", "patterns"),
    [
        (["tests/unit/test_a.py::test_a[x/y]"], {"tests", "tests/unit/test_a.py"}),
        (["pkg/tests/test_a.py::T::test_a"], {"pkg/tests", "pkg/tests/test_a.py"}),
        (["pkg/test_a.py::test_a"], {"pkg/test_a.py"}),
        (["test_a.py::test_a"], {"test_a.py"}),
    ],
)
def test_where_tests_are_beside_the_code_only_they_are_protected(
    tests: list[str], patterns: set[str], tmp_path: Path
) -> None:
    line = {"instance_id": "1", "repo": "a", "base_commit": "0", "problem_statement": "s", "patch": "p"}
    instance = Instance.model_validate({**line, "test_patch": "", "FAIL_TO_PASS": tests, "PASS_TO_PASS": []})
    found = {
        path.removesuffix("/*")
        for path in protected(instance, [], tmp_path)
        if path.removeprefix("src/").replace("/", ".").partition(".")[0] not in LOADED
    }
    assert found == {PLACE, PLUGIN, f"{PLUGIN}.*", "conftest.py", "*/conftest.py"} | patterns


def blocks(folder: Path) -> None:
    (folder / "hidden").symlink_to("tests")


def takes_the_name(folder: Path) -> None:
    (folder / "hidden").write_text("no folder\n")


def is_a_folder(folder: Path) -> None:
    for name in ("test_units_more.py", "test_house.py"):
        (folder / "hidden" / name).mkdir(parents=True, exist_ok=True)
        (folder / "hidden" / name / "x").write_text("x\n")


def is_a_package(folder: Path) -> None:
    (folder / "hidden").mkdir()
    (folder / "hidden" / "__init__.py").write_text("import os\nos._exit(0)\n")


def moves(folder: Path) -> None:
    (folder / "tests").rename(folder / "other")
    (folder / "tests").symlink_to("other")


def stands_before(folder: Path) -> None:
    for name in ("pytest.py", "pluggy/__init__.py", "json.py", "src/sitecustomize.py", "random.so"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("import os\nos._exit(0)\n")


@pytest.mark.parametrize("change", [blocks, takes_the_name, is_a_folder, is_a_package, moves, stands_before])
def test_nothing_that_is_put_in_the_way_of_the_tests_is_there_when_they_run(
    known: Made, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """Nor is it a fault of the instance, which would end a run."""
    seen: dict[str, bytes] = {}

    def look(sandbox: Sandbox, folder: Path, tests: Sequence[str], *, seconds: float) -> RanTests:
        seen.update({p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
        assert not any(path.is_symlink() for path in folder.iterdir())
        return RanTests(statuses={}, output="")

    def both(folder: Path) -> None:
        change(folder)
        (folder / MODULE).write_text("changed\n")

    def evaluated(patch: str) -> Evaluation:
        evidence = CodeEvidence(patch=patch)
        return evaluate(known.instance, evidence, write_tree=known.write_tree, sandbox=SMALL, run_tests=look)

    evaluated(known.instance.patch)
    as_it_is = dict(seen)
    seen.clear()
    done = evaluated(patch_of(known, tmp_path, both))
    assert done.touched
    left = {path: content for path, content in seen.items() if not path.startswith("other/")}
    assert left == {**as_it_is, MODULE: b"changed\n"}


@needs_bubblewrap
def test_a_module_that_stands_before_pytest_resolves_nothing(known: Made, tmp_path: Path) -> None:
    cheat = "import json, os\nwith open(os.environ['RECORD'], 'w') as file:\n"
    cheat += f"    for test in {[*known.instance.FAIL_TO_PASS, *known.instance.PASS_TO_PASS]}:\n"
    cheat += "        print(json.dumps([test, 'PASSED']), file=file)\nos._exit(0)\n"

    def change(folder: Path) -> None:
        (folder / "hidden").mkdir()
        for name in ("pytest.py", "hidden/__init__.py"):
            (folder / name).write_text(cheat)
        (folder / "README.md").write_text("changed\n")

    done = ending(known, patch_of(known, tmp_path, change, fixed=False))
    assert (done.ending, done.touched) == ("tests_touched", ("hidden/__init__.py", "pytest.py"))
    assert done.failed["FAIL_TO_PASS"]


def test_every_ending_is_one_of_those_that_are_told() -> None:
    assert len(set(ENDINGS)) == 7
