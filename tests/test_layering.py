"""The import rules of the project, held by reading every import statement, those inside functions too."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from waiting import HANG

ROOT = Path(__file__).parents[1]

LEAVES = (
    *("reasoningbank.types", "reasoningbank.errors", "reasoningbank.failpoints", "reasoningbank.files"),
    *("reasoningbank.modules", "reasoningbank.names", "reasoningbank.steps", "reasoningbank.syntax"),
    *("reasoningbank.text", "reasoningbank.tokens", "reasoningbank.truncate"),
)
BASE = (*LEAVES, "reasoningbank.interfaces", "reasoningbank.prompts", "reasoningbank.boundary")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(LEAVES, LEAVES),
    "reasoningbank.interfaces": LEAVES,
    "reasoningbank.prompts": (*LEAVES, "reasoningbank.interfaces"),
    "reasoningbank.boundary": (*LEAVES, "reasoningbank.interfaces"),
    "reasoningbank.providers": LEAVES,
    "reasoningbank.transcript": BASE,
    "reasoningbank.vectors": BASE,
    "reasoningbank.retry": LEAVES,
    "reasoningbank.llm": (*BASE, "reasoningbank.providers", "reasoningbank.retry"),
    "reasoningbank.embed": (*BASE, "reasoningbank.providers", "reasoningbank.vectors", "reasoningbank.retry"),
    "reasoningbank.bank": (*BASE, "reasoningbank.vectors"),
    "reasoningbank.agents": BASE,
    "reasoningbank.distill": (*BASE, "reasoningbank.llm", "reasoningbank.embed", "reasoningbank.bank"),
    "reasoningbank.matts": (*BASE, "reasoningbank.llm", "reasoningbank.distill"),
    "reasoningbank.memory": (
        *(*BASE, "reasoningbank.llm", "reasoningbank.embed", "reasoningbank.bank", "reasoningbank.distill"),
    ),
    "reasoningbank": ("reasoningbank",),
    "eval.cores": (),
    "eval.names": ("reasoningbank.names",),
    "eval.terminal": (*LEAVES, "reasoningbank.boundary", "eval.analysis.tables"),
    "eval.terminal.bar": (),
    "eval.terminal.program": LEAVES,
    "eval.config": (*BASE, "reasoningbank.providers.secrets", "eval.names", "eval.suites"),
    "eval.journal": (*LEAVES, "eval.names"),
    "eval.analysis": (*LEAVES, "eval.names", "eval.journal"),
    "eval.suites": (
        *(
            *BASE,
            "reasoningbank.agents.actions",
            "eval.terminal.bar",
            "eval.cores",
            "eval.names",
            "eval.journal",
            "eval.grading.normalised",
        ),
    ),
    "eval.grading.normalised": ("eval.suites.base",),
    "eval.grading.model": (*BASE, "reasoningbank.llm", "reasoningbank.distill", "eval.suites.base"),
    "eval.runs.lock": LEAVES,
    "eval.runs.code_digest": LEAVES,
    "eval.runs.journal_file": (*LEAVES, "eval.journal"),
    "eval.outcome_judges": (*BASE, "reasoningbank.distill", "eval.journal"),
}
"""What a package may import of the project beside itself; the longest name that fits a module is its rule.

The agent is handed recalled text, so it knows no bank; scaling is handed rollouts, so it knows no agent; and nothing
in the library knows the harness, which alone holds gold and outcomes.
"""

FLOORS = (
    *("eval.names", "eval.cores", "eval.faults", "eval.journal", "eval.analysis", "eval.new_files", "eval.terminal"),
    *("eval.suites.profile", "eval.suites.base", "eval.grading.normalised", "eval.suites", "eval.official"),
    *("eval.config", "eval.transport", "eval.scopes", "eval.returned", "eval.outcome_judges", "eval.watched"),
    *("eval.build", "eval.plan", "eval.grading.model", "eval.workbench", "eval.attempt", "eval.episode"),
    *("eval.runs", "eval.grading", "eval.stream", "eval.runner", "eval.progress"),
    *("eval.estimates", "eval.banks", "eval.doctor", "eval.commands", "eval.__main__"),
)
"""The harness from the bottom up: each imports of it what stands before. The longest name that fits a module counts."""

EVERYTHING_HEAVY = {
    *("faiss", "flask", "hydra", "jinja2", "lxml", "matplotlib", "numpy", "omegaconf", "pandas", "pydantic"),
    *("rich", "tenacity", "wordllama", "werkzeug", "yaml"),
}


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("reasoningbank", "eval"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path
    for path in sorted(ROOT.glob("*.py")):
        yield path.stem, path


MODULES = dict(modules())


def nodes(path: Path) -> Iterator[ast.AST]:
    """All that a file consists of."""
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@cache
def imports(path: Path) -> list[tuple[str, int]]:
    """Every module that a file imports, with the line. `from a import b` is a.b where that is a module."""
    found: list[tuple[str, int]] = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            base = node.module or ""
            for alias in node.names:
                name = f"{base}.{alias.name}"
                found.append((name if name in MODULES else base, node.lineno))
    return found


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def rule(module: str) -> str | None:
    fitting = [package for package in MAY_IMPORT if within(module, package)]
    return max(fitting, key=len, default=None)


def test_imports_point_downwards() -> None:
    broken = []
    for module, path in MODULES.items():
        package = rule(module)
        if package is None:
            continue
        allowed = (package, *MAY_IMPORT[package])
        for name, line in imports(path):
            ours = within(name, "reasoningbank") or within(name, "eval")
            if ours and not any(within(name, each) for each in allowed):
                broken.append(f"{path.relative_to(ROOT)}:{line}: {module} must not import {name}")
    assert not broken, "\n".join(broken)


def test_the_harness_stands_on_floors() -> None:
    def floor(module: str) -> int:
        fitting = [each for each in FLOORS if within(module, each)]
        assert fitting, f"{module} stands on no floor"
        return FLOORS.index(max(fitting, key=len))

    broken = []
    for module, path in MODULES.items():
        if within(module, "eval") and module != "eval":
            for name, line in imports(path):
                if within(name, "eval") and name != "eval" and floor(name) > floor(module):
                    broken.append(f"{path.relative_to(ROOT)}:{line}: {module} must not import {name}")
    assert not broken, "\n".join(broken)


def test_the_rules_name_packages_that_exist() -> None:
    assert [package for package in (*MAY_IMPORT, *FLOORS) if package not in MODULES] == []


def test_every_part_of_the_library_has_a_rule_of_its_own() -> None:
    top = {module for module in MODULES if module.count(".") == 1 and module.startswith("reasoningbank.")}
    facade = {"reasoningbank.library", "reasoningbank.parts"}
    assert top - set(MAY_IMPORT) == facade


def test_the_library_knows_neither_harness_nor_configuration() -> None:
    for module, path in MODULES.items():
        if within(module, "reasoningbank"):
            for name, line in imports(path):
                assert name.partition(".")[0] not in {"eval", "hydra", "omegaconf"}, f"{path}:{line}"


def test_commands_are_imported_by_nobody() -> None:
    """Modules of `eval/commands` that begin with an underscore are no commands, but what commands share."""
    for module, path in MODULES.items():
        for name, line in imports(path):
            if within(name, "eval.commands"):
                shared = name.startswith("eval.commands._") and within(module, "eval.commands")
                assert shared, f"{path}:{line}: {module} imports {name}"


def test_nobody_hides_the_builtin_eval() -> None:
    for folder in ("reasoningbank", "eval", "scripts", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in nodes(path):
                if isinstance(node, ast.Import):
                    bound = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
                    assert "eval" not in bound, f"{path}:{node.lineno}: write `from eval.x import y`"


def test_every_command_has_a_help_line_and_a_main() -> None:
    modules = [module for module in MODULES if module.startswith("eval.commands.")]
    commands = [module for module in modules if not module.startswith("eval.commands._")]
    assert commands
    for module in commands:
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        assigned = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        assert isinstance(assigned.get("HELP"), ast.Constant), f"{module} has no HELP = '...'"
        assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def imported_by(*command: str) -> set[str]:
    """Top-level packages that a fresh process imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize("arguments", [("--help",), ("show", "--help")])
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert imported_by("-m", "eval", *arguments) & EVERYTHING_HEAVY == set()


@pytest.mark.parametrize("program", ["induce_memory.py", "memory_management.py"])
def test_help_of_the_programs_at_the_root_loads_nothing_heavy(program: str) -> None:
    assert imported_by(program, "--help") & EVERYTHING_HEAVY == set()


def test_importing_the_library_loads_nothing_heavy() -> None:
    assert imported_by("-c", "import reasoningbank") & EVERYTHING_HEAVY == set()


def test_commands_import_heavy_packages_inside_functions_only() -> None:
    for module, path in MODULES.items():
        if not within(module, "eval.commands"):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not {name.partition(".")[0] for name in names} & EVERYTHING_HEAVY, f"{path}:{node.lineno}"


HOMES = {
    "faiss": "reasoningbank.bank",
    "sqlite3": "reasoningbank.bank, reasoningbank.embed, eval.suites",
    "wordllama": "reasoningbank.embed",
    "tenacity": "reasoningbank.retry",
    "jinja2": "reasoningbank.prompts, eval.suites.webarena_mini.site",
    "flask": "eval.suites",
    "hydra": "eval.config.load, eval.config.overrides",
    "omegaconf": "eval.config.load",
    "matplotlib": "eval.analysis",
    "minisweagent": "reasoningbank.agents.mini_swe",
    "litellm": "nobody",
}


def test_a_package_that_could_be_replaced_is_used_in_one_place() -> None:
    for module, path in MODULES.items():
        for name, line in imports(path):
            homes = HOMES.get(name.partition(".")[0])
            if homes is not None:
                assert any(within(module, home) for home in homes.split(", ")), (
                    f"{path}:{line}: {name} belongs to {homes}"
                )


def test_no_class_of_the_library_can_hold_gold_or_an_outcome() -> None:
    gold = {
        *("gold", "reference", "references", "reference_answers", "solution", "hidden_tests"),
        *("outcome", "outcomes", "reward", "solved", "checks"),
    }
    for module, path in MODULES.items():
        if not within(module, "reasoningbank"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                fields = {ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)}
                assert not gold & fields, f"{path}:{node.lineno}: {node.name}"
