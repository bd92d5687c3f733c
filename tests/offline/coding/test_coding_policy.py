"""The simulated agent in a repository repairs, takes back what breaks tests, ends, and is a function of its prompt."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from a_repository import FILES, LOOKED, PACK, REPORT, SHELF, bash, opening, shown, worked, write

from eval.suites.swebench_mini.catalog import all_packages
from reasoningbank.agents.mini_swe.messages import step_message
from reasoningbank.agents.mini_swe.reply import parse_command
from reasoningbank.llm.offline.coding.advice import hear
from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.coding.naming import Renaming, helper_in, renamed
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message, Step

CODE = Path(__file__).parents[3] / "reasoningbank" / "llm" / "offline" / "coding"
GOLDEN = Path(__file__).parents[2] / "golden" / "offline" / "coding_replies.txt"
BORDER = (
    "## Memory item 1\nTitle: Borders\nContent: Look first whether the border of a comparison is on the wrong side."
)
IN_ANOTHER_PROCESS = """
import hashlib, json, sys
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message
prompts = [[Message(**message) for message in prompt] for prompt in json.load(sys.stdin)]
model = SimulatedLLM()
knobs = [(t, s) for t in (0.0, 0.7) for s in (0, 1)]
texts = [model.complete(p, temperature=t, seed=s, max_tokens=9).text for p in prompts for t, s in knobs]
assert not [name for name in sys.modules if name == "eval" or name.startswith("eval.")]
print(hashlib.sha256("".join(texts).encode()).hexdigest())
"""


def test_it_repairs_what_an_idea_fits_and_leaves_nothing_else(tmp_path: Path) -> None:
    steps = worked(write(tmp_path), SimulatedLLM(), memory=BORDER)
    assert steps[0][0].endswith(LOOKED)
    assert [command.split()[0] for _, command, _ in steps] == [
        *("ls", "grep", "tail", "cat", "python", "python", "rm", "echo"),
    ]
    assert "wrong: BookError: [2, 3] do not fit in 5" in steps[3][2]
    assert "ran books/shelf.py" in steps[3][2]
    changed = bash(tmp_path, "git status --short && git diff -U0")[0]
    assert "return sum(widths) <= room" in changed
    assert changed.count("\n+") == 2
    assert "It was that the border of a comparison is on the wrong side" in steps[-1][2]


def test_what_breaks_tests_is_taken_back(tmp_path: Path) -> None:
    test = "from books import fits\n\n\ndef test_fits():\n    assert not fits([2, 3], 5)\n"
    steps = worked(write(tmp_path, {**FILES, "tests/test_more.py": test}), SimulatedLLM(), memory=BORDER)
    backs = [number for number, (thought, _, _) in enumerate(steps) if "I take the change back." in thought]
    assert backs
    assert "1 failed" in steps[backs[0] - 1][2]
    assert steps[-1][2].startswith("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    assert bash(tmp_path, "python -m pytest -q")[1] == 0


def test_a_file_that_is_too_large_to_be_shown_at_once_is_read_in_parts(tmp_path: Path) -> None:
    rules = "".join(
        f'RULE_{number} = "shelves are dusted on day {number} of every month"\n\n\n' for number in range(150)
    )
    shelf = SHELF.replace("\n\n\ndef fits", f"\n\n{rules}\ndef fits")
    steps = worked(write(tmp_path, {**FILES, "books/shelf.py": shelf}), SimulatedLLM(), memory=BORDER)
    parts = [command for _, command, _ in steps if command.startswith("tail -v -n +") and "shelf.py | head" in command]
    assert [int(command.split("+")[1].split()[0]) for command in parts] == [1, 181, 361]
    assert bash(tmp_path, "git diff -U0")[0].count("\n+    return sum(widths) <= room") == 1


@pytest.mark.long
def test_without_an_idea_that_fits_it_ends_and_changes_nothing(tmp_path: Path) -> None:
    broken = {**FILES, "books/shelf.py": SHELF.replace("    places, place = [], 0\n", "    places, place = [7], 0\n")}
    report = REPORT.replace("5)", "9)").replace("`BookError: [2, 3] do not fit in 9`", "`[7, 0, 2]`")
    steps = worked(write(tmp_path, broken), SimulatedLLM(), report=report)
    assert steps[-1][2].startswith("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    assert len(steps) <= 27


@pytest.mark.parametrize("text", ["", "nonsense", "```bash\nls", "Output: 7"])
def test_a_bad_conversation_gets_a_reply_with_one_command(text: str) -> None:
    messages = (*opening(), Message(role="assistant", content=text), Message(role="user", content=text))
    for seed in range(3):
        reply = SimulatedLLM().complete(messages, temperature=0.7, seed=seed, max_tokens=999).text
        assert parse_command(reply).text


def prompts(memory: str = BORDER) -> list[tuple[Message, ...]]:
    listing = "books\n" + "\n".join(f"{len(text)} {path}" for path, text in FILES.items())
    files = "\n".join(f"==> {path} <==\n{text}" for path, text in FILES.items() if path.startswith("books"))
    looked = (*opening(memory=memory), *shown(LOOKED, "ls && git ls-files | xargs wc -c", f"{listing}\n1 passed\n"))
    found = shown("So.", "grep -rn x", "books/shelf.py:1:x")
    read = (*looked, *found, *shown("So.", f"tail -v -n +1 {' '.join(FILES)}", files))
    ran = "wrong: BookError: [2, 3] do not fit in 5\nran books/shelf.py 8 15 14 13\n"
    return [opening(), looked, read, (*read, *shown("So.", "cat <<'PROGRAM_ENDS'\nPROGRAM_ENDS", ran))]


def test_another_process_without_any_suite_replies_the_same() -> None:
    model = SimulatedLLM()
    texts = [
        model.complete(each, temperature=t, seed=s, max_tokens=9).text
        for each in prompts()
        for t in (0.0, 0.7)
        for s in (0, 1)
    ]
    done = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        input=json.dumps([[message.model_dump() for message in one] for one in prompts()]),
        env={"PYTHONHASHSEED": "7", "PATH": ""},
        cwd=CODE.parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256("".join(texts).encode()).hexdigest()
    assert "I try whether the border of a comparison is on the wrong side." in texts[-1]


def order_of(content: str, effect: float) -> list[str]:
    """In which it tries its ideas, with this advice."""
    memory = f"## Memory item 1\nTitle: A thing\nContent: {content}"
    model = SimulatedLLM(advice_effect=effect)
    text = model.complete(prompts(memory)[-1], temperature=0.7, seed=0, max_tokens=999).text
    return text.partition("In this order: ")[2].partition(".")[0].split(", ")


def test_advice_on_ways_of_working_decides_on_how_many_ideas_and_in_which_order() -> None:
    every = "Go through every kind of change before you give up."
    assert len(order_of(every, 1.0)) == len(IDEAS)
    assert len(order_of(every, -1.0)) < len(IDEAS)
    assert len(order_of("Further kinds of changes seldom help.", 1.0)) < len(IDEAS)
    plain = "The plainest changes that the symptom suggests are to be tried first."
    assert order_of(plain, 1.0) != order_of(plain, -1.0) == order_of("Nothing of note.", 0.0)


def test_its_code_knows_no_package_of_the_suite() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CODE.glob("*.py")))
    packages = all_packages()
    assert len(packages) >= 8
    modules = {path.stem for package in packages for path in package.sources()} - {"__init__"}
    names = {package.name for package in packages} | {defect.id for package in packages for defect in package.hard}
    names |= {name for name in modules if name.startswith("_")}
    assert sorted(name for name in names if re.search(rf"\b{re.escape(name)}\b", code)) == []
    assert "from eval" not in code
    assert "import eval" not in code


def test_each_idea_is_heard_in_its_own_sentence_alone() -> None:
    for name, idea in IDEAS.items():
        heard = hear(f"## Memory item 1\nTitle: A thing\nContent: Look first whether {idea.said}.")
        assert (heard.first, heard.last) == ((name,), ()), name


@pytest.mark.parametrize(
    ("said", "tests"),
    [
        ("Where tests fail, adapt the tests.", True),
        ("Edit the failing assertions.", True),
        ("After every change, run the tests.", False),
        ("Change one thing, then run the tests again.", False),
        ("Adapt the code, not the tests.", False),
    ],
)
def test_only_advice_to_change_tests_is_heard_as_that(said: str, tests: bool) -> None:
    assert hear(f"## Memory item 1\nTitle: A thing\nContent: {said}").tests is tests


@pytest.mark.parametrize("helper_here", [False, True])
def test_an_old_name_is_kept_whatever_a_modules_head_is_like(helper_here: bool) -> None:
    """Imports in parentheses, text that only looks like one, and a helper that needs none."""
    helper = 'def was(old, new):\n    """DeprecationWarning"""\n    return new\n'
    head = '"""A shelf.\n\nfrom here on it is old.\n"""\n\nfrom p.more import (\n    a,\n    b,\n)\n\n\n'
    code = f"{head}{helper * helper_here}def put(x):\n    return a, b, x\n"
    modules = [Module("p/shelf.py", code), *([] if helper_here else [Module("p/compat.py", helper)])]
    shelf = modules[0]
    node = next(each for each in shelf.nodes if isinstance(each, ast.FunctionDef) and each.name == "put")
    made = renamed(Renaming(shelf, node, "", "store"), modules, helper_in(modules), keep=True)["p/shelf.py"]
    assert 'put = was("put", store)' in made
    imports = [ast.unparse(each) for each in ast.parse(made).body if isinstance(each, ast.ImportFrom)]
    assert imports == ["from p.more import a, b", *(["from p.compat import was"] * (not helper_here))]


def test_replies_are_as_they_were() -> None:
    """A change of behaviour is seen here; REGENERATE_GOLDEN=1 writes the file anew."""
    model = SimulatedLLM()
    replies = [model.complete(each, temperature=0.7, seed=0, max_tokens=9).text for each in prompts()]
    text = "\n\n=====\n\n".join(replies) + "\n"
    if os.environ.get("REGENERATE_GOLDEN"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(("mode", "command"), [("continue", "git diff"), ("reset", "ls && git log")])
def test_what_is_held_back_is_looked_at_or_done_again(mode: str, command: str) -> None:
    check = PACK.render("check_first", answer="done", env=mode)
    step = Step(index=0, observation="", thought="I hand it in.", action="echo X", check=check)
    told = Message(role="user", content=step_message(PACK, step, ""))
    messages = (*prompts()[-1], *shown("I hand it in.", "echo X", "")[:1], told)
    reply = SimulatedLLM().complete(messages, temperature=0.7, seed=0, max_tokens=99).text
    assert parse_command(reply).text.startswith(command)
