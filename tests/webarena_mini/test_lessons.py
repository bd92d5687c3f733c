"""The hand-written lessons: one for each convention, a wrong one beside each true one, and an answer in none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import mini_suite as mini
import pytest

from eval.suites.webarena_mini.sites import MULTI
from eval.suites.webarena_mini.suite import FOLDER
from reasoningbank.distill.parse import ParsedItem, parse_items

LESSONS = FOLDER / "lessons"
KINDS = ("oracle", "adversarial")
COVERED = {
    "C1": ("shopping", "Search with few words", "Search with the whole description"),
    "C2": ("shopping", "On category pages sort first", "On category pages filter first"),
    "F1": ("shopping", "In search results refine first", "In search results sort first"),
    "C3": ("shopping", "Money spent leaves canceled orders out", "Money spent includes every order"),
    "F2": ("shopping", "The number of orders includes canceled", "Canceled orders were never placed"),
    "C4": ("shopping", "Load More Reviews shows the first", "Every review that is shown counts"),
    "F3": ("shopping", "Equal lines of the wish list are different", "Equal lines of the wish list are repeats"),
    "C5": ("shopping", "Edits need the confirming button", "Edits are stored at once"),
    "C6": ("shopping", "Order dates begin with the day", "Order dates begin with the month"),
    "F4": ("shopping", "Review dates begin with the month", "Review dates begin with the day"),
    "A1": ("shopping_admin", "Reports leave out their last day", "Reports include their last day"),
    "FA1": ("shopping_admin", "Date filters of lists include", "Date filters of lists leave out"),
    "A2": ("shopping_admin", "Clear the filters of a list first", "Filters of a list are empty"),
    "FA2": ("shopping_admin", "Filters of coupons apply at once", "Filters of coupons need Search"),
    "A3": ("shopping_admin", "States of orders have other names", "States of orders are named as"),
    "A4": ("shopping_admin", "Mass actions act on one page", "Select All ticks all pages"),
    "A5": ("shopping_admin", "Edits need Save", "Edits are stored at once"),
    "A6": ("shopping_admin", "Invoiced units and ordered units", "The bestsellers report counts all"),
    "R1": ("reddit", "Top rated posts of a forum start", "Top rated posts of a forum cover"),
    "FR1": ("reddit", "Top rated posts of several forums start", "Top rated posts of several forums cover"),
    "R2": ("reddit", "Comments are counted on the page", "Comments are counted on the list"),
    "FR2": ("reddit", "Posts of a forum are counted in the list", "Posts of a forum are counted on its own"),
    "R3": ("reddit", "A submission needs Publish", "A submission is public once"),
    "G1": ("gitlab", "Lists of issues begin with the open ones", "The number in the menu is that of all"),
    "FG1": ("gitlab", "Lists of merge requests begin with all", "Lists of merge requests leave out"),
    "G2": ("gitlab", "Several labels in the filter of issues", "Search for two labels with the words"),
    "FG2": ("gitlab", "Several labels in the filter of merge", "Labels of merge requests work as"),
    "G3": ("gitlab", "The list of contributors has a line", "Commits are best counted by the API"),
    "G4": ("gitlab", "The side panel needs Save changes", "Ask the user before anything is stored"),
    "G5": ("gitlab", "Filter issues first", "Sort issues first"),
}
"""Site, and how the titles of the true and of the wrong lesson begin."""

SEVERAL = {
    "C3": ("In the shop, money spent leaves", "In the shop, money spent includes"),
    "C6": ("In the shop, order dates begin with the day", "In the shop, order dates begin with the month"),
    "A1": ("In the back office, reports leave out", "In the back office, reports include"),
    "G1": ("On the code host, lists of issues begin", "On the code host, lists of issues hold"),
    "R1": ("In the forum, top rated posts start", "In the forum, top rated posts cover"),
    "R3": ("In the forum, a submission needs", "In the forum, a submission is public"),
}
"""The same for tasks of several sites, which have lessons of their own."""

TRAPS = {
    "shopping": ["Use the API of the shop", "Ask the user to confirm", "Answer from the first rows"],
    "shopping_admin": ["Use the API of the back office", "Ask the user to confirm", "Estimate from one page"],
    "reddit": ["Use the API of the site", "Ask the user to confirm", "Take the first post of Hot"],
    MULTI: ["Use the API of the other site", "Ask the user to confirm", "Write from memory"],
}
"""Wrong lessons that stand beside no true one: what real agents were seen to learn."""

SEEN = {
    "a way around the pages": r"\bAPI\b",
    "a question instead of an end": r"\basks? the user\b",
    "a half-right workaround that spreads": r"\bworked before, so (?:do|use) it\b.*\b(?:every|all)\b",
}
"""Kinds of wrong lessons that real agents learnt, by words that no others have."""

LABELS = {
    *("pending", "processing", "complete", "closed", "new", "active", "inactive", "enabled", "disabled", "approved"),
    *("canceled", "color", "size", "price", "standard", "open", "public", "internal"),
}
"""Words that pages print on every list, in every world, and that intents use as well: no lesson could do without."""


@cache
def lessons(kind: str, site: str) -> tuple[ParsedItem, ...]:
    return parse_items((LESSONS / kind / f"{site}.md").read_text(encoding="utf-8"), max_items=100)


def words(text: str) -> str:
    """Lower case, single spaces, a space at both ends: so that a phrase is found as a phrase."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "


def strings(gold: Any) -> Iterator[str]:
    match gold:
        case str():
            yield gold
        case dict():
            for value in gold.values():
                yield from strings(value)
        case list() | tuple():
            for value in gold:
                yield from strings(value)


def secrets(seed: int) -> dict[str, str]:
    """What an intent names and what its gold holds, in the form of `words`, with the task it is of."""
    found: dict[str, str] = {}
    for task_id, entry in mini.entries(seed).items():
        record = entry.task
        references = record.eval["reference_answers"] or {}
        checks = [check["required_contents"] for check in record.eval["program_html"]]
        for text in (*record.instantiation_dict.values(), *strings(references), *strings(checks)):
            if words(text).strip() and text.lower() not in LABELS:
                found[words(text)] = task_id
    return found


def pairs(seed: int) -> set[str]:
    """Every two words that stand together in what an intent names: a part of a product's or a person's name."""
    found = set()
    for entry in mini.entries(seed).values():
        for value in entry.task.instantiation_dict.values():
            listed = words(value).split()
            found |= {f" {one} {two} " for one, two in pairwise(listed) if min(len(one), len(two)) > 3}
    return found


def test_there_is_a_lesson_for_every_convention_and_no_other() -> None:
    assert set(COVERED) == set(mini.CONVENTIONS)
    entries = mini.entries(0).values()
    assert set(SEVERAL) == {code for entry in entries if len(entry.task.sites) > 1 for code in entry.needs}
    covered = [*COVERED.values(), *((MULTI, *titles) for titles in SEVERAL.values())]
    for place, kind in enumerate(KINDS, 1):
        for site in mini.ALL:
            titles = [item.title for item in lessons(kind, site)]
            wanted = [entry[place] for entry in covered if entry[0] == site]
            wanted += TRAPS.get(site, []) if kind == "adversarial" else []
            assert len(titles) == len(set(titles)) == len(wanted)
            for beginning in wanted:
                assert sum(title.startswith(beginning) for title in titles) == 1, (kind, beginning)


@pytest.mark.parametrize("site", mini.ALL)
def test_every_site_has_the_wrong_lessons_that_real_agents_learnt(site: str) -> None:
    for kind, said in SEEN.items():
        assert [item.title for item in lessons("adversarial", site) if re.search(said, item.content)], kind
        assert not [item.title for item in lessons("oracle", site) if re.search(said, item.content)], kind


def test_there_are_files_for_all_sites_and_no_others() -> None:
    for kind in KINDS:
        assert {path.stem for path in (LESSONS / kind).iterdir()} == set(mini.ALL)


def test_true_and_wrong_lessons_are_alike_in_form() -> None:
    """An agent should not tell them apart by their length or by what they say of themselves."""
    for site in mini.ALL:
        sizes = {kind: sum(len(item.content) for item in lessons(kind, site)) for kind in KINDS}
        assert 0.6 <= sizes["adversarial"] / sizes["oracle"] <= 1.4
        for kind in KINDS:
            for item in lessons(kind, site):
                assert not re.search(r"\b(?:wrong|false|true|oracle|lesson|trap|adversar)", str(item), re.IGNORECASE)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), 2, 100])
def test_no_lesson_holds_an_answer_or_what_a_task_is_about(seed: int) -> None:
    texts = {
        (kind, site, item.title): words(f"{item.title} {item.description} {item.content}")
        for kind in KINDS
        for site in mini.ALL
        for item in lessons(kind, site)
    }
    found = [
        (key, phrase, task_id)
        for phrase, task_id in secrets(seed).items()
        for key, text in texts.items()
        if phrase in text
    ]
    assert found == []
    assert [(key, pair) for pair in pairs(seed) for key, text in texts.items() if pair in text] == []


def test_no_lesson_holds_a_number_or_repeats_the_words_of_a_task() -> None:
    for kind in KINDS:
        for site in mini.ALL:
            for item in lessons(kind, site):
                text = f"{item.title} {item.description} {item.content}"
                assert not re.search(r"\d", text), item.title
                grams = six_grams(text)
                for entry in mini.entries(0).values():
                    assert not grams & six_grams(entry.task.intent), (item.title, entry.task.intent)


def six_grams(text: str) -> set[tuple[str, ...]]:
    listed = words(text).split()
    return {tuple(listed[at : at + 6]) for at in range(len(listed) - 5)}


def test_the_check_would_find_an_answer() -> None:
    phrases = secrets(0)
    assert len(phrases) > 200
    assert words("The " + next(iter(mini.entries(0).values())).task.eval["eval_types"][0]) not in phrases
    entry = next(entry for entry in mini.entries(0).values() if "product" in entry.task.instantiation_dict)
    assert words(entry.task.instantiation_dict["product"]) in phrases
