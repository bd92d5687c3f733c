"""Suites that are made of packages of others: from a source distribution to an evaluated patch."""

from __future__ import annotations

import ast
import contextlib
import gzip
import importlib.util
import io
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest
from object_walk import reached
from sandbox_here import needs_bubblewrap
from small_sdists import FILES, LIBRARY, TESTS, sdist
from waiting import HANG

from eval.__main__ import guarded, main
from eval.config.load import load_config
from eval.grading.normalised import normalised_grader
from eval.suites.base import KnowsPatches, LeavesPatches, Suite
from eval.suites.code.backend import CodeBackend
from eval.suites.code.bubblewrap import Bubblewrap
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.instance import Instance
from eval.suites.swebench_folder.forks import Change, Forks
from eval.suites.swebench_folder.hiding import without_tests
from eval.suites.swebench_folder.sdist import unpacked
from eval.suites.swebench_folder.suite import SwebenchFolder
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.runs import Told, write_files
from reasoningbank.errors import SetupError

ROOT = Path(__file__).parents[2]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_swe_suite", ROOT / "scripts" / "make_swe_suite.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*words: str) -> int:
    """The script's exit code, as it ends in a process of its own."""
    program = script()
    return guarded(lambda: int(program.main(list(words))), words)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One instance of each tested function of a small library. The line that it ends with can be typed, whatever the
    folder is called."""
    place = tmp_path_factory.mktemp("made")
    folder = place / "a suite==1"
    with contextlib.redirect_stdout(io.StringIO()) as told:
        assert run("--sdist", str(sdist(place)), "--out", str(folder)) == 0
    words = shlex.split(told.getvalue().partition("; ")[2])
    assert load_config(words[-2:]).suite["folder"] == str(folder)
    return folder.rename(place / "suite")


@pytest.fixture
def suite(made: Path) -> SwebenchFolder:
    return SwebenchFolder(folder=str(made), code=CodeBackend())


@needs_bubblewrap
def test_instances_hide_their_tests_and_tell_a_symptom(suite: SwebenchFolder, tmp_path: Path) -> None:
    assert isinstance(suite, Suite)
    assert isinstance(suite, KnowsPatches)
    assert isinstance(suite, LeavesPatches)
    tasks = suite.tasks()
    assert len(tasks) == 4
    for part in ("patch", "problem_statement", "base_commit"):
        assert len({getattr(suite.known[task.id].instance, part) for task in tasks}) == 4, part
    for task in tasks:
        instance = suite.known[task.id].instance
        assert task.template_id in OPERATORS
        assert task.template_id.replace("_", " ") not in task.intent
        assert not re.search(r"\bline \d|test_|assert", task.intent)
        assert not set(instance.FAIL_TO_PASS) & set(instance.PASS_TO_PASS)
        assert "test_that_always_fails" not in str(instance.FAIL_TO_PASS + instance.PASS_TO_PASS)
        assert 'word != "x"' not in instance.patch, "no test runs it"
        environment = suite.environment(task)
        environment.reset(task, 0)
        shown = environment.step("cat tests/test_shelf.py; git log --oneline | wc -l").text
        seen = environment.step("python -m pytest -q tests 2>&1 | tail -3").text
        environment.close()
        for test in instance.FAIL_TO_PASS:
            assert f"def {test.rpartition('::')[2]}(" not in shown
        assert "1 failed" in seen, "what is left passes, but for the one test that always fails"
        things = list(reached(environment))
        assert not [thing for thing in things if isinstance(thing, Instance | SwebenchFolder)]
        assert not [
            thing for thing in things if isinstance(thing, str) and thing in (instance.patch, instance.test_patch)
        ]


@needs_bubblewrap
def test_gold_resolves_and_nothing_else_does(made: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["validate", "suite=swebench_folder", f"suite.folder={made}"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert re.search(r"gold\s+4/4\s+4/4", told)
    assert re.search(r"empty\s+0/4\s+0/4", told)
    assert re.search(r"idle\s+0/4\s+0/4", told)
    # another commit of the library whose gold no longer does
    broken = tmp_path / "broken"
    shutil.copytree(made, broken)
    lines = [json.loads(line) for line in (broken / "instances.jsonl").read_text().splitlines()]
    first = lines[0]["instance_id"]
    lines[0]["FAIL_TO_PASS"] = json.dumps([*json.loads(lines[0]["FAIL_TO_PASS"]), "tests/test_shelf.py::test_gone"])
    (broken / "instances.jsonl").write_text("\n".join(map(json.dumps, lines)))
    words = ["validate", "suite=swebench_folder", f"suite.folder={broken}"]
    failing = tmp_path / "failing.txt"
    assert main([*words, "--write", str(failing)]) == 1
    told = capsys.readouterr().out
    assert re.search(r"gold\s+3/4\s+4/4", told)
    assert f"{first}  # gold: unresolved, " in failing.read_text()
    assert main([*words, "--exclude", str(failing)]) == 0
    assert re.search(r"gold\s+3/3\s+3/3", capsys.readouterr().out)
    assert main([*words, "--write", str(failing)]) == 2
    assert "exists and is left as it is" in capsys.readouterr().err


@needs_bubblewrap
def test_a_wrong_patch_does_not_resolve(suite: SwebenchFolder) -> None:
    one, other = suite.tasks()[:2]
    patch = suite.known[other.id].instance.patch
    outcome = suite.evaluate(one, CodeEvidence(patch=patch), normalised_grader)
    assert outcome.status == "unsolved"


@needs_bubblewrap
@pytest.mark.long
def test_the_same_line_makes_the_same_instances(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = tmp_path / "again"
    assert run("--sdist", str(sdist(tmp_path)), "--n", "99", "--out", str(again)) == 0
    assert (again / "instances.jsonl").read_bytes() == (made / "instances.jsonl").read_bytes()
    told = capsys.readouterr().out
    assert "candidates make an instance" in told
    assert "no test runs it" in told
    kept = json.loads((again / "suite.json").read_text())
    assert kept["kept"] + sum(kept["fell"].values()) == kept["tried"]
    assert run("--sdist", str(sdist(tmp_path)), "--out", str(again)) == 2
    assert "is there already" in capsys.readouterr().err


def test_tests_are_taken_out_where_that_leaves_the_others() -> None:
    texts = {"t.py": TESTS}
    done = without_tests(texts, ["t.py::test_widest", "t.py::Shortened::test_long", "t.py::Shortened::test_exact"])
    assert done is not None
    names = [node.name for node in ast.walk(ast.parse(done["t.py"])) if isinstance(node, ast.FunctionDef)]
    assert names == ["test_widest_of_none", "test_counted", "test_that_always_fails", "test_kept", "test_refused"]
    only = {"t.py": "class Test:\n    def test_a(self):\n        assert f()\n\n\nclass Sub(Test):\n    pass\n"}
    done = without_tests(only, ["t.py::Sub::test_a[1]", "t.py::Test::test_a[2]"])
    assert done is not None
    assert "test_a" not in done["t.py"]
    ast.parse(done["t.py"])


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("for n in range(3):\n    globals()[f'test_{n}'] = lambda: None\n", "t.py::test_1"),
        ("def test_a():\n    pass\n\n\ndef test_b():\n    test_a()\n", "t.py::test_a"),
        ("from other import Base\n\n\nclass Test(Base):\n    pass\n", "t.py::Test::test_a"),
        ("def test_a():\n    pass\n", "u.py::test_a"),
    ],
)
def test_tests_that_cannot_be_taken_out_are_none(text: str, test: str) -> None:
    assert without_tests({"t.py": text}, [test]) is None


def archive(folder: Path, *members: tarfile.TarInfo) -> Path:
    path = folder / "odd.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for member in members:
            tar.addfile(member, io.BytesIO(b"x" * member.size))
    return path


def without(*names: str) -> dict[str, str]:
    return {name: text for name, text in FILES.items() if name not in names}


def test_what_is_no_distribution_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"

    def told(given: Path | str, *words: str) -> str:
        assert run("--sdist", str(given), "--out", str(out), *words) == 2
        said = capsys.readouterr()
        assert len(said.err.splitlines()) == 1, said.err
        assert not out.exists()
        return said.err

    text = tmp_path / "text.tar.gz"
    text.write_text("no archive")
    assert "is no .tar.gz" in told(text)
    above = tarfile.TarInfo("a-1/../../above.txt")
    assert "reaches out of its folder" in told(archive(tmp_path, above))
    absolute = tarfile.TarInfo("a-1/link")
    absolute.type, absolute.linkname = tarfile.SYMTYPE, "/etc/passwd"
    assert "reaches out of its folder" in told(archive(tmp_path, absolute))
    assert not (tmp_path.parent / "above.txt").exists()
    never = tarfile.TarInfo("a-1/PKG-INFO")
    never.mtime = 2**70
    assert "is no .tar.gz" in told(archive(tmp_path, never))
    large = tarfile.TarInfo("a-1/large")
    large.size = 64 * 1024 * 1024
    assert "at most" in told(archive(tmp_path, large))
    assert "does not hold one folder" in told(archive(tmp_path, tarfile.TarInfo("a"), tarfile.TarInfo("b")))
    assert "no PKG-INFO" in told(sdist(tmp_path, without("PKG-INFO")))
    assert "ships no tests" in told(sdist(tmp_path, without("tests/test_shelf.py")))
    assert "no package or module" in told(sdist(tmp_path, without("shelf/__init__.py", "shelf/_inner.py")))
    assert "names no version" in told("small-shelf")
    assert "is not there" in told(tmp_path / "nowhere.tar.gz")
    assert "at least one" in told(sdist(tmp_path), "--n", "0")
    assert "--tests tests/test_shelves.py: no tests" in told(sdist(tmp_path), "--tests", "tests/test_shelves.py")
    assert "from 0" in told(sdist(tmp_path), "--seed", "-1")
    out.mkdir()
    assert run("--sdist", str(sdist(tmp_path)), "--out", str(out)) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("inside", [False, True])
def test_an_archive_that_is_damaged_anywhere_is_told(inside: bool, tmp_path: Path) -> None:
    """Of those that are compressed what they hold is damaged, `inside`, or what holds it."""
    draws = random.Random(0)
    table = f"TABLE = {draws.randbytes(20_000).hex()!r}\n"
    whole = sdist(tmp_path, {**FILES, "shelf/table.py": table}).read_bytes()
    told = []
    for number in range(150):
        data = bytearray(gzip.decompress(whole) if inside else whole)
        for _ in range(draws.randint(1, 3)):
            at = draws.randrange(len(data))
            data[at : at + draws.choice((1, 1, 60))] = draws.randbytes(1)
        path = tmp_path / f"{number}.tar.gz"
        path.write_bytes(gzip.compress(data, 1) if inside else data)
        (tmp_path / str(number)).mkdir()
        try:
            unpacked(path, tmp_path / str(number))
        except SetupError as error:
            told.append(str(error))
    assert told
    assert not [line for line in told if "\n" in line]


def test_what_pip_does_not_find_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its index is a server that is not there: nothing is asked of any other."""
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.setenv(name, "http://user:word@127.0.0.1:9/simple")
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_FIND_LINKS", "1")
    assert run("--sdist", "no-such-package-here==9.9") == 2
    said = capsys.readouterr().err
    assert "cannot be had by pip" in said
    assert "look to the name, the version and the network" in said
    assert "word" not in said
    assert "127.0.0.1" not in said


@needs_bubblewrap
@pytest.mark.parametrize(
    ("files", "words", "told"),
    [
        ({"tests/test_shelf.py": "def test_a():\n    assert False\n"}, (), "none of its tests passes in the sandbox"),
        (
            {"tests/test_shelf.py": "import no_such_module_at_all\n\ndef test_a():\n    pass\n"},
            (),
            "which need no_such_module_at_all",
        ),
        ({"tests/test_shelf.py": "def test_a():\n    pass\n"}, (), "run 0 functions, of which each has one instance"),
    ],
)
def test_tests_that_tell_nothing_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], words: tuple[str, ...], told: str
) -> None:
    assert run("--sdist", str(sdist(tmp_path, {**FILES, **files})), "--out", str(tmp_path / "out"), *words) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@needs_bubblewrap
@pytest.mark.long
def test_trees_that_do_not_end_cost_no_other_its_result(tmp_path: Path) -> None:
    write_files(tmp_path / "clean", FILES)
    forks = Forks(Bubblewrap(), tmp_path / "clean", ["tests/test_shelf.py"], (), ("shelf",), cpu_seconds=1)
    endless = LIBRARY.replace("    counts = {}\n", "    counts = {}\n    while True:\n        pass\n")
    waiting = LIBRARY.replace("    counts = {}\n", "    counts = {}\n    __import__('time').sleep(600)\n")
    gone = LIBRARY.replace("    counts = {}\n", "    counts = {}\n    __import__('os')._exit(3)\n")
    broken = "raise ImportError('no')\n"
    texts = (endless, waiting, gone, broken, LIBRARY)
    ran = forks.run_tests([Change({"shelf/__init__.py": text}) for text in texts])
    assert [each.ended for each in ran] == [False, False, False, True, True]
    assert not ran[3].passed
    assert len(ran[4].passed) == 7
    selected = forks.run_tests([Change(select=["tests/test_shelf.py::test_counted"])], entered=True)[0]
    assert selected.statuses == {"tests/test_shelf.py::test_counted": "PASSED"}
    assert selected.entered["tests/test_shelf.py::test_counted"][-1].startswith("tests/test_shelf.py:")
    assert "shelf/__init__.py:15" in selected.entered["tests/test_shelf.py::test_counted"]
    programs = {"good": "shown = 7\n", "endless": "while True:\n    pass\n", "gone": "__import__('os')._exit(3)\n"}
    told = forks.run_programs([Change(programs=programs), Change({"shelf/__init__.py": broken}, programs=programs)])
    assert told == [{"good": Told("7", False)}, {}]


@needs_bubblewrap
@pytest.mark.long
def test_a_run_that_is_stopped_leaves_at_once_and_no_folder(tmp_path: Path) -> None:
    files = {**FILES, "tests/test_slow.py": "import time\n\n\ndef test_slow():\n    time.sleep(600)\n"}
    line = [sys.executable, str(ROOT / "scripts" / "make_swe_suite.py"), "--sdist", str(sdist(tmp_path, files))]
    process = subprocess.Popen(
        [*line, "--out", str(tmp_path / "out" / "suite")],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stderr is not None
    assert "running them twice" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=HANG)[1]
    assert process.returncode == 130, said
    assert "hung" not in said, "it was not killed by the one that watches it"
    assert not (tmp_path / "out").exists()


@needs_bubblewrap
@pytest.mark.long
def test_what_its_tests_need_is_in_the_sandbox_if_it_is_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a distribution that has its library below src, and lines that end in another way."""
    files = {f"src/{name}" if name.startswith("shelf/") else name: text for name, text in FILES.items()}
    files = {name: text.replace("\n", "\r\n") if name.endswith(".py") else text for name, text in files.items()}
    given = "from hypothesis import given, strategies\nfrom shelf import widest\n\n\n"
    given += "@given(strategies.just('ab'))\ndef test_given(word):\n    assert widest([word]) == ['ab']\n"
    files |= {"tests/test_given.py": given, "tests/test_gone.py": "import no_such_module_at_all\n"}
    out = tmp_path / "suite"
    assert run("--sdist", str(sdist(tmp_path, files)), "--n", "2", "--out", str(out)) == 0
    assert (
        "8 of 10 tests pass both times; left out are tests that need no_such_module_at_all" in capsys.readouterr().err
    )
    kept = json.loads((out / "suite.json").read_text())
    assert kept["needs"] == ["pytest", "hypothesis"]
    assert kept["paths"] == ["src"]
    suite = SwebenchFolder(folder=str(out), code=CodeBackend())
    for task in suite.tasks():
        gold = suite.evaluate(task, CodeEvidence(patch=suite.known_patch(task)), normalised_grader)
        assert gold.status == "solved"
    environment = suite.environment(suite.tasks()[0])
    environment.reset(suite.tasks()[0], 0)
    assert environment.step("python -c 'import shelf, hypothesis; print(shelf.__file__)'").text.endswith(
        "src/shelf/__init__.py\n"
    )
    environment.close()


@needs_bubblewrap
def test_a_library_that_the_sandbox_has_anyhow_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"PKG-INFO": "Name: pluggy\nVersion: 9\n", "pluggy/__init__.py": LIBRARY, "tests/test_a.py": TESTS}
    assert run("--sdist", str(sdist(tmp_path, files)), "--out", str(tmp_path / "out")) == 2
    assert "an agent would read every fix" in capsys.readouterr().err


@needs_bubblewrap
def test_no_agent_finds_what_a_link_in_the_folder_leads_to(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "linked"
    shutil.copytree(made, folder)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.txt").write_text("of the machine")
    (folder / "tree" / "notes").symlink_to(tmp_path / "secret")
    (folder / "tree" / "note.txt").symlink_to(tmp_path / "secret" / "key.txt")
    os.mkfifo(folder / "tree" / "pipe")
    suite = SwebenchFolder(folder=str(folder), code=CodeBackend())
    target = tmp_path / "target"
    target.mkdir()
    suite.write_tree(suite.tasks()[0].id)(target)
    found = {path.name for path in target.rglob("*")}
    assert {"_inner.py", "shelf"} <= found
    assert not found & {"notes", "note.txt", "key.txt", "pipe"}


@needs_bubblewrap
def test_a_folder_that_has_been_changed_is_told(made: Path, tmp_path: Path) -> None:
    def told(folder: Path) -> str:
        with pytest.raises(SetupError) as error:
            SwebenchFolder(folder=str(folder), code=CodeBackend()).tasks()
        assert "\n" not in str(error.value)
        return str(error.value)

    def copy(name: str) -> Path:
        shutil.copytree(made, tmp_path / name)
        return tmp_path / name

    assert "is no folder" in told(tmp_path / "nowhere")
    assert "holds no suite" in told(tmp_path)
    changed = copy("changed")
    (changed / "tree" / "shelf" / "_inner.py").write_text("x = 1\n")
    assert "has been changed" in told(changed)
    gone = copy("gone")
    shutil.rmtree(gone / "tree")
    assert "is not there" in told(gone)
    elsewhere = copy("elsewhere")
    (elsewhere / "tree").rename(elsewhere / "moved")
    (elsewhere / "tree").symlink_to("moved")
    assert "is not there" in told(elsewhere)
    older = copy("older")
    data = json.loads((older / "suite.json").read_text())
    (older / "suite.json").write_text(json.dumps({**data, "python": "3.2"}))
    with pytest.raises(SetupError, match=r"was made with Python 3\.2.* has 3\."):
        SwebenchFolder(folder=str(older), code=CodeBackend()).check()
    odd = copy("odd")
    (odd / "suite.json").write_text('{"package": 1}')
    assert "is not what was written there" in told(odd)
    row = copy("row")
    (row / "instances.jsonl").write_text('{"instance_id": "a"}\n')
    assert "row 1" in told(row)
    fits = copy("fits")
    lines = (fits / "instances.jsonl").read_text()
    (fits / "instances.jsonl").write_text(lines.replace("def ", "class "))
    suite = SwebenchFolder(folder=str(fits), code=CodeBackend())
    task = suite.tasks()[0]
    with pytest.raises(SetupError, match="do not fit"):
        suite.environment(task)
    with pytest.raises(SetupError, match=r"suite\.folder is not set"):
        SwebenchFolder(code=CodeBackend())


@needs_bubblewrap
def test_choices_of_tasks(made: Path, tmp_path: Path) -> None:
    def ids(**settings: object) -> list[str]:
        return [task.id for task in SwebenchFolder(folder=str(made), code=CodeBackend(), **settings).tasks()]  # type: ignore[arg-type]

    every = ids()
    left_out = tmp_path / "left_out"
    left_out.write_text(f"{every[0]}  # it fails here\n\n")
    assert ids(exclude=str(left_out)) == every[1:]
    assert ids(task_ids=[every[1]]) == [every[1]]
    for settings, told in (
        ({"task_ids": ["sdist__small-shelf-9"]}, "suite.task_ids"),
        ({"kinds": ["no_kind"]}, "suite.kinds"),
        ({"task_ids": [every[0]], "exclude": str(left_out)}, "no instance is left"),
        ({"exclude": str(tmp_path / "nowhere")}, "cannot be read"),
    ):
        with pytest.raises(SetupError, match=told):
            ids(**settings)
