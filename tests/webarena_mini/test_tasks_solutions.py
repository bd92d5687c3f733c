"""Doing nothing solves no task; and known solutions see what an agent sees, and hold nothing of what is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import mini_suite as mini
import pytest

from eval.grading.normalised import normalised_grader
from eval.suites.webarena_mini import solutions, tasks
from eval.suites.webarena_mini.sites import SITES

SOLUTIONS = Path(solutions.__file__).parent
TASKS = Path(tasks.__file__).parent
SHARED = ("eval.suites.webarena_mini.site", "eval.suites.webarena_mini.sites")
"""What pages are made with, and where data can be had."""
PACKAGES = tuple(f"eval.suites.webarena_mini.{site}" for site in SITES)


NOTHING = (None, "", "Done.")
"""Answers of an attempt that has done nothing."""


@cache
def rewards(seed: int) -> dict[str, dict[str | None, float]]:
    """By task, what each answer to it is worth where nothing has been done, and to refuse it."""
    suite = mini.suite(seed)
    found: dict[str, dict[str | None, float]] = {}
    for task in suite.tasks():
        env = suite.environment(task)
        env.reset(task, 0)
        left = {answer: env.look(answer) for answer in NOTHING} | {"N/A": env.finish("N/A")}
        found[task.id] = {
            answer: suite.evaluate(task, evidence, normalised_grader).reward for answer, evidence in left.items()
        }
        env.close()
    return found


@pytest.mark.parametrize("answer", NOTHING)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_doing_nothing_solves_nothing(seed: int, answer: str | None) -> None:
    assert {of_task[answer] for of_task in rewards(seed).values()} == {0.0}


def test_refusing_solves_the_impossible_tasks_alone() -> None:
    for task_id, of_task in rewards(0).items():
        assert (of_task["N/A"] == 1) == mini.entries(0)[task_id].impossible, task_id


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", sorted(SOLUTIONS.glob("*.py")), ids=lambda path: path.stem)
def test_solutions_see_neither_database_nor_gold(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith(("sqlite3", "eval.suites.webarena_mini.tasks", *PACKAGES, *SHARED))
        assert not module.startswith(("eval.suites.webarena_mini.suite", "eval.suites.web.evaluators"))


@pytest.mark.parametrize("path", sorted(TASKS.glob("*.py")), ids=lambda path: path.stem)
def test_gold_shares_no_code_with_the_pages(path: Path) -> None:
    for module in imported(path):
        assert not module.startswith((*PACKAGES, "eval.suites.webarena_mini.solutions", "flask", *SHARED))


NAMES_OF_STATES = {
    "Approved",
    "Pending",
    "Disabled",
    "New",
    "Open",
    "Closed",
    "Daily",
    "Weekly",
    "Monthly",
    "Quarterly",
}
"""What list boxes offer in every world: a task's own words choose among them."""


def golds(seed: int) -> Iterator[str]:
    """Everything that evaluators compare with: answers, addresses, texts of pages."""
    for entry in mini.entries(seed).values():
        gold = entry.task.eval
        answers = gold["reference_answers"] or {}
        yield from (answers.get("exact_match", ""), *answers.get("must_include", ()))
        if not entry.impossible:
            yield from answers.get("fuzzy_match", ())
        yield from (url.rpartition("__")[2] for url in gold["reference_url"].split(" |OR| "))
        for check in gold["program_html"]:
            yield from check["required_contents"]["must_include"]


def constants(source: str) -> set[object]:
    return {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}


def held(source: str, texts: Iterable[str]) -> set[str]:
    """Which texts stand in a program: anywhere in it, or, where they are short, as one of its constants.

    A single sign may be a constant, such as the number of a list's page; `said_numbers` sees to it that none is said.
    """
    whole = constants(source)
    return {text for text in texts if len(text) > 1 and (text in source if len(text) > 3 else text in whole)}


def tells(text: str) -> bool:
    """Whether it has a digit and is no convention's code."""
    return text not in mini.CONVENTIONS and any(sign.isdigit() for sign in text)


def said_numbers(source: str) -> list[str]:
    """Constants with a digit that are said, and numbers that are made into a text."""
    found = []
    for call in ast.walk(ast.parse(source)):
        match call:
            case ast.Call(func=ast.Attribute(attr="say")):
                texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
                found += [text for text in texts if isinstance(text, str) and tells(text)]
                found += [
                    str(arg.value) for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)
                ]
            case ast.Call(func=ast.Name(id="str" | "money"), args=[ast.Constant(value=number)]):
                found.append(str(number))
    return found


@pytest.mark.parametrize("seed", mini.WORLDS)
def test_solutions_hold_nothing_that_evaluators_look_for(seed: int) -> None:
    texts = set(golds(seed)) - NAMES_OF_STATES
    assert len(texts) > 150
    for path in sorted(SOLUTIONS.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        assert held(source, texts) == set(), path.name
        assert said_numbers(source) == [], path.name


@pytest.mark.parametrize(
    "line",
    [
        'd.say("17")',
        'd.say(f"It costs $3.")',
        "d.say(str(17))",
        "d.say(money(1700))",
        'd.say("17" if d.knows("C1") else "none")',
    ],
)
def test_a_number_that_is_said_would_be_found(line: str) -> None:
    assert said_numbers(line)


def test_an_answer_an_address_and_a_text_would_be_found() -> None:
    assert held('NUMBER = "17"; PLACE = "/order/000012"', {"17", "7", "/order/000012", "000012"}) == {
        "17",
        "/order/000012",
        "000012",
    }
    assert all(any(sign in text for text in golds(0)) for sign in ("/", ".", "-"))
