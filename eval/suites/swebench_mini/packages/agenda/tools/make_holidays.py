"""Makes agenda/_holidays.py from agenda/holidays.txt: `python tools/make_holidays.py`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "agenda"
HEAD = '"""Made by tools/make_holidays.py from holidays.txt; do not edit."""\n'


def fixed(text: str) -> dict[tuple[int, int], str]:
    """The holidays that have a day of their own: month and day to name."""
    return {(int(when[:2]), int(when[3:])): name for when, name in rows(text) if not when.startswith("easter")}


def moving(text: str) -> dict[int, str]:
    """The holidays that go with Easter: days after it to name."""
    return {int(when.removeprefix("easter")): name for when, name in rows(text) if when.startswith("easter")}


def rows(text: str) -> list[tuple[str, str]]:
    """When and name of every line."""
    lines = (line.strip() for line in text.splitlines())
    return [(line.split()[0], " ".join(line.split()[1:])) for line in lines if line and not line.startswith("#")]


def source(text: str) -> str:
    """The module's text."""
    days = [f'    ({month}, {day}): "{name}",' for (month, day), name in sorted(fixed(text).items())]
    offsets = [f'    {offset}: "{name}",' for offset, name in sorted(moving(text).items())]
    return "\n".join([HEAD, "FIXED = {", *days, "}", "", "MOVING = {", *offsets, "}", ""])


if __name__ == "__main__":
    holidays = (FOLDER / "holidays.txt").read_text(encoding="utf-8")
    (FOLDER / "_holidays.py").write_text(source(holidays), encoding="utf-8")
