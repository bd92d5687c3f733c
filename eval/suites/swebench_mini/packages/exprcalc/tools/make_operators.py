"""Makes exprcalc/_operators.py from exprcalc/operators.txt: `python tools/make_operators.py`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "exprcalc"
HEAD = '"""Made by tools/make_operators.py from operators.txt; do not edit."""\n'


def tables(text: str) -> dict[str, dict[str, tuple[int, str]]]:
    """For each position the operators there: symbol to strength and to the side on which equals are grouped."""
    found: dict[str, dict[str, tuple[int, str]]] = {"INFIX": {}, "PREFIX": {}}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            symbol, position, strength, side = line.split()
            found[position.upper()][symbol] = (int(strength), side)
    return found


def source(text: str) -> str:
    """The module's text."""
    parts = [HEAD]
    for name, table in tables(text).items():
        rows = [f'    "{symbol}": ({strength}, "{side}"),' for symbol, (strength, side) in sorted(table.items())]
        parts.append("\n".join([f"{name} = {{", *rows, "}\n"]))
    return "\n".join(parts)


if __name__ == "__main__":
    operators = (FOLDER / "operators.txt").read_text(encoding="utf-8")
    (FOLDER / "_operators.py").write_text(source(operators), encoding="utf-8")
