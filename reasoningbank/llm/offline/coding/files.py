"""The files of a repository as commands have shown them, and what may be changed in them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reasoningbank.llm.offline.coding.conversation import Turn
from reasoningbank.syntax import Edit, Function, Syntax

_HEADER = re.compile(r"^==> (\S+) <==\n", re.MULTILINE)
_PART = re.compile(r"^tail -v -n \+(\d+) (\S+) \| head ")
_SIZE = re.compile(r"^ *(\d+) (\S+)$", re.MULTILINE)
PART = 180
"""Lines of a large file that one command shows."""


@dataclass(frozen=True)
class Change:
    """Lines of a file, from the first to the last, replaced by a text."""

    path: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, eq=False)
class Module(Syntax):
    """One file of Python."""

    def after(self, node: ast.AST, text: str) -> Edit:
        """A text behind a node."""
        return Edit(self.end(node), self.end(node), text)

    def exchanged(self, left: ast.AST, right: ast.AST, old: str, new: str) -> list[Edit]:
        """An operator between two nodes, replaced; none where it is not there once."""
        edit = self.between(left, right, old, new)
        return [] if edit is None else [edit]

    def inside(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Nodes of these kinds that run when functions are called."""
        for node in self.nodes:
            if isinstance(node, kinds) and self.function(node) not in (None, node) and not self._is_said(node):
                yield node

    def _is_said(self, node: ast.AST) -> bool:
        """Whether it is a part of an annotation or of a decorator."""
        below = node
        for above in self.above(node):
            if isinstance(above, Function) and (below is above.returns or below in above.decorator_list):
                return True
            if isinstance(above, ast.arg) or (isinstance(above, ast.AnnAssign) and below is above.annotation):
                return True
            below = above
        return False

    def change(self, edits: Sequence[Edit]) -> Change:
        """The edits as whole lines."""
        first, last = min(each.start for each in edits), max(each.end for each in edits)
        begin = self.text.rfind("\n", 0, first) + 1
        stop = self.text.find("\n", last)
        stop = len(self.text) if stop < 0 else stop
        pieces, place = [], begin
        for edit in sorted(edits, key=lambda each: each.start):
            pieces += [self.text[place : edit.start], edit.text]
            place = edit.end
        line = self.text.count("\n", 0, begin) + 1
        many = self.text.count("\n", begin, stop)
        return Change(self.path, line, line + many, "".join([*pieces, self.text[place:stop]]))


@lru_cache(maxsize=512)
def module_of(path: str, text: str) -> Module | None:
    """The module; None where the text is no Python."""
    module = Module(path, text)
    try:
        _ = module.tree
    except (SyntaxError, ValueError):
        return None
    return module


def sizes_in(turns: Sequence[Turn]) -> dict[str, int]:
    """Of each file that was listed, its characters."""
    found = {path: int(size) for turn in turns if "wc -c" in turn.command for size, path in _SIZE.findall(turn.output)}
    return {path: size for path, size in found.items() if path != "total"}


def shows_part(path: str, number: int) -> str:
    """The command that shows one of the parts of a file, counted from 0."""
    return f"tail -v -n +{number * PART + 1} {shlex.quote(path)} | head -n {PART + 1}"


def parts_in(turns: Sequence[Turn]) -> dict[str, list[str]]:
    """The parts of large files that were shown, in their order."""
    out: dict[str, list[str]] = {}
    for turn in turns:
        part, mark = _PART.match(turn.command), _HEADER.match(turn.output)
        if part and mark:
            out.setdefault(mark.group(1), []).append(turn.output[mark.end() :].rstrip("\n"))
    return out


def files_in(turns: Sequence[Turn]) -> dict[str, str]:
    """The files that were shown whole, at once or in parts."""
    sizes = sizes_in(turns)
    out: dict[str, str] = {}
    for path, parts in parts_in(turns).items():
        filled = [part + "\n" * (PART - 1 - part.count("\n")) for part in parts[:-1]]
        text = "\n".join([*filled, parts[-1]]) + "\n"
        if abs(len(text.encode()) - sizes.get(path, 0)) <= 1:
            out[path] = text
    for turn in turns:
        if _PART.match(turn.command):
            continue
        marks = list(_HEADER.finditer(turn.output)) if turn.command.startswith("tail -v") else []
        for number, mark in enumerate(marks):
            end = marks[number + 1].start() - 1 if number + 1 < len(marks) else len(turn.output)
            text = turn.output[mark.end() : end].rstrip("\n") + "\n"
            if abs(len(text.encode()) - sizes.get(mark.group(1), len(text.encode()))) <= 1:
                out[mark.group(1)] = text
    return out
