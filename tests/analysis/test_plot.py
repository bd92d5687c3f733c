"""`python -m eval plot`: runs and sweeps in one figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_maker import line, write_run

from eval.analysis.arm_plots import KINDS, notes
from eval.analysis.arms import find_arms
from eval.analysis.curves import Curve, draw, line_notes, running_mean, stream_curves
from eval.analysis.records import load_run
from eval.analysis.summary import summarize
from eval.commands.plot import main
from reasoningbank.errors import SetupError


def write_sweep(folder: Path, **meta: Any) -> None:
    """Two settings over two seeds: `none` solves one of four tasks, `awm` all but one."""
    for method, codes in (("none", "+---"), ("awm", "+++-")):
        for seed in (0, 1):
            varied = [f"memory={method}", f"seed={seed}"]
            content = {
                "varied": varied,
                "identity": {"memory": {"type": method}, "seed": seed, "trials": 1, "suite": {"id": "mini", "seed": 0}},
                **meta,
            }
            lines = [
                line("shopping.t0", place, [f"{code}y"], steps=[3 if code == "+" else 9])
                for place, code in enumerate(codes)
            ]
            write_run(folder / ",".join(varied), lines, **content)


def texts(path: Path) -> str:
    """All the text that an SVG shows."""
    return "\n".join("".join(each.itertext()) for each in ElementTree.parse(path).iter() if each.tag.endswith("text"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_sweep(tmp_path / "sweep")
    write_run(tmp_path / "own", [line("shopping.t0", place, ["+y"]) for place in range(6)], simulated=False)
    return tmp_path


def plotted(root: Path, *argv: str) -> str:
    """What the figure of that kind shows."""
    assert main([*argv, "--results", str(root), "--format", "svg"]) == 0
    kind = argv[argv.index("--kind") + 1] if "--kind" in argv else "cumulative"
    return texts(root / "figures" / f"{kind}.svg")


def test_a_sweep_has_an_arm_for_each_setting_and_a_run_is_one(root: Path) -> None:
    arms = find_arms(["sweep"], root)
    assert {arm.name: arm.n for arm in arms} == {"memory=none": 8, "memory=awm": 8}
    assert {arm.name: arm.setting.success_rate for arm in arms} == {"memory=none": 0.25, "memory=awm": 0.75}
    both = find_arms(["own", "sweep", "own"], root)
    assert {arm.name for arm in both} == {"own", "sweep: memory=none", "sweep: memory=awm"}
    assert both[0].name == "own"


def test_runs_with_one_name_in_two_places_stay_apart(root: Path) -> None:
    write_run(root / "other" / "own", [line("shopping.t0", 0, ["-n"])])
    arms = find_arms(["own", str(root / "other" / "own")], root)
    assert len({arm.name for arm in arms}) == 2


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_figure_says_what_it_shows(root: Path, kind: str) -> None:
    shown = plotted(root, "sweep", "--kind", kind)
    joined = " ".join(shown.split())
    assert "memory=none" in shown
    assert "memory=awm" in shown
    assert "n = 16 " in joined
    assert "16 tasks in all" in joined
    assert "SIMULATED MODEL" in shown
    assert "cannot show whether memory helps" in joined
    assert "not over the same tasks" not in joined
    unit = {"cumulative": "(%)", "success": "(%)", "steps": "(agent turns)"}[kind]
    assert unit in shown
    assert main(["sweep", "--kind", kind, "--results", str(root)]) == 0
    assert (root / "figures" / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


def test_what_no_simulated_model_made_does_not_say_so(root: Path) -> None:
    for kind in KINDS:
        assert "simulated" not in plotted(root, "own", "--kind", kind).lower()


def test_steps_of_solved_and_failed_attempts_are_apart(root: Path) -> None:
    shown = plotted(root, "sweep", "--kind", "steps")
    assert "solved, n = 2" in shown
    assert "failed, n = 6" in shown
    awm, none = sorted(find_arms(["sweep"], root), key=lambda arm: arm.name)
    assert (none.steps(solved=True), none.steps(solved=False)) == ([3] * 2, [9] * 6)
    assert len(awm.steps(solved=True)) == 6


def test_success_has_its_interval_and_its_streams(root: Path) -> None:
    shown = plotted(root, "sweep", "--kind", "success")
    assert "25.0 %" in shown
    assert "2 streams, n = 8" in shown
    assert "95 % interval" in shown


def test_success_has_each_arms_difference_to_the_first_over_pairs(root: Path) -> None:
    shown = " ".join(plotted(root, "sweep", "--kind", "success").split())
    assert "difference to memory=awm (points)" in shown
    assert "-50.0 (8 pairs)" in shown
    assert "difference" not in plotted(root, "own", "--kind", "success")
    lines = [line("shopping.t0", place, ["+y"], task_id=f"other-{place}") for place in range(3)]
    write_run(root / "else", lines)
    assert "no task in common" in plotted(root, "own", "else", "--kind", "success")


def test_a_sweeps_name_is_in_the_title_and_in_no_label(root: Path) -> None:
    for kind in KINDS:
        shown = plotted(root, "sweep", "own", "--kind", kind)
        assert shown.count("sweep") == 1
        assert ": sweep and others - SIMULATED MODEL" in shown
        assert "memory=awm" in shown
        assert "own" in shown
    write_sweep(root / "second")
    assert "second: memory=awm" in plotted(root, "sweep", "second")


def test_arms_of_other_metrics_are_told_apart(root: Path) -> None:
    lines = [line("shopping.t0", place, ["+y", "-n"], selected=0) for place in range(6)]
    write_run(root / "best", lines, success_metric="best_of_n", k=2)
    for kind, said in (("cumulative", "own (n = 6, Pass@1"), ("success", "n = 6, Pass@1")):
        shown = " ".join(plotted(root, "own", "best", "--kind", kind).split())
        assert "Pass@1 or best-of-N (%)" in shown
        assert "not like for like" in shown
        assert said in shown
    assert "best (n = 6, best-of-N, k = 2)" in plotted(root, "own", "best")
    assert "like for like" not in plotted(root, "own", "own")


def test_lines_are_named_in_the_order_in_which_they_end_and_end_in_a_number(root: Path) -> None:
    shown = plotted(root, "sweep")
    assert shown.index("memory=awm") < shown.index("memory=none")
    assert "75.0" in shown
    assert "25.0" in shown
    assert "95 % intervals" in " ".join(shown.split())


def lines_of(folder: Path, groups: int, trials: int, tasks: int = 2) -> tuple[list[Curve], list[Curve]]:
    """What the figure of a run of so many streams is drawn from; streams end at two rates."""
    names = {f"lib{group}.t{trial}": tasks for group in range(groups) for trial in range(trials)}
    lines = [
        line(name, place, ["+y" if number % 2 or place else "-n"])
        for number, name in enumerate(names)
        for place in range(tasks)
    ]
    run = load_run(write_run(folder, lines, streams=names))
    return stream_curves(run, summarize(run))


def test_the_lines_of_many_streams_are_told_apart(tmp_path: Path) -> None:
    curves, (whole,) = lines_of(tmp_path / "many", 12, 2)
    assert len({(each.colour, each.marker, each.dash) for each in curves}) == 24
    first = curves[::2]
    assert len({each.colour for each in first}) == len({each.marker for each in first}) == 12
    assert whole.colour not in {each.colour for each in curves}
    more, _ = lines_of(tmp_path / "more", 40, 1, 1)
    assert len({(each.colour, each.marker) for each in more}) == 40


def test_the_whole_is_named_first_and_drawn_over_the_others(tmp_path: Path) -> None:
    curves, whole = lines_of(tmp_path / "many", 3, 1)
    assert not lines_of(tmp_path / "one", 1, 1)[1], "one stream is the whole"
    figure = draw(curves, "Pass@1", lambda figure: (figure.suptitle("t"), figure.supxlabel("c")), whole)
    (legend,) = figure.legends
    assert [text.get_text().partition(" ")[0] for text in legend.get_texts()] == [
        *("overall", "lib1.t0", "lib0.t0", "lib2.t0")
    ]
    assert all(tick == int(tick) for tick in figure.axes[0].get_xticks()), "tasks are whole"
    *others, over = figure.axes[0].get_lines()
    assert over.get_color() == whole[0].colour
    assert over.get_zorder() > max(each.get_zorder() for each in others)


def test_a_line_of_one_task_is_seen(tmp_path: Path) -> None:
    curves, whole = lines_of(tmp_path / "short", 2, 1, 1)
    figure = draw(curves, "Pass@1", lambda figure: (figure.suptitle("t"), figure.supxlabel("c")), whole)
    assert all(each.get_marker() not in ("", "None") for each in figure.axes[0].get_lines())


def test_a_caption_tells_of_the_ends_that_are_shown(tmp_path: Path) -> None:
    for groups, tasks, told in (
        (3, 2, ["at the right where they end, with 95 % intervals"]),
        (8, 10, ["lines of 10 tasks or more begin at task 5", "at the right where the overall line ends, with its"]),
    ):
        found = line_notes(*lines_of(tmp_path / str(groups), groups, 1, tasks))
        assert len(found) == len(told)
        assert all(text.startswith(wanted) for text, wanted in zip(found, told, strict=True))
    curves, whole = lines_of(tmp_path / "two", 2, 1)
    bare = [replace(each, interval=None) for each in (*curves, *whole)]
    assert line_notes(bare[:2], bare[2:]) == ["at the right where they end"]
    assert line_notes(bare[:2], whole) == ["at the right where they end, with 95 % intervals of those that have one"]
    assert line_notes([replace(each, rate=None) for each in bare]) == []


@given(values=st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=40))
@settings(deadline=None, max_examples=40)
def test_a_line_begins_where_its_mean_is_over_some_tasks(values: list[float]) -> None:
    curve = Curve(label="", values=running_mean(values), rate=None, interval=None, colour="black", marker="o", dash="-")
    assert curve.first == (5 if len(values) >= 10 else 1)


def test_lessons_that_were_given_and_banks_of_unknown_making_are_said(root: Path) -> None:
    write_run(root / "told", [line("shopping.t0", 0, ["+y"])], given_lessons=["oracle"])
    write_run(root / "found", [line("shopping.t0", 0, ["+y"])], origin_known=False)
    for kind in KINDS:
        shown = " ".join(plotted(root, "told", "--kind", kind).split())
        assert "lessons given (oracle)" in shown
        assert "does not say what made it" not in shown
        assert "does not say what made it" in " ".join(plotted(root, "found", "--kind", kind).split())
        assert "lessons given" not in plotted(root, "own", "--kind", kind)


def test_arms_over_other_tasks_unfinished_runs_and_gold_are_said(root: Path) -> None:
    write_run(root / "part", [line("shopping.t0", 0, ["+y"])], streams={"shopping.t0": 5}, gold_doors=["judge=oracle"])
    assert len(notes(find_arms(["own", "part"], root))) == 3
    shown = " ".join(plotted(root, "own", "part").split())
    assert "incomplete" in shown
    assert "the arms are not over the same tasks" in shown
    assert "judge=oracle" in shown


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_equal_runs_give_equal_files_and_names_are_no_formulas(root: Path, kind: str) -> None:
    write_run(root / "a$b$_x", [line("shopping.t0", place, ["+y", "-n"], selected=0) for place in range(3)])
    files = []
    for out in ("first", "second"):
        assert main(["a$b$_x", "--kind", kind, "--results", str(root), "--out", str(root / out)]) == 0
        files.append([(root / out / f"{kind}.{form}").read_bytes() for form in ("png", "svg")])
    assert files[0] == files[1]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_run_that_has_just_begun_and_many_arms_can_be_drawn(root: Path, kind: str) -> None:
    write_run(root / "new", [], streams={"shopping.t0": 5})
    many = [f"run-{number}" for number in range(16)]
    for name in many:
        write_run(root / name, [line("shopping.t0", place, ["+y" if place % 2 else "!"]) for place in range(4)])
    assert main(["new", "--kind", kind, "--results", str(root)]) == 0
    assert "run-15" in plotted(root, *many, "--kind", kind)


def test_only_the_asked_formats_are_written(root: Path) -> None:
    assert main(["own", "--format", "svg", "--results", str(root), "--out", str(root / "deep" / "fig")]) == 0
    assert [path.name for path in (root / "deep" / "fig").iterdir()] == ["cumulative.svg"]


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["own", "--format", "pdf"], "pdf"),
        (["own", "--format", ","], "empty"),
        (["own", "--kind", "bars"], "bars"),
        (["onw"], "did you mean own?"),
        ([], "RUN"),
        (["own", "--out", "{root}/own/meta.json/x"], "cannot write"),
    ],
)
def test_what_is_wrong_is_one_line(root: Path, argv: list[str], told: str) -> None:
    with pytest.raises(SetupError, match=told.replace("?", r"\?")):
        main([*(each.format(root=root) for each in argv), "--results", str(root)])
