"""Reading what extractors, judges and selectors reply. Strict: what does not follow the format is an UnusableReply.

Tolerated is how models decorate: bold, case, spacing, rules between items, one code fence around the whole. Refused is
what would end up in the bank as if it were a lesson: preambles, chatter, empty fields, echoed placeholders, too many
items, and a reply that was cut off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeVar

from reasoningbank.errors import UnusableReply
from reasoningbank.types import Label, Record, Verdict

T = TypeVar("T")

FIELDS = ("title", "description", "content")

_DECORATION = " \t*_`\"'“”‘’"
_FENCE = re.compile(r"^(`{3,})[\w-]*$")
_HEADING = re.compile(r"^#{1,6}[ \t]*(.+)$")
_SPACED_HEADING = re.compile(r"^[*_ \t]*#{1,6}[ \t]")
_RULE = re.compile(r"^([-*_])(?:[ \t]*\1){2,}$")
# possessive: two runs of spaces side by side must not be tried in every division
_ITEM = re.compile(r"^(memory item|workflow)[ \t]*+#?\d*+[ \t]*+[:.]?$", re.IGNORECASE)
# the text may follow on the heading's own line, with or without a colon
_FIELD = re.compile(r"^(title|description|content)(?:[ \t*_]*:|[ \t*_]+|$)[ \t*_]*(.*)$", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"^<[^<>]*>$")
_WORD = r"^[\s>#*_`\"'“”‘’{{-]*{mark}[\s*_`\"'“”‘’]*:(.*)$"
_THOUGHTS = re.compile(r"^[\s>#*_`\"'{-]*thoughts?[\s*_`\"']*:[\s*_]*", re.IGNORECASE)
_LABELS: dict[str, Label] = {"success": "success", "failure": "failure", "fail": "failure"}


class ParsedItem(Record):
    """An item as a model wrote it, before it gets an id."""

    title: str
    description: str
    content: str


def parse_items(text: str, *, max_items: int, heading: str = "Memory Item") -> tuple[ParsedItem, ...]:
    """The items of an extractor's reply, between 1 and `max_items`. Raises UnusableReply and nothing else.

    A field is one paragraph, since a second one is where chatter begins; only a workflow's content may have several.
    """
    blocks: list[list[tuple[str, list[str]]]] = []
    for line in _lines(text):
        named = _heading(line)
        if named is not None and (found := _ITEM.match(named)):
            if found[1].lower() != heading.lower():
                raise UnusableReply(f"expected headings '# {heading} N', found {line!r}", text)
            blocks.append([])
        elif not blocks:
            if line and not _RULE.match(line):
                raise UnusableReply(f"text before the first '# {heading}' heading: {line[:80]!r}", text)
        elif named is not None and (found := _FIELD.match(named)):
            blocks[-1].append((found[1].lower(), [found[2]]))
        elif named is not None and _SPACED_HEADING.match(line):
            raise UnusableReply(f"unknown heading {line[:80]!r} in item {len(blocks)}", text)
        elif blocks[-1]:
            blocks[-1][-1][1].append(line)
        elif line:
            raise UnusableReply(f"text before the fields of item {len(blocks)}: {line[:80]!r}", text)
    if not blocks:
        raise UnusableReply("no item in the reply", text)
    if len(blocks) > max_items:
        raise UnusableReply(f"{len(blocks)} items, at most {max_items} were asked for", text)
    long_content = heading.lower() == "workflow"
    return tuple(_item(block, number, text, long_content) for number, block in enumerate(blocks, start=1))


def parse_verdict(text: str) -> Verdict:
    """The verdict of a judge's reply. Raises UnusableReply unless one word, and only one, stands after `Status:`."""
    label, reasons = parse_word(text, mark="Status", words=_LABELS)
    return Verdict(label=label, reasons=reasons)


def parse_word(text: str, *, mark: str, words: Mapping[str, T]) -> tuple[T, str]:
    """What the word after `mark:` stands for, by `words`, and the thoughts before that line.

    Raises UnusableReply unless one of the words, and only one, stands there.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    marked = re.compile(_WORD.format(mark=mark), re.IGNORECASE)
    found = [(number, match[1]) for number, line in enumerate(lines) if (match := marked.match(line))]
    if not found:
        raise UnusableReply(f"no line '{mark}: ...' with one of {', '.join(words)}", text)
    given = {value.strip(_DECORATION + ".,;!}\r").lower() for _, value in found}
    if len(given) > 1:
        raise UnusableReply(f"several lines '{mark}: ...': {', '.join(sorted(given))}", text)
    word = given.pop()
    if word not in words:
        raise UnusableReply(f"'{mark}: {word[:80]}' is none of {', '.join(words)}", text)
    thoughts = "\n".join(lines[: found[0][0]]).strip()
    return words[word], _THOUGHTS.sub("", thoughts, count=1).strip()


def parse_selection(text: str, candidates: int) -> int:
    """The chosen candidate's number, from 1, of a selector's JSON reply. Raises UnusableReply and nothing else."""
    try:
        reply = json.loads("\n".join(_lines(text)))
    except (ValueError, RecursionError) as error:
        raise UnusableReply(f"not one JSON object: {error}", text) from error
    index = reply.get("index") if isinstance(reply, dict) else None
    if not isinstance(index, list) or len(index) != 1 or type(index[0]) is not int:
        raise UnusableReply(f"`index` must hold one number, found {str(index)[:80]}", text)
    if not 1 <= index[0] <= candidates:
        raise UnusableReply(f"candidate {index[0]} does not exist, there are 1 to {candidates}", text)
    return index[0]


def _lines(text: str) -> list[str]:
    """The reply's lines without spaces around them, and without the code fence around all of it."""
    lines = [line.strip() for line in text.replace("\r\n", "\n").strip().split("\n")]
    fence = _FENCE.match(lines[0])
    if fence and len(lines) >= 2 and lines[-1] == fence[1]:
        return lines[1:-1]
    return lines


def _heading(line: str) -> str | None:
    """A heading's words, without the marks and the bold around them."""
    match = _HEADING.match(line.strip("*_ \t"))
    return match[1].strip("*_ \t#") if match else None


def _item(block: list[tuple[str, list[str]]], number: int, text: str, long_content: bool) -> ParsedItem:
    names = tuple(name for name, _ in block)
    if names != FIELDS:
        raise UnusableReply(f"item {number} must have {', '.join(FIELDS)}; found {', '.join(names) or 'none'}", text)
    values = {}
    for name, lines in block:
        end = len(lines)
        while end and (not lines[end - 1] or _RULE.match(lines[end - 1])):
            end -= 1
        value = "\n".join(lines[:end]).strip()
        if not value:
            raise UnusableReply(f"item {number} has an empty {name}", text)
        if _PLACEHOLDER.match(value):
            raise UnusableReply(f"item {number} repeats the placeholder of {name}: {value!r}", text)
        if any(line.startswith("```") or _RULE.match(line) for line in value.split("\n")):
            raise UnusableReply(f"item {number} has a code fence or a rule in its {name}", text)
        if "" in value.split("\n") and not (long_content and name == "content"):
            raise UnusableReply(f"item {number} has more than one paragraph in its {name}", text)
        values[name] = value if name == "content" else " ".join(value.split("\n"))
    return ParsedItem(**values)
