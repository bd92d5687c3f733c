"""Parsers of replies: what decoration is tolerated, what is refused, and that nothing else is ever raised."""

from __future__ import annotations

import contextlib
import re
import time

import pytest
from attempt_makers import written
from hypothesis import example, given
from hypothesis import strategies as st

from reasoningbank.distill.parse import (
    ParsedItem,
    parse_items,
    parse_selection,
    parse_verdict,
)
from reasoningbank.errors import UnusableReply

PLAIN = ParsedItem(title="Look first", description="When lists are long.", content="Read all of it.")
TWO = (PLAIN, ParsedItem(title="Ask", description="Before changing.", content="Check what is there. Then change it."))

DECORATED = {
    "plain": written([PLAIN]),
    "spacing": "\n\n#  Memory Item 1  \n\n##  Title\n\n  Look first \n\n## Description\nWhen lists are long.\n"
    "\n## Content\n\nRead all of it.\n\n\n",
    "windows": written([PLAIN]).replace("\n", "\r\n"),
    "case": "# MEMORY ITEM 1\n## title\nLook first\n## DESCRIPTION\nWhen lists are long.\n## content\nRead all of it.",
    "bold": "**# Memory Item 1**\n## **Title**\nLook first\n**## Description:**\nWhen lists are long.\n"
    "### **Content**\nRead all of it.",
    "inside bold": "# **Memory Item 1:**\n## Title\nLook first\n## Description\nWhen lists are long.\n"
    "## Content\nRead all of it.",
    "inline": "# Memory Item 1\n## Title: Look first\n## **Description:** When lists are long.\n"
    "## Content:\nRead all of it.",
    "inline without colon": "# Memory Item 1\n## Title Look first\n## **Description** When lists are long.\n"
    "## Content Read all of it.",
    "tight": "#Memory Item 1\n##Title\nLook first\n##Description\nWhen lists are long.\n##Content\nRead all of it.",
    "number sign": "# Memory Item #1\n## Title\nLook first\n## Description\nWhen lists are long.\n"
    "## Content\nRead all of it.",
    "fence": f"```markdown\n{written([PLAIN])}\n```",
    "bare fence": f"```\n{written([PLAIN])}\n```\n",
    "rules": f"---\n{written([PLAIN])}\n\n---\n",
    "wrapped title": written([PLAIN]).replace("Look first", "Look\nfirst"),
}

REFUSED = {
    "nothing": "",
    "spaces": " \n\t\n",
    "preamble only": "Here are the lessons from this run.",
    "preamble": f"Sure! Here is what I found:\n\n{written([PLAIN])}",
    "preamble before a fence": f"Here you are:\n```\n{written([PLAIN])}\n```",
    "after a fence": f"```\n{written([PLAIN])}\n```\nI hope this helps.",
    "chatter after": f"{written([PLAIN])}\n\nLet me know if you need more.",
    "chatter after a rule": f"{written([PLAIN])}\n---\nLet me know if you need more.",
    "chatter between": written(TWO).replace("\n\n# Memory Item 2", "\n\nAnother one:\n\n# Memory Item 2"),
    "chatter before the fields": written([PLAIN]).replace("\n## Title", "\nThis is good.\n## Title"),
    "empty title": written([PLAIN]).replace("Look first", ""),
    "empty description": written([PLAIN]).replace("When lists are long.", " "),
    "empty content": written([PLAIN]).replace("Read all of it.", ""),
    "no content": written([PLAIN]).partition("## Content")[0],
    "heading only": "# Memory Item 1",
    "title twice": written([PLAIN]).replace("## Description", "## Title"),
    "other order": "# Memory Item 1\n## Description\nd\n## Title\nt\n## Content\nc",
    "more fields": f"{written([PLAIN])}\n## Example\nSomething.",
    "a heading that begins like a field": f"{written([PLAIN])}\n## Contents\nmore",
    "placeholder": written([PLAIN]).replace("Look first", "<a few words that name it>"),
    "no headings": "Title: Look first\nDescription: d\nContent: c",
    "workflow instead": written([PLAIN], heading="Workflow"),
    "json": '[{"title": "t", "description": "d", "content": "c"}]',
    "one bad of two": written(TWO).replace("Check what is there. Then change it.", ""),
    "too many": written([PLAIN] * 4),
}


@pytest.mark.parametrize("name", DECORATED)
def test_decoration_is_tolerated(name: str) -> None:
    assert parse_items(DECORATED[name], max_items=3) == (PLAIN,)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_lesson_is_refused(name: str) -> None:
    with pytest.raises(UnusableReply) as caught:
        parse_items(REFUSED[name], max_items=3)
    assert caught.value.text == REFUSED[name]
    assert caught.value.reason


def test_as_many_items_as_asked_for_but_no_more() -> None:
    assert len(parse_items(written([PLAIN] * 3), max_items=3)) == 3
    with pytest.raises(UnusableReply, match="4 items, at most 3"):
        parse_items(written([PLAIN] * 4), max_items=3)


def test_a_workflow_may_have_blank_lines_between_its_steps() -> None:
    steps = "1. Open {page}.\n\n2. Read {value}."
    workflow = ParsedItem(title="Read a value", description="Of a page.", content=steps)
    text = written([workflow], heading="Workflow")
    assert parse_items(text, max_items=3, heading="Workflow") == (workflow,)
    with pytest.raises(UnusableReply, match="paragraph"):
        parse_items(text.replace("# Workflow", "# Memory Item"), max_items=3)


def test_a_number_sign_in_a_lesson_is_no_heading() -> None:
    item = PLAIN.model_copy(update={"content": "Entries look like\n#1 and\n#2."})
    assert parse_items(written([item]), max_items=1) == (item,)


_line = st.text(
    alphabet=st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs"), exclude_characters="#`<>-_*~")
    | st.just(" "),
    min_size=1,
).map(str.strip)
_words = _line.filter(bool)
_item = st.builds(
    ParsedItem, title=_words, description=_words, content=st.lists(_words, min_size=1, max_size=4).map("\n".join)
)


@given(st.lists(_item, min_size=1, max_size=5), st.sampled_from(["Memory Item", "Workflow"]))
def test_what_is_rendered_is_parsed_back(items: list[ParsedItem], heading: str) -> None:
    assert parse_items(written(items, heading), max_items=5, heading=heading) == tuple(items)


_pieces = st.lists(
    st.sampled_from(
        ["# Memory Item 1", "## Title", "## Description", "## Content", "text", "", "```", "---", "#", "**", " ", ":"]
    )
    | st.text(max_size=12),
    max_size=14,
).map("\n".join)


@given(st.text() | _pieces)
@example("```")
@example("``````")
@example("#")
def test_any_text_gives_items_or_an_unusable_reply(text: str) -> None:
    try:
        items = parse_items(text, max_items=3)
    except UnusableReply:
        return
    assert 1 <= len(items) <= 3
    for item in items:
        assert all(value.strip() and "```" not in value for value in item.model_dump().values())
    assert parse_items(written(items), max_items=3) == items


VERDICTS = {
    "Thoughts: It is shown.\nStatus: success": "success",
    "Thoughts: It is not.\nStatus: failure": "failure",
    "Status: fail": "failure",
    'Status: "success"': "success",
    "Status: 'failure'.": "failure",
    "Status: “success”": "success",
    "**Status:** success": "success",
    "**Status: failure**": "failure",
    "**Status**: **Success**.": "success",
    "  Status :  SUCCESS  ": "success",
    "- Status: failure": "failure",
    "> status: `success`": "success",
    "### Status: success": "success",
    "Status: success\r\n": "success",
    "Thoughts: a failure at first, then\nall went well.\n\nStatus: success\n\n": "success",
    "Thoughts: unsuccessful search, found later.\nStatus: success": "success",
    "Status: failure\n\nStatus: fail.": None,
    "Status: failure\nStatus: failure": "failure",
}

UNPARSEABLE = [
    "",
    "success",
    "The run was a success.",
    "Status: unsuccessful",
    "Status: not successful",
    "Status: successful",
    "Status: not a success",
    "Status: success or failure",
    "Status: success/failure",
    "Status: <success or failure>",
    "Status: success\nStatus: failure",
    "Status: partial success",
    "Status:",
    "Status: ",
    "Status success",
    "My Status: success",
    "Thoughts: the page says Status: success",
    "Status: no failure",
    "Status: success, although I doubt it",
]


@pytest.mark.parametrize(("text", "label"), [(text, label) for text, label in VERDICTS.items() if label])
def test_verdicts(text: str, label: str) -> None:
    assert parse_verdict(text).label == label


@pytest.mark.parametrize("text", UNPARSEABLE)
def test_everything_else_is_no_verdict(text: str) -> None:
    with pytest.raises(UnusableReply):
        parse_verdict(text)


def test_reasons_are_the_thoughts() -> None:
    assert parse_verdict("**Thoughts:** First.\nSecond.\n\n**Status:** success").reasons == "First.\nSecond."
    assert parse_verdict("It works.\nStatus: success").reasons == "It works."
    assert parse_verdict("Status: success").reasons == ""


@given(
    st.text()
    | st.lists(st.sampled_from(["Status:", "success", "failure", " ", "\n", "*", '"', "un", "."])).map("".join)
)
def test_any_text_gives_a_verdict_or_an_unusable_reply(text: str) -> None:
    try:
        verdict = parse_verdict(text)
    except UnusableReply:
        return
    assert verdict.label in ("success", "failure")
    assert not re.search(r"unsuccess|notsuccess", text.rpartition("Status:")[2].replace(" ", ""))


@pytest.mark.parametrize(
    "text",
    [
        '{"index": [2], "analysis": "fewest detours"}',
        '{"analysis": "x", "index": [2]}',
        '```json\n{"index": [2],\n "analysis": "x"}\n```',
        '\n {"index": [2]} \n',
    ],
)
def test_selections(text: str) -> None:
    assert parse_selection(text, 3) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "[2]",
        "null",
        '{"index": 2}',
        '{"index": []}',
        '{"index": [1, 2]}',
        '{"index": ["2"]}',
        '{"index": [true]}',
        '{"index": [2.0]}',
        '{"index": [0]}',
        '{"index": [4]}',
        '{"index": [-1]}',
        '{"best": [2]}',
        'Candidate 2: {"index": [2]}',
        '{"index": [2]} I am sure.',
        "[" * 100_000,
        '{"index": [' + "9" * 5_000 + "]}",
    ],
)
def test_everything_else_is_no_selection(text: str) -> None:
    with pytest.raises(UnusableReply):
        parse_selection(text, 3)


@given(st.text(), st.integers(1, 9))
def test_any_text_gives_a_selection_or_an_unusable_reply(text: str, candidates: int) -> None:
    with contextlib.suppress(UnusableReply):
        assert 1 <= parse_selection(text, candidates) <= candidates


N = 50_000
DEGENERATE = {
    "spaces after a heading": "# Memory Item" + " " * N + "x",
    "tabs and spaces": "# Memory Item" + " \t" * N + "x",
    "digits": "# Memory Item " + "1" * N + " " * N + "x",
    "bold": "# Memory Item 1\n## Title" + " *_" * N,
    "empty lines at the end": written([PLAIN]) + "\n\n-" * N + "\n" * N,
    "rules": written([PLAIN]) + "\n---" * N,
    "a rule that is none": "# Memory Item 1\n" + "- " * N + "x",
    "hashes": "#" * N + " " + "# " * N,
    "fences": "```\n" * N,
    "backticks": "`" * N,
    "items": "# Memory Item 1\n" * N,
    "statuses": "Status: success\n" * N,
    "a status that never comes": "status" + " *" * N,
    "decoration": "*`" * N + "status:" + "*" * N,
    "thoughts": "Thoughts" + " " * N + "\nStatus: success",
    "brackets": "[" * N,
    "braces": '{"index":' * N,
    "a long number": '{"index": [' + "9" * N + "]}",
}


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_a_degenerate_reply_is_read_in_one_pass(text: str) -> None:
    started = time.process_time()
    for parse in (
        lambda: parse_items(text, max_items=3),
        lambda: parse_items(text, max_items=3, heading="Workflow"),
        lambda: parse_verdict(text),
        lambda: parse_selection(text, 3),
    ):
        with contextlib.suppress(UnusableReply):
            parse()
    assert time.process_time() - started < 5
