"""Makes tokkit/_languages.py from tokkit/languages.txt: `python tools/make_languages.py`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tokkit"
HEAD = '"""Made by tools/make_languages.py from languages.txt; do not edit."""\n\n'
PARTS = ("comments", "quotes", "operators", "keywords")


def languages(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The languages of a text: for each name its parts, the longer ones first."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    current = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("["):
            current = line.strip("[] ")
            found[current] = dict.fromkeys(PARTS, ())
        else:
            part, *values = line.split()
            found[current][part] = tuple(sorted(values, key=lambda value: (-len(value), value)))
    return found


def source(text: str) -> str:
    """The module's text."""
    rows = []
    for name, parts in sorted(languages(text).items()):
        rows.append(f'    "{name}": {{')
        for part, values in parts.items():
            quoted = ["'\"'" if value == '"' else f'"{value}"' for value in values]
            if part == "keywords" and len(values) > 4:
                rows += [f'        "{part}": (', *(f"            {value}," for value in quoted), "        ),"]
            else:
                rows.append(f'        "{part}": ({", ".join(quoted)}{"," if len(values) == 1 else ""}),')
        rows.append("    },")
    return HEAD + "\n".join(["LANGUAGES: dict[str, dict[str, tuple[str, ...]]] = {", *rows, "}"]) + "\n"


if __name__ == "__main__":
    described = (FOLDER / "languages.txt").read_text(encoding="utf-8")
    (FOLDER / "_languages.py").write_text(source(described), encoding="utf-8")
