"""How the simulated model reads pages, goals, values and words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offline_pages import COMMENTS, FORM, ORDERS, SHELF, ask

from reasoningbank.agents.actions import parse_actions
from reasoningbank.llm.offline import values
from reasoningbank.llm.offline.goal import read_goal
from reasoningbank.llm.offline.page import Page
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.llm.offline.words import stem, stems


def test_a_table_becomes_rows_with_headers() -> None:
    table = Page(ORDERS).collections[0]
    assert table.headers == ("Order #", "Date", "Total", "Status")
    assert [row.cells["Total"] for row in table.rows] == ["$10.00", "$5.00", "$100.00"]


def test_a_list_becomes_rows_with_links() -> None:
    page = Page(SHELF)
    listed = next(one for one in page.collections if "$9.00" in one.rows[0].text)
    assert [link.name for row in listed.rows if (link := row.first_link())] == [
        "Ondal Pocket Atlas",
        "Merker Road Atlas",
    ]
    assert Page(COMMENTS).collections[0].caption == "Customer reviews"


def test_fields_have_labels_values_options_and_a_form() -> None:
    page = Page(FORM)
    phone = next(field for field in page.fields if field.name == "Phone number")
    assert phone.value == "555-111-2222"
    assert page.form_of(phone).role == "form"
    sort = next(field for field in Page(SHELF).fields if field.role == "combobox")
    assert sort.options == ["Position", "Price: low to high"]


@pytest.mark.parametrize("name", ["Children's atlas", "say 'hi', now", 'a "b" c', "x\\y", "", "価格, [1]"])
def test_names_with_quotes_are_read(name: str) -> None:
    tree = f"RootWebArea 'T', focused\n\t[1] link {name!r}, visible\n\t\tStaticText {name!r}"
    link = Page(tree).links[0]
    assert (link.bid, link.role) == ("1", "link")
    assert link.name == name


@given(st.text(alphabet="\t\n[]12'\"=, abRoleStaticText\\:.", max_size=300) | st.text(max_size=200))
@settings(deadline=None, max_examples=100)
def test_any_text_is_some_page_and_gets_a_reply(tree: str) -> None:
    text = ask(SimulatedLLM(), "How many rows are there?", tree, "http://any.test/", temperature=0.0)
    assert len(parse_actions(text.partition("\nAction: ")[2], False)) == 1


@given(st.text(max_size=120), st.text(max_size=200))
@settings(deadline=None, max_examples=100)
def test_any_goal_and_memory_get_a_reply(goal: str, memory: str) -> None:
    text = ask(SimulatedLLM(), goal, SHELF, "http://any.test/", memory=memory, temperature=0.0)
    assert len(parse_actions(text.partition("\nAction: ")[2], False)) == 1


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("How many loans did I make in 2023?", "count"),
        ("How much did I spend on fines in May 2022?", "sum"),
        ("What is the shelf mark of the Blue Atlas?", "read"),
        ("Open my latest loan", "visit"),
        ("Show me the cheapest maps", "visit"),
        ("Please add the Blue Atlas to my list", "change"),
        ("i want the newsletter every week from now on", "change"),
        ("Who wrote the newest review?", "read"),
        ("I don't want loan 12345 any more, call it off", "change"),
        ("Could you annul loan 12345?", "change"),
        ("Go to my shelf and rename it", "change"),
        ("Get me to the lending rules", "visit"),
        ("Show me how many maps there are", "count"),
        ("I would like to know the price of the Blue Atlas", "read"),
        ("What is the total of my latest invoice?", "read"),
        ("What do all my fines cost together?", "sum"),
    ],
)
def test_aims(text: str, aim: str) -> None:
    assert read_goal(text).aim == aim


def test_parts_of_a_goal() -> None:
    goal = read_goal(
        'Of the reviews of the Big Road Atlas since May 2, 2022, which has at most 2 stars? Reply with "x" only.'
    )
    assert goal.things == ("Big Road Atlas",)
    assert goal.span == values.Span(date(2022, 5, 2), date(9999, 12, 31))
    assert [(bound.measure, bound.sign, bound.value) for bound in goal.bounds] == [("stars", "<=", 2.0)]
    assert goal.quoted == ()
    assert read_goal("the green atlas by Merker").thing == "green atlas by Merker"
    assert read_goal("What did order 00421 cost?").record == "00421"
    assert read_goal("What is in my basket?").area == "basket"


@pytest.mark.parametrize(
    ("text", "day_first", "day"),
    [
        ("on 03/04/2024", True, date(2024, 4, 3)),
        ("on 03/04/2024", False, date(2024, 3, 4)),
        ("31/12/2023", False, date(2023, 12, 31)),
        ("12/31/2023", True, date(2023, 12, 31)),
        ("2023-05-06", True, date(2023, 5, 6)),
        ("May 6, 2023", True, date(2023, 5, 6)),
        ("6th of May 2023", False, date(2023, 5, 6)),
        ("45/45/2023", False, None),
        ("no date", False, None),
    ],
)
def test_dates(text: str, day_first: bool, day: date | None) -> None:
    assert values.day(text, day_first=day_first) == day


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in 2023", date(2023, 1, 1), date(2023, 12, 31)),
        ("in March 2023", date(2023, 3, 1), date(2023, 3, 31)),
        ("between March and May 2023", date(2023, 3, 1), date(2023, 5, 31)),
        ("from June 7, 2022 to August 9, 2022", date(2022, 6, 7), date(2022, 8, 9)),
        ("on or after May 1, 2023", date(2023, 5, 1), date(9999, 12, 31)),
        ("after May 1, 2023", date(2023, 5, 2), date(9999, 12, 31)),
        ("before 2023", date(1, 1, 1), date(2022, 12, 31)),
    ],
)
def test_spans(text: str, start: date, end: date) -> None:
    assert values.span_in(text) == values.Span(start, end)


def test_words_meet_in_their_stems() -> None:
    assert stem("reviewed") == stem("reviews") == stem("reviewing") == "review"
    assert stem("entries") == stem("entry")
    assert stem("cancelled") == stem("canceled") or stems("cancelled canceled")
    assert stem("boxes") == stem("box") or stem("prices") == stem("price")
    assert stems("the rows of a table") == {stem("rows"), stem("table")}


def test_amounts_and_stars() -> None:
    assert values.money("Total: $1,234.50 and $2") == 1234.5
    assert values.all_money("$25 to $49.99") == [25.0, 49.99]
    assert values.stars("Rating: 3.5 out of 5 (26 reviews)") == 3.5
    assert values.stars("1 star") == 1.0
    assert values.stars("★★★") == 3.0
    assert values.stars("none") is None
