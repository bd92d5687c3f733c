"""Makes unitbox/_table.py from unitbox/definitions.txt: `python tools/make_table.py`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "unitbox"
HEAD = '"""Made by tools/make_table.py from definitions.txt; do not edit."""\n\n'


def rows(text: str) -> dict[str, tuple[str, str, float, float, str]]:
    """The table that a definitions file stands for: symbol to name, dimension, factor, offset and prefixes."""
    table: dict[str, tuple[str, str, float, float, str]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        symbol, name, dimension, factor, offset, prefixes = line.split()
        allowed = "" if prefixes == "-" else prefixes
        table[symbol] = (name.replace("-", " "), dimension, float(factor), float(offset), allowed)
    return table


def source(table: dict[str, tuple[str, str, float, float, str]]) -> str:
    """The module's text."""
    quote = '"{}"'.format
    lines = [
        f"    {quote(symbol)}: ({quote(name)}, {quote(kind)}, {factor!r}, {offset!r}, {quote(prefixes)}),"
        for symbol, (name, kind, factor, offset, prefixes) in sorted(table.items())
    ]
    return HEAD + "UNITS = {\n" + "\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    definitions = (FOLDER / "definitions.txt").read_text(encoding="utf-8")
    (FOLDER / "_table.py").write_text(source(rows(definitions)), encoding="utf-8")
