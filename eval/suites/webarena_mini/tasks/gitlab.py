"""All task templates of the code host."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import gitlab_changes, gitlab_code, gitlab_lists, gitlab_open, gitlab_people
from eval.suites.webarena_mini.tasks.gitlab_view import Host as World

FIRST_ID = 2000
"""The number of the first task. Each site has a thousand numbers to itself."""

CONVENTIONS = {
    "G1": 'lists of issues begin with the open ones alone, and the menu counts these; the others are under "All"',
    "G2": "of several labels in the filter of issues one is enough",
    "G3": "the list of contributors has a line for each e-mail address, so that one person may have several",
    "G4": 'what is chosen in the side panel counts on "Save changes", comments on merge requests on "Submit review"',
    "G5": "a new filter drops the sort order of issues: filter first, sort afterwards",
    "FG1": "lists of merge requests begin with those of all states (unlike those of issues)",
    "FG2": "of several labels in the filter of merge requests all are needed (unlike that of issues)",
}
"""What the code host does without saying so: who does not know it gets a wrong number or changes nothing.

Those with an F are false friends: what looks like another needs the opposite. G5 is one of the shop's categories.
"""

BATCHES = (
    (*gitlab_lists.TEMPLATES, *gitlab_code.TEMPLATES, *gitlab_changes.TEMPLATES, *gitlab_people.TEMPLATES),
    (*gitlab_lists.LATER, *gitlab_open.TEMPLATES),
)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "CONVENTIONS", "FIRST_ID", "World"]
