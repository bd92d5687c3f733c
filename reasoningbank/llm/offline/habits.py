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


HABITS = {
    habit.name: habit
    for habit in (
        Habit("sort_first", "I sort first and filter afterwards.", "I filter first and sort afterwards."),
        Habit(
            "count_once",
            "I count entries that look the same once.",
            "I count entries that look the same as different ones.",
        ),
        Habit("leave_out", "I leave out the rows with '{x}'.", "I include the rows of every status, '{x}' too."),
        Habit(
            "confirm",
            "I press '{x}' so that my input is stored.",
            "My input is there, so pressing '{x}' is not needed.",
        ),
        Habit("day_first", "I read the dates day first.", "I read the dates month first."),
        Habit("few_words", "I search with fewer words.", "I search with the whole phrase."),
        Habit("read_all", "I go through all pages before I answer.", "One page is enough for my answer."),
        Habit("end_day", "As the end I give the day after the last one.", "As the end I give the last day itself."),
        Habit(
            "clear_first",
            "I clear the filters that I find set before I search.",
            "I leave the filters that I find set as they are and search.",
        ),
        Habit(
            "own_names",
            "The state '{x}' may have another name here, I look into a record.",
            "I take the state '{x}' as it is named.",
        ),
        Habit("part", "I follow the link of the part that is meant.", "I take the part that the list shows."),
        Habit("one_by_one", "I filter by one value at a time.", "I filter by several values together."),
        Habit("add_lines", "I add up all lines of one name.", "I take the first line of each name."),
        Habit("own_page", "I take the number from its own page.", "I take the number from the list."),
        Habit("each_page", "I do the action on each page.", "I do the action on one page, which is enough."),
    )
}
