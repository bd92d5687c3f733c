"""Seeds: which settings move them, and that arms of an experiment are paired, seed by seed and attempt by attempt."""

from __future__ import annotations

from pathlib import Path

import pytest
from watched_bench import Seeds, bench_of, run_bench

from eval.journal import JournalLine

PARALLEL = ["scaling=parallel", "k=3"]
MODELS = {"agent", "judge", "selector", "extractor"}


def seeds_of(folder: Path, *overrides: str, trial: int = 0) -> dict[str, frozenset[int]]:
    """Every seed of a run, by who got it; no two of one kind are equal."""
    seeds = Seeds()
    run_bench(seeds.watching(bench_of(*overrides)), folder, trial=trial)
    for kind, given in seeds.given.items():
        assert len(set(given)) == len(given), kind
    return seeds.taken()


def answers(lines: list[JournalLine]) -> list[list[str | None]]:
    """By task, the answer of each attempt."""
    return [[attempt.answer for attempt in line.result.attempts] for line in lines]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> dict[str, frozenset[int]]:
    """Three attempts at each of three tasks; each is learnt from by itself, so that every role is asked."""
    return seeds_of(tmp_path_factory.mktemp("three"), *PARALLEL, "scaling.aggregate=false", "limit=3")


def test_every_call_environment_and_choice_has_a_seed_of_its_own(three: dict[str, frozenset[int]]) -> None:
    assert {kind: len(seeds) for kind, seeds in three.items()} == {
        **{"agent": 27, "judge": 9, "selector": 3, "extractor": 9},
        **{"environment": 9, "order of candidates": 3},
    }
    together = [seed for kind in MODELS | {"environment"} for seed in three[kind]]
    assert len(set(together)) == len(together)


@pytest.mark.parametrize("judge", ["llm", "oracle"])
def test_k_moves_no_seed(judge: str, tmp_path: Path) -> None:
    """The seeds of one attempt are among those of three."""
    both = [f"judge={judge}", "limit=3"]
    one = seeds_of(tmp_path / "one", *both)
    three = seeds_of(tmp_path / "three", *both, *PARALLEL, "scaling.aggregate=false")
    kinds = {"agent", "environment", "extractor", "judge" if judge == "llm" else "outcome judge"}
    for kind in kinds:
        assert one[kind] < three[kind], kind
        assert len(one[kind]) * 3 == len(three[kind])


def test_the_first_of_three_attempts_is_the_only_attempt(tmp_path: Path) -> None:
    one = run_bench(bench_of("memory=none"), tmp_path / "one")
    three = run_bench(bench_of("memory=none", *PARALLEL), tmp_path / "three")
    assert len(one) == len(three) == 8
    for alone, first in zip(one, three, strict=True):
        assert alone.result.attempts[0] == first.result.attempts[0]
    assert any(len(set(given)) > 1 for given in answers(three)), "attempts differ"


MOVE_NOTHING = {
    "run_name": ["run_name=another"],
    "limit": ["limit=2"],
    "retries": ["retries=0"],
    "max_items": ["memory.max_items=1"],
    "retrieval": ["retrieval.k=3"],
    "selection": ["scaling.select=false"],
}


@pytest.mark.parametrize("changed", MOVE_NOTHING)
def test_what_moves_no_seed(changed: str, three: dict[str, frozenset[int]], tmp_path: Path) -> None:
    other = seeds_of(tmp_path, *PARALLEL, "scaling.aggregate=false", "limit=3", *MOVE_NOTHING[changed])
    for kind in MODELS | {"environment", "order of candidates"}:
        assert other.get(kind, frozenset()) <= three[kind], kind
    assert other["agent"]


@pytest.mark.parametrize("memory", ["none", "synapse", "awm", "reasoningbank"])
def test_methods_are_paired(memory: str, three: dict[str, frozenset[int]], tmp_path: Path) -> None:
    other = seeds_of(tmp_path, *PARALLEL, "scaling.aggregate=false", "limit=3", f"memory={memory}")
    for kind in ("agent", "environment", "selector", "order of candidates"):
        assert other[kind] == three[kind], kind
    for kind in ("judge", "extractor"):
        assert other.get(kind, frozenset()) <= three[kind], kind


def test_the_first_task_is_the_same_for_every_method(tmp_path: Path) -> None:
    """Nothing is recalled yet: the attempts themselves are equal."""
    firsts = {
        memory: run_bench(bench_of(f"memory={memory}", *PARALLEL, "limit=1", f"run_name={memory}"), tmp_path / memory)
        for memory in ("none", "synapse", "awm", "reasoningbank")
    }
    hashes = {tuple(each.trajectory_hash for each in line.result.attempts) for [line] in firsts.values()}
    assert len(hashes) == 1


@pytest.mark.parametrize("changed", ["seed=1", "suite.seed=1"])
@pytest.mark.parametrize("judge", ["llm", "oracle"])
def test_other_seeds_move_all(changed: str, judge: str, tmp_path: Path) -> None:
    both = [*PARALLEL, f"judge={judge}", "limit=2"]
    before, after = seeds_of(tmp_path / "before", *both), seeds_of(tmp_path / "after", *both, changed)
    assert before.keys() == after.keys()
    for kind in before:
        assert not before[kind] & after[kind], kind


@pytest.mark.parametrize("judge", ["llm", "oracle"])
def test_trials_have_seeds_of_their_own(judge: str, tmp_path: Path) -> None:
    both = [*PARALLEL, f"judge={judge}", "limit=2", "trials=2"]
    first, second = (seeds_of(tmp_path / f"{trial}", *both, trial=trial) for trial in (0, 1))
    assert first.keys() == second.keys()
    for kind in first:
        assert not first[kind] & second[kind], kind


def test_attempts_of_two_trials_differ(tmp_path: Path) -> None:
    bench = bench_of("memory=none", "trials=2")
    first, second = (run_bench(bench, tmp_path / f"{trial}", trial=trial) for trial in (0, 1))
    assert [line.result.task_id for line in first] == [line.result.task_id for line in second]
    assert answers(first) != answers(second)


def test_candidates_are_shown_in_another_order_from_task_to_task(tmp_path: Path) -> None:
    """The tiny suite's model always takes the candidate shown first."""
    lines = run_bench(bench_of("memory=none", *PARALLEL), tmp_path)
    assert {line.result.selected for line in lines} == {0, 1, 2}
