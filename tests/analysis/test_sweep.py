"""A sweep's settings pooled over seeds and worlds, their paired differences, and the tables that show them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_maker import cluster, line, write_journal, write_run

from eval.analysis.report import write_sweep_report
from eval.analysis.stats import mean_interval
from eval.analysis.sweep import Setting
from eval.journal import JournalLine

ORDER = ("none", "synapse", "awm")


def lines(codes: str, stream: str = "shopping.t0", **values: Any) -> list[JournalLine]:
    return [line(stream, place, [f"{code}y"], **values) for place, code in enumerate(codes)]


def write(sweep: Path, method: str, seed: int, world: int, codes: str, **meta: Any) -> Path:
    """One run of a sweep over methods, seeds and worlds, as the runner describes it."""
    varied = [f"memory={method}", f"seed={seed}", f"suite.seed={world}"]
    identity = {"memory": {"type": method}, "seed": seed, "trials": 1, "suite": {"id": "mini", "seed": world}}
    content = {
        "varied": varied,
        "identity": identity,
        "command": f"python -m eval run -m memory={','.join(ORDER)} seed=0,1 suite.seed=0,1",
        **meta,
    }
    return write_run(sweep / ",".join(varied), lines(codes), **content)


def settings_of(sweep: Path) -> dict[str, Setting]:
    report = write_sweep_report(sweep)
    stored = json.loads((sweep / "summary.json").read_text())["settings"]
    assert stored == {name: each.model_dump(mode="json") for name, each in report.settings.items()}
    return report.settings


def test_one_row_a_setting_over_seeds_and_worlds(tmp_path: Path) -> None:
    for seed in (0, 1):
        for world in (0, 1):
            write(tmp_path, "none", seed, world, "+---")
            write(tmp_path, "awm", seed, world, "++--" if seed else "+++-")
    found = settings_of(tmp_path)
    assert list(found) == ["memory=none", "memory=awm"], "as the command lists them, not by name"
    none, awm = found.values()
    assert (none.n, none.streams, len(none.runs), none.success_rate) == (16, 4, 4, 0.25)
    assert none.difference is None
    assert (awm.n, awm.success_rate) == (16, 10 / 16)
    assert awm.interval is not None
    assert awm.interval.method == "bootstrap_streams"
    assert awm.interval.low < 10 / 16 < awm.interval.high
    assert awm.difference is not None
    assert (awm.difference.to, awm.difference.n, awm.difference.streams) == ("memory=none", 16, 4)
    assert awm.difference.success_rate == pytest.approx(6 / 16)
    assert awm.difference.interval is not None
    assert awm.difference.interval.low < 6 / 16 < awm.difference.interval.high


def test_pairs_are_the_same_task_world_seed_and_trial(tmp_path: Path) -> None:
    write(tmp_path, "none", 0, 0, "+-+")
    write(tmp_path, "awm", 0, 0, "++")  # not finished: two pairs
    write(tmp_path, "awm", 0, 1, "++++")  # another world
    write(tmp_path, "awm", 1, 0, "++++")  # another seed
    write(tmp_path, "synapse", 1, 1, "----")  # nothing in common with the first
    found = settings_of(tmp_path)
    assert list(found) == ["memory=none", "memory=synapse", "memory=awm"]
    awm = found["memory=awm"].difference
    assert awm is not None
    assert (awm.n, awm.streams, awm.success_rate) == (2, 1, 0.5)
    assert found["memory=synapse"].difference is None
    assert found["memory=awm"].n == 10


def test_a_task_left_out_in_one_setting_is_no_pair(tmp_path: Path) -> None:
    write(tmp_path, "none", 0, 0, "++")
    run = write(tmp_path, "awm", 0, 0, "+-")
    write_journal(run / "streams/shopping.t0/journal.jsonl", [*lines("+"), line("shopping.t0", 1, ["!"], items=0)])
    awm = settings_of(tmp_path)["memory=awm"]
    assert awm.n == 1
    assert awm.difference is not None
    assert (awm.difference.n, awm.difference.success_rate, awm.difference.interval) == (1, 0.0, None)


def test_any_other_key_makes_another_setting(tmp_path: Path) -> None:
    for k in (1, 5):
        identity = {"k": k, "seed": 0, "suite": {"seed": 0}}
        write_run(tmp_path / f"k={k},seed=0", lines("+-"), varied=[f"k={k}", "seed=0"], identity=identity)
    changed = {"k": 1, "seed": 0, "suite": {"seed": 0}, "code": "changed"}
    write_run(tmp_path / "again", lines("+-"), varied=["k=1", "seed=0"], identity=changed)
    assert sorted(settings_of(tmp_path)) == ["k=1", "k=1 (2)", "k=5"]


def test_a_sweep_of_seeds_alone_is_one_setting(tmp_path: Path) -> None:
    for seed in (0, 1, 10, 2):
        identity = {"seed": seed, "suite": {"seed": 0}}
        write_run(tmp_path / f"seed={seed}", lines("+-"), varied=[f"seed={seed}"], identity=identity, label="mine")
    found = settings_of(tmp_path)
    assert list(found) == ["mine"]
    assert found["mine"].runs == ("seed=0", "seed=1", "seed=2", "seed=10")
    assert (found["mine"].streams, found["mine"].n) == (4, 8)


def test_a_stream_that_two_runs_share_counts_once(tmp_path: Path) -> None:
    for trials in (1, 2):
        members = [each for trial in range(trials) for each in lines("+-", f"shopping.t{trial}")]
        identity = {"seed": 0, "trials": trials, "suite": {"seed": 0}}
        write_run(tmp_path / f"trials={trials}", members, varied=[f"trials={trials}"], identity=identity)
    (found,) = settings_of(tmp_path).values()
    assert (found.streams, found.n) == (2, 4)


def test_no_figure_is_told_twice_and_the_table_fits_a_terminal(tmp_path: Path) -> None:
    write(tmp_path / "a", "none", 0, 0, "+-")
    write(tmp_path / "a", "reasoningbank", 0, 0, "--")
    for k in (1, 3):
        codes = [["+y", "-n", "-y"][:k], ["!"] * k, ["-n"] * k]
        members = [line("shopping.t0", place, each, selected=0, refused=place) for place, each in enumerate(codes)]
        metric = "best_of_n" if k > 1 else "pass_at_1"
        for method in ("none", "awm"):
            folder = tmp_path / "b" / f"memory={method},seed={k},suite.seed=0"
            write_run(folder, members, success_metric=metric, streams={"shopping.t0": 60})
    heads = []
    for name in ("a", "b"):
        write_sweep_report(tmp_path / name)
        text = (tmp_path / name / "table.txt").read_text().splitlines()
        assert all(row == row.rstrip() for row in text)
        assert max(map(len, text)) <= 92
        assert max(len(row) for row in text if ":" not in row) <= 80
        assert not any(row.startswith("  ") and row.strip() for row in text), "no row goes on in the next line"
        tables = [re.split("  +", row) for row in text if row.startswith(("memory  ", "setting  "))]
        labels = ("memory", "setting", "seed", "world")
        found = [head for row in tables for head in row if head not in labels]
        heads.append(["steps of" if head.startswith("steps of") else head for head in found])
    known = iter(heads[1])
    assert all(head in known for head in heads[0]), "those of the one are among the other's, in order"
    assert not {"Pass@1", "pass@k", "infra"} & set(heads[0])
    assert {"Pass@1", "pass@k", "infra"} <= set(heads[1])
    assert (heads[0].count("success"), heads[1].count("success")) == (1, 2)
    assert "3 of 60" not in "\n".join(text), "tasks left out are not counted as done"
    assert "2 of 60" in "\n".join(text)


def test_steps_are_compared_on_the_pairs_that_both_solved(tmp_path: Path) -> None:
    """In two worlds, each with its own tasks: task 0 is solved by both, the longer one by the second method alone."""
    for world in (0, 1):
        identity = {"seed": 0, "suite": {"id": "mini", "seed": world}}
        for method, steps in (("none", ([8, 4], [2, 30])), ("awm", ([6, 9 + world], [20, 3]))):
            codes = [
                ["+y", "-n"] if method == "none" else ["+y", "+y"],
                ["-n", "-n"] if method == "none" else ["+y"] * 2,
            ]
            members = [
                line("shopping.t0", place, each, steps=taken, selected=0)
                for place, (each, taken) in enumerate(zip(codes, steps, strict=True))
            ]
            varied = [f"memory={method}", f"suite.seed={world}"]
            content = {"varied": varied, "identity": {**identity, "memory": {"type": method}}}
            command = "python -m eval run -m memory=none,awm suite.seed=0,1"
            write_run(tmp_path / ",".join(varied), members, command=command, **content)
    difference = settings_of(tmp_path)["memory=awm"].difference
    assert difference is not None
    assert difference.both_solved is not None
    assert difference.both_solved.n == 2
    assert difference.both_solved.steps_mean == pytest.approx((7.5 + 8) / 2)
    assert difference.both_solved.steps_mean_other == 8.0
    assert difference.interval is not None
    width = difference.interval.high - difference.interval.low
    assert difference.detectable == pytest.approx((1.96 + 0.84) * width / (2 * 1.96), rel=0.01)
    rows = [" ".join(row.split()) for row in (tmp_path / "table.txt").read_text().splitlines()]
    assert rows.count("memory both solved steps steps of none") == 1
    assert rows.count("awm 2 7.8 8.0") == 1
    assert sum(row.startswith("awm 4 +") for row in rows) == 1


def test_where_nothing_was_solved_by_both_there_are_no_steps(tmp_path: Path) -> None:
    write(tmp_path, "none", 0, 0, "+-")
    write(tmp_path, "awm", 0, 0, "-+")
    difference = settings_of(tmp_path)["memory=awm"].difference
    assert difference is not None
    assert difference.both_solved is None
    assert difference.detectable is None, "an interval from -100 to 100 points shows nothing"


def write_orders(sweep: Path, order: str, seed: int, codes: str, method: str = "none") -> None:
    varied = [f"memory={method}", f"order={order}", f"order_seed={seed}"]
    identity = {"memory": {"type": method}, "seed": 0, "order": order, "order_seed": seed, "suite": {"id": "mini"}}
    write_run(sweep / ",".join(varied), lines(codes), varied=varied, identity=identity)


def test_orders_repeat_a_setting_and_are_paired_order_by_order(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_orders(tmp_path, "shuffled", seed, "+--" if seed else "---", "awm")
        write_orders(tmp_path, "shuffled", seed, "++-" if seed else "+--", "none")
    found = settings_of(tmp_path)
    assert {name: (each.streams, each.n) for name, each in found.items()} == {
        "memory=awm,order=shuffled": (2, 6),
        "memory=none,order=shuffled": (2, 6),
    }
    difference = found["memory=none,order=shuffled"].difference
    assert difference is not None
    assert (difference.n, difference.streams) == (6, 2)
    assert difference.success_rate == pytest.approx(2 / 6)
    text = (tmp_path / "table.txt").read_text()
    assert "paired by world, task, seed, order and trial" in text


def test_the_seed_of_a_shuffle_that_is_not_made_is_no_repeat(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_orders(tmp_path, "ascending", seed, "+--")
        write_orders(tmp_path, "shuffled", seed, "++-" if seed else "---")
    ascending, shuffled = settings_of(tmp_path).values()
    assert (ascending.streams, ascending.n) == (1, 3)
    assert (shuffled.streams, shuffled.n) == (2, 6)
    assert shuffled.difference is not None
    assert (shuffled.difference.n, shuffled.difference.success_rate) == (6, 0.0)


def test_a_comparison_says_what_its_intervals_are_drawn_from(tmp_path: Path) -> None:
    """Streams that repeat each other count, not those of other sites."""
    alone = "95 %: drawn from tasks alone"
    single = "95 %: of one stream drawn from tasks alone"
    few = "95 %: drawn from 2 streams a group only, and so too narrow"
    for groups, seeds, told in (("abc", 1, {alone}), ("abcde", 2, {single, few}), ("a", 10, {single})):
        folder = tmp_path / f"{groups}-{seeds}"
        for seed in range(seeds):
            members = [each for group in groups for each in lines("+-+-" if seed % 2 else "++--", f"{group}.t0")]
            identity = {"seed": seed, "suite": {"seed": 0}}
            write_run(folder / f"seed={seed}", members, varied=[f"seed={seed}"], identity=identity)
        write_sweep_report(folder)
        text = (folder / "table.txt").read_text()
        assert {each for each in (alone, single, few) if each in text} == told, (groups, seeds)
        assert text.count("95 %:") == len(told)


def test_the_figure_is_made_and_equal_when_made_again(tmp_path: Path) -> None:
    write(tmp_path, "none", 0, 0, "")
    write(tmp_path, "awm", 0, 0, "+-")
    write_sweep_report(tmp_path)
    first = (tmp_path / "comparison.png").read_bytes()
    assert first.startswith(b"\x89PNG")
    write_sweep_report(tmp_path)
    assert (tmp_path / "comparison.png").read_bytes() == first
    for run in tmp_path.glob("*/meta.json"):
        run.write_text(run.read_text().replace('"simulated": true', '"simulated": false'))
    write_sweep_report(tmp_path)
    assert (tmp_path / "comparison.png").read_bytes() != first, "a simulated sweep is marked"
    assert "simulated" not in (tmp_path / "table.txt").read_text()


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 1.0]), max_size=8), max_size=5),
    st.booleans(),
)
def test_an_interval_of_any_mean_holds_it(streams: list[list[float]], repeats: bool) -> None:
    clusters = [cluster("a" if repeats else str(place), values) for place, values in enumerate(streams)]
    everything = [value for values in streams for value in values]
    found = mean_interval(clusters)
    assert (found is None) == (len(set(everything)) < 2)
    if found is not None:
        assert min(everything) <= found.low <= sum(everything) / len(everything) + 1e-12
        assert sum(everything) / len(everything) - 1e-12 <= found.high <= max(everything)
        assert found == mean_interval(clusters)


def test_streams_are_what_is_drawn_from() -> None:
    """Tasks of a stream that rise and fall together tell less than as many independent ones."""
    together = [cluster("s", [float(stream % 2)] * 80) for stream in range(6)]
    apart = [cluster("s", [float(task % 2) for task in range(80)]) for _ in range(6)]
    wide, narrow = mean_interval(together), mean_interval(apart)
    assert wide is not None
    assert narrow is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_a_setting_s_only_run_says_its_success_once_and_a_dash_is_explained(tmp_path: Path) -> None:
    for seeds in ((0,), (0, 1)):
        folder = tmp_path / str(len(seeds))
        for seed in seeds:
            for method in ("none", "awm"):
                write(folder, method, seed, 0, "+-+-")
        write_sweep_report(folder)
        text = (folder / "table.txt").read_text()
        assert text.count("success  ") == len(seeds)
        assert "95 % is a dash: every pair differs by the same" in text
    write(tmp_path / "other", "none", 0, 0, "+-+-")
    write(tmp_path / "other", "awm", 0, 0, "++++")
    write_sweep_report(tmp_path / "other")
    assert "95 % is a dash" not in (tmp_path / "other" / "table.txt").read_text()
