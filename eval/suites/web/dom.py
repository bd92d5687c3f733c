"""HTML as a tree of elements with bids, parsed as browsers do (HTML5) and light enough to be built for every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

DEEPEST = 256
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
    """One element. `value`, `checked` and `selected` are what a user changed; None means: as in the markup."""

    __slots__ = ("attrs", "bid", "checked", "children", "mem_id", "parent", "selected", "tag", "value")

    def __init__(self, tag: str, attrs: dict[str, str], bid: str, parent: Element | None, mem_id: int) -> None:
        self.tag = tag
        self.attrs = attrs
        self.bid = bid
        self.parent = parent
        self.mem_id = mem_id
        self.children: list[Element | str] = []
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
    """A parsed page. `elements` is in document order; `by_bid`, `by_id` and `labels` (by the id they are for) find."""

    root: Element
    parser: LexborHTMLParser
    elements: list[Element] = field(default_factory=list)
    by_bid: dict[str, Element] = field(default_factory=dict)
    by_id: dict[str, Element] = field(default_factory=dict)
    labels: dict[str, list[Element]] = field(default_factory=dict)
    title: str = ""

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
    parser = LexborHTMLParser(data.decode("utf-8", "replace"))
    document = Document(root=Element("html", {}, "0", None, 0), parser=parser)
    if parser.root is not None:
        document.root = _build(parser.root, document, None, 0)
    return document


def collapse(text: str) -> str:
    """Text with each run of HTML white space as one space, and none at the ends."""
    return SPACES.sub(" ", text).strip(" ")


def _build(node: LexborNode, document: Document, parent: Element | None, depth: int) -> Element:
    tag = node.tag or ""
    attrs = {name: value or "" for name, value in node.attributes.items()}
    bid = "" if tag in _UNMARKED or "-" in tag else str(len(document.by_bid))
    element = Element(tag, attrs, bid, parent, node.mem_id)
    document.elements.append(element)
    if bid:
        document.by_bid[bid] = element
    if "id" in attrs:
        document.by_id.setdefault(attrs["id"], element)
    if tag == "label" and "for" in attrs:
        document.labels.setdefault(attrs["for"], []).append(element)
    children = element.children
    child = node.first_child if depth < DEEPEST else None
    while child is not None:
        child_tag = child.tag or ""
        if child_tag == "-text":
            text = child.text_content
            if text:
                children.append(text)
        elif child_tag[:1] not in "-!":
            children.append(_build(child, document, element, depth + 1))
        child = child.next
    if tag == "title" and not document.title and parent is not None and parent.tag == "head":
        document.title = collapse("".join(part for part in children if isinstance(part, str)))
    return element
