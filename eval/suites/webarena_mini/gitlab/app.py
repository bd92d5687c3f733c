"""The code host, where the same person is always signed in.

To look at it in a browser: `python -m eval.suites.webarena_mini.site.serve gitlab`.

What it does without saying so is listed as CONVENTIONS in `tasks/gitlab.py`, G1 to G5 and their false friends.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from eval.suites.webarena_mini.gitlab import (
    layout,
    pages_code,
    pages_home,
    pages_items,
    pages_panel,
    pages_people,
    pages_project,
)
from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.site.app import site_app

PAGES = (pages_home, pages_project, pages_items, pages_panel, pages_code, pages_people)


def create_app(words: Words | None = None) -> Flask:
    """The site, with other words in its second design."""
    return site_app(Path(__file__).parent, pages=PAGES, page=layout.page, filters=layout.FILTERS, words=words)
