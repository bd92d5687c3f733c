"""Which code makes a run what it is: the modules that its parts import, found without parsing them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from eval.runs.code_digest import RUNNER, imported, modules_used

ROOT = Path(__file__).parents[2]
MODULE = "pack.sub.module"


def parsed(path: Path) -> set[str]:
    """What Python's own parser finds."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = MODULE.split(".")[: 3 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return set(names)


@pytest.mark.parametrize(
    "source",
    [
        "import a.b as c, d",
        "from a import (\n    b as c,  # said, of it\n    d,\n)",
        "from . import a\nfrom .x import b\nfrom ...y import c",
        "from .import a",
        "from a import \\\n    b",
        "if x: import a; from b import c",
        "try:\n\timport a\nexcept ImportError: pass\nelse: from a import(b)",
        "def f():\n    x = 1; import a\n",
    ],
)
def test_imports_of_every_form_are_found(source: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(source)
    assert set(imported(path, MODULE)) == parsed(path) != set()


def test_none_that_the_parser_finds_in_our_code_is_missed() -> None:
    paths = [path for package in ("eval", "reasoningbank") for path in (ROOT / package).rglob("*.py")]
    assert len(paths) > 100
    for path in paths:
        assert parsed(path) <= set(imported(path, MODULE)), path


def test_a_change_in_a_suite_or_a_report_is_none_in_the_runs_of_others() -> None:
    used = modules_used({RUNNER, "reasoningbank.memory.reasoningbank"}, {"eval": ROOT, "reasoningbank": ROOT})
    assert {"eval.episode", "eval.suites.base", "reasoningbank.distill.contrast"} <= set(used)
    assert [
        name for name in used if name.startswith("eval.analysis") or (name.count(".") > 2 and "eval.suites" in name)
    ] == []
