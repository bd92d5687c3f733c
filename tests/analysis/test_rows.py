"""A run's table has the rows that say something of it; summary.json has every figure, null where it does not apply."""

from __future__ import annotations

from pathlib import Path

import pytest
from journal_maker import line, write_run

from eval.analysis.comparison import OUTCOMES
from eval.analysis.records import load_run
from eval.analysis.summary import Summary, summarize
from eval.analysis.tables import plain, run_table

MANY = ("Pass@1 (mean of c/k)", "one random attempt")
JUDGED = ("judge accuracy", "judge tp / fp", "judge tn / fn", "judge unparseable")


def made(folder: Path, codes: list[str], metric: str = "pass_at_1") -> Summary:
    lines = [line("s.t0", position, codes) for position in range(3)]
    return summarize(load_run(write_run(folder, lines, success_metric=metric)))


@pytest.mark.parametrize(
    ("codes", "metric", "rows"),
    [
        (["+y"], "pass_at_1", JUDGED),
        (["+"], "pass_at_1", ()),
        (["+", "-", "-"], "pass_at_1", ("one random attempt", "pass@2", "pass@3")),
        (["+y", "-n"], "best_of_n", (*MANY, "pass@2", *JUDGED)),
        (["+"], "best_of_n", ()),
    ],
)
def test_rows_that_say_nothing_are_left_out(
    codes: list[str], metric: str, rows: tuple[str, ...], tmp_path: Path
) -> None:
    summary = made(tmp_path / "run", codes, metric)
    told = plain(run_table(summary)).splitlines()
    there = [each for each in (*MANY, "pass@2", "pass@3", *JUDGED) if any(row.startswith(each) for row in told)]
    assert sorted(there) == sorted(rows)
    assert summary.overall.pass_at_1 is not None, "the summary has it all the same"


def test_a_sweeps_pass_at_k_is_told_where_it_is_another_figure(tmp_path: Path) -> None:
    cell = dict(OUTCOMES)["pass@k"]
    assert cell(made(tmp_path / "one", ["+"]).overall) == "-"
    assert cell(made(tmp_path / "two", ["+", "-"]).overall) == "100.0 %"
