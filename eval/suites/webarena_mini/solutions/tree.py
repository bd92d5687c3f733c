"""Reads an accessibility tree's text back into nodes: a solution sees what an agent sees and no more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
LINE = re.compile(rf"(?P<tabs>\t*)(?:\[(?P<bid>[^\]]+)\] )?(?P<role>\S+?)(?: (?P<name>{QUOTED}))?(?:[, ].*)?")


@dataclass
class Node:
    """One line of the tree, with the lines below it."""

    role: str
    name: str = ""
    bid: str = ""
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """The node and all below it, in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def all(self, role: str, name: str | None = None) -> list[Node]:
        """Nodes below of a role, and of a name if given."""
        return [node for node in self.walk() if node.role == role and name in (None, node.name)]

    def first(self, role: str, name: str) -> Node | None:
        """The first of `all`."""
        return next((node for node in self.walk() if node.role == role and node.name == name), None)

    @property
    def texts(self) -> list[str]:
        """The static texts below."""
        return [node.name for node in self.all("StaticText")]

    @property
    def cells(self) -> list[str]:
        """The names of a row's cells."""
        return [node.name for node in self.children if node.role.endswith(("cell", "header"))]


def unquoted(text: str) -> str:
    """What Python's literal of a text stands for."""
    return str(ast.literal_eval(text)) if "\\" in text else text[1:-1]


def parse(text: str) -> Node:
    """The root of a tree text."""
    root = Node("page")
    above = [root]
    for line in text.split("\n"):
        found = LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"not a line of an accessibility tree: {line!r}")
        node = Node(found["role"], unquoted(found["name"] or "''"), found["bid"] or "")
        del above[len(found["tabs"]) + 1 :]
        above[-1].children.append(node)
        above.append(node)
    return root
