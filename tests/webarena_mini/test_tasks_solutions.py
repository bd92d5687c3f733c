"""Known solutions solve every task through the pages; doing nothing solves none."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import mini_suite as mini
import pytest

from eval.grading import normalised_grader
from eval.suites.webarena_mini import solutions, tasks
from eval.suites.webarena_mini.sites import SITES

SOLUTIONS = Path(solutions.__file__).parent
TASKS = Path(tasks.__file__).parent
SHARED = ("eval.suites.webarena_mini.site", "eval.suites.webarena_mini.sites")
"""What pages are made with, and where data can be had."""
PACKAGES = tuple(f"eval.suites.webarena_mini.{site}" for site in SITES)


def failed(seed: int, task_ids: list[str]) -> list[str]:
    found = []
    for task_id in task_ids:
        run = mini.solved(seed, task_id)
        if run.reward != 1 or run.gave_up:
            found.append(f"{task_id} {mini.entries(seed)[task_id].template}: {run.answer} {run.gave_up}")
    return found


def test_known_solutions_solve_one_task_of_each_template() -> None:
    assert failed(0, list(mini.one_of_each(0).values())) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1, 2, 100, 104])
def test_known_solutions_solve_every_task(seed: int) -> None:
    assert failed(seed, list(mini.entries(seed))) == []


def rewards_of_doing_nothing(seed: int, answer: str | None) -> set[float]:
    suite = mini.suite(seed)
    rewards = set()
    for task in suite.tasks():
        env = suite.environment(task)
        env.reset(task, 0)
        rewards.add(suite.evaluate(task, env.finish(answer), normalised_grader).reward)
        env.close()
    return rewards


@pytest.mark.parametrize("answer", [None, "", "Done."])
def test_doing_nothing_solves_nothing(answer: str | None) -> None:
    assert rewards_of_doing_nothing(0, answer) == {0.0}


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_doing_nothing_solves_nothing_in_other_worlds(seed: int) -> None:
    assert rewards_of_doing_nothing(seed, "") == {0.0}


def test_refusing_solves_the_impossible_tasks_alone() -> None:
    suite = mini.suite(0)
    for task in suite.tasks():
        env = suite.environment(task)
        env.reset(task, 0)
        reward = suite.evaluate(task, env.finish("N/A"), normalised_grader).reward
        env.close()
        assert (reward == 1) == mini.entries(0)[task.id].impossible, task


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
