"""Unified diffs between two trees, as git writes them, and texts with such a diff applied."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from reasoningbank.syntax import lines_of

NO_END = "\n\\ No newline at end of file\n"


def diff(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """From one tree to another, which has other or more texts, or fewer."""
    parts = []
    for path in sorted({*old, *new}):
        before, after = old.get(path), new.get(path)
        if before == after:
            continue
        source = "/dev/null" if before is None else f"a/{path}"
        target = "/dev/null" if after is None else f"b/{path}"
        head = f"diff --git a/{path} b/{path}\n"
        head += "new file mode 100644\n" if before is None else "deleted file mode 100644\n" if after is None else ""
        lines = difflib.unified_diff(lines_of(before or ""), lines_of(after or ""), source, target)
        parts.append(head + "".join(line if line.endswith("\n") else line + NO_END for line in lines))
    return "".join(parts)


def added(patch: str) -> list[list[str]]:
    """The lines that a patch adds, those on end together."""
    found: list[list[str]] = []
    before = ""
    for sign, line in _body(patch):
        if sign == "+":
            if before != "+":
                found.append([])
            found[-1].append(line)
        before = sign
    return found


def taken(patch: str, path: str) -> list[str]:
    """The lines that a patch takes out of one file."""
    parts = re.split(r"(?m)^(?=diff --git )", patch)
    return [line for part in parts if f"+++ b/{path}\n" in part for sign, line in _body(part) if sign == "-"]


def patched(files: Mapping[str, str], patch: str, *, leave_out: Collection[str] = ()) -> dict[str, str] | None:
    """The texts with a patch applied, but for the paths to leave out. None where a hunk's place is not there once, even
    by its changed lines alone. No file may be new or gone."""
    done = dict(files)
    for part in re.split(r"(?m)^(?=diff --git )", patch):
        path = next(iter(re.findall(r"(?m)^\+\+\+ b/(.+)$", part)), "")
        if not path or path in leave_out:
            continue
        for hunk in _hunks(part):
            text = done.get(path, "")
            blocks = (_block(hunk, sign, around) for around in (MOST_AROUND, 1, 0) for sign in "-+")
            for old, new in zip(blocks, blocks):
                if text.count(old) == 1:
                    done[path] = text.replace(old, new)
                    break
            else:
                return None
    return done


MOST_AROUND = 3


def _block(hunk: Sequence[tuple[str, str]], sign: str, around: int) -> str:
    """The text of a hunk's one side, with so many unchanged lines at its ends."""
    changes = [place for place, (mark, _) in enumerate(hunk) if mark != " "]
    part = hunk[max(0, changes[0] - around) : changes[-1] + around + 1]
    return "".join(f"{line}\n" for mark, line in part if mark in (" ", sign))


def _hunks(patch: str) -> list[list[tuple[str, str]]]:
    """The lines of each hunk, with their signs."""
    found: list[list[tuple[str, str]]] = []
    for sign, line in _body(patch):
        if sign == "@":
            found.append([])
        else:
            found[-1].append((sign, line))
    return found


def _body(patch: str) -> Iterator[tuple[str, str]]:
    """The lines of a patch's hunks with their signs, and an @ where a hunk begins."""
    left = right = 0
    for line in patch.split("\n"):
        header = re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line)
        if header:
            left, right = (1 if number is None else int(number) for number in header.groups())
            yield "@", ""
        elif left > 0 or right > 0:
            sign = line[:1] or " "
            left, right = left - (sign in " -"), right - (sign in " +")
            if sign != "\\":
                yield sign, line[1:]
