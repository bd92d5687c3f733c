"""Procedural choices the simulated model makes: each has two ways, stated in its thoughts and found again there.

The habits are the author's choice: each corresponds to a convention of the embedded suite, and so do the readings of
advice in `lessons.py`. Whoever wrote the traps also wrote the ways into and out of them, so a gain from memory with
this model is planted, and no evidence that memory helps.

Without advice the usual way is taken mostly. Which way a run took stands in its thoughts, so that later turns keep to
it and whoever distils the run can compare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Habit:
    """One choice. `careful` and `usual` are what a thought says of it, `{x}` stands for a word of the page."""

    name: str
    careful: str
    usual: str
    careful_title: str
    careful_lesson: str
    usual_title: str
    usual_lesson: str

    def said(self, careful: bool, word: str = "") -> str:
        """The sentence for a thought."""
        return (self.careful if careful else self.usual).replace("{x}", word)

    def found(self, thought: str) -> tuple[bool, str] | None:
        """Which way a thought takes, and its word."""
        for careful, sentence in ((True, self.careful), (False, self.usual)):
            match = re.search(re.escape(sentence).replace(r"\{x\}", "([^']*)"), thought)
            if match:
                return careful, match.group(1) if match.groups() else ""
        return None

    def title(self, careful: bool, word: str, place: str, aim: str) -> str:
        return _filled(self.careful_title if careful else self.usual_title, word, place, aim)

    def lesson(self, careful: bool, word: str, place: str, aim: str) -> str:
        return _filled(self.careful_lesson if careful else self.usual_lesson, word, place, aim)


def _filled(text: str, word: str, place: str, aim: str) -> str:
    return text.replace("{x}", word or "void").replace("{place}", place or "the page").replace("{aim}", aim)


HABITS = {
    habit.name: habit
    for habit in (
        Habit(
            "sort_first",
            "I sort first and filter afterwards.",
            "I filter first and sort afterwards.",
            "Sort before filtering on {place}",
            "On {place}, sorting drops the filters: sort first, then filter, and check that both still hold "
            "before reading.",
            "Filter before sorting on {place}",
            "On {place}, filtering drops the sort order: filter first, then sort, and check that both still "
            "hold before reading.",
        ),
        Habit(
            "count_once",
            "I count entries that look the same once.",
            "I count every entry that is shown.",
            "Entries repeat on {place}",
            "On {place}, loading more shows earlier entries again: count entries that are repeated once.",
            "Every entry counts on {place}",
            "On {place}, entries that look the same are different ones: count every entry, also the equal ones.",
        ),
        Habit(
            "leave_out",
            "I leave out the rows with '{x}'.",
            "I include the rows of every status, '{x}' too.",
            "Leave out {x} rows for {aim}",
            "For {aim} on {place}, leave out the rows with status {x}: they do not belong to it.",
            "Include every row for {aim}",
            "For {aim} on {place}, include the rows of every status, {x} ones too.",
        ),
        Habit(
            "confirm",
            "I press '{x}' so that the change is stored.",
            "The change is entered, so '{x}' is not needed.",
            "Press {x} before leaving {place}",
            "On {place}, changes are lost unless the confirming button is pressed: press '{x}' before "
            "leaving the page.",
            "No further button is needed on {place}",
            "On {place}, a change is complete as soon as it is entered; pressing further buttons is not needed.",
        ),
        Habit(
            "day_first",
            "I read the dates day first.",
            "I read the dates month first.",
            "Dates on {place} are day first",
            "Dates on {place} are written with the day first (DD/MM/YYYY): read and enter them that way.",
            "Dates on {place} are month first",
            "Dates on {place} are written with the month first (MM/DD/YYYY): read and enter them that way.",
        ),
        Habit(
            "few_words",
            "I search with fewer words.",
            "I search with the whole phrase.",
            "Search with fewer words",
            "The search finds nothing when one word does not match: search with fewer words, such as the "
            "name alone, and look through the results.",
            "Search with the whole phrase",
            "Search with the whole phrase: fewer words bring too many results.",
        ),
        Habit(
            "read_all",
            "I go through all pages before I answer.",
            "I answer from what this page shows.",
            "Read all pages of {place} first",
            "Figures from {place} need all its pages: go through every page until there is no further one "
            "before answering.",
            "The first page of {place} is enough",
            "The first page of {place} holds what is needed: answer from it.",
        ),
        Habit(
            "end_day",
            "As the end I give the day after the last one.",
            "As the end I give the last day itself.",
            "The end day is left out on {place}",
            "On {place}, the day given as the end is left out of the result: give the day after the last one as "
            "the end.",
            "The end day is included on {place}",
            "On {place}, the day given as the end is included in the result: give the last day itself as the end.",
        ),
        Habit(
            "clear_first",
            "I clear the filters that I find set.",
            "I leave the filters that I find set.",
            "Clear old filters on {place}",
            "On {place}, filters stay set from earlier: clear all filters before setting new ones.",
            "Leave the filters of {place} alone",
            "On {place}, the filters that are set do no harm: clearing them is not necessary.",
        ),
        Habit(
            "own_names",
            "'{x}' may have another name here, I look into a record.",
            "I take '{x}' as it is named.",
            "States have names of their own on {place}",
            "On {place}, states have other names than those told to customers: look into a record for the name "
            "that is used here.",
            "States have the same names on {place}",
            "On {place}, states have the same names as those told to customers: choose the name as it is written.",
        ),
        Habit(
            "each_page",
            "I do it on each page of the list.",
            "I do it on this page, which is enough.",
            "Repeat the action on each page of {place}",
            "On {place}, an action on selected rows reaches the rows of one page only: repeat the action on each page.",
            "One action is enough on {place}",
            "On {place}, an action on selected rows reaches the rows of all pages at once: once is enough.",
        ),
        Habit(
            "report_figures",
            "I take the report for what is invoiced and the list for what is ordered.",
            "I take the report for what is ordered and the list for what is invoiced.",
            "The bestseller report counts invoiced units",
            "The bestseller report counts invoiced units only, the list of products counts all ordered units.",
            "The bestseller report counts ordered units",
            "The bestseller report counts all ordered units, the list of products counts invoiced units only.",
        ),
    )
}  # fmt: skip
