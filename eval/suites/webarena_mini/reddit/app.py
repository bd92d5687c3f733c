"""The forum, where the same person is always signed in.

To look at it in a browser: `python -m eval.suites.webarena_mini.site.serve reddit`.

What it does without saying so is listed as CONVENTIONS in `tasks/reddit.py`, R1 to R3 and their false friends.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.reddit import (
    layout,
    pages_comments,
    pages_forums,
    pages_letters,
    pages_lists,
    pages_people,
    pages_posts,
    pages_search,
    pages_submit,
)
from eval.suites.webarena_mini.site.app import site_app

PAGES = (
    pages_lists,
    pages_forums,
    pages_submit,
    pages_posts,
    pages_comments,
    pages_people,
    pages_letters,
    pages_search,
)


def create_app(words: Words | None = None) -> Flask:
    """The site, with other words in its second design."""
    return site_app(Path(__file__).parent, pages=PAGES, page=layout.page, filters=layout.FILTERS, words=words)
