"""From run folders to summary.json, table.txt and cumulative.png."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_maker import line, write_run
from matplotlib.figure import Figure
from matplotlib.text import Text
from rich.console import Console

from eval.analysis import curves, plots, rates
from eval.analysis.curves import overall_curve, running_mean
from eval.analysis.records import find_run, load_run, runs_below
from eval.analysis.report import write_report, write_sweep_report
from eval.analysis.summary import summarize
from eval.journal import JournalLine
from reasoningbank.errors import SetupError
from reasoningbank.types import Usage


def lines_of_two_streams() -> list[JournalLine]:
    return [
        line("shopping.t0", 0, ["+y", "-y", "-n"], template_id="a", steps=[4, 6, 8], selected=0, items=3),
        line("shopping.t0", 1, ["-n", "-n", "-?"], template_id="a", steps=[9, 9, 9], selected=2, refused=2, items=0),
        line("shopping.t0", 2, ["+y", "+n", "+y"], template_id="b", steps=[3, 3, 3], selected=1),
        line("gitlab.t0", 0, ["-n", "-n", "+y"], template_id="c", steps=[7, 7, 5], selected=0),
    ]


def test_every_figure_of_a_parallel_run(tmp_path: Path) -> None:
    run = write_run(tmp_path / "demo", lines_of_two_streams(), success_metric="best_of_n")
    report = write_report(run)
    stored = json.loads((run / "summary.json").read_text())
    assert stored == report.summary.model_dump(mode="json")
    assert stored["schema_version"] == 1
    assert stored["simulated"] is True
    assert stored["complete"] is True
    assert list(stored["streams"]) == ["shopping.t0", "gitlab.t0"]

    overall = stored["overall"]
    assert overall["n"] == 4
    assert overall["success_metric"] == "best_of_n"
    assert overall["success_rate"] == overall["best_of_n"] == pytest.approx(2 / 4)
    assert overall["interval"]["low"] < 0.5 < overall["interval"]["high"]
    assert overall["pass_at_1"] == pytest.approx((1 / 3 + 0 + 1 + 1 / 3) / 4)
    assert overall["pass_at_k"]["1"] == pytest.approx(overall["pass_at_1"])
    assert overall["pass_at_k"]["2"] == pytest.approx((2 / 3 + 0 + 1 + 2 / 3) / 4)
    assert overall["pass_at_k"]["3"] == pytest.approx(3 / 4)
    assert overall["k"] == 3
    assert overall["steps_mean"] == pytest.approx((18 + 27 + 9 + 19) / 12)
    assert overall["steps_mean_solved"] == pytest.approx((4 + 9 + 5) / 5)
    assert overall["steps_mean_failed"] == pytest.approx((14 + 27 + 14) / 7)
    assert overall["judge_confusion"] == {"tp": 4, "fp": 1, "tn": 5, "fn": 1, "unparseable": 1}
    assert overall["judge_accuracy"] == pytest.approx(9 / 11)
    assert overall["items_stored"] == 5
    assert overall["experiences_stored"] == 3
    assert overall["refused"] == 2
    assert overall["injected_tokens_mean"] == pytest.approx((0 + 100 + 200 + 0) / 4)
    assert overall["tokens"]["agent"] == {
        "calls": 20,
        "input_tokens": 4000,
        "output_tokens": 200,
        "thinking_tokens": 0,
    }
    assert overall["infra_errors"] == {"episodes": 0, "attempts": 0}
    assert overall["template_first"] == {"n": 3, "success_rate": pytest.approx(2 / 3)}
    assert overall["template_repeat"] == {"n": 1, "success_rate": 0.0}
    assert overall["exits"] == {"answered": 12}


def test_single_runs_have_no_best_of_n_and_no_judge_without_verdicts(tmp_path: Path) -> None:
    run = write_run(tmp_path / "one", [line("shopping.t0", p, ["+" if p else "-"], items=0) for p in range(3)])
    overall = summarize(load_run(run)).overall
    assert overall.success_metric == "pass_at_1"
    assert overall.success_rate == overall.pass_at_1 == overall.one_random_attempt == pytest.approx(2 / 3)
    assert overall.best_of_n is None
    assert overall.judge_accuracy is None
    assert overall.judge_confusion is None


def test_a_sequence_of_answers_has_neither_pass_at_k_nor_best_of_n(tmp_path: Path) -> None:
    lines = [line("shopping.t0", 0, ["+y"], selected=0), line("shopping.t0", 1, ["-n"], selected=0)]
    overall = summarize(load_run(write_run(tmp_path / "seq", lines, success_metric="last_answer"))).overall
    assert overall.success_rate == 0.5
    assert (overall.pass_at_1, overall.pass_at_k, overall.best_of_n) == (None, None, None)


def test_an_unknown_success_metric_is_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path / "odd", [line("shopping.t0", 0, ["+y"])], success_metric="best_guess")
    with pytest.raises(SetupError, match="best_guess"):
        summarize(load_run(run))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from(["+y", "-n", "-y", "!"]), min_size=2, max_size=2), max_size=8))
def test_infra_errors_change_no_figure_but_their_own_count(codes: list[list[str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        lines = [line("shopping.t0", p, each, items=0, selected=0) for p, each in enumerate(codes)]
        run = load_run(write_run(Path(name) / "with", lines, success_metric="best_of_n"))
    clean = [
        replace(stream, lines=(kept := tuple(each for each in stream.lines if each.result.counted)), planned=len(kept))
        for stream in run.streams
    ]
    with_errors, without = summarize(run), summarize(replace(run, streams=tuple(clean)))
    apart = {"planned", "tokens", "exits", "infra_errors"}
    assert with_errors.overall.model_dump(exclude=apart) == without.overall.model_dump(exclude=apart)
    assert with_errors.overall.infra_errors.episodes == sum("!" in code for code in codes)
    assert with_errors.overall.infra_errors.attempts == sum(code.count("!") for code in codes)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from(["+y", "-n"]), min_size=3, max_size=3), min_size=1, max_size=8), st.data())
def test_best_of_n_never_beats_pass_at_k(codes: list[list[str]], data: st.DataObject) -> None:
    import tempfile

    picks = [data.draw(st.integers(0, 2)) for _ in codes]
    lines = [line("s.t0", p, each, selected=pick) for p, (each, pick) in enumerate(zip(codes, picks, strict=True))]
    with tempfile.TemporaryDirectory() as name:
        overall = summarize(load_run(write_run(Path(name) / "r", lines, success_metric="best_of_n"))).overall
    assert overall.pass_at_k is not None
    assert overall.best_of_n is not None
    best = overall.pass_at_k["3"]
    assert best is not None
    assert overall.best_of_n <= best + 1e-12
    assert overall.one_random_attempt is not None
    assert overall.one_random_attempt <= best + 1e-12


def test_an_unfinished_run_is_reported_with_its_n(tmp_path: Path) -> None:
    lines = [line("shopping.t0", 0, ["+y"])]
    run = write_run(tmp_path / "half", lines, streams={"shopping.t0": 5, "gitlab.t0": 3})
    report = write_report(run)
    assert report.summary.complete is False
    assert report.summary.overall.planned == 8
    assert report.summary.streams["gitlab.t0"].n == 0
    assert report.summary.streams["gitlab.t0"].success_rate is None
    table = (run / "table.txt").read_text()
    assert "half (simulated, incomplete)" in table
    assert "1 of 8" in table


def test_a_run_without_a_line_yet(tmp_path: Path) -> None:
    report = write_report(write_run(tmp_path / "empty", [], streams={"shopping.t0": 2}))
    assert report.summary.overall.n == 0
    assert report.summary.overall.pass_at_k is None
    assert report.summary.overall.interval is None


def test_a_redone_episode_counts_once_with_its_newest_line(tmp_path: Path) -> None:
    lines = [
        line("shopping.t0", 0, ["!"], items=0),
        line("shopping.t0", 1, ["-n"]),
        line("shopping.t0", 0, ["+y"], items=0),
    ]
    overall = summarize(load_run(write_run(tmp_path / "redo", lines, streams={"shopping.t0": 2}))).overall
    assert overall.n == 2
    assert overall.success_rate == 0.5
    assert overall.infra_errors.episodes == 0
    assert overall.complete


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_torn_last_line_is_passed_over(tmp_path: Path, cut: int) -> None:
    run = write_run(tmp_path / "torn", [line("shopping.t0", p, ["+y"]) for p in range(3)])
    path = run / "streams/shopping.t0/journal.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    record = load_run(run)
    assert [each.result.position for each in record.streams[0].lines] == [0, 1]
    assert not record.complete


def test_a_broken_middle_line_is_refused_with_its_place(tmp_path: Path) -> None:
    run = write_run(tmp_path / "broken", [line("shopping.t0", p, ["+y"]) for p in range(3)])
    path = run / "streams/shopping.t0/journal.jsonl"
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(whole[0] + whole[1][:50] + b"\n" + whole[2])
    with pytest.raises(SetupError, match=r"journal\.jsonl, line 2 is not JSON"):
        load_run(run)


@pytest.mark.parametrize(("content", "found"), [("{", "is not JSON"), ("[]", "list where an object belongs")])
def test_a_broken_meta_is_refused(tmp_path: Path, content: str, found: str) -> None:
    (tmp_path / "meta.json").write_text(content)
    with pytest.raises(SetupError, match=found):
        load_run(tmp_path)


def test_runs_are_found_by_path_or_name_and_missed_ones_told(tmp_path: Path) -> None:
    run = write_run(tmp_path / "matts-12ab", [line("shopping.t0", 0, ["+y"])])
    write_run(tmp_path / "sweep" / "memory=none", [line("shopping.t0", 0, ["+y"])])
    write_run(tmp_path / ".old" / "matts-12ab", [line("shopping.t0", 0, ["+y"])])
    assert find_run(str(run), tmp_path) == run
    assert find_run("matts-12ab", tmp_path) == run
    assert find_run("sweep/memory=none", tmp_path) == tmp_path / "sweep/memory=none"
    with pytest.raises(SetupError, match="matts-12ab"):
        find_run("mats-12ab", tmp_path)
    with pytest.raises(SetupError, match="is no run itself: it holds 1 run;"):
        find_run("sweep", tmp_path)
    with pytest.raises(SetupError, match="no run 'x'"):
        find_run("x", tmp_path / "absent")
    assert len(runs_below(tmp_path)) == 2


def test_the_table_on_screen_says_simulated_and_is_the_file(tmp_path: Path) -> None:
    run = write_run(tmp_path / "demo", lines_of_two_streams(), success_metric="best_of_n")
    buffer = io.StringIO()
    write_report(run).render(Console(file=buffer, width=120))
    screen, file = buffer.getvalue(), (run / "table.txt").read_text()
    assert "demo (simulated)" in file
    assert "! simulated" in file
    for row in file.splitlines():
        assert row.rstrip() in screen
    for label in (
        "shopping.t0",
        "gitlab.t0",
        "overall",
        "50.0 %",
        "95 % interval",
        "pass@3",
        "4 / 1",
        "5 / 1",
        "agent tokens in, out",
    ):
        assert label in file


def test_a_real_run_is_not_called_simulated(tmp_path: Path) -> None:
    run = write_run(tmp_path / "real", [line("shopping.t0", 0, ["+y"])], simulated=False)
    report = write_report(run)
    assert report.summary.simulated is False
    assert "simulated" not in (run / "table.txt").read_text()


def test_a_judge_that_saw_gold_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path / "oracle", [line("shopping.t0", 0, ["+y"])], gold_doors=["judge=oracle"])
    assert write_report(run).summary.gold_doors == ("judge=oracle",)
    assert "gold reached what was learnt, through judge=oracle" in (run / "table.txt").read_text()


def test_lessons_that_were_given_and_a_bank_of_unknown_making_are_told(tmp_path: Path) -> None:
    run = write_run(tmp_path / "given", [line("shopping.t0", 0, ["+y"])], given_lessons=["oracle"], origin_known=False)
    report = write_report(run)
    stored = json.loads((run / "summary.json").read_text())
    assert (stored["given_lessons"], stored["origin_known"]) == (["oracle"], False)
    assert "! lessons given (oracle)" in report.table()
    assert "! starts from a bank that does not say what made it" in report.table()


def test_a_figure_says_what_it_counts_and_what_saw_gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    real = plots.picture

    def reading(figure: Figure, form: plots.Format) -> bytes:
        shown.append(" ".join(text.get_text() for text in figure.findobj(Text)))
        return real(figure, form)

    for module in (curves, rates):
        monkeypatch.setattr(module, "picture", reading)
    for name, doors in (("with", ["judge=oracle"]), ("without", [])):
        run = tmp_path / name / "memory=none"
        write_run(run, lines_of_two_streams(), success_metric="best_of_n", gold_doors=doors)
        write_report(run)
        write_sweep_report(tmp_path / name)
        assert json.loads((tmp_path / name / "summary.json").read_text())["gold_doors"] == doors
        for figure in map(str.split, shown[-2:]):
            text = " ".join(figure)
            assert "success by best-of-N" in text
            assert "SIMULATED MODEL" in text
            assert "cannot show whether memory helps" in text
            assert ("gold reached what was learnt, through judge=oracle" in text) is bool(doors)
    assert len(shown) == 4


def test_what_was_lost_on_the_way_is_told_where_there_is_any(tmp_path: Path) -> None:
    costs: list[dict[str, Any]] = [
        {"retries": 2, "failed_tokens": Usage(calls=2, input_tokens=1500, output_tokens=40, thinking_tokens=7)},
        {"retries": 1, "failed_tokens": Usage(calls=1, input_tokens=500), "cached_tokens": 900},
        {},
    ]
    run = write_run(tmp_path / "dear", [line("s.t0", p, ["+y"], **cost) for p, cost in enumerate(costs)])
    write_report(run)
    assert json.loads((run / "summary.json").read_text())["overall"]["overhead"] == {
        "retries": 3,
        "failed_tokens": {"calls": 3, "input_tokens": 2000, "output_tokens": 40, "thinking_tokens": 7},
        "cached_tokens": 900,
    }
    rows = {" ".join(row.split()) for row in (run / "table.txt").read_text().splitlines()}
    assert {"retries 3", "lost tokens in, out 2,000, 40", "cached tokens in 900"} <= rows
    plain = write_run(tmp_path / "plain", [line("s.t0", 0, ["+y"])])
    write_report(plain)
    assert not any(word in (plain / "table.txt").read_text() for word in ("retries", "lost tokens", "cached"))


def test_what_teaches_nothing_leaves_the_next_of_its_template_the_first(tmp_path: Path) -> None:
    lines = [
        line("s.t0", 0, ["!"], template_id="a", items=0, teaches=False),
        line("s.t0", 1, ["-n"], template_id="a"),
        line("s.t0", 0, ["+y"], template_id="a", items=0, teaches=False),  # done afterwards
        line("s.t0", 2, ["+y"], template_id="a"),
    ]
    overall = summarize(load_run(write_run(tmp_path / "redo", lines))).overall
    assert (overall.template_first.n, overall.template_repeat.n) == (2, 1)
    frozen = [line("s.t0", p, ["+y"], template_id="a", items=0, teaches=False) for p in range(3)]
    overall = summarize(load_run(write_run(tmp_path / "frozen", frozen))).overall
    assert (overall.template_first.n, overall.template_repeat.n) == (3, 0)


def test_a_table_says_what_its_intervals_are_drawn_from(tmp_path: Path) -> None:
    alone = "95 %: drawn from tasks alone: nothing about other seeds, orders, worlds"
    single = "95 %: of one stream drawn from tasks alone"
    few = "95 %: drawn from 2 streams a group only, and so too narrow"
    cases = {
        ("a.t0",): {alone},
        ("a.t0", "b.t0", "c.t0"): {alone},
        ("a.t0", "a.t1"): {single, few},
        tuple(f"{group}.t{trial}" for group in "abcde" for trial in (0, 1)): {single, few},
        tuple(f"a.t{trial}" for trial in range(10)): {single},
    }
    for number, (streams, told) in enumerate(cases.items()):
        lines = [line(stream, p, ["+y" if p % 2 else "-n"]) for stream in streams for p in range(4)]
        run = write_run(tmp_path / str(number), lines)
        write_report(run)
        text = (run / "table.txt").read_text()
        for each in (alone, single, few):
            assert (each in text) is (each in told), (streams, each)


def test_reports_are_equal_to_the_byte_when_made_again(tmp_path: Path) -> None:
    run = write_run(tmp_path / "demo", lines_of_two_streams(), success_metric="best_of_n")
    names = ("summary.json", "table.txt", "cumulative.png")
    write_report(run)
    before = [(run / name).read_bytes() for name in names]
    write_report(run)
    assert [(run / name).read_bytes() for name in names] == before
    assert before[2].startswith(b"\x89PNG")
    assert sorted(path.name for path in run.iterdir()) == sorted([*names, "meta.json", "streams"])


def test_a_sweep_compares_its_runs(tmp_path: Path) -> None:
    sweep = tmp_path / "baselines"
    write_run(
        sweep / "memory=none",
        [line("shopping.t0", 0, ["+y"], steps=[8]), line("shopping.t0", 1, ["+y"], steps=[4])],
    )
    write_run(
        sweep / "memory=reasoningbank",
        [line("shopping.t0", 0, ["+y"], steps=[6]), line("shopping.t0", 1, ["-n"], steps=[30])],
    )
    report = write_sweep_report(sweep)
    stored = json.loads((sweep / "summary.json").read_text())
    assert list(stored["runs"]) == ["memory=none", "memory=reasoningbank"]
    assert (stored["simulated"], stored["gold_doors"]) == (True, [])
    table = (sweep / "table.txt").read_text()
    assert "reasoningbank  " in table
    assert "baselines (simulated)" in table
    buffer = io.StringIO()
    report.render(Console(file=buffer, width=220))
    assert "none" in buffer.getvalue()
    with pytest.raises(SetupError, match="holds no runs"):
        write_sweep_report(tmp_path / "baselines" / "memory=none" / "streams")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=9), max_size=4))
def test_curves_end_at_the_mean(streams: list[list[float]]) -> None:
    for values in filter(None, streams):
        assert running_mean(values)[-1] == pytest.approx(sum(values) / len(values))
    everything = [value for values in streams for value in values]
    curve = overall_curve(streams)
    assert len(curve) == max(map(len, streams), default=0)
    if everything:
        assert curve[-1] == pytest.approx(sum(everything) / len(everything))
