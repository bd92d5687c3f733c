"""What a user reports: an example that can be run, what came of it, what should have, and the names that are told."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_FENCED = re.compile(r"```(?:python|py|pycon)?\n(.*?)\n```", re.DOTALL)
_QUOTED = re.compile(r"`([^`\n]+)`")
_ERROR = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Fault|Warning|Iteration)\b(?::|$)")
_WANTED = re.compile(
    r"\b(?:expect\w*|should|ought|right answer|by hand|surely|has to be|like to see|must|instead of)\b", re.IGNORECASE
)
_NO_ERROR = re.compile(
    r"\bno error\b|\bjust work\b|\bnothing wrong\b|\bought to be accepted\b|\bshould work\b", re.IGNORECASE
)
Wants = Literal["value", "no error", "other"]


@dataclass(frozen=True)
class Example:
    """A program that leaves its value in `shown`; what it should come to. `other` is anything but what it came to."""

    program: str
    got: str
    wanted: str
    wants: Wants


@dataclass(frozen=True)
class Report:
    """A task's text."""

    text: str
    example: Example | None

    @property
    def names(self) -> list[str]:
        """The identifiers in quotes and code, in their order."""
        code = [*_FENCED.findall(self.text), *_QUOTED.findall(_FENCED.sub("", self.text))]
        return list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", "\n".join(code))))

    @property
    def quoted(self) -> list[str]:
        return _QUOTED.findall(_FENCED.sub("", self.text))


@lru_cache(maxsize=64)
def read_report(task: str) -> Report:
    """The report; without an example where none can be run."""
    fenced = _FENCED.search(task)
    if fenced is None:
        return Report(task, None)
    lines = fenced.group(1).split("\n")
    got = ""
    if any(line.startswith(">>> ") for line in lines):
        code = "\n".join(line[4:] for line in lines if line.startswith((">>> ", "... ")))
        printed = [line for line in lines if not line.startswith((">>> ", "... ", "Traceback"))]
        got = printed[-1].strip() if printed else ""
    else:
        code = fenced.group(1)
    program = _program(code)
    if program is None:
        return Report(task, None)
    after = task[fenced.end() :]
    values = [(found.group(1), after[: found.start()]) for found in _QUOTED.finditer(after)]
    if not got and values:
        got = values.pop(0)[0]
    told = after.partition(f"`{got}`")[2] if f"`{got}`" in after else after
    asked = next((value for value, before in values if _WANTED.search(before) or not _WANTED.search(after)), "")
    if asked:
        return Report(task, Example(program, got, asked, "value"))
    return Report(task, Example(program, got, "", "no error" if _NO_ERROR.search(told) else "other"))


def _program(code: str) -> str | None:
    """The code with the value of its last line in `shown`."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return None
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return None
    lines = code.split("\n")
    return "\n".join([*lines[: last.lineno - 1], "shown = (", *lines[last.lineno - 1 :], ")", ""])


def is_error(text: str) -> bool:
    """Whether what was shown is an error's name, with or without what it says."""
    return _ERROR.match(text.strip()) is not None
