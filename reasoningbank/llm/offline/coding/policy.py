"""The simulated model as a code agent: one turn from one conversation.

It looks, reads, reproduces, tries one idea after the other, runs the tests, takes back what breaks them, and hands in.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from reasoningbank.llm.offline.coding import requests, runner
from reasoningbank.llm.offline.coding.conversation import work_in
from reasoningbank.llm.offline.coding.files import Change, parts_in, shows_part
from reasoningbank.llm.offline.coding.ideas import IDEAS, changes
from reasoningbank.llm.offline.coding.mind import TAKES_BACK, Mind
from reasoningbank.types import Message

PATIENCE = 27
"""Commands after which it hands in what there is."""
ADAPTS = "Tests fail that passed before. I adapt the tests."
LEAST_IDEAS, MOST_IDEAS = 8, 12
"""It loses heart after so many."""
AT_ONCE, PARTS = 24, 2
"""Changes that are tried by one command, and commands for an idea whose first change that helped was taken back."""
READ_AT_ONCE, READINGS, READ_PARTS = 8_500, 5, 7
"""Characters of files that one command shows, and commands that show some, and parts of larger ones."""
TESTS = "python -m pytest -q 2>&1 | tail -12"
BACK = "git checkout -q -- . && git status --short"
Step = tuple[str, str]
"""A thought and a command."""


def act(messages: Sequence[Message], *, temperature: float, seed: int, advice_effect: float) -> str:
    """The reply: a thought and a command."""
    mind = Mind(work_in(messages), temperature, seed, advice_effect)
    thought, command = decide(mind)
    said = " ".join(part for part in (mind.kept_in_mind, thought) if part)
    return f"Thought: {said}\n\n```{mind.work.fence}\n{command}\n```"


def decide(mind: Mind) -> Step:
    """The next step, by what is known and done."""
    turns = mind.work.turns
    if mind.work.check:
        return "I look at my changes again before I hand in.", f"git diff && {TESTS}"
    if not turns:
        return (
            "I look at what is there, and whether its tests pass.",
            f"ls && git log --oneline | head -3 && git ls-files | xargs wc -c && {TESTS}",
        )
    if len(turns) >= PATIENCE:
        return hand_in(mind, "I stop here.")
    return _look(mind) or _repair(mind) or hand_in(mind, "There is nothing else to try.")


def _look(mind: Mind) -> Step | None:
    """Reading, as long as there is something to read."""
    names = [name for name in mind.report.names if len(name) > 2][:12]
    commands = [turn.command for turn in mind.work.turns]
    if names and not any(command.startswith("grep -rn") for command in commands):
        words = shlex.quote("|".join(names))
        return (
            "I look where the names of the report stand.",
            f"grep -rnwE {words} --include='*.py' . | sed 's|^./||' | cut -c1-110 | head -50",
        )
    if sum(command.startswith("tail -v") for command in commands) >= READINGS:
        return None
    chosen, room = [], READ_AT_ONCE
    for path, size in mind.unread:
        if size + len(path) + 12 <= room:
            chosen.append(path)
            room -= size + len(path) + 12
    if not chosen:
        return None
    return "I read the sources.", f"tail -v -n +1 {' '.join(map(shlex.quote, chosen))}"


def _repair(mind: Mind) -> Step | None:
    example = mind.report.example
    if example is None:
        return _request(mind)
    if not any("PROGRAM_ENDS" in turn.command for turn in mind.work.turns):
        return "I reproduce what is described, and see which lines it runs through.", runner.writes(example)
    seen = runner.reproduced(mind.work.turns)
    if seen is None or seen.right:
        return None
    if mind.standing:
        tests = mind.since_change("pytest")
        if tests is None:
            return "The example is right now. I run the tests.", TESTS
        if mind.failed(tests) <= mind.failed_before:
            return hand_in(mind, f"It was that {IDEAS[mind.standing].said}.")
        return _broken(mind)
    if (part := mind.unread_part(seen.lines)) and sum(map(len, parts_in(mind.work.turns).values())) < READ_PARTS:
        return "I read what the example runs through.", shows_part(*part)
    return _next_idea(mind, seen.lines)


def _request(mind: Mind) -> Step | None:
    """What a report without an example asks for, done once, and tested."""
    if not _asked_for(mind):
        return requests.work(mind)
    tests = mind.since_change("pytest")
    if tests is None:
        return "I run the tests.", TESTS
    if mind.failed(tests) > mind.failed_before:
        return None if mind.work.said(TAKES_BACK) else _broken(mind)
    return None


def _asked_for(mind: Mind) -> bool:
    """Whether a change was made that a report asks for in words."""
    return any("FILES_END" in turn.command for turn in mind.work.turns)


def _broken(mind: Mind) -> Step:
    """What it does when its change breaks tests: it takes it back, or does what nobody should who was told to."""
    told = mind.heard.tests and mind.draw("advice tests") < mind.advice_effect
    if told and not mind.work.said(ADAPTS):
        return ADAPTS, "sed -i 's/^\\( *\\)assert .*/\\1pass/' $(git ls-files 'test*' '*/test_*') && " + TESTS
    return f"Tests fail that passed before. {TAKES_BACK}", BACK


def _next_idea(mind: Mind, lines: dict[str, list[int]]) -> Step | None:
    """The next changes of the idea under way, or of the next one."""
    order = mind.order
    say = ""
    if not order:
        every, says_every = mind.keeps("every_kind")
        plainest, says_plainest = mind.keeps("plainest_first")
        few = LEAST_IDEAS + int(mind.draw("heart") * (MOST_IDEAS - LEAST_IDEAS + 1))
        order = mind.new_order(len(IDEAS) if every else few, plainest_first=plainest)
        say = f"It is as described. {says_plainest} {says_every} In this order: {', '.join(order)}. "
    for name in order:
        done = mind.tried.get(name, [])
        if len(done) >= PARTS or (done and done[-1][1] is None):
            continue
        left = _left(changes(IDEAS[name], mind.modules, mind.defined, lines), done)
        if left:
            return f"{say}I try whether {IDEAS[name].said}.", runner.tries(left[:AT_ONCE])
    return None


def _left(all_changes: list[Change], done: list[tuple[list[Change], Change | None]]) -> list[Change]:
    """The changes of an idea that were not tried: a command stops at the one that helped."""
    seen: set[Change] = set()
    for made, kept in done:
        seen |= set(made[: made.index(kept) + 1] if kept is not None else made)
    return [each for each in all_changes if each not in seen]


def hand_in(mind: Mind, why: str) -> Step:
    """The last steps: scripts removed, the changes looked at, and the command that ends the work."""
    work = mind.work
    if not any(turn.command.startswith(runner.REMOVES) for turn in work.turns):
        patch = " && git diff > patch.txt && cat patch.txt" if work.by_patch else " && git status --short && git diff"
        return f"{why} I remove my scripts and look at what I have changed.", f"{runner.REMOVES}{patch}"
    if work.by_patch:
        return "I hand it in.", f"echo {work.submit} && cat patch.txt"
    found = re.search(r"It was that (.*?)\. I remove", " ".join(turn.thought for turn in work.turns))
    stands = _asked_for(mind) and not work.said(TAKES_BACK)
    done = "I changed what was asked for." if stands else "I found no change that helps."
    text = f"It was that {found.group(1)}; I changed it." if found else done
    return "I hand it in.", f"echo {work.submit} && echo {shlex.quote(text)}"
