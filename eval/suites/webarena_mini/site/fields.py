"""Reading a posted form: each field gives its text or says what is wrong with it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping

from eval.suites.webarena_mini.site.words import say


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
            self.errors.append(f"{say(label)} is a required field.")
        if len(found) > longest:
            self.errors.append(f"{say(label)} must not be longer than {longest} characters.")
        return found[:longest]

    def matching(self, name: str, label: str, pattern: str, hint: str, *, required: bool = True) -> str:
        """A text of a certain form."""
        found = self.text(name, label, required=required)
        if found and not re.fullmatch(pattern, found, re.ASCII):
            self.errors.append(f"{say(label)} '{found[:40]}' is not valid: {hint}.")
        return found

    def choice(self, name: str, label: str, options: Iterable[str]) -> str:
        """One of the options."""
        found = self.form.get(name, "")
        if found not in options:
            self.errors.append(f"Please choose a value for {say(label)}.")
            return ""
        return found


_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})[/.-](?P<month>[0-9]{1,2})[/.-](?P<year>[0-9]{4})", re.ASCII)
_MONTH_FIRST = re.compile(r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[0-9]{4})", re.ASCII)


def day_first_date(text: str) -> str | None:
    """ISO text of a date typed with the day first; None if it is no date."""
    return _date(_DAY_FIRST, text)


def month_first_date(text: str) -> str | None:
    """ISO text of a date typed with the month first and slashes; None if it is no date."""
    return _date(_MONTH_FIRST, text)


def _date(form: re.Pattern[str], text: str) -> str | None:
    found = form.fullmatch(text.strip())
    if found is None:
        return None
    try:
        return datetime.date(int(found["year"]), int(found["month"]), int(found["day"])).isoformat()
    except ValueError:
        return None
