"""All that can be had of an object by following what it holds: what no environment may lead to by any way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import FunctionType, MethodType, ModuleType

from werkzeug.local import LocalProxy

OURS = "eval.suites."
"""Modules whose functions' globals and whose classes' attributes are followed too."""


def reached(start: object) -> list[object]:
    """All that is reached, at any depth."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing
            todo += inner(thing)
    return list(seen.values())


def inner(thing: object) -> Iterator[object]:
    """What an attribute, an index, a call's frame or a function's globals lead to from here."""
    if type(thing) is LocalProxy:  # stands for a request, of which there is none
        return
    if isinstance(thing, partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    if isinstance(thing, MethodType):
        yield from (thing.__self__, thing.__func__)
    if isinstance(thing, FunctionType):
        yield from (cell.cell_contents for cell in thing.__closure__ or ())
        yield from (thing.__defaults__ or (), thing.__kwdefaults__ or {})
        if ours(thing.__module__):
            yield from thing.__globals__.values()
    if isinstance(thing, Mapping):
        yield from (*thing.keys(), *thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    elif isinstance(thing, type):
        if ours(thing.__module__):
            yield from vars(thing).values()
    elif not isinstance(thing, ModuleType):
        yield type(thing)
        yield from getattr(thing, "__dict__", {}).values()
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(thing, name, None)


def ours(module: str | None) -> bool:
    return (module or "").startswith(OURS)
