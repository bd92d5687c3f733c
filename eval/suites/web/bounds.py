"""How much of a page is read: HTML that would keep the parser busy for minutes is cut, and the page says so.

The parser's time grows with the square of the nesting and of the number of options, so both are bounded, far above
what a page made for people has. A page with a huge number of attributes in one tag is not: it is slow to read.
"""

from __future__ import annotations

import re

MOST_CHARACTERS = 5_000_000
MOST_NESTED = 2_000
"""Open elements at one place; browsers stop at 512."""
MOST_OPTIONS = 10_000

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_EMPTY = "area base br col embed hr img input link meta param source track wbr"
_CLOSED_BY_THE_NEXT = "p li dt dd option optgroup tr td th thead tbody tfoot rp rt"
_NOT_NESTED = frozenset(f"{_EMPTY} {_CLOSED_BY_THE_NEXT}".split())


def bounded(html: str) -> tuple[str, str]:
    """The part of the page that is read, and why it is not all of it (empty when it is)."""
    why = ""
    if len(html) > MOST_CHARACTERS:
        why = f"longer than {MOST_CHARACTERS:,} characters"
        html = html[:MOST_CHARACTERS]
    if html.count("<") <= MOST_NESTED:
        return html, why
    depth = options = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name == "option" and not tag[1]:
            options += 1
        if name not in _NOT_NESTED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > MOST_NESTED:
            return html[: tag.start()], f"nested deeper than {MOST_NESTED:,} elements"
        if options > MOST_OPTIONS:
            return html[: tag.start()], f"a page of more than {MOST_OPTIONS:,} options"
    return html, why
