"""The libraries of the suite, their house rules and their hand-written defects, as the files beside this one say.

`packages/<name>/` holds a library as its user sees it: README, sources, tests. Beside those, for the suite alone, are
`hidden/` (tests that only the evaluation runs), `rules.yaml` (house rules) and `hard/<id>/`, one folder a defect:

- `bug.patch` makes the broken tree from the clean one, so that its reverse is the known fix;
- `statement.md` is what a user reports;
- `instance.yaml` has the kind of the defect and the house rules that a fix has to keep;
- `naive.patch`, where there are such rules, is the fix on the broken tree of somebody who does not know them: the
  symptom is gone, and hidden tests of the rules fail. Only tests use it.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from eval.names import nearest
from reasoningbank.errors import SetupError
from reasoningbank.types import Record

PACKAGES = Path(__file__).parent / "packages"
HIDDEN, HARD, RULES = "hidden", "hard", "rules.yaml"
UNSEEN = (HIDDEN, HARD, RULES)
"""What no agent sees of a library's folder."""

GENERATED = "do not edit."
"""Ends the docstring of a module that a tool writes."""

Kind = Literal["two_files", "removed", "far", "wider", "house_rule"]
"""Two edits that need each other; a feature to be written again; a symptom far from its cause; hidden tests wider than
the report's example; a simple fix that has to keep a house rule."""

KINDS: tuple[Kind, ...] = get_args(Kind)


class HouseRule(Record):
    """A habit of a library that its sources show by example, that no statement mentions and that hidden tests check."""

    id: str
    rule: str
    tests: tuple[str, ...]
    """Test functions, as `hidden/test_x.py::test_y`."""


class HardInstance(Record):
    """A defect that was made by hand."""

    id: str
    package: str
    kind: Kind
    rules: tuple[str, ...]
    statement: str
    bug: str
    """Unified diff from the clean tree to the broken one."""
    naive: str | None
    """Unified diff from the broken tree to one without the symptom, which breaks the rules; None without rules."""


class Package(Record):
    """A library with all that the suite knows of it."""

    name: str
    folder: Path
    rules: tuple[HouseRule, ...]
    hard: tuple[HardInstance, ...]

    def sources(self) -> list[Path]:
        """The modules of the library itself, relative to its folder."""
        return [path for path in files_of(self.folder) if path.suffix == ".py" and path.parts[0] == self.name]

    def generated(self) -> list[Path]:
        """Those of its modules that a tool of it writes, relative to its folder: whoever edits one breaks it."""
        return [path for path in self.sources() if GENERATED in (self.folder / path).read_text(encoding="utf-8")]

    def visible(self) -> list[Path]:
        """All that an agent sees, relative to the folder."""
        return [path for path in files_of(self.folder) if path.parts[0] not in UNSEEN]

    def hidden(self) -> list[Path]:
        """The tests that only the evaluation runs, relative to the folder."""
        return [path for path in files_of(self.folder) if path.parts[0] == HIDDEN]

    def files(self) -> dict[str, str]:
        """The texts of the clean tree with its hidden tests, by their paths."""
        paths = (*self.visible(), *self.hidden())
        return {path.as_posix(): (self.folder / path).read_text(encoding="utf-8") for path in paths}

    def write_tree(self, target: Path, *, hidden: bool = False) -> None:
        """Writes the clean tree into a folder, with the hidden tests if wanted."""
        for path in (*self.visible(), *(self.hidden() if hidden else ())):
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / path, target / path)


def files_of(folder: Path) -> list[Path]:
    """The files of a library, without what running it leaves behind."""
    found = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if not any(part in ("__pycache__", ".pytest_cache") for part in path.parts)]


def package_names() -> list[str]:
    """The libraries that there are, by name."""
    return sorted(path.parent.name for path in PACKAGES.glob(f"*/{RULES}"))


@cache
def load_package(name: str) -> Package:
    """A library by its name. SetupError for a name that there is not."""
    import yaml

    names = package_names()
    if name not in names:
        raise SetupError(f"swebench_mini has no package {name!r}; {nearest(name, names)}")
    folder = PACKAGES / name
    rules = tuple(HouseRule(**each) for each in yaml.safe_load((folder / RULES).read_text(encoding="utf-8")))
    hard = tuple(load_hard(name, path.parent) for path in sorted(folder.glob(f"{HARD}/*/instance.yaml")))
    return Package(name=name, folder=folder, rules=rules, hard=hard)


def load_hard(package: str, folder: Path) -> HardInstance:
    """The defect of a folder below `hard/`."""
    import yaml

    naive = folder / "naive.patch"
    return HardInstance(
        id=folder.name,
        package=package,
        statement=(folder / "statement.md").read_text(encoding="utf-8"),
        bug=(folder / "bug.patch").read_text(encoding="utf-8"),
        naive=naive.read_text(encoding="utf-8") if naive.is_file() else None,
        **yaml.safe_load((folder / "instance.yaml").read_text(encoding="utf-8")),
    )


def all_packages() -> list[Package]:
    """Every library, by name."""
    return [load_package(name) for name in package_names()]
