"""HTML as a tree of elements with bids, parsed as browsers do (HTML5) and light enough to be built for every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eval.suites.web.bounds import bounded

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

DEEPEST = 200
"""Elements nested deeper than this are left out; browsers cap the depth of a page too (Chromium at 512)."""

SPACES = re.compile(r"[ \t\n\r\f]+")
"""What HTML collapses; a no-break space stays."""


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


_UNMARKED = words(
    "circle clippath defs ellipse foreignobject g line lineargradient mask path pattern polygon polyline "
    "radialgradient rect stop symbol text tspan use math mi mn mo mrow msup msub"
)
"""Elements of other languages inside HTML: BrowserGym numbers HTML's own elements only."""


class Element:
    """One element. `value`, `checked` and `selected` are what a user changed; None means: as in the markup.

    `legend` is its first <legend> and `has_td` says whether a <td> is in it: what its other children ask it, each.
    """

    __slots__ = (
        *("attrs", "bid", "checked", "children", "has_td", "legend", "mem_id", "parent", "selected", "tag", "value"),
    )

    def __init__(self, tag: str, attrs: dict[str, str], bid: str, parent: Element | None, mem_id: int) -> None:
        self.tag = tag
        self.attrs = attrs
        self.bid = bid
        self.parent = parent
        self.mem_id = mem_id
        self.children: list[Element | str] = []
        self.legend: Element | None = None
        self.has_td = False
        self.value: str | None = None
        self.checked: bool | None = None
        self.selected: bool | None = None

    def iter(self) -> Iterator[Element]:
        """This element and all below it, in document order."""
        stack: list[Element] = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(child for child in reversed(element.children) if not isinstance(child, str))

    def ancestors(self) -> Iterator[Element]:
        """The elements around it, nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent


@dataclass(slots=True)
class Document:
    """A parsed page. `elements` is in document order; `by_bid`, `by_id` and `labels` (by the id they are for) find.

    `labelled` keeps which control each label around one is for, once it was asked.
    """

    root: Element
    parser: LexborHTMLParser
    elements: list[Element]
    by_bid: dict[str, Element]
    by_id: dict[str, Element] = field(default_factory=dict)
    labels: dict[str, list[Element]] = field(default_factory=dict)
    labelled: dict[Element, Element | None] = field(default_factory=dict)
    title: str = ""
    cut: str = ""
    """Why the page is not read to its end; empty when it is."""

    def select(self, locator: str) -> list[Element]:
        """The elements a CSS selector matches, in document order. Raises ValueError for what is no selector."""
        from selectolax.lexbor import SelectolaxError

        try:
            found = {node.mem_id for node in self.parser.css(locator)}
        except SelectolaxError as error:
            raise ValueError(f"not a CSS selector: {locator!r} ({error})") from error
        return [element for element in self.elements if element.mem_id in found]


def parse(html: str | bytes) -> Document:
    """Any text to a document; it never raises for malformed HTML."""
    from selectolax.lexbor import LexborHTMLParser

    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    text, cut = bounded(data.decode("utf-8", "replace"))
    parser = LexborHTMLParser(text)
    builder = _Builder()
    if parser.root is None:
        root = Element("html", {}, "0", None, 0)
        builder.elements.append(root)
    else:
        root = builder.build(parser.root, None, 0)
    document = builder.document(root, parser)
    document.cut = cut
    return document


def collapse(text: str) -> str:
    """Text with each run of HTML white space as one space, and none at the ends."""
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return SPACES.sub(" ", text).strip(" ")


class _Builder:
    """Takes over the parser's tree, once: its nodes are costly to walk again and again."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self._marked = 0

    def build(self, node: LexborNode, parent: Element | None, depth: int) -> Element:
        tag = node.tag or ""
        attrs: dict[str, str] = node.attributes  # type: ignore[assignment]
        for name in attrs:
            if attrs[name] is None:
                attrs[name] = ""
        if tag in _UNMARKED or "-" in tag:
            bid = ""
        else:
            bid = str(self._marked)
            self._marked += 1
        element = Element(tag, attrs, bid, parent, node.mem_id)
        self.elements.append(element)
        children = element.children
        child = node.first_child if depth < DEEPEST else None
        while child is not None:
            child_tag = child.tag or "-"
            if child_tag == "-text":
                text = child.text_content
                if text:
                    children.append(text)
            elif child_tag[0] not in "-!":
                below = self.build(child, element, depth + 1)
                children.append(below)
                if child_tag == "td":
                    element.has_td = True
                elif child_tag == "legend" and element.legend is None:
                    element.legend = below
            child = child.next
        return element

    def document(self, root: Element, parser: LexborHTMLParser) -> Document:
        found = Document(root, parser, self.elements, {e.bid: e for e in self.elements if e.bid})
        for element in self.elements:
            if element.attrs:
                if "id" in element.attrs:
                    found.by_id.setdefault(element.attrs["id"], element)
                if element.tag == "label" and "for" in element.attrs:
                    found.labels.setdefault(element.attrs["for"], []).append(element)
            elif element.tag == "title" and not found.title and element.parent and element.parent.tag == "head":
                found.title = collapse("".join(part for part in element.children if isinstance(part, str)))
        return found
