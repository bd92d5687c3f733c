"""Whole sets of instances on several seeds, and what runs on them show of others' fixes: minutes each."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest
from quotations import in_others, in_texts, texts_of, texts_of_memory
from set_checks import check_gold, check_instances, check_lists

from eval.__main__ import main
from eval.analysis.records import load_run, load_trajectory
from eval.suites.swebench_mini.build import build
from eval.suites.swebench_mini.catalog import load_package, package_names
from eval.suites.swebench_mini.suite import SwebenchMini

pytestmark = pytest.mark.long


def test_the_same_seed_makes_the_same_and_another_one_another() -> None:
    package = load_package("tokkit")
    one, same, other = (build(seed, [package], number=6, hard=3) for seed in (4, 4, 5))
    assert one == same
    # a hand-written defect in a table of data has the same fix on every variant
    patches, others = ({each.instance.patch for each in built if not each.hard} for built in (one, other))
    assert not patches & others
    assert not {each.instance.base_commit for each in one} & {each.instance.base_commit for each in other}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_whole_set_keeps_what_is_said_of_it(seed: int, tmp_path: Path) -> None:
    built = build(seed)
    check_instances(built)
    assert len(built) >= 96
    assert sum(each.hard for each in built) >= 0.4 * len(built)
    assert {each.package for each in built} == set(package_names())
    assert len({each.kind for each in built if not each.hard}) >= 12
    quoted = in_others(built)
    assert mean(quoted.values()) <= 0.06
    assert {name for name, share in quoted.items() if share > 0.5} == set()
    check_lists(built, tmp_path)
    check_gold(built)


def test_trajectories_and_memory_show_next_to_nothing_of_others_fixes(tmp_path: Path) -> None:
    packages = ["cachet", "tokkit"]
    chosen = f"suite.packages=[{','.join(packages)}]"
    assert main(["run", "suite=swebench_mini", chosen, "figure=false", f"results_dir={tmp_path}", "run_name=run"]) == 0
    run = load_run(tmp_path / "run")
    suite = SwebenchMini(packages=packages, kept=tmp_path / ".suites")
    seen: dict[str, list[str]] = {}
    learnt: dict[str, list[str]] = {}
    for stream in run.streams:
        for line in stream.lines:
            (attempt,) = line.result.attempts
            trajectory = load_trajectory(run, line.result, attempt)
            assert trajectory is not None
            seen[line.result.task_id] = texts_of(trajectory)
            learnt[line.result.task_id] = [text for each in line.result.learnt for text in texts_of_memory(each)]
    assert len(seen) == len(suite.built) == 24
    built = list(suite.built.values())
    quoted = in_texts(built, seen)
    assert mean(quoted.values()) <= 0.06
    assert {name for name, share in quoted.items() if share > 0.5} == set()
    assert set(in_texts(built, learnt).values()) == {0.0}
