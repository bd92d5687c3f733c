"""A web page as the simulated model sees it: the accessibility tree, read once into nodes, tables, lists and fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

# Names and values are printed as Python prints strings: in either kind of quotes, with backslashes.
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LINE = re.compile(rf"^(\t*)(?:\[([^\]\s]+)\] )?([A-Za-z]+)(?: ({_TEXT}))?(.*)$")
_VALUE = re.compile(rf"\bvalue=({_TEXT})")
_CHROME = frozenset({"banner", "navigation", "contentinfo", "menubar"})
_ARROWS = frozenset({">", "/", "»", "›", "→"})
FIELDS = frozenset({"textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton", "listbox"})


@dataclass(slots=True, eq=False)
class Node:
    """One line of the tree with its children."""

    role: str
    name: str
    bid: str = ""
    extra: str = ""
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def value(self) -> str:
        """What a field holds."""
        found = _VALUE.search(self.extra)
        return unquoted(found.group(1)) if found else ""

    @property
    def on(self) -> bool:
        """Whether a box is checked or an option selected."""
        text = self.extra.lower().replace("'", "")
        return "checked=true" in text or "selected=true" in text

    @property
    def disabled(self) -> bool:
        return "disabled=true" in self.extra.lower().replace("'", "")

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in reading order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def up(self) -> Iterator[Node]:
        """The ancestors, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def text(self) -> str:
        """The words a reader sees in it, in order."""
        return " ".join(part for part in self._parts() if part)

    def _parts(self) -> Iterator[str]:
        if self.role in ("StaticText", "image") or (not self.children and self.role not in FIELDS):
            yield self.name
        elif self.role == "combobox":
            yield self.value
            return
        elif self.role in FIELDS:
            yield self.value or (self.name if self.role in ("checkbox", "radio") and self.on else "")
            return
        for child in self.children:
            yield from child._parts()

    @property
    def options(self) -> list[str]:
        return [node.name for node in self.walk() if node.role == "option"]


@dataclass(slots=True)
class Row:
    """One row of a table or one entry of a list: cells by header where there are headers."""

    node: Node
    cells: dict[str, str]
    text: str

    def first_link(self) -> Node | None:
        return next((node for node in self.node.walk() if node.role == "link" and node.bid), None)


@dataclass(slots=True)
class Collection:
    """Rows that belong together."""

    headers: tuple[str, ...]
    rows: list[Row]
    caption: str = ""


class Page:
    """The parsed tree."""

    def __init__(self, tree: str, url: str = "") -> None:
        self.url = url
        self.tree = tree
        self.root = parse(tree)
        self.nodes = [node for node in self.root.walk() if node is not self.root]
        self.title = next((node.name for node in self.nodes if node.role == "RootWebArea"), "")

    @cached_property
    def chrome(self) -> set[int]:
        """Ids of the nodes that every page repeats: banner, navigation, footer."""
        out: set[int] = set()
        for node in self.nodes:
            if node.role in _CHROME or (node.parent is not None and id(node.parent) in out):
                out.add(id(node))
        return out

    def in_main(self, node: Node) -> bool:
        return id(node) not in self.chrome

    @cached_property
    def main(self) -> Node:
        """The part that is this page's own."""
        return next((node for node in self.nodes if node.role == "main"), self.root)

    def of(self, *roles: str) -> list[Node]:
        """Nodes of these roles that can be acted on."""
        return [node for node in self.nodes if node.role in roles and node.bid and not node.disabled]

    @cached_property
    def links(self) -> list[Node]:
        return self.of("link")

    @cached_property
    def buttons(self) -> list[Node]:
        return self.of("button")

    @cached_property
    def fields(self) -> list[Node]:
        return self.of(*FIELDS)

    @cached_property
    def heading(self) -> str:
        main = self.main
        return next((node.name for node in main.walk() if node.role == "heading"), self.title)

    @cached_property
    def trail(self) -> list[str]:
        """The names on the way from the site's first page to this one, where the page shows them with arrows."""
        for node in self.nodes:
            if is_trail(node):
                return [child.name for child in node.children if child.name.strip() not in _ARROWS]
        return []

    @cached_property
    def notices(self) -> list[str]:
        """What the page reports about the last action."""
        return [node.text() or node.name for node in self.nodes if node.role in ("alert", "status")]

    @cached_property
    def main_text(self) -> str:
        return self.main.text()

    @cached_property
    def terms(self) -> list[tuple[str, str]]:
        """Pairs of a label and its value: two-cell rows, definition lists, `Label: value` lines."""
        pairs: list[tuple[str, str]] = []
        waiting = ""
        for node in self.main.walk():
            if node.role == "row":
                cells = [child for child in node.children if child.role in _CELLS]
                if len(cells) == 2 and cells[0].role != "columnheader" and cells[1].role != "columnheader":
                    pairs.append((cells[0].text(), cells[1].text()))
            elif node.role in ("term", "DescriptionListTerm"):
                waiting = node.text() or node.name
            elif node.role in ("definition", "DescriptionListDetail") and waiting:
                pairs.append((waiting, node.text() or node.name))
            elif node.role in ("StaticText", "paragraph", "listitem"):
                text = node.name if node.role == "StaticText" else node.text()
                label, colon, value = text.partition(":")
                if colon and value.strip() and len(label) <= 30 and (label.strip(), value.strip()) not in pairs:
                    pairs.append((label.strip(), value.strip()))
        return pairs

    @cached_property
    def collections(self) -> list[Collection]:
        """Tables with headers, and lists of at least two like entries, largest first."""
        found = [table for node in self.main.walk() if node.role in ("table", "grid") and (table := _table(node))]
        for node in self.main.walk():
            if not self.in_main(node):
                continue
            entries = [child for child in node.children if child.role in ("listitem", "article")]
            if entries and (len(entries) > 1 or entries[0].role == "article" or len(entries[0].children) > 1):
                rows = [Row(entry, {}, entry.text()) for entry in entries]
                found.append(Collection((), rows, _caption(node)))
        return sorted(found, key=lambda one: -sum(len(row.text) for row in one.rows))

    def form_of(self, node: Node) -> Node:
        """The form around a field; else the smallest part around it that has a button."""
        for above in node.up():
            if above.role == "form":
                return above
        for above in node.up():
            if any(one.role == "button" for one in above.walk()):
                return above
        return self.root


def is_trail(node: Node) -> bool:
    """Whether a navigation shows the way to the page rather than ways on."""
    return node.role == "navigation" and any(child.name.strip() in _ARROWS for child in node.children)


_CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})


def unquoted(text: str) -> str:
    """The string behind a printed one; without its escapes where they are broken."""
    if "\\" not in text:
        return text[1:-1]
    try:
        return str(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text[1:-1].replace("\\", "")


def parse(tree: str) -> Node:
    """The tree's lines as nodes under a nameless root; lines that are no node are text."""
    root = Node("", "")
    stack = [root]
    for line in tree.split("\n"):
        if not line.strip():
            continue
        found = _LINE.match(line)
        if found is None:
            stack[-1].children.append(Node("StaticText", line.strip(), parent=stack[-1]))
            continue
        tabs, bid, role, name, extra = found.groups()
        depth = min(len(tabs), len(stack) - 1)
        del stack[depth + 1 :]
        parent = stack[-1]
        node = Node(role, unquoted(name or ""), bid or "", extra or "", parent)
        parent.children.append(node)
        stack.append(node)
    return root


def _table(node: Node) -> Collection | None:
    headers: tuple[str, ...] = ()
    rows: list[Row] = []
    for row in node.walk():
        if row.role != "row":
            continue
        cells = [child for child in row.children if child.role in _CELLS]
        if cells and all(cell.role == "columnheader" for cell in cells):
            headers = tuple(cell.text() or cell.name for cell in cells)
            continue
        texts = [cell.text() for cell in cells]
        named = dict(zip(headers, texts, strict=False)) if headers else {}
        rows.append(Row(row, named, " ".join(text for text in texts if text)))
    if not headers or not rows:
        return None
    return Collection(headers, rows, node.name or _caption(node))


def _caption(node: Node) -> str:
    """The heading that stands before a list or table."""
    parent = node.parent
    if parent is None:
        return ""
    last = ""
    for child in parent.children:
        if child is node:
            break
        if child.role == "heading":
            last = child.name
    if last or node.name:
        return last or node.name
    return _caption(parent) if parent.role in ("generic", "Section", "region", "form", "group") else ""
