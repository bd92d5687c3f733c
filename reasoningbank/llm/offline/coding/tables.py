"""Tables that a tool makes from a list: which list and tool they are, and changes of a line that a report suggests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reasoningbank.llm.offline.coding.report import Report

_MADE = re.compile(r"^\"\"\"(?:Made|Generated|Written) by (\S+\.py)", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """A module that is made, the tool, and the list it is made from."""

    path: str
    tool: str
    list_path: str
    text: str


def tables_in(files: dict[str, str]) -> list[Table]:
    """The tables among the files that were shown, whose first line says what makes them."""
    out = []
    for path, text in files.items():
        found = _MADE.match(text)
        head = text.partition("\n")[0]
        lists = [each for each in files if each.endswith(".txt") and each.rpartition("/")[2] in head]
        if found and lists:
            out.append(Table(path, found.group(1), lists[0], files[lists[0]]))
    return out


def suggestions(table: Table, report: Report) -> Iterator[str]:
    """The list's text with one line changed, the likelier first: a word that its neighbours have, another of the few
    values of a column, a number one more or less."""
    lines = table.text.split("\n")
    told = report.text.replace("`", " ")
    quoted = [word for text in report.quoted for word in text.replace('"', " ").split()]
    spoken = " ".join(word for word in quoted if word.isalpha())
    for number, line in enumerate(lines):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        fresh = _neighbour(words, spoken, told, table.text)
        if fresh:
            yield _with(lines, number, f"{line} {fresh}")
    for number, line in enumerate(lines):
        words = line.split()
        if len(words) > 2 and words[0] in quoted and not line.startswith("#"):
            for other in _others(words[-1], [each.split() for each in lines]):
                yield _with(lines, number, line[: line.rindex(words[-1])] + other)
    for number, line in enumerate(lines):
        name = " ".join(line.split()[1:])
        if name and name.lower() in told.lower() and not line.startswith("#"):
            for found in re.finditer(r"\d+", line):
                for value in (int(found.group()) + 1, int(found.group()) - 1):
                    yield _with(
                        lines, number, f"{line[: found.start()]}{value:0{len(found.group())}d}{line[found.end() :]}"
                    )


def _neighbour(words: list[str], spoken: str, told: str, all_text: str) -> str:
    """A word of the report that the list has nowhere, where it speaks of others of this line as being right."""
    there = [word for word in words[1:] if f" {word} " in f" {spoken} "]
    found = re.search(r"\bthe word (\S+?)[.,]?(?=\s)", told) or re.search(r"\b(?:but|use) (\S+?)[.,]?(?=\s)", told)
    if len(there) < 2 or found is None:
        return ""
    word = found.group(1)
    return word if word not in all_text.split() and word in told else ""


def _others(value: str, rows: list[list[str]]) -> list[str]:
    """The other values of the last column, where it has two or three."""
    values = list(dict.fromkeys(row[-1] for row in rows if len(row) > 2 and row[0] != "#"))
    return [each for each in values if each != value] if len(values) <= 3 else []


def _with(lines: list[str], number: int, line: str) -> str:
    return "\n".join([*lines[:number], line, *lines[number + 1 :]])
