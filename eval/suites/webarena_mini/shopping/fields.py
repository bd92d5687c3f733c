"""Reading a posted form: each field gives its text or says what is wrong with it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping


class Fields:
    """A form that was posted; `errors` fills as fields are read."""

    def __init__(self, form: Mapping[str, str]) -> None:
        self.form = form
        self.errors: list[str] = []

    def text(self, name: str, label: str, *, longest: int = 120, required: bool = True) -> str:
        """The field without surrounding blanks and control characters."""
        found = "".join(
            letter for letter in self.form.get(name, "") if letter.isprintable() or letter in "\n\t"
        ).strip()
        if not found and required:
            self.errors.append(f"{label} is a required field.")
        if len(found) > longest:
            self.errors.append(f"{label} must not be longer than {longest} characters.")
        return found[:longest]

    def matching(self, name: str, label: str, pattern: str, hint: str, *, required: bool = True) -> str:
        """A text of a certain form."""
        found = self.text(name, label, required=required)
        if found and not re.fullmatch(pattern, found, re.ASCII):
            self.errors.append(f"{label} '{found[:40]}' is not valid: {hint}.")
        return found

    def choice(self, name: str, label: str, options: Iterable[str]) -> str:
        """One of the options."""
        found = self.form.get(name, "")
        if found not in options:
            self.errors.append(f"Please choose a value for {label}.")
            return ""
        return found


def day_first_date(text: str) -> str | None:
    """ISO text of a date typed as in the order list; None if it is no date."""
    match = re.fullmatch(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})", text.strip(), re.ASCII)
    if match is None:
        return None
    day, month, year = (int(part) for part in match.groups())
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None
