"""Advice acts on the simulated agent as text: planted, paraphrased, out of place, ignored and inverted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from offline_pages import COMMENTS, FORM, HOME, LOANS, ORDERS, REPORT, SHELF, ask, remembered

from reasoningbank.llm.offline.advice import read_advice
from reasoningbank.llm.offline.distilling import lessons_of
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.lessons import spoken_to
from reasoningbank.llm.offline.reading import PastRun, PastStep
from reasoningbank.llm.offline.simulated import SimulatedLLM

SEEDS = range(12)


@dataclass(frozen=True)
class Case:
    """A situation in which a habit decides, and advice for it in several wordings."""

    habit: str
    goal: str
    page: str
    url: str
    wordings: tuple[str, ...]
    past: tuple[tuple[str, str], ...] = ()


CASES = [
    Case(
        "few_words",
        "What is the price of the green road atlas by Merker?",
        HOME,
        "http://library.test/",
        (
            "The search finds nothing when one word does not match: search with fewer words.",
            "Searching needs every word to occur, so look it up by one or two words only.",
            "When you search, use a short query such as the name alone.",
            "Do not search for the whole phrase.",
        ),
    ),
    Case(
        "sort_first",
        "What is the name of the cheapest Merker book in Atlases?",
        SHELF,
        "http://library.test/shelf/atlases",
        (
            "Sort first, then filter.",
            "Changing the sort drops the filter, so the filter has to be set after it.",
            "Apply the filters only after sorting the list.",
            "A filter is lost as soon as the list is sorted again.",
            "Arrange the list before you narrow it.",
        ),
        (("On the start page. I click link 'Atlases'.", "click('9')"),),
    ),
    Case(
        "count_once",
        "How many reviewers gave the Merker Big Road Atlas at most 2 stars?",
        COMMENTS,
        "http://library.test/book/merker-big-road-atlas",
        (
            "Entries repeat: count entries that look the same once.",
            "Loading more shows earlier reviews again, so each review is to be counted once.",
            "The list of reviews holds duplicates; skip repeated rows when you count.",
        ),
    ),
    Case(
        "leave_out",
        "How much did I spend on orders in 2023?",
        ORDERS,
        "http://library.test/account/orders",
        (
            "For money spent, leave out the void orders.",
            "Void orders are not part of the total: exclude them.",
            "When adding up what was spent on orders, skip those with status Void.",
        ),
        (("On the start page. I click link 'My Orders'.", "click('6')"),),
    ),
    Case(
        "day_first",
        "How many orders did I place in March 2023?",
        ORDERS,
        "http://library.test/account/orders",
        (
            "Dates of orders are written with the day first.",
            "Order dates read DD/MM/YYYY.",
            "In the list of orders the day stands before the month.",
            "Order dates are not month first.",
        ),
        (("On the start page. I click link 'My Orders'.", "click('6')"),),
    ),
    Case(
        "confirm",
        "Change the phone number of my account to 555-333-4444",
        FORM.replace("555-111-2222", "555-333-4444"),
        "http://library.test/account/profile",
        (
            "Changes are lost unless the confirming button is pressed: press it before leaving the page.",
            "An edit is only stored once you click the button that saves it.",
            "Before leaving a form, hit save, or the change is discarded.",
        ),
        (("On the account page. I fill textbox 'Phone number' with '555-333-4444'.", "fill('81', '555-333-4444')"),),
    ),
    Case(
        "end_day",
        "According to the loans report, how many loans were there from March 1, 2023 to March 31, 2023?",
        REPORT,
        "http://library.test/reports/loans",
        (
            "The report leaves out its last day: give the day after it as the end.",
            "In the report the end date is exclusive.",
            "The last day is missing from a report unless the following day is entered.",
        ),
        (("On the start page. I click link 'Loans Report'.", "click('10')"),),
    ),
    Case(
        "clear_first",
        "Show loan 000070003",
        LOANS,
        "http://library.test/loans",
        (
            "Filters stay from an earlier visit: clear them first.",
            "Reset all filters before you fill in others.",
            "An old filter is still there when the list is opened, so remove it.",
        ),
        (("On the start page. I click link 'Loans'.", "click('6')"),),
    ),
    Case(
        "own_names",
        'Show the newest of the loans of which readers are told the status "Due"',
        LOANS,
        "http://library.test/loans",
        (
            "States of loans have other names than those that readers are told.",
            "The status of a loan is called something else here.",
            "The state that readers are told is not the word used in the list.",
        ),
        (("On the start page. I click link 'Loans'.", "click('6')"),),
    ),
]
WORDED = [(case, wording) for case in CASES for wording in case.wordings]


def ways(case: Case, memory: str, advice_effect: float, temperature: float = 0.7) -> list[bool | None]:
    """Which way each seed's reply takes; None where the reply wandered off before the question came up."""
    llm = SimulatedLLM(advice_effect=advice_effect)
    found = []
    for seed in SEEDS:
        text = ask(
            llm, case.goal, case.page, case.url, memory=memory, past=case.past, seed=seed, temperature=temperature
        )
        way = HABITS[case.habit].found(text)
        found.append(way[0] if way else None)
    assert sum(way is not None for way in found) >= len(found) * 3 // 4, found
    return found


@pytest.mark.parametrize(("case", "wording"), WORDED)
def test_every_wording_is_followed_ignored_and_inverted(case: Case, wording: str) -> None:
    memory = remembered(wording)
    assert set(ways(case, memory, 1.0)) <= {True, None}
    assert ways(case, memory, 0.0) == ways(case, "", 1.0)
    assert set(ways(case, memory, -1.0)) <= {False, None}


@pytest.mark.parametrize("case", CASES)
def test_paraphrases_give_the_same_actions(case: Case) -> None:
    llm = SimulatedLLM()
    for seed in SEEDS:
        replies = {
            ask(llm, case.goal, case.page, case.url, memory=remembered(wording), past=case.past, seed=seed)
            for wording in case.wordings
        }
        assert len(replies) == 1, replies


@pytest.mark.parametrize("case", CASES)
def test_unadvised_the_usual_way_is_the_rule_and_not_without_exception(case: Case) -> None:
    llm = SimulatedLLM()
    found = [
        HABITS[case.habit].found(ask(llm, case.goal, case.page, case.url, past=case.past, seed=seed))
        for seed in range(120)
    ]
    careful = [way[0] for way in found if way]
    assert 0.05 < sum(careful) / len(careful) < 0.45
    assert set(ways(case, "", 1.0, temperature=0.0)) == {False}


@pytest.mark.parametrize(
    ("case", "elsewhere"),
    [
        (CASES[4], "Dates of loan renewals are written with the day first."),
        (CASES[2], "On the parcels page entries repeat: count entries that look the same once."),
        (CASES[3], "For the number of entries, leave out the void orders."),
    ],
)
def test_advice_for_another_place_is_left_alone(case: Case, elsewhere: str) -> None:
    assert ways(case, remembered(elsewhere), 1.0) == ways(case, "", 1.0)


def test_of_two_lessons_the_one_that_fits_the_place_acts() -> None:
    case = CASES[4]
    memory = remembered("Dates of reviews are written with the month first.", "Dates of orders have the day first.")
    assert set(ways(case, memory, 1.0)) <= {True, None}


INTENTS = ("How much did I spend in 2023?", "How many entries are there?", "What is the price?", "Change it", "Show it")


@pytest.mark.parametrize("intent", INTENTS)
@pytest.mark.parametrize("success", [True, False])
@pytest.mark.parametrize("careful", [True, False])
@pytest.mark.parametrize("habit", HABITS)
def test_a_lesson_is_the_runs_own_sentence_with_its_verdict(
    habit: str, careful: bool, success: bool, intent: str
) -> None:
    """And it speaks to no other habit. Only a quick way is turned round by a failure: a careful one is not blamed."""
    said = HABITS[habit].said(careful, "Void")
    label = "success" if success else "failure"
    run = PastRun(1, label, (PastStep(f"On the review orders page. {said} I click link 'More'.", "click('1')", ""),))
    lesson = lessons_of([run], intent)[0]
    turned = not success and not careful
    assert said.rstrip(".") in lesson.content
    assert ("it went well" in lesson.content) == success
    assert ("did not go well" in lesson.content) == turned
    hints = read_advice(f"## Memory item 1\nTitle: {lesson.title}\nContent: {lesson.content}").hints
    assert {(hint.habit, hint.careful) for hint in hints} == {(habit, careful or turned)}


@pytest.mark.parametrize(
    ("sentence", "habit", "careful"),
    [
        ("In search results, refine by subject first, then sort.", "sort_first", False),
        ("Filtering drops the sort order: filter first.", "sort_first", False),
        ("Sort again after each filter.", "sort_first", False),
        ("Entries that look equal are different ones, count every one.", "count_once", False),
        ("The list does not repeat rows.", "count_once", False),
        ("Counts of orders include void ones too.", "leave_out", False),
        ("Review dates are month first.", "day_first", False),
        ("Read every page until there is no further one.", "read_all", True),
    ],
)
def test_the_opposite_is_told_apart(sentence: str, habit: str, careful: bool) -> None:
    assert (habit, careful) in spoken_to(sentence)
