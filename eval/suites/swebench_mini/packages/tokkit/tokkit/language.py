"""Languages by their names."""

from dataclasses import dataclass

from tokkit._languages import LANGUAGES
from tokkit.errors import LanguageError


@dataclass(frozen=True)
class Language:
    """What begins a comment that ends with its line, what is around strings, which words and signs mean something."""

    name: str
    comments: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


def language_names() -> list[str]:
    """The languages that there are."""
    return sorted(LANGUAGES)


def language(name: str) -> Language:
    """A language by its name."""
    if name not in LANGUAGES:
        raise LanguageError(f"unknown language {name!r}: one of {', '.join(language_names())}")
    return Language(name, **LANGUAGES[name])
