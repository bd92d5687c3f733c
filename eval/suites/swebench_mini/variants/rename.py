"""Other names for what only a library itself can see: local variables, and its private functions and attributes.

Several trees are renamed alike, so that what differs between them still is all that differs. A name that stands in
anything else than the library's own code, such as a test, is left as it is; so is one that a call could name.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from eval.suites.swebench_mini.draws import draw
from eval.suites.swebench_mini.source import Source, source_of
from eval.suites.swebench_mini.variants.uses import Uses, defined_by, uses_of
from eval.suites.swebench_mini.variants.words import other_names, other_private_names
from reasoningbank.syntax import Edit, Function, edited

Tree = Mapping[str, str]
"""Modules by their paths."""

FIXED = {*dir(builtins), *keyword.kwlist, "self", "cls"}
RESERVED = {*FIXED, *keyword.softkwlist}


def renamed(
    trees: Sequence[Tree], *, seen: set[str], about: tuple[str | int, ...], number: int
) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The trees with other names, and the new names of what is private in all modules.

    `seen` are the words of all that is left as it is, those that end with an underscore as the beginnings of names too;
    `about` and `number` say which of the other names are taken: with another number each gets another one, as long as
    there are so many.
    """
    sources = list(dict.fromkeys(source_of(path, text) for tree in trees for path, text in tree.items()))
    uses = uses_of(sources)
    taken = uses.everywhere | uses.arguments | uses.no_plain_use | uses.in_texts | seen | RESERVED
    private = renamed_privates(uses, seen, taken, about, number)
    taken |= set(private.values())
    local = renamed_locals(sources, uses, set(private), taken, about, number)
    new: dict[Source, str] = {}
    for source in sources:
        new[source] = edited(source.text, {*_private_edits(source, private), *_local_edits(source, local)})
    return [{path: new[source_of(path, text)] for path, text in tree.items()} for tree in trees], private


def pick(name: str, options: Sequence[str], taken: set[str], about: tuple[str | int, ...], number: int) -> str:
    """One of the options that is not taken; the name itself where all are."""
    free = [option for option in options if option not in taken]
    return free[(draw(*about, name) + number) % len(free)] if free else name


def renamed_privates(
    uses: Uses, seen: set[str], taken: set[str], about: tuple[str | int, ...], number: int
) -> dict[str, str]:
    """New names of what is private in all modules."""
    plain = {name for name in uses.top if name not in uses.attributes and not name.startswith("__")}
    wanted = (plain | uses.private) - seen - uses.in_texts - uses.arguments - uses.no_plain_use - uses.locals
    begins = tuple(word for word in seen if word.endswith("_") and word.strip("_"))
    found: dict[str, str] = {}
    for name in sorted(name for name in wanted if not name.startswith(begins)):
        options = [option for option in other_private_names(name) if option not in found.values()]
        found[name] = pick(name, options, taken, about, number)
    return found


def renamed_locals(
    sources: Sequence[Source],
    uses: Uses,
    private: set[str],
    taken: set[str],
    about: tuple[str | int, ...],
    number: int,
) -> dict[tuple[str, str], dict[str, str]]:
    """New names of the local variables, and of the parameters of private functions, by a module's path and a function's
    dotted name."""
    bound: dict[tuple[str, str], set[str]] = defaultdict(set)
    left: dict[tuple[str, str], set[str]] = defaultdict(set)
    for source in sources:
        top = {name for statement in source.tree.body for name in defined_by(statement)}
        top |= {node.asname or node.name for node in source.nodes if isinstance(node, ast.alias)}
        for function in outermost(source):
            key = (source.path, source.qualified(function))
            mine, unclear = locals_of(source, function, parameters=function.name in private)
            bound[key] |= mine
            left[key] |= unclear | top
    found: dict[tuple[str, str], dict[str, str]] = {}
    for key, names in bound.items():
        wanted = names - left[key] - uses.arguments - uses.no_plain_use - FIXED
        found[key] = {}
        for name in sorted(wanted):
            options = [option for option in other_names(name) if option not in found[key].values()]
            found[key][name] = pick(name, options, taken, (*about, key[0]), number)
    return found


def outermost(source: Source) -> list[Function]:
    """The functions and methods of a module that are in no other."""
    return [node for node in source.nodes if isinstance(node, Function) and source.function(node) is node]


def locals_of(source: Source, function: Function, *, parameters: bool) -> tuple[set[str], set[str]]:
    """The names that a function binds inside, and those that cannot be renamed there: nested functions, what stands
    where the syntax tree does not tell it right, and its parameters, unless they are asked for."""
    own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    told = set(re.findall(r"\w+", ast.get_docstring(function) or ""))
    bound, left = set(), {"_"} | (own & told if parameters else own)
    for node in ast.walk(function):
        if node is not function and isinstance(node, Function | ast.ClassDef | ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names] if hasattr(node, "names") else [node.name]
            left |= set(names)
        if isinstance(node, ast.Name | ast.arg):
            name = node.id if isinstance(node, ast.Name) else node.arg
            if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store):
                bound.add(name)
            if not source.text.startswith(name, source.start(node)):
                left.add(name)
    return bound, left


def _local_edits(source: Source, local: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[Edit]:
    for function in outermost(source):
        names = local.get((source.path, source.qualified(function)), {})
        for node in ast.walk(function):
            if isinstance(node, ast.Name | ast.arg):
                name = node.id if isinstance(node, ast.Name) else node.arg
                if names.get(name, name) != name:
                    yield Edit(source.start(node), source.start(node) + len(name), names[name])


def _private_edits(source: Source, private: Mapping[str, str]) -> Iterator[Edit]:
    for node in source.nodes:
        name, start = "", 0
        if isinstance(node, ast.Name):
            name, start = node.id, source.start(node)
        elif isinstance(node, ast.Attribute):
            name, start = node.attr, source.end(node) - len(node.attr)
        elif isinstance(node, ast.alias):
            name, start = node.name, source.start(node)
        elif isinstance(node, Function | ast.ClassDef):
            name = node.name
            start = source.text.index(f" {name}", source.place(node.lineno, node.col_offset)) + 1
        if private.get(name, name) != name:
            yield Edit(start, start + len(name), private[name])
