"""Keys of providers: from the environment, or from a file `.env` in the folder in which a command is given.

`take_env_file()` is called where a command begins that asks models; `check_setup` tells of a missing key before
anything else is done.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from reasoningbank.errors import SetupError
from reasoningbank.interfaces import ChecksSetup

FILE = ".env"


def take_env_file(folder: Path | None = None) -> list[str]:
    """Set the variables of the folder's `.env` that are not set already; returns their names.

    Values are taken as they stand: a `$` is a sign like any other. Empty ones set nothing, so that a copy of
    `.env.example` can be filled in line by line. SetupError for a file that cannot be read; it names the line and never
    what stands there.
    """
    path = (folder or Path()) / FILE
    if not os.path.lexists(path) or (path / "pyvenv.cfg").is_file():  # some have a virtual environment of that name
        return []
    if not path.is_file():
        raise SetupError(f"{path}: this is no file: make it one with a line NAME=VALUE for each key, or move it away")
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    try:
        with path.open(encoding="utf-8") as file:
            for line in parse_stream(file):
                if line.error:
                    raise SetupError(f"{path}, line {line.original.line}: must be NAME=VALUE, or begin with #")
                if not can_be_set(line.key, line.value):
                    raise SetupError(
                        f"{path}, line {line.original.line}: no variable can be this: a name without =, and in name "
                        "and value only characters that the system can write, and no NUL"
                    )
        given = dotenv_values(path, encoding="utf-8", interpolate=False)
    except UnicodeDecodeError:
        raise SetupError(f"{path}: not UTF-8") from None
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}") from None
    taken = {name: value for name, value in given.items() if value and name not in os.environ}
    os.environ.update(taken)
    return sorted(taken)


def can_be_set(name: str | None, value: str | None) -> bool:
    """Whether an environment takes the variable; a line that holds none asks for nothing."""
    if name is None:
        return True
    try:
        text = os.fsencode(f"{name}{value or ''}")
    except UnicodeEncodeError:
        return False
    return name != "" and "=" not in name and b"\0" not in text


def check_setup(parts: Iterable[object]) -> None:
    """SetupError, on one line, for all that keeps these models and embedders from being asked."""
    wrong: dict[str, None] = {}
    for part in parts:
        if isinstance(part, ChecksSetup):
            try:
                part.check()
            except SetupError as error:
                wrong[str(error)] = None
    if wrong:
        raise SetupError("; ".join(wrong))
