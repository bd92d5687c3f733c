"""The hand-written lessons: a true and a wrong one for each house rule, in words that the simulated model takes, and no
fix in any of them."""

from __future__ import annotations

import re

import pytest

from eval.suites.swebench_mini.catalog import Package, all_packages
from eval.suites.swebench_mini.suite import FOLDER
from reasoningbank.distill.parse import parse_items
from reasoningbank.llm.offline.coding.advice import hear
from reasoningbank.prompts import PromptPack

KINDS = ("oracle", "adversarial")
PACKAGES = all_packages()


def text(kind: str, package: Package) -> str:
    return (FOLDER / "lessons" / kind / f"{package.name}.md").read_text(encoding="utf-8")


def recalled(kind: str, package: Package) -> str:
    items = [each.model_dump() for each in parse_items(text(kind, package), max_items=99)]
    return PromptPack().render("memory_items", items=items, descriptions=False)


def runs_of_words(text: str) -> set[str]:
    """All six words that follow each other."""
    words = re.findall(r"\w+", text)
    return {" ".join(words[place : place + 6]) for place in range(len(words) - 5)}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_each_house_rule_has_a_true_lesson_and_a_wrong_one(package: Package) -> None:
    true, wrong = (parse_items(text(kind, package), max_items=99) for kind in KINDS)
    assert len(true) == len(package.rules) + 2
    assert len(wrong) == len(package.rules) + 3
    assert not {each.title for each in true} & {each.title for each in wrong}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_the_simulated_model_hears_them_as_they_are_meant(package: Package) -> None:
    rules = {rule.id for rule in package.rules} & {"old_names", "changelog"}
    for kind, careful in zip(KINDS, (True, False), strict=True):
        heard = hear(recalled(kind, package))
        assert dict(heard.customs) == dict.fromkeys([*rules, "plainest_first", "every_kind"], careful)
        assert heard.tests is not careful
        assert not careful or set(heard.first) <= {"own_error"}, "true lessons name no repair by the way"


@pytest.mark.parametrize("kind", KINDS)
def test_no_lesson_quotes_a_fix(kind: str) -> None:
    for package in PACKAGES:
        quoted = runs_of_words(text(kind, package))
        for defect in package.hard:
            fix = [line[1:] for line in defect.bug.split("\n") if re.match(r"[-+](?![-+])", line)]
            assert not runs_of_words(" ".join(fix)) & quoted, defect.id
