"""Variants of a library, one for each instance: what it does is the same, and how it is written differs, so that no
instance shows the lines that are the fix of another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eval.suites.swebench_mini.catalog import GENERATED
from eval.suites.swebench_mini.source import source_of
from eval.suites.swebench_mini.variants.rename import renamed
from eval.suites.swebench_mini.variants.reorder import definitions, reordered
from eval.suites.swebench_mini.variants.restyle import restyled

Files = Mapping[str, str]
"""Texts by their paths."""
TESTS = "tests"
"""Those that nobody sees stay in their order."""


@dataclass(frozen=True)
class Variant:
    """Trees that were varied alike, and of what is private in them the names that it had before."""

    trees: tuple[dict[str, str], ...]
    before: Mapping[str, str]


def varied(
    trees: Sequence[Files], *, library: str, also_seen: Iterable[str] = (), about: Sequence[str | int], number: int
) -> Variant:
    """Trees of one library, such as a broken one and the one it is to become, varied alike: other local and private
    names, another order of functions and of tests, some expressions turned round.

    What users see keeps its name, and so does every word of `also_seen`. `about` and `number` choose the variant; two
    numbers of the same `about` have different names.
    """
    asked = tuple(about)
    modules = [{path: text for path, text in tree.items() if is_varied(path, text, library)} for tree in trees]
    seen = words(also_seen)
    for tree, own in zip(trees, modules):
        seen |= words(text for path, text in tree.items() if path not in own)
    turned = [{path: restyled(source_of(path, text), *asked, number) for path, text in own.items()} for own in modules]
    named, private = renamed(turned, seen=seen, about=asked, number=number)
    wholes = [{**tree, **own} for tree, own in zip(trees, named)]
    ordered = [*named[0], *(path for path in trees[0] if path.endswith(".py") and path.startswith(f"{TESTS}/"))]
    for path in ordered:
        there = [whole for whole in wholes if path in whole]
        known = set.intersection(*(definitions(whole[path]) for whole in there))
        for whole in there:
            whole[path] = reordered(whole[path], *asked, number, path, known=known)
    return Variant(tuple(wholes), {new: old for old, new in private.items()})


def is_varied(path: str, text: str, library: str) -> bool:
    """Whether a file is one of the library's modules that people write, and that does more than import."""
    return (
        path.startswith(f"{library}/")
        and path.endswith(".py")
        and not path.endswith("/__init__.py")
        and GENERATED not in (ast.get_docstring(source_of(path, text).tree) or "")
    )


def words(texts: Iterable[str]) -> set[str]:
    """All words of texts."""
    return {word for text in texts for word in re.findall(r"\w+", text)}
