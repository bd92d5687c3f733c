"""What a user writes who has met a defect: an example that was run, what came of it, and what should have."""

from __future__ import annotations

import re
from collections.abc import Collection

from eval.suites.swebench_mini.draws import chosen
from eval.suites.swebench_mini.runs import Told
from eval.suites.swebench_mini.symptoms import Example

LONGEST = 220
"""Characters of a value that somebody would paste."""

OPENINGS = (
    "I think I have found a bug in {library}.",
    "{library} gives me something wrong here.",
    "We have been using {library} for a while, and this looks wrong to me.",
    "Something odd that I met today with {library}:",
    "This took me an hour to track down in a larger program, so here is a small example.",
    "Here is a case that {library} gets wrong, if I see it right.",
    "One of our reports was wrong this week, and it comes down to this.",
    "A colleague asked me to pass this on.",
    "While I was writing tests for our own code I came across this:",
    "I am fairly new to {library}, so please tell me if I have misunderstood it.",
    "Can somebody tell me what goes wrong here?",
    "Please have a look at this one.",
)
GOT_VALUE = (
    "The result is `{got}`.",
    "That gives me `{got}`.",
    "What I get is `{got}`.",
    "It comes out as `{got}`.",
    "Here this yields `{got}`.",
)
GOT_ERROR = (
    "It stops with `{got}`.",
    "I get `{got}`.",
    "That ends with `{got}`.",
    "All that comes of it is `{got}`.",
)
WANTED_VALUE = (
    "I expected `{wanted}`.",
    "It should be `{wanted}`.",
    "As I understand it, the right answer is `{wanted}`.",
    "What I want to see is `{wanted}`.",
    "Surely that has to be `{wanted}`?",
)
WANTED_NOTHING = (
    "I expected no error.",
    "It should just work.",
    "As I understand it, there is nothing wrong with that.",
    "That ought to be accepted.",
)
WANTED_ERROR = (
    "I expected it to be refused, with `{wanted}`.",
    "That should fail with `{wanted}`.",
    "It ought to tell me `{wanted}` instead.",
    "What I would like to see is `{wanted}`.",
)
CLOSINGS = (
    "I have not looked any further.",
    "I have not found a way round it.",
    "There may be more cases like it, I have only tried a few.",
    "It is the same on another machine.",
    "Please fix it in general, not for this example alone.",
    "I am sure that this worked once.",
    "Thank you for looking into it.",
    "",
    "",
)


def can_be_told(got: Told, wanted: Told, private: Collection[str]) -> bool:
    """Whether two results differ in a way that a user can see and write down, without private names."""
    texts = (got.text, wanted.text)
    if (got.text, got.is_error) == (wanted.text, wanted.is_error):
        return False
    if any(not text or len(text) > LONGEST or re.search(r" at 0x|\n|`|\b_[a-z]", text) for text in texts):
        return False
    return not set(re.findall(r"\w+", got.text)) & set(private)


def statement(example: Example, got: Told, wanted: Told, *, library: str, about: tuple[str | int, ...]) -> str:
    """The report."""

    def one(options: tuple[str, ...], part: str) -> str:
        return chosen(options, *about, part)

    opening = one(OPENINGS, "opening").format(library=library)
    typed = re.sub(r" *# type: .*", "", f"{example.setup}\n{example.expression}")
    plain = not re.search(r"(?m)^[ )\]}]", typed) and (got.is_error or got.text != "None")
    is_session = plain and one(("session", "code", "code"), "form") == "session"
    if is_session:
        lines = [f">>> {line}" for line in typed.splitlines() if line.strip()]
        shown = "\n".join((*lines, f"Traceback ...\n{got.text}" if got.is_error else got.text))
        result = ""
    else:
        shown = re.sub(r"\n(?=def )", "\n\n", typed)
        shown = re.sub(r"(\n    .*\n)(?=\S)", r"\1\n", shown)
        result = one(GOT_ERROR if got.is_error else GOT_VALUE, "got").format(got=got.text) + " "
    nothing = got.is_error and wanted.text == "None"
    options = WANTED_NOTHING if nothing else WANTED_ERROR if wanted.is_error else WANTED_VALUE
    told = result + one(options, "wanted").format(wanted=wanted.text)
    closing = one(CLOSINGS, "closing")
    return f"{opening}\n\n```python\n{shown}\n```\n\n{told}{' ' if closing else ''}{closing}\n"
