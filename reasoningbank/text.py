"""Text in a few forms; first of all as it can be stored: whatever it was, UTF-8 can hold it afterwards.

Python's strings may hold halves of surrogate pairs, which no file, no JSON reader and no tokenizer takes. They come
from JSON escapes (`\\ud83d\\ude00`) that were read piece by piece.
"""

from __future__ import annotations

import re
from typing import Any

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def storable(text: str) -> str:
    """`text` with surrogate pairs joined to the characters they stand for; a lone half is written out, as `\\ud83d`."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        return joined.encode("utf-8", "backslashreplace").decode()
    return text


def encodable(text: str) -> str:
    """`text` with a `?` for each lone half of a surrogate pair, which neither a tokenizer nor a server takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def storable_data(value: Any) -> Any:
    """`value` with every text in it storable, keys too: in dicts, lists and tuples, however deep."""
    if isinstance(value, str):
        return storable(value) if type(value) is str else value
    if type(value) is dict:
        return {storable_data(key): storable_data(part) for key, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(storable_data(part) for part in value)
    return value


def last_words(said: str, most: int = 300) -> str:
    """The end of what a program printed, in one line of at most so many characters."""
    return " ".join(said.split())[-most:]


def counted(number: int, singular: str, plural: str = "") -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
