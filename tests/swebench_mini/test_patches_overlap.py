"""Patches, and what one text quotes of another's fix."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from package_trees import patch

from eval.suites.swebench_mini.overlap import fix_of, shown_by, tokens
from eval.suites.swebench_mini.patches import added, diff, patched, taken
from eval.suites.swebench_mini.runs import write_files

OLD = {"a.py": "".join(f"line {number}\n" for number in range(30)), "b.txt": "x\n", "gone.py": "1\n"}
NEW = {
    "a.py": OLD["a.py"].replace("line 4\n", "").replace("line 20\n", "twenty\nmore\n"),
    "b.txt": "x\n",
    "new.py": "2\n",
}


def test_a_diff_is_what_git_applies(tmp_path: Path) -> None:
    text = diff(OLD, NEW)
    write_files(tmp_path, OLD)
    assert patch(tmp_path, text).returncode == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == NEW
    assert added(text) == [["twenty", "more"], ["2"]]
    assert (taken(text, "a.py"), taken(text, "new.py")) == (["line 4", "line 20"], [])


def test_a_patch_is_applied_where_its_lines_are_and_nowhere_else() -> None:
    before, after = {"a.py": OLD["a.py"]}, {"a.py": NEW["a.py"]}
    text = diff(before, after)
    assert patched(before, text) == after
    assert patched(after, diff(after, before)) == before
    assert patched(before, text, leave_out=("a.py",)) == before
    moved = {"a.py": "first\n" + OLD["a.py"].replace("line 2\n", "another\n")}
    done = patched(moved, text)
    assert done is not None
    assert "twenty\nmore\n" in done["a.py"]
    assert patched({"a.py": OLD["a.py"].replace("line 20\n", "")}, text) is None
    assert patched({"a.py": OLD["a.py"] * 2}, text) is None


LINES = st.lists(st.sampled_from(["a", "b", "c", "+d", "-e", "@@ -1 +1 @@", ""]), max_size=12)


@settings(deadline=None, max_examples=25)
@given(LINES, LINES)
def test_any_diff_leads_from_one_text_to_the_other(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]
) -> None:
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    folder = tmp_path_factory.mktemp("tree")
    write_files(folder, {"a": before})
    text = diff({"a": before}, {"a": after})
    if text:
        done = subprocess.run(
            ["git", "apply", "--unidiff-zero", "-"],
            cwd=folder,
            input=text,
            text=True,
            capture_output=True,
            check=False,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        )
        assert done.returncode == 0, done.stderr
    assert (folder / "a").read_text(encoding="utf-8") == after


def test_a_quotation_is_eight_words_and_signs_on_end() -> None:
    base, fixed = {"m": "a = 1\n"}, {"m": "a = 1\nif one < two and three > four:\n"}
    fix = fix_of(base, fixed, shown_by(base.values()))
    assert len(tokens("if one < two and three > four:")) == 9
    assert (len(fix.lines), len(fix.around)) == (2, 5)
    assert fix.quoted(shown_by(["x\n  if one<two and\n three  > four: y"])) == 1
    assert fix.quoted(shown_by(["if one < two and three > five:"])) == 0
    assert fix.quoted(shown_by(["one < two and three > four :"])) == 0.5
    assert fix.quoted(shown_by(["if one < two and", "three > four:"])) == 0, "two texts have no run in common"
    assert fix.quoted(shown_by([])) == 0
    seen = shown_by(["a = 1", "yes; if one < two and three > four: no"])
    assert not fix_of(base, fixed, seen).lines, "it is shown anyhow"


def test_a_fix_of_few_words_or_of_none_is_told_by_what_is_around_it() -> None:
    lines = "total = 0\nfor each in things:\n    total += each\nreturn total\n"
    for broken in (lines.replace("+= each", "+= 1"), lines.replace("= 0\n", "= 0\nthings = ()\n")):
        fix = fix_of({"m": broken}, {"m": lines}, shown_by([broken]))
        assert not fix.lines
        assert fix.quoted(shown_by([f"def other():\n{lines}"])) == 1
        assert fix.quoted(shown_by([lines.replace("each", "one")])) == 0
