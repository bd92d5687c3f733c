"""The operators: what each makes of a few lines, and what all of them make of a real library."""

from __future__ import annotations

import ast
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.suites.swebench_mini.catalog import all_packages, load_package
from eval.suites.swebench_mini.operators import OPERATORS, candidates, sound, sources_of
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit, edited

EXAMPLES: dict[str, tuple[str, set[str]]] = {
    "comparison_boundary": ("return a < b <= c", {"return a <= b <= c", "return a < b < c"}),
    "dropped_argument": ("return f(a, b, key=c)", {"return f(a, key=c)", "return f(a, b)"}),
    "dropped_condition": (
        "return [x for x in a if x] or b or c",
        {
            "return [x for x in a] or b or c",
            "return b or c",
            "return [x for x in a if x] or c",
            "return [x for x in a if x] or b",
        },
    ),
    "dropped_jump": ("for x in a: break", {"for x in a: pass"}),
    "dropped_statement": ("a.add(b); c = 1; d = 2", {"pass; c = 1; d = 2", "a.add(b); pass; d = 2"}),
    "early_return": ("for x in a:\n        pass\n    return a", {"for x in a:\n        pass\n        return a"}),
    "lost_error": ("raise OwnError(a)", {"raise ValueError(a)", "raise LookupError(a)"}),
    "lost_order": ("return sorted(a, key=b)", {"return list(a)"}),
    "missing_check": ("if a: raise OwnError(b)", {"pass"}),
    "missing_copy": ("return [list(a), [*b]]", {"return [a, [*b]]", "return [list(a), b]"}),
    "missing_return": ("if a: return b", {"pass"}),
    "negated_condition": ("if a is None: return b if not c else a", {"if a is not None: return b if not c else a"}),
    "off_by_one": ("return a[b : c + 1]", {"return a[b - 1 : c + 1]", "return a[b + 1 : c + 1]", "return a[b : c]"}),
    "swapped_arguments": ("return f(a, b)", {"return f(b, a)"}),
    "swapped_connective": ("return a and (b or c)", {"return a or (b or c)", "return a and (b and c)"}),
    "wrong_attribute": ("return a.start", {"return a.end"}),
    "wrong_constant": ("return a == 1, True", {"return a == 2, True", "return a == 0, True", "return a == 1, False"}),
    "wrong_default": ("return 0", set()),
    "wrong_method": (
        "return min(a.strip())",
        {"return min(a.lstrip())", "return min(a.rstrip())", "return max(a.strip())"},
    ),
    "wrong_operator": ("return a + b // 2", {"return a - b // 2", "return a + b / 2"}),
    "wrong_variable": ("return b", {"return c"}),
}
PLACES = st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3))
HEAD = "# kept\ndef f(a, b: int, c: int):  # and this\n    "


def test_every_operator_has_its_example() -> None:
    assert set(EXAMPLES) == set(OPERATORS)
    assert len(OPERATORS) >= 12


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_operator_makes_its_mistake_and_leaves_the_rest_as_it_is(name: str) -> None:
    body, wanted = EXAMPLES[name]
    source = Source("m.py", f"{HEAD}{body}\n", {"start": ("end",)})
    made = {edited(source.text, edits) for _, edits in OPERATORS[name](source)}
    assert {f"{HEAD}{each}\n" for each in wanted} <= made
    if name != "negated_condition":
        assert made == {f"{HEAD}{each}\n" for each in wanted}
    for text in made:
        assert text.startswith(HEAD.splitlines()[0])
        assert ast.dump(ast.parse(text)) != ast.dump(source.tree)


def test_a_default_is_another_one() -> None:
    source = Source("m.py", "class A:\n    a: int = 1\n\n    def f(self, b=True, *, c=' ', d=None): ...\n")
    made = {edited(source.text, edits) for _, edits in OPERATORS["wrong_default"](source)}
    changes = [("= 1", "= 2"), ("= 1", "= 0"), ("True", "False"), ("' '", '""')]
    assert made == {source.text.replace(old, new) for old, new in changes}


def test_a_mistake_in_a_text_of_other_letters_is_put_where_it_belongs() -> None:
    source = Source("m.py", 'def f(a):\n    return "ä€𝄞" if a < "ü" else "ö"  # ß\n')
    (found,) = OPERATORS["comparison_boundary"](source)
    assert edited(source.text, found[1]) == source.text.replace("<", "<=")


@pytest.mark.long
def test_the_libraries_have_places_for_all_operators_and_each_for_most() -> None:
    counts: Counter[str] = Counter()
    for package in all_packages():
        paths = [path for path in package.sources() if path not in package.generated()]
        texts = {path.as_posix(): (package.folder / path).read_text(encoding="utf-8") for path in paths}
        found = Counter(defect.operator for source in sources_of(texts) for defect in candidates(source))
        assert len(found) >= 12, package.name
        counts += found
    assert set(counts) == set(OPERATORS)
    assert min(counts.values()) >= 8


def test_nearly_all_defects_of_a_library_are_sound_and_small() -> None:
    package = load_package("cachet")
    texts = {path.as_posix(): (package.folder / path).read_text(encoding="utf-8") for path in package.sources()}
    found = [(defect, source) for source in sources_of(texts) for defect in candidates(source)]
    sample = random.Random(0).sample(found, 60)
    assert sum(sound(defect, source) for defect, source in sample) >= 57
    for defect, source in sample:
        assert sum(edit.text.count("\n") for edit in defect.edits) <= 3
        touched = sum(source.text[edit.start : edit.end].count("\n") for edit in defect.edits)
        assert touched <= 6, (defect, touched)


@settings(deadline=None, max_examples=60)
@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3)), max_size=4)
)
def test_edits_change_what_they_name_and_nothing_else(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    for start, length, new in sorted(wanted):
        if start + length <= len(text) and all(start >= edit.end for edit in edits):
            edits.append(Edit(start, start + length, new))
    result = edited(text, edits)
    assert len(result) == len(text) + sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
    for edit in sorted(edits, reverse=True):
        shift = sum(len(each.text) - (each.end - each.start) for each in edits if each < edit)
        assert result[edit.start + shift :].startswith(edit.text)
    if edits:
        assert result.endswith(text[max(edit.end for edit in edits) :])


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        edited("abcdef", [Edit(0, 3, ""), Edit(2, 4, "x")])
