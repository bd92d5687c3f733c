"""Flips and success by answer, counted again in the plainest way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journal_maker import attempt, line, write_run

from eval.analysis.answers import answers_of
from eval.analysis.records import load_run
from eval.analysis.summary import summarize
from eval.analysis.tables import plain, run_table
from eval.journal import AttemptResult, JournalLine, Outcome, RoundResult


def outcome(code: str) -> Outcome | None:
    return None if code == "?" else Outcome(status="solved" if code == "+" else "unsolved", reward=float(code == "+"))


def sequence(codes: str, end: str = "") -> AttemptResult:
    """An attempt with these answers, `?` for one that was not evaluated; `end` where it ended otherwise."""
    rounds = tuple(
        RoundResult(step=number, exit="answered", answer=str(number), outcome=outcome(code))
        for number, code in enumerate(codes)
    )
    return attempt("s.t0/0000/1", 0, end or codes[-1]).model_copy(update={"rounds": rounds})


def test_turns_are_counted_both_ways() -> None:
    found = answers_of([sequence("-++"), sequence("+-+"), sequence("++-"), sequence("---")])
    assert (found.wrong_to_right, found.right_to_wrong) == (2, 2)
    assert found.solved_after == {"1": 0.5, "2": 0.5, "3": 0.5}
    assert (found.n, found.most, found.mean) == (4, 3, 3.0)


def test_what_was_undone_after_the_last_answer_counts() -> None:
    found = answers_of([sequence("+", end="-"), sequence("--+")])
    assert (found.wrong_to_right, found.right_to_wrong) == (1, 1)
    assert found.solved_after == {"1": 0.5, "2": 0.0, "3": 0.5}


def test_answers_that_were_not_evaluated_are_left_out() -> None:
    found = answers_of([sequence("?+"), sequence("-+")])
    assert (found.n, found.most, found.mean, found.wrong_to_right) == (1, 2, 2.0, 1)
    assert answers_of([sequence("?+")]).solved_after == {"1": None, "2": None}


def test_nothing_was_answered() -> None:
    none = attempt("s.t0/0000/1", 0, "-")
    found = answers_of([none])
    assert (found.n, found.most, found.mean, found.solved_after) == (1, 0, 0.0, {})
    assert answers_of([]).mean is None
    assert answers_of([none, sequence("+")]).solved_after == {"1": 0.5}


@given(st.lists(st.text("+-", min_size=1, max_size=5), min_size=1, max_size=8))
def test_what_turned_is_the_way_from_the_first_answer_to_the_last(codes: list[str]) -> None:
    found = answers_of([sequence(each) for each in codes])
    first, last = sum(each[0] == "+" for each in codes), sum(each[-1] == "+" for each in codes)
    assert last - first == found.wrong_to_right - found.right_to_wrong
    assert found.solved_after["1"] == pytest.approx(first / len(codes))
    assert found.solved_after[str(found.most)] == pytest.approx(last / len(codes))


def sequential_line(position: int, codes: str) -> JournalLine:
    made = line("s.t0", position, [codes[-1]])
    result = made.result.model_copy(update={"attempts": (sequence(codes),)})
    return made.model_copy(update={"result": result})


def test_a_run_of_sequences(tmp_path: Path) -> None:
    lines = [sequential_line(0, "-+"), sequential_line(1, "++"), sequential_line(2, "+-")]
    summary = summarize(load_run(write_run(tmp_path / "run", lines, success_metric="last_answer", k=4)))
    assert summary.overall.success_rate == pytest.approx(2 / 3)
    assert summary.overall.k == 4
    assert (summary.overall.pass_at_1, summary.overall.best_of_n) == (None, None)
    assert summary.overall.pass_at_k is None
    text = plain(run_table(summary))
    for row in ("solved after answer 1 66.7 %", "solved after answer 2 66.7 %", "answers turned wrong 1"):
        assert row in " ".join(text.split()), row


def test_a_run_without_checks_has_no_such_rows(tmp_path: Path) -> None:
    summary = summarize(load_run(write_run(tmp_path / "run", [line("s.t0", 0, ["+"])])))
    assert summary.overall.answers is None
    assert "answer" not in plain(run_table(summary))
