"""Functions that remember their results."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

from cachet.cache import Cache
from cachet.compat import old_name

Args = ParamSpec("Args")
Result = TypeVar("Result")


def key_of(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> Hashable:
    """The key of a call: the same however its arguments are written, and other for 1 than for 1.0 or True."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    values = [*bound.args, *sorted(bound.kwargs.items())]
    return (function.__qualname__, *((type(value), value) for value in values))


def memoize(cache: Cache, *, ttl: float | None = None) -> Callable[[Callable[Args, Result]], Callable[Args, Result]]:
    """A decorator that keeps the results of a function in a cache, which functions may share. Its arguments must be
    hashable."""

    def decorate(function: Callable[Args, Result]) -> Callable[Args, Result]:
        @wraps(function)
        def wrapper(*args: Args.args, **kwargs: Args.kwargs) -> Result:
            key = key_of(function, args, kwargs)
            result: Result = cache.get_or_make(key, lambda: function(*args, **kwargs), ttl=ttl)
            return result

        return wrapper

    return decorate


cached = old_name("cached", memoize)
