"""All task templates of the forum."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import reddit_open, reddit_read, reddit_write
from eval.suites.webarena_mini.tasks.reddit_view import Town as World

FIRST_ID = 3000
"""The number of the first task. Each site has a thousand numbers to itself."""

CONVENTIONS = {
    "R1": "in a forum, Top rated and Most commented start with the past day; longer ranges are links below the list",
    "R2": "numbers of comments on lists count deleted ones, the page of the post does not",
    "R3": "what is submitted is a draft until Publish",
    "FR1": "in the lists over several forums, Top rated starts with all time (unlike in a forum)",
    "FR2": "numbers of posts leave deleted ones out in the list of forums, and not on a forum's page (unlike comments)",
}
"""What the forum does without saying so.

Those with an F are false friends: what looks like another needs the opposite.
"""

BATCHES = ((*reddit_read.TEMPLATES, *reddit_open.TEMPLATES, *reddit_write.TEMPLATES), reddit_open.LATER)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "CONVENTIONS", "FIRST_ID", "World"]
