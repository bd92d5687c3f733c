"""Mistakes in somebody's own code: who is at fault is said once, at build time where that can be."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from runner_helpers import HERE, ROOT, TINY, run

from eval.__main__ import main
from eval.build import PACKAGES, check_attributes
from eval.config.load import load_config
from eval.workbench import build_workbench
from reasoningbank.errors import SetupError

METHOD = """
from reasoningbank.interfaces import BankReader, Episode, EpisodeCalls
from reasoningbank.types import Distilled, Recall, Task, digest

class Motto:
    needs_verdicts = False

    def recall(self, task: Task, bank: BankReader) -> Recall:
        return Recall(text="Check the sum.")

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return Distilled()
"""


def with_method(folder: Path, name: str, old: str, new: str) -> list[str]:
    """The command line for METHOD with one mistake in it."""
    assert old in METHOD
    (folder / f"{name}.py").write_text(METHOD.replace(old, new))
    (folder / "memory").mkdir(exist_ok=True)
    (folder / "memory" / f"{name}.yaml").write_text(f"type: {name}\n")
    plugins = f"plugins=[{HERE / 'arithmetic.py'},{folder / f'{name}.py'}]"
    return ["run", *TINY, f"--config-dir={folder}", plugins, f"memory={name}", f"results_dir={folder / 'results'}"]


MISTAKES = {
    "recall_raises": ('text="Check the sum."', "text=task.intentt", "line 9"),
    "distill_raises": ("return Distilled()", "return calls(0).askk()", "line 12"),
    "recall_of_another_type": ('Recall(text="Check the sum.")', '"Check the sum."', "returned str, not Recall"),
    "distill_of_another_type": ("return Distilled()", "return None", "returned NoneType, not Distilled"),
    "an_error_further_in": ('Recall(text="Check the sum.")', "Recall(text=digest(bank))", "line 9"),
}


@pytest.mark.parametrize(("name", "workers"), [*((name, 1) for name in MISTAKES), ("recall_raises", 2)])
def test_a_mistake_in_a_method_is_told_as_the_methods(name: str, workers: int, tmp_path: Path) -> None:
    old, new, found = MISTAKES[name]
    line = with_method(tmp_path, name, old, new)
    done = run(*line, "limit=1", f"trials={workers}", f"concurrency.workers={workers}")
    assert done.returncode == 1
    *trace, last = done.stderr.splitlines()
    assert last.startswith("error: ")
    assert str(tmp_path / f"{name}.py") in last
    assert "is at fault" in last
    assert found in last
    assert str(ROOT / "eval") not in "".join(trace)
    assert done.stderr.count("Traceback") == (0 if "returned" in last else 1)


REFUSED = {
    "no_attribute": ("needs_verdicts = False", "pass", "'needs_verdicts'"),
    "wrong_attribute": ("needs_verdicts = False", "needs_verdicts = 'no'", "bool"),
    "failing_attribute": (
        "needs_verdicts = False",
        "@property\n    def needs_verdicts(self) -> bool:\n        return self.other",
        "line 8: AttributeError",
    ),
    "no_method": ("def recall", "def recal", "recall, distill"),
    "syntax": ("return Distilled()", "return (", "line 12: SyntaxError"),
    "indentation": ("    needs_verdicts", "needs_verdicts", "line 6: IndentationError"),
    "missing_import": ("class Motto:", "import numppy\n\nclass Motto:", "line 5: ModuleNotFoundError"),
    "wrong_import": ("import Distilled,", "import Destilled,", "line 3: ImportError"),
    "fails_at_import": ("class Motto:", "WORDS = {}['a']\n\nclass Motto:", "line 5: KeyError"),
    "fails_when_made": (
        "needs_verdicts = False",
        "needs_verdicts = False\n\n    def __init__(self) -> None:\n        self.a = self.b",
        "line 9: AttributeError",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_method_that_cannot_be_built_is_refused_in_a_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, found = REFUSED[name]
    for _ in range(2):  # a module that failed is not taken for imported the next time
        assert main([*with_method(tmp_path, f"mine_{name}", old, new), "limit=1"]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert f"mine_{name}" in said.err
        assert found in said.err
    assert not (tmp_path / "results").exists()


def test_attributes_of_every_kind_are_checked() -> None:
    bench = build_workbench(load_config(TINY))
    parts = {"suite": bench.suite, "memory": bench.memory, "llm": bench.llms["agent"], "embedder": bench.embedder}
    parts |= {"scaling": bench.scaling}
    for kind, part in parts.items():
        protocol = PACKAGES[kind][1]
        check_attributes(part, protocol, kind)
        for name in protocol.__annotations__:
            other = type("Other", (), {each: getattr(part, each) for each in protocol.__annotations__ if each != name})
            with pytest.raises(SetupError, match=f"{kind}: Other .* no attribute '{name}'"):
                check_attributes(other(), protocol, kind)
            setattr(other, name, object())
            with pytest.raises(SetupError, match=f"'{name}' of Other .* is <object"):
                check_attributes(other(), protocol, kind)


def test_a_worker_whose_command_has_gone_ends_quietly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A thread that still reads from, or writes to, a closed pipe would be reported as an unhandled exception."""
    line = ["run", *TINY, f"results_dir={tmp_path}", "limit=3", "run_name=mine"]
    assert main(line) == 0
    journal = next(tmp_path.glob("mine/streams/*/journal.jsonl"))
    first, _, third = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(first + b"{broken\n" + third)
    capsys.readouterr()
    for _ in range(20):
        assert main(line) == 2
        for thread in set(threading.enumerate()) - {threading.current_thread()}:
            thread.join(0.2)
        assert capsys.readouterr().err.count("\n") == 1
