"""Names of earlier versions. They work, and say what to write instead."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Args = ParamSpec("Args")
Result = TypeVar("Result")


def formerly(old: str, function: Callable[Args, Result]) -> Callable[Args, Result]:
    """The function under its former name, with a DeprecationWarning at each call."""

    @wraps(function)
    def wrapper(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        warnings.warn(f"{old} was renamed to {function.__name__}", DeprecationWarning, stacklevel=2)
        return function(*args, **kwargs)

    return wrapper
