"""Pages no person would make: read and used in linear time, or cut with a note where the parser could not be."""

from __future__ import annotations

import contextlib
import time

import pytest

from eval.suites.web.axtree import axtree, render
from eval.suites.web.dom import parse
from eval.suites.web.interact import Interaction
from eval.suites.web.transport import BrowserError

N = 20_000
LARGE = {
    "options": "<select>" + "<option>x" * N + "</select>",
    "nested": "<div>" * N + "x",
    "long": "<p>" + "x" * 6_000_000,
}


@pytest.mark.parametrize("html", LARGE.values(), ids=LARGE.keys())
def test_a_page_too_large_to_read_is_cut_and_says_so(html: str) -> None:
    started = time.process_time()
    tree = axtree(html)[0]
    assert time.process_time() - started < 5
    assert tree.count("The rest of the page is not shown: it is ") == 1


@pytest.mark.parametrize("html", ["<option>x" * 1_500, "<p><i>x</i>" * 3_000, "<b>" * 1_500, "x" * 100_000])
def test_a_page_that_can_be_read_is_not_cut(html: str) -> None:
    assert "not shown" not in axtree(html)[0]


MANY = 10_000
DEGENERATE = {
    "options": "<select>" + "<option>x" * (MANY // 2) + "</select>",
    "groups": "<select>" + "<optgroup label=a><option>x</optgroup>" * (MANY // 2) + "</select>",
    "selects in one label": "<label>x" + "<select><option>x</select>" * (MANY // 2) + "</label>",
    "inputs in one label": "<label>x" + "<i>x</i>" * MANY + "<input>" * MANY + "</label>",
    "labels of one field": "<input id=a>" + "<label for=a>x</label>" * MANY,
    "fields of one id": "<label for=a>x</label>" * MANY + "<input id=a>" * MANY,
    "header cells": "<table><tr>" + "<th>x" * MANY + "</table>",
    "legends": "<fieldset disabled>" + "<legend>a</legend>" * MANY + "<input>" * MANY + "</fieldset>",
    "one name for all": "<p id=a>" + "word " * 500 + "</p>" + "<button aria-labelledby=a>x</button>" * MANY,
    "texts of one link": "<a href=x>" + "".join(f"w{number}<br>" for number in range(MANY)) + "</a>",
    "radios": "<form>" + "<input type=radio name=r required>" * MANY + "<button>go</button></form>",
    "forms": "<form><input><button>b</button></form>" * (MANY // 4),
    "headers": "<article>" * 100 + "<header>x</header>" * MANY,
}


@pytest.mark.parametrize("html", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_a_degenerate_page_is_read_and_used_in_linear_time(html: str) -> None:
    started = time.process_time()
    document = parse(html)
    render(document)
    buttons = [element for element in document.elements if element.tag in ("button", "input", "select")]
    for element in buttons[-2:]:
        for action, rest in (("click", ()), *(("press", (key,)) for key in ("Enter", "Tab", "ArrowUp"))):
            with contextlib.suppress(BrowserError):
                Interaction(document, "http://s.test/", None).perform(action, element, rest)
    assert time.process_time() - started < 5
