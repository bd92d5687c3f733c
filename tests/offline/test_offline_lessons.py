"""Lessons as somebody else would write them, with none of the extractor's own sentences, speak to the same habits."""

from __future__ import annotations

import re

import pytest

from reasoningbank.llm.offline.advice import read_advice
from reasoningbank.llm.offline.habits import HABITS

LESSONS: dict[tuple[str, bool], tuple[str, ...]] = {
    ("sort_first", True): (
        "Pick the ranking before you restrict the list to a brand.",
        "Whenever you re-sort, the facets you had chosen are wiped, so choose them once the sorting is in place.",
        "The brand restriction does not survive a new sort order; set the sort order up front and narrow down later.",
    ),
    ("sort_first", False): (
        "Narrow the hits down to a section to begin with, and only then rank them by price.",
        "Refining resets how the hits are sorted, which is why the sort has to come last.",
    ),
    ("count_once", True): (
        "Each batch comes with the previous ones in front, so the same comment is on the page several times; ignore "
        "the copies when you tally.",
        "Watch out for duplicates: tally distinct reviews only.",
    ),
    ("count_once", False): (
        "Two lines that look identical are separate entries, so both belong in the tally.",
        "Nothing is listed twice here: do not drop lines because they look alike.",
    ),
    ("leave_out", True): (
        "Money was never taken for void orders, so their amounts have no place in what you add up.",
        "Sum up what was paid without the void rows.",
        "Disregard anything void when you work out expenses.",
    ),
    ("leave_out", False): (
        "When asked how many orders there are, void ones are to be counted as well.",
        "Take orders of any status into account for the number of orders.",
    ),
    ("confirm", True): (
        "Typing a new value changes nothing by itself; the button below the form has to be clicked for it to be kept.",
        "Always finish an edit with the save button, or else it is gone.",
        "New amounts take effect only after hitting the button under the table.",
    ),
    ("confirm", False): (
        "There is no need to press anything after typing a new value: it is kept automatically.",
        "Edits are saved right away, no button has to be clicked.",
    ),
    ("day_first", True): (
        "Dates here follow the European way: 03/04 is the third of April.",
        "Read 05/06/2023 as 5 June: the leading number is the day.",
    ),
    ("day_first", False): (
        "Dates here follow the American way: 03/04 is the fourth of March.",
        "In a date such as 05/06/2023 the leading number is the month.",
    ),
    ("few_words", True): (
        "Queries with many terms come back empty, so type the maker alone into the search box.",
        "Keep what you look up short: one or two terms that must be in the title.",
    ),
    ("end_day", True): (
        "The closing date of a statement is exclusive, so ask for one day later.",
        "A statement misses what happened on its final day; type the following day instead.",
    ),
    ("end_day", False): (
        "The closing date of a search over loans is inclusive.",
        "Whatever happened on the final day itself is covered by the form.",
    ),
    ("clear_first", True): (
        "Somebody's earlier restrictions are still in force when a list is opened: wipe every filter to begin with.",
        "A filter that was used before persists, so reset the form ahead of anything else.",
    ),
    ("clear_first", False): (
        "Filters vanish by themselves between two visits, resetting them is unnecessary.",
        "Filters found in the form are harmless.",
    ),
    ("own_names", True): (
        "What readers are told of a loan is not the word used for its state in this list.",
        "The wording of a status differs between the letter and the ledger.",
    ),
    ("own_names", False): (
        "A state carries exactly the same word in the letter and in the ledger.",
        "Choose the status literally as the letter puts it.",
    ),
    ("each_page", True): (
        "A bulk operation touches the visible page only.",
        "Ticking all boxes covers no more than the current page; go on page by page.",
    ),
    ("each_page", False): (
        "A bulk operation covers the whole list, whatever page is shown.",
        "Selecting once is enough, rows of further pages are selected along with it.",
    ),
    ("few_words", False): (
        "Type the complete description into the search box; short queries bring up far too much.",
        "Search by the full wording of the request.",
    ),
    ("read_all", True): (
        "The list runs over more than one page; work through all of them before you add anything up.",
        "Do not stop at the first page of results, keep clicking on until the list ends.",
    ),
    ("read_all", False): (
        "You can stop after the first page: it has all you need.",
        "Further pages need not be opened, the first one suffices.",
    ),
    ("part", True): (
        "Switch to the tab of all loans before anything is looked up.",
        "Click the range that the request names, since the page opens with the present week.",
    ),
    ("part", False): (
        "The tab that is open is the right one.",
        "Take what comes without any range, it is complete.",
    ),
    ("one_by_one", True): (
        "Filter for a single tag and pick out the other tag by eye.",
        "Give the field one tag at a time.",
    ),
    ("one_by_one", False): (
        "Put both tags into the field, divided by a comma.",
        "Filter for all tags together.",
    ),
    ("add_lines", True): (
        "A reader with two cards has two lines, which you have to add up to one line of your own.",
        "Take the lines of one reader together.",
    ),
    ("add_lines", False): (
        "Take the top line of a reader and forget the others.",
        "One line has it all, even where a reader comes up again further down.",
    ),
    ("own_page", True): (
        "Open the book and read the figure there.",
        "Open the record itself, the number beside it is old.",
    ),
    ("own_page", False): (
        "Trust the figure in the overview.",
        "There is no need to open the book and count by hand.",
    ),
}
CASES = [(habit, way, text) for (habit, way), texts in LESSONS.items() for text in texts]


def heard(text: str) -> dict[str, set[bool]]:
    out: dict[str, set[bool]] = {}
    for hint in read_advice(f"## Memory item 1\nTitle: A note\nContent: {text}").hints:
        out.setdefault(hint.habit, set()).add(hint.careful)
    return out


def test_every_habit_is_spoken_of_both_ways() -> None:
    assert {habit for habit, _ in LESSONS} == set(HABITS)
    assert all(len(LESSONS[(habit, way)]) >= 2 for habit in HABITS for way in (True, False))


@pytest.mark.parametrize(("habit", "careful", "text"), CASES)
def test_a_lesson_in_other_words_speaks_to_its_habit(habit: str, careful: bool, text: str) -> None:
    assert heard(text).get(habit) == {careful}


def test_no_lesson_is_one_of_the_extractors() -> None:
    own = " ".join(f"{one.careful} {one.usual}" for one in HABITS.values())
    words = re.findall(r"[a-z]+", own.lower())
    five = {" ".join(words[at : at + 5]) for at in range(len(words) - 4)}
    for _, _, text in CASES:
        theirs = re.findall(r"[a-z]+", text.lower())
        assert not five & {" ".join(theirs[at : at + 5]) for at in range(len(theirs) - 4)}, text
