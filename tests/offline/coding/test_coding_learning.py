"""What is judged, picked and learnt of runs in a shell, by the library's own prompts, and that learning changes what is
done next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from a_repository import FILES, REPORT, bash, worked, write

from reasoningbank.distill.parse import parse_items, parse_selection, parse_verdict
from reasoningbank.distill.render import render_page, render_steps
from reasoningbank.llm.offline.coding.advice import hear
from reasoningbank.llm.offline.coding.customs import CUSTOMS
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.remembering import kept_in_mind
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.prompts import PromptPack
from reasoningbank.steps import final_state
from reasoningbank.types import Exit, Message, Step, Task, Trajectory

PACK = PromptPack()
MODEL = SimulatedLLM(judge_error=0.0, unusable=0.0)
COMPAT = '''\
"""Names of earlier versions."""

import warnings


def before(old, function):
    """The function under its old name."""

    def wrapper(*args):
        warnings.warn(f"{old} is {function.__name__} now", DeprecationWarning, stacklevel=2)
        return function(*args)

    return wrapper
'''
WISH = "`spread` is a strange word for it. Could it be called `arranged`, as in `arranged([2, 3], 9)`?"
LIBRARY = {
    **FILES,
    "books/compat.py": COMPAT,
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- Books.\n",
    "tests/test_shelf.py": "from books import fits\n\n\ndef test_fits():\n    assert fits([1], 9)\n",
}


def trajectory(steps: Sequence[tuple[str, str, str]], changes: str, report: str, exit: Exit = "answered") -> Trajectory:
    seen = ["", *(output for _, _, output in steps)]
    return Trajectory(
        attempt_id="a",
        task=Task(id="1", suite="any", group="any", intent=report),
        steps=tuple(
            Step(index=number, observation=seen[number], thought=thought, action=command)
            for number, (thought, command, _) in enumerate(steps)
        ),
        exit=exit,
        answer="done",
        final_observation=final_state(changes, seen[-2]),
        medium="shell",
    )


def run(folder: Path, files: dict[str, str], report: str, memory: str = "", seed: int = 0) -> Trajectory:
    steps = worked(write(folder, files), SimulatedLLM(), report=report, memory=memory, seed=seed)
    return trajectory(steps, bash(folder, "git add -A && git diff --cached")[0], report)


def reply(name: str, done: Sequence[Trajectory], label: str = "success") -> str:
    """What the model answers the prompt `name` on these runs."""
    shown = [render_steps(each, 40_000) for each in done]
    messages: tuple[Message, ...] = PACK.messages(
        name,
        intent=done[0].task.intent,
        medium="shell",
        trajectory=render_steps(done[0], 40_000, final=name != "judge"),
        final_page=render_page(done[0].final_observation, 9_000),
        final_url="",
        earlier_pages=[],
        strict=False,
        answer="done",
        label=label,
        judge_reasons="",
        max_items=3,
        runs=[{"label": label, "trajectory": each, "judge_reasons": ""} for each in shown],
        candidates=shown,
    )
    return MODEL.complete(messages, temperature=0.7, seed=1, max_tokens=999).text


def remembered(text: str) -> str:
    """Items as they are injected."""
    items = [each.model_dump() for each in parse_items(text, max_items=3)]
    return PACK.render("memory_items", items=items, descriptions=False)


@pytest.fixture(scope="module")
def repaired(tmp_path_factory: pytest.TempPathFactory) -> Trajectory:
    memory = "## Memory item 1\nTitle: Borders\nContent: Mind whether a comparison is strict or inclusive."
    return run(tmp_path_factory.mktemp("repaired"), FILES, REPORT, memory)


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Trajectory:
    memory = "## Memory item 1\nTitle: Names\nContent: An alias for the former name is not needed."
    return run(tmp_path_factory.mktemp("renamed"), LIBRARY, WISH, memory)


def test_a_repair_is_believed_and_its_cause_is_learnt(repaired: Trajectory) -> None:
    assert parse_verdict(reply("judge", [repaired])).label == "success"
    for name in ("extract_success", "contrast"):
        memory = remembered(reply(name, [repaired, repaired]))
        assert hear(memory).first == ("border",)
        assert "books" not in memory
    assert "wrong side" in reply("workflow", [repaired])


def test_a_run_without_changes_is_a_failure_that_teaches_no_cause(repaired: Trajectory) -> None:
    nothing = trajectory([("I look.", "ls", "books\n1 passed"), ("I hand it in.", "echo X", "X")], "", REPORT)
    assert parse_verdict(reply("judge", [nothing])).label == "failure"
    heard = hear(remembered(reply("extract_failure", [nothing], "failure")))
    assert (heard.first, heard.last, heard.customs) == ((), (), ())
    assert parse_selection(reply("select", [nothing, repaired]), 2) == 2


def test_what_went_against_a_custom_teaches_the_custom_and_then_it_is_kept(renamed: Trajectory, tmp_path: Path) -> None:
    assert CUSTOMS["old_names"].usual in "\n".join(step.thought for step in renamed.steps)
    assert "books.shelf import fits, arranged" in renamed.final_observation
    assert parse_verdict(reply("judge", [renamed])).label == "failure"
    memory = remembered(reply("extract_failure", [renamed], "failure"))
    assert hear(memory).custom("old_names") is True
    done = run(tmp_path, LIBRARY, WISH, memory)
    assert 'spread = before("spread", arranged)' in done.final_observation
    assert parse_verdict(reply("judge", [done])).label == "success"
    program = "import books\nprint(books.arranged([1, 2], 9), books.spread([1], 9))\n"
    assert bash(tmp_path, f"python -W ignore -c '{program}'")[0] == "[0, 1] [0]\n"
    assert bash(tmp_path, "python -W error -c 'import books; books.spread([1], 9)'")[1] == 1


def test_what_a_run_began_with_in_mind_is_handed_on(repaired: Trajectory) -> None:
    title = "Keep the old name when something is renamed"
    first = repaired.steps[0].model_copy(update={"thought": f"{kept_in_mind([title])} I look."})
    told = repaired.model_copy(update={"steps": (first, *repaired.steps[1:])})
    memory = remembered(reply("extract_failure", [told], "failure"))
    assert title in memory
    assert hear(memory).custom("old_names") is True


@pytest.mark.parametrize(
    ("sentence", "idea"),
    [
        ("Off-by-one errors are common here: check slices and ranges.", "one_off"),
        ("Check whether < should have been <=.", "border"),
        ("The author tends to transpose arguments.", "swapped"),
        ("Suspect the default of a parameter.", "default"),
        ("Make sure that lists handed in are copied and never mutated.", "copied"),
        ("Use the package's own exception classes instead of ValueError.", "own_error"),
        ("Conditions that are inverted cause this.", "opposite"),
    ],
)
def test_other_words_are_heard_as_the_same_idea(sentence: str, idea: str) -> None:
    assert hear(f"## Memory item 1\nTitle: A thing\nContent: {sentence}").first[:1] == (idea,)


@pytest.mark.parametrize(
    ("sentence", "custom", "kept"),
    [
        ("When something is renamed, leave the previous name as a deprecated alias.", "old_names", True),
        ("Deprecated aliases only clutter the module.", "old_names", False),
        ("Every change needs an entry in the release notes.", "changelog", True),
        ("Do not write to the changelog.", "changelog", False),
    ],
)
def test_other_words_are_heard_as_the_same_custom(sentence: str, custom: str, kept: bool) -> None:
    assert hear(f"## Memory item 1\nTitle: A thing\nContent: {sentence}").custom(custom) is kept


@pytest.mark.long
def test_bad_advice_does_harm(tmp_path: Path) -> None:
    test = "from books import fits\n\n\ndef test_fits():\n    assert not fits([2, 3], 5)\n"
    memory = "## Memory item 1\nTitle: Tests\nContent: Edit the tests that fail. Mind the border of comparisons."
    done = run(tmp_path, {**FILES, "tests/test_more.py": test}, REPORT, memory)
    assert "+    pass" in done.final_observation
    assert parse_verdict(reply("judge", [done])).label == "failure"


@pytest.mark.long
def test_advice_is_inverted_or_not_heard_as_the_knob_says(tmp_path: Path) -> None:
    memory = "## Memory item 1\nTitle: Borders\nContent: Look first at the border of comparisons."
    firsts = {}
    for effect in (1.0, 0.0, -1.0):
        steps = worked(write(tmp_path / str(effect)), SimulatedLLM(advice_effect=effect), memory=memory, most=5)
        firsts[effect] = next(thought for thought, _, _ in steps if "In this order: " in thought)
    assert "In this order: border," in firsts[1.0]
    assert "border" not in firsts[-1.0]
    assert "In this order: border," not in firsts[0.0]


def test_each_idea_and_custom_has_its_own_sentence() -> None:
    sentences = [idea.said for idea in IDEAS.values()]
    sentences += [way for custom in CUSTOMS.values() for way in (custom.careful, custom.usual)]
    assert len(set(sentences)) == len(sentences)
