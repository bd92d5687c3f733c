"""What every program of the project does at its terminal: reads arguments, and shows what others wrote."""

from __future__ import annotations

import argparse
import sys
import unicodedata
from typing import NoReturn

from reasoningbank.errors import SetupError


class Arguments(argparse.ArgumentParser):
    """An ArgumentParser that neither prints its usage over an error nor ends the process by itself."""

    def error(self, message: str) -> NoReturn:
        raise SetupError(f"{message}; `{self.prog} --help` says more")


def count(text: str) -> int:
    """As the type of an argument: a whole number from 1 on."""
    number = int(text) if text.strip().isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: a whole number from 1 on is needed")
    return number


def safe(text: str) -> str:
    """Without what would steer a terminal or cannot be encoded: pages and models write anything."""
    shown = "".join(each if _harmless(each) else "\N{REPLACEMENT CHARACTER}" for each in text)
    encoding = sys.stdout.encoding or "utf-8"
    return shown.encode(encoding, "replace").decode(encoding)


def _harmless(character: str) -> bool:
    blank = character in "\n\t" or unicodedata.category(character) == "Zs"
    return blank or character.isprintable()
