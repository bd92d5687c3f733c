"""A module found by its name stands for the one class in it that fits a Protocol."""

from __future__ import annotations

from types import ModuleType

from reasoningbank.errors import SetupError


def one_class(module: ModuleType, protocol: type, where: str) -> type:
    """That class. SetupError, which begins with `where`, for a module that has none or several."""
    found = classes(module, protocol)
    if len(found) != 1:
        names = ", ".join(cls.__name__ for cls in found) or "none"
        raise SetupError(
            f"{where}: {module.__name__} must define exactly one class with the methods "
            f"{', '.join(methods(protocol))}; found {names}"
        )
    return found[0]


def classes(module: ModuleType, protocol: type) -> list[type]:
    """The public classes that the module (or, for a package, one of its modules) defines and that fit the Protocol."""
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and not name.startswith("_")
        and (value.__module__ == module.__name__ or value.__module__.startswith(f"{module.__name__}."))
        and not getattr(value, "_is_protocol", False)
        and all(callable(getattr(value, method, None)) for method in methods(protocol))
    ]


def methods(protocol: type) -> list[str]:
    return [name for name, value in vars(protocol).items() if callable(value) and not name.startswith("_")]
