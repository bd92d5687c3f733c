"""Every example of every `--help` is a line that works, on a real run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner_helpers import HERE

import induce_memory
import memory_management
from eval.__main__ import command_names, main
from eval.commands.validate_suite import arms
from reasoningbank.boundary import capture

EXAMPLE = re.compile(r"^  python (.+?)(?:  +\S.*)?$", re.MULTILINE)
LONG = "tasks --profile"
"""Shown to work by a test of its own: it takes long."""
PUBLISHED = "suite=swebench"
"""Its instances have to be fetched."""
OF_CODE = ("export", "score", "validate")
"""Shown to work, on a run of code, by tests of their own."""
REMOTE = re.compile(r"(llm|embedder)=(?!NAME)")
"""Asks a server."""
METHOD = '''"""Nothing is learnt."""

from reasoningbank.types import Distilled, Recall


class Mine:
    needs_verdicts = False

    def recall(self, task, bank):
        return Recall()

    def distill(self, episode, calls):
        return Distilled()
'''


def helps(capsys: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """The words of every example, those of a program before what is a program's file."""
    for name in command_names():
        assert run("-m", "eval", name, "--help") == 0
        yield from map(shlex.split, examples(capsys.readouterr().out))
    for program in (induce_memory, memory_management):
        yield from map(shlex.split, examples(program.EXAMPLES))


def examples(text: str) -> list[str]:
    found = EXAMPLE.findall(text)
    assert found, text
    return found


def run(*words: str) -> int:
    """A line's exit code, in this process."""
    if words[:2] == ("-m", "eval"):
        done = capture(lambda: main(list(words[2:])))
    else:
        program = {"induce_memory.py": induce_memory, "memory_management.py": memory_management}[words[0]]
        done = capture(lambda: program.main(list(words[1:])))
    if isinstance(done.error, SystemExit):
        return int(done.error.code or 0)
    return done.unwrap()


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the examples' capital letters stand for, in a folder with all that they name."""
    monkeypatch.chdir(tmp_path)
    small = ["progress=quiet", "embedder=hashing", "concurrency.workers=1"]
    assert run("-m", "eval", "run", "+exp=matts_parallel", "k=2", "limit=5", "run_name=one", *small) == 0
    sweep = ["run_name=sweep", "limit=1", "suite.sites=[shopping]"]
    assert run("-m", "eval", "run", "-m", "memory=none,awm", *sweep, *small) == 0
    (tmp_path / "results" / "two").symlink_to("one", target_is_directory=True)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "mine.yaml").write_text("type: mine\n")
    (tmp_path / "mine.py").write_text(METHOD)
    copy = ("export", "one", "bank.sqlite", "--stream", "shopping.t0")
    assert run("memory_management.py", *copy) == 0
    return {"RUN": "one", "SWEEP": "sweep", "FOLDER": "results", "DIR": ".", "agenda-104": "3"}


def filled(words: list[str], there: dict[str, str]) -> list[str]:
    words = [there.get(word, word) for word in words]
    words = [word.replace("=DIR2", "=.").replace("=DIR", f"={there['DIR']}") for word in words]
    words = [re.sub(r"^(\+llm@.*|llm)=NAME", r"\1=offline", word) for word in words]
    if "suite=mine" in words:
        stand = {"suite=mine": "suite=arithmetic", "plugins=[mine.py]": f"plugins=[{HERE / 'arithmetic.py'}]"}
        words = [stand.get(word, word) for word in words]
        words = [f"--config-dir={HERE / 'configs'}" if word.startswith("--config-dir") else word for word in words]
    return words


@pytest.mark.long
def test_every_example_works(there: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    tried = 0
    for words in list(helps(capsys)):
        line = filled(words, there)
        command = line[2] if line[0] == "-m" else ""
        whole = " ".join(line)
        if (
            whole.endswith(LONG)
            or command in OF_CODE
            or PUBLISHED in line
            or (command == "doctor" and REMOTE.search(whole))
        ):
            continue
        if command == "validate-suite":  # three runs: only whether they can begin
            assert len(arms([word for word in line[3:] if not word.startswith("--lessons")], None)) >= 3
        else:
            line += ["--show-config"] if command == "run" else []
            code = run(*line)
            said = capsys.readouterr()
            assert code == 0, f"{' '.join(words)}: {said.err}"
        tried += 1
    assert tried > 30
