"""What settings of a client are refused before anything is sent, by the key that is to be changed.

All of it would fail at every call, or change unseen what another key says. No message repeats a header's value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reasoningbank.errors import SetupError

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_IN_ADDRESS = re.compile(r"[\w.@:/+~-]+", re.ASCII)


def no_empty_texts(where: str, **given: str | None) -> None:
    """An empty text is not null, which stands for something: the provider's own address, or the usual key."""
    for key, text in given.items():
        if text is not None and not text.strip():
            raise SetupError(f"{where}.{key} has an empty text: write something, or null")


def fit_for_headers(where: str, headers: Mapping[str, str] | None) -> None:
    """Names of headers, and values that can be sent as they are."""
    for name, value in (headers or {}).items():
        if not _HEADER.fullmatch(str(name)):
            raise SetupError(f"{where}.extra_headers: {name!r} is no header's name: use letters, digits and -")
        if not isinstance(value, str) or not value.isascii() or not (value.isprintable() or not value):
            raise SetupError(
                f"{where}.extra_headers.{name}: a header's value is a text of printable ASCII characters: write it so"
            )


def fit_for_json(where: str, body: Mapping[str, Any] | None) -> None:
    """What JSON can hold: no `.nan`, no half of a character."""
    try:
        json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        raise SetupError(
            f"{where}.extra_body holds what no request can: use texts, finite numbers, true, false, null, and lists "
            "and mappings of these"
        ) from None


def fit_for_address(where: str, **given: str | None) -> None:
    """What becomes a part of the address."""
    for key, text in given.items():
        if text is not None and (not _IN_ADDRESS.fullmatch(text) or ".." in text):
            raise SetupError(
                f"{where}.{key}={text!r} cannot stand in an address: use letters, digits and . _ - : / @, without two "
                "dots in a row"
            )


def not_sent_twice(where: str, body: Mapping[str, Any] | None, sent: Mapping[str, str], *, inside: str = "") -> None:
    """`sent`: what a client sends itself, by its name on the wire, with what is to be done instead of naming it in the
    body, where one of both would replace the other unseen. Names are the same in camel case and with underscores."""
    ours = {_plain(name): remedy for name, remedy in sent.items()}
    for name in body or {}:
        if (remedy := ours.get(_plain(str(name)))) is not None:
            raise SetupError(f"{where}.extra_body has {inside}{name}, which is sent already: leave it out; {remedy}")


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
