"""Variants of a library: what may differ, what must not, and that they do the same."""

from __future__ import annotations

import ast
import difflib
import re
from pathlib import Path

import pytest
from package_trees import all_statuses, patch

from eval.suites.swebench_mini.catalog import Package, load_package, package_names
from eval.suites.swebench_mini.source import source_of
from eval.suites.swebench_mini.variants import is_varied, varied
from eval.suites.swebench_mini.variants.rename import renamed
from eval.suites.swebench_mini.variants.reorder import reordered
from eval.suites.swebench_mini.variants.restyle import restyled


def files(folder: Path, package: Package) -> dict[str, str]:
    """The texts of a library, hidden tests included."""
    paths = (*package.visible(), *package.hidden())
    return {path.as_posix(): (folder / path).read_text(encoding="utf-8") for path in paths}


def written(tree: dict[str, str], folder: Path) -> Path:
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def differing(before: str, after: str) -> int:
    """How many lines a diff takes away and adds."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return sum(line[0] in "+-" for line in lines)


def public(text: str) -> set[str]:
    """Names without an underscore that a module and its classes define."""
    return {
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }


@pytest.mark.parametrize("name", ["cachet", "unitbox"])
def test_what_users_see_stays_and_what_they_do_not_see_differs(name: str) -> None:
    package = load_package(name)
    tree = files(package.folder, package)
    one, other = (varied([tree], library=name, about=(0, name), number=number).trees[0] for number in (0, 1))
    assert set(one) == set(tree)
    seen = {word for path, text in tree.items() if not is_varied(path, text, name) for word in re.findall(r"\w+", text)}
    for path, text in tree.items():
        if path.endswith(".py") and path.split("/")[0] in ("tests", "hidden"):
            assert sorted(one[path].split()) == sorted(text.split()), path
        elif not is_varied(path, text, name):
            assert one[path] == text, path
        else:
            assert public(text) & seen <= public(one[path]), path
            assert re.findall("#.*", one[path]).sort() == re.findall("#.*", text).sort(), path
    changed = {path for path, text in tree.items() if is_varied(path, text, name) and one[path] != text}
    assert len(changed) >= 3
    assert len({path for path in changed if one[path] != other[path]}) >= 3
    assert one == varied([tree], library=name, about=(0, name), number=0).trees[0]
    assert one != varied([tree], library=name, about=(1, name), number=0).trees[0]


def test_a_broken_tree_is_varied_as_the_clean_one_so_that_the_fix_is_no_longer(tmp_path: Path) -> None:
    package = load_package("spantree")
    clean = files(package.folder, package)
    for place, instance in enumerate(package.hard[:4]):
        folder = tmp_path / instance.id
        package.write_tree(folder, hidden=True)
        assert patch(folder, instance.bug).returncode == 0
        broken = files(folder, package)
        pair = varied([broken, clean], library="spantree", about=(3, "spantree"), number=place).trees
        for path, text in clean.items():
            before = abs(len(text.splitlines()) - len(broken[path].splitlines()))
            assert abs(len(pair[1][path].splitlines()) - len(pair[0][path].splitlines())) == before, path
            same, kept = (broken[path] == text), (pair[0][path] == pair[1][path])
            assert same == kept, path
            assert differing(pair[0][path], pair[1][path]) <= differing(broken[path], text) + 2, (instance.id, path)


NAMES = '''
LIMIT = 3


def outer(given, *, flag=False):
    """Uses given."""
    total = [each for each in given if each]
    key = sorted(given, key=lambda other: -other)
    for total_of in total:
        print(f"{total_of} of {total!r:>{LIMIT}}", LIMIT)
    return inner(total, wide=key), _hidden(flag)


def inner(first, wide):
    match = [first, wide]
    return match


def _hidden(what):
    return what, getattr(what, "inner", None)
'''


def test_names_that_somebody_else_could_use_are_left() -> None:
    (tree,), _ = renamed([{"m.py": NAMES}], seen={"outer"}, about=(0,), number=0)
    text = tree["m.py"]
    ast.parse(text)
    for kept in ("def outer(given, *, flag=False):", "key=lambda", "def inner(first, wide):", "wide=key", '"inner"'):
        assert kept in text, kept
    assert "_hidden(" not in text
    assert not re.search(r"\btotal\b|\beach\b|\bother\b|\bmatch\b", text)
    assert re.search(r"\bkey = sorted", text), "a name by which arguments are passed"
    shape = re.sub(r"\b[a-zA-Z_]\w*\b", "x", text)
    assert shape == re.sub(r"\b[a-zA-Z_]\w*\b", "x", NAMES)


def test_two_numbers_never_give_a_variable_the_same_name() -> None:
    numbers = range(14)
    found = [renamed([{"m.py": NAMES}], seen={"outer"}, about=(5,), number=number)[0][0]["m.py"] for number in numbers]
    for old in ("total =", "for total_of in", "match ="):
        line = next(place for place, text in enumerate(NAMES.splitlines()) if old in text)
        assert len({text.splitlines()[line] for text in found}) == len(numbers), old


ORDER = '''"""A module."""

import os

# about it
STEP = 1


def late():
    return TABLE


def make(function):
    return helper(function)


def helper(function):
    return function


@make
def decorated(first=STEP):
    return os, first


class Base:
    x: int
    """A field."""

    def run(self):
        return Other()

    def __init__(self):
        self.x = 1

    alias = make(run)

    def stop(self):
        return 0


class Other(Base):
    pass


TABLE = {"late": late, "make": make}
'''


@pytest.mark.parametrize("seed", range(12))
def test_another_order_keeps_what_needs_what(seed: int) -> None:
    text = reordered(ORDER, seed)
    assert sorted(text.split()) == sorted(ORDER.split())
    assert text.startswith('"""A module."""\n\nimport os\n\n# about it\nSTEP = 1\n\n\n')
    place = text.index
    assert place("def helper") < place("@make")
    assert place("def make") < place("@make")
    assert place("class Base") < place("class Other")
    assert max(place("def late"), place("def make")) < place("TABLE = ")
    assert place('x: int\n    """A field."""') < place("def __init__") < place("def stop")
    assert place("def run") < place("alias = make(run)")
    assert "\n\n\n\n" not in text


def test_orders_differ() -> None:
    assert len({reordered(ORDER, seed) for seed in range(12)}) >= 6


STYLE = """
def f(a, b):
    if a.x < len(b) and b[0] != a.y and a.x == 3:
        b += 1
    return (a if a is None else b), a < b < 3, [x for x in b if f(x) >= f(a)]
"""


def test_what_is_turned_round_says_the_same() -> None:
    turned = {restyled(source_of("m.py", STYLE), seed) for seed in range(40)}
    assert len(turned) > 8
    both = "\n".join(turned)
    for said in ("len(b) > a.x", "a.y != b[0]", "b = b + 1", "(b if a is not None else a)", "f(a) <= f(x)"):
        assert said in both, said
    for text in turned:
        assert "a.x == 3" in text
        assert "a < b < 3" in text


def check_tests_pass(name: str, numbers: range, seed: int, folder: Path) -> None:
    package = load_package(name)
    tree = files(package.folder, package)
    trees = [
        written(varied([tree], library=name, about=(seed, name), number=number).trees[0], folder / str(number))
        for number in numbers
    ]
    wanted = sum(len(re.findall(r"(?m)^def test_", text)) for text in tree.values())
    for told in all_statuses(trees).values():
        assert set(told.values()) == {"PASSED"}
        assert len(told) >= wanted


@pytest.mark.long
@pytest.mark.parametrize("name", package_names())
def test_many_variants_of_every_library_pass_its_tests(name: str, tmp_path: Path) -> None:
    check_tests_pass(name, range(12), 7, tmp_path)
