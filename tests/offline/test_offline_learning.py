"""What the simulated model distils helps it elsewhere: credit for its choices, lessons handed on, other places."""

from __future__ import annotations

import pytest
from offline_pages import FORM, HOME, LOANS, ask, remembered

from reasoningbank.llm.offline.distilling import Lesson, lessons_of
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.lessons import spoken_to
from reasoningbank.llm.offline.mind import DOUBT
from reasoningbank.llm.offline.reading import PastRun, PastStep
from reasoningbank.llm.offline.remembering import in_mind
from reasoningbank.llm.offline.simulated import SimulatedLLM

INTENT = "Change the amount of the Merker Big Road Atlas to 3"
TITLES = {
    (habit, careful): f"{HABITS[habit].said(careful, 'Void').rstrip('.')}, for a count on the shelves page"
    for habit in HABITS
    for careful in (True, False)
}


def run(*thoughts: str, label: str = "success") -> PastRun:
    return PastRun(1, label, tuple(PastStep(f"On the shelves page. {said}", "click('1')", "") for said in thoughts))


def guessed(habit: str) -> str:
    return f"{DOUBT} {HABITS[habit].said(False, 'Void')}"


def speaks(lessons: list[Lesson]) -> set[tuple[str, bool]]:
    return {way for lesson in lessons for way in spoken_to(lesson.title)}


@pytest.mark.parametrize("habit", HABITS)
def test_one_guess_that_went_well_is_no_lesson_and_several_are(habit: str) -> None:
    assert speaks(lessons_of([run(guessed(habit))], INTENT)) == set()
    assert speaks(lessons_of([run(guessed(habit))] * 3, INTENT)) == {(habit, False)}


@pytest.mark.parametrize("habit", HABITS)
def test_runs_that_differ_speak_for_the_way_of_those_that_went_well(habit: str) -> None:
    careful, quick = HABITS[habit].said(True, "Void"), HABITS[habit].said(False, "Void")
    well = [run(careful), run(quick, label="failure")]
    assert speaks(lessons_of(well, INTENT)) == {(habit, True)}
    badly = [run(careful, label="failure"), run(quick), run(quick)]
    assert speaks(lessons_of(badly, INTENT)) == {(habit, False)}


@pytest.mark.parametrize("way", TITLES)
def test_a_recalled_lesson_is_named_at_the_start_and_handed_on(way: tuple[str, bool]) -> None:
    memory = f'## Memory item 1\nTitle: {TITLES[way]}\nContent: "Said" of \\ it.'
    said = ask(SimulatedLLM(), INTENT, HOME, "http://library.test/", memory=memory, seed=1)
    assert in_mind(said) == [TITLES[way]]
    thought = said.removeprefix("Thought: ").partition("\nAction: ")[0]
    for label in ("success", "failure"):
        handed = lessons_of([PastRun(1, label, (PastStep(thought, "click('1')", ""),))], INTENT)
        assert speaks(handed) >= {way}
    later = ask(SimulatedLLM(), INTENT, HOME, "http://library.test/", memory=memory, past=((thought, "click('1')"),))
    assert in_mind(later) == []


def test_what_a_run_found_itself_stands_before_what_it_was_told() -> None:
    told = f'From memory I keep in mind: ["{TITLES["confirm", True]}", "{TITLES["sort_first", False]}", "A walk"].'
    assert [
        spoken_to(lesson.title) for lesson in lessons_of([run(told, guessed("sort_first"), label="failure")], "")
    ] == [
        (("sort_first", True),),
        (("confirm", True),),
    ]


def test_blind_and_contrary_agents_name_nothing_and_broken_lists_are_no_lessons() -> None:
    memory = f"## Memory item 1\nTitle: {TITLES['confirm', True]}\nContent: x"
    for effect in (0.0, -1.0):
        assert (
            in_mind(ask(SimulatedLLM(advice_effect=effect), INTENT, HOME, "http://library.test/", memory=memory)) == []
        )
    for rest in ("", "[", '["a"', "7", "null", '{"a": 1}'):
        assert lessons_of([run(f"From memory I keep in mind: {rest}")], INTENT) == []


@pytest.mark.parametrize(
    ("habit", "goal", "page", "url", "past"),
    [
        (
            "confirm",
            "Change the phone number of my account to 555-333-4444",
            FORM.replace("555-111-2222", "555-333-4444"),
            "http://library.test/account/profile",
            ("On the account page. I fill textbox 'Phone number' with '555-333-4444'.", "fill('81', '555-333-4444')"),
        ),
        (
            "clear_first",
            "Show loan 000070003",
            LOANS,
            "http://library.test/loans",
            ("On the start page. I click link 'Loans'.", "click('6')"),
        ),
    ],
)
def test_what_failed_in_one_place_is_done_better_in_another(
    habit: str, goal: str, page: str, url: str, past: tuple[str, str]
) -> None:
    (lesson,) = lessons_of([run(guessed(habit), label="failure")], INTENT)
    memory = remembered(lesson.content)
    found = [
        HABITS[habit].found(ask(SimulatedLLM(), goal, page, url, memory=memory, past=(past,), seed=seed))
        for seed in range(30)
    ]
    assert {way[0] for way in found if way} == {True}
