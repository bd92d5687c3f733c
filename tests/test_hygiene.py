"""Rules that hold for every file of the repository, checked by reading it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("reasoningbank", "eval", "scripts", "tests")
CODE = [*sorted(ROOT.glob("*.py")), *(path for name in FOLDERS for path in sorted((ROOT / name).rglob("*.py")))]
PRODUCT = [path for path in CODE if ROOT / "tests" not in path.parents]
TEXTS = [
    *(*CODE, *(ROOT / "configs").rglob("*.yaml"), *(ROOT / "reasoningbank").rglob("*.j2")),
    *(*(ROOT / "scripts").glob("*.sh"), *(ROOT / "eval").rglob("*.html"), *(ROOT / "eval").rglob("*.sql")),
    *(*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *(ROOT / "results").glob("*.md"), ROOT / ".ci/run"),
]
LONGEST_FILE = 350
BOUNDARY = ROOT / "reasoningbank/boundary.py"


def nodes(path: Path) -> Iterator[ast.AST]:
    yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def places(found: list[tuple[Path, int]]) -> str:
    return "\n".join(f"{path.relative_to(ROOT)}:{line}" for path, line in found)


def test_broad_excepts_live_in_one_file() -> None:
    broad = {"Exception", "BaseException"}
    found = []
    for path in PRODUCT:
        for node in nodes(path):
            if isinstance(node, ast.ExceptHandler) and path != BOUNDARY:
                caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                if any(each is None or (isinstance(each, ast.Name) and each.id in broad) for each in caught):
                    found.append((path, node.lineno))
    assert not found, places(found)


def test_nothing_is_unpickled_or_executed_or_hashed_by_the_process() -> None:
    """`hash()` of a text differs from process to process, so nothing that is stored or drawn may come from it."""
    found = []
    for path in CODE:
        for node in nodes(path):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                if {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"} & set(names):
                    found.append((path, node.lineno))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                in_hash = node.func.id == "hash" and path in PRODUCT
                if node.func.id in {"eval", "exec"} or in_hash:
                    found.append((path, node.lineno))
            if isinstance(node, ast.keyword) and node.arg == "shell" and getattr(node.value, "value", True) is True:
                found.append((path, node.lineno))
    assert not found, places(found)


def test_no_generator_is_shared() -> None:
    """`random.x()` and `numpy.random.x()` draw from a generator of the whole process."""
    found = []
    for path in PRODUCT:
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
                owner = ast.unparse(node.value)
                own = {"random": {"Random"}, "np.random": {"Generator", "default_rng"}}.get(owner)
                if own is not None and node.attr not in own:
                    found.append((path, node.lineno))
            if isinstance(node, ast.ImportFrom) and node.module in {"random", "numpy.random"}:
                found.append((path, node.lineno))
    assert not found, places(found)


def test_every_file_says_what_it_is() -> None:
    found = [(path, 1) for path in CODE if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not found, places(found)


def test_no_file_is_long() -> None:
    """Over the limit, a seam is missing."""
    found = [(path, path.read_text(encoding="utf-8").count("\n")) for path in PRODUCT]
    found = [(path, length) for path, length in found if length > LONGEST_FILE]
    assert not found, places(found)


def test_nothing_is_left_open() -> None:
    marks = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    found = [(path, number) for path, number, line in lines() if marks.search(line)]
    assert not found, places(found)


IN_IMAGES = 'CONDA = "/opt/miniconda3"'
"""A place in the images that SWE-bench publishes, which is the same on every machine."""


def test_no_path_of_one_machine() -> None:
    homes = re.compile(r"(?<![\w.])/(home|root|Users|work|opt|mnt)/\w")
    found = [
        (path, number)
        for path, number, line in lines()
        if homes.search(line.replace(IN_IMAGES, "")) and path != Path(__file__)
    ]
    assert not found, places(found)


def lines() -> Iterator[tuple[Path, int, str]]:
    for path in TEXTS:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield path, number, line


def test_every_prompt_has_a_golden_file() -> None:
    """A prompt is held by the text it renders to; a golden file whose name begins with the prompt's is that text."""
    prompts = [path.stem for path in sorted((ROOT / "reasoningbank/prompts/default").glob("*.j2"))]
    golden = [path.name for path in (ROOT / "tests/golden").rglob("*.txt")]
    assert prompts
    whole = [name for name in prompts if not name.startswith("_")]  # the others are parts of prompts
    bare = [name for name in whole if not any(each.startswith(name.removeprefix("agent_")) for each in golden)]
    assert not bare, f"no golden file for {', '.join(bare)}"


def test_every_configuration_file_begins_with_what_it_is_for() -> None:
    for path in sorted((ROOT / "configs").rglob("*.yaml")):
        assert "# " in path.read_text(encoding="utf-8").partition("\n\n")[0], path.relative_to(ROOT)
