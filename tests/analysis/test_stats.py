"""pass@k, intervals and the judge's confusion, against brute force and by their properties."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_maker import cluster

from eval.analysis.stats import (
    Cluster,
    Interval,
    confusion,
    detectable_by,
    mean,
    mean_interval,
    mean_pass_at_k,
    pass_at_k,
    rate_interval,
    smallest_detectable_difference,
    wilson,
)

fast = settings(deadline=None, max_examples=60)


@fast
@given(st.lists(st.booleans(), min_size=1, max_size=9), st.integers(1, 9))
def test_pass_at_k_is_the_share_of_all_draws_with_a_solved_attempt(outcomes: list[bool], k: int) -> None:
    n, c = len(outcomes), sum(outcomes)
    if k > n:
        assert pass_at_k(n, c, k) is None
        return
    draws = [any(draw) for draw in combinations(outcomes, k)]
    assert pass_at_k(n, c, k) == pytest.approx(sum(draws) / len(draws))


@fast
@given(st.lists(st.tuples(st.just(6), st.integers(0, 6)), min_size=1, max_size=20))
def test_pass_at_k_grows_with_k_and_begins_at_pass_at_1(counts: list[tuple[int, int]]) -> None:
    values = [mean_pass_at_k(counts, k) for k in range(1, 7)]
    assert values[0] == pytest.approx(sum(c / n for n, c in counts) / len(counts))
    assert values[-1] == pytest.approx(sum(c > 0 for _, c in counts) / len(counts))
    for smaller, larger in pairwise(values):
        assert smaller is not None
        assert larger is not None
        assert smaller <= larger + 1e-12


def test_pass_at_k_does_not_apply_when_a_task_has_fewer_attempts() -> None:
    assert mean_pass_at_k([(5, 2), (3, 1)], 4) is None
    assert mean_pass_at_k([(5, 2), (3, 1)], 3) is not None
    assert mean_pass_at_k([], 1) is None


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        pass_at_k(n, c, k)


def test_wilson_agrees_with_published_figures() -> None:
    half = wilson(5, 10)
    assert half is not None
    assert (half.low, half.high) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    none = wilson(0, 10)
    assert none is not None
    assert (none.low, none.high) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(0, 0) is None


rates = st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
streams = st.lists(
    st.builds(cluster, st.sampled_from(["shopping", "gitlab"]), st.lists(rates, max_size=12)), max_size=4
)


@fast
@given(streams)
def test_an_interval_holds_its_estimate_and_stays_within_0_and_1(clusters: list[Cluster]) -> None:
    values = [value for each in clusters for value in each.values.values()]
    interval = rate_interval(clusters)
    estimate = mean(values)
    if estimate is None:
        assert interval is None
        return
    assert interval is not None
    assert 0.0 <= interval.low <= estimate + 1e-12
    assert estimate - 1e-12 <= interval.high <= 1.0
    assert interval == rate_interval(clusters)


@fast
@given(st.integers(1, 60), st.data())
def test_a_wilson_interval_is_never_a_point_and_narrows_with_n(n: int, data: st.DataObject) -> None:
    c = data.draw(st.integers(0, n))
    one, ten = wilson(c, n), wilson(10 * c, 10 * n)
    assert one is not None
    assert ten is not None
    assert one.low <= c / n <= one.high
    assert 0 < ten.high - ten.low < one.high - one.low


def test_the_method_follows_from_the_data() -> None:
    def method(*clusters: Cluster) -> str | None:
        interval = rate_interval(clusters)
        return None if interval is None else interval.method

    assert method(cluster("a", [1, 0, 1])) == "wilson"
    assert method(cluster("a", [1, 0, 1]), cluster("b", [0, 0])) == "wilson"
    assert method(cluster("a", [1, 0.4, 1])) == "bootstrap_tasks"
    assert method(cluster("a", [1, 0, 1]), cluster("a", [0, 0])) == "bootstrap_streams"
    assert method(cluster("a", [0, 0, 0]), cluster("a", [0, 0])) == "wilson"


def test_streams_that_disagree_widen_the_interval() -> None:
    alike = [cluster("a", [1.0] * 20 + [0.0] * 20) for _ in range(4)]
    apart = [cluster("a", [float(i < 2)] * 40) for i in range(4)]
    narrow, wide = rate_interval(alike), rate_interval(apart)
    assert narrow is not None
    assert wide is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


@pytest.mark.parametrize("copies", [2, 10])
@pytest.mark.parametrize("values", [[1.0] * 30 + [0.0] * 30, [1.0] * 10, [0.0] * 10])
def test_repeating_the_same_outcomes_tells_nothing_new(values: list[float], copies: int) -> None:
    one, several = rate_interval([cluster("a", values)]), rate_interval([cluster("a", values)] * copies)
    assert one is not None
    assert several is not None
    assert several.high - several.low >= 0.95 * (one.high - one.low)


def test_tasks_of_other_groups_are_others() -> None:
    one = rate_interval([cluster("a", [1.0] * 10)])
    both = rate_interval([cluster("a", [1.0] * 10), cluster("b", [1.0] * 10), cluster("b", [1.0] * 10)])
    assert one is not None
    assert both is not None
    assert (both.method, both.streams) == ("wilson", 1)
    assert both == wilson(20, 20)
    assert both.low > one.low


def test_an_interval_knows_how_few_streams_a_group_had() -> None:
    streams = [cluster("a", [1, 0, 1])] * 3 + [cluster("b", [0, 1])] * 2
    for chosen, fewest in ((streams, 2), (streams[:3], 3), (streams[2:4], 1), ([*streams, cluster("c", [])], 2)):
        found = rate_interval(chosen)
        assert found is not None
        assert found.streams == fewest


def test_streams_over_other_tasks_do_tell_something_new() -> None:
    values = {task: float(task % 2) for task in range(60)}
    one = rate_interval([Cluster("a", values)] * 6)
    other = rate_interval(
        [Cluster("a", {task + 60 * world: value for task, value in values.items()}) for world in range(6)]
    )
    assert one is not None
    assert other is not None
    assert other.high - other.low < 0.7 * (one.high - one.low)


def test_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    hits = 0
    for trial in range(60):
        chances = generator.beta(2, 2, size=60)
        values = (generator.binomial(5, chances) / 5).tolist()
        interval = rate_interval([cluster("a", values)], seed=trial)
        assert interval is not None
        hits += interval.low <= 0.5 <= interval.high
    assert hits >= 51


STREAMS, TASKS, EFFECT, SPREAD = 16, 60, 0.1, 0.15


def draws(generator: np.random.Generator) -> tuple[list[Cluster], list[Cluster]]:
    """The second of two arms over the same streams, and its differences to the first by task. A stream moves all its
    tasks in the second arm, by EFFECT on average; tasks differ in how hard they are, in both arms alike."""
    second, differences = [], []
    hard = generator.uniform(-0.1, 0.1, size=TASKS)
    for _ in range(STREAMS):
        moved = generator.normal(EFFECT, SPREAD)
        one = (generator.random(TASKS) < 0.4 + hard).astype(float)
        other = (generator.random(TASKS) < 0.4 + moved + hard).astype(float)
        second.append(cluster("a", other.tolist()))
        differences.append(cluster("a", (other - one).tolist()))
    return second, differences


@pytest.mark.long
def test_planted_effects_are_covered_about_as_often_as_intervals_say() -> None:
    """Of the mean and of the paired difference, with streams that go well or badly as a whole. An interval that takes
    all tasks for independent misses the truth many times as often."""
    generator = np.random.default_rng(5)
    rounds = 100
    hits, widths, estimates, flat_hits = np.zeros(2), np.zeros(2), np.zeros((rounds, 2)), 0
    truths = (0.4 + EFFECT, EFFECT)
    for number in range(rounds):
        second, differences = draws(generator)
        found = rate_interval(second, seed=number), mean_interval(differences, seed=number)
        for place, (interval, clusters) in enumerate(zip(found, (second, differences), strict=True)):
            assert interval is not None
            hits[place] += interval.low <= truths[place] <= interval.high
            widths[place] += (interval.high - interval.low) / rounds
            estimates[number, place] = np.mean([list(each.values.values()) for each in clusters])
        flat = wilson(estimates[number, 0] * STREAMS * TASKS, STREAMS * TASKS)
        assert flat is not None
        flat_hits += flat.low <= truths[0] <= flat.high
    assert (hits >= 0.9 * rounds).all(), hits
    assert flat_hits <= 0.75 * rounds
    # streams and tasks are drawn both, so the chance in each single outcome counts more than once
    wanted = 2 * 1.96 * estimates.std(axis=0)
    assert (widths > 0.85 * wanted).all()
    assert (widths < 1.5 * wanted).all(), widths / wanted


def test_confusion_keeps_unparseable_apart() -> None:
    read = [("success", True), ("success", False), ("failure", False), ("failure", True), ("failure", False)]
    table = confusion([*read, ("unparseable", True)])
    assert vars(table) == {"tp": 1, "fp": 1, "tn": 2, "fn": 1, "unparseable": 1}
    assert table.accuracy == pytest.approx(3 / 5)
    assert confusion([]).accuracy is None
    assert confusion([("unparseable", True)]).accuracy is None


@pytest.mark.parametrize(("pairs", "low", "high"), [(96, 0.12, 0.165), (200, 0.085, 0.115), (684, 0.045, 0.065)])
def test_the_smallest_detectable_difference_at_usual_sizes(pairs: int, low: float, high: float) -> None:
    """A fifth to three tenths of the pairs discordant."""
    few, many = (smallest_detectable_difference(pairs, variance=variance) for variance in (0.2, 0.3))
    assert few is not None
    assert many is not None
    assert low < few < many < high


def test_four_of_five_experiments_show_the_smallest_detectable_difference() -> None:
    rng = np.random.default_rng(0)
    pairs, discordant = 200, 0.25
    difference = smallest_detectable_difference(pairs, variance=discordant)
    assert difference is not None
    gain = (discordant + difference) / 2
    drawn = rng.choice([1, -1, 0], p=[gain, discordant - gain, 1 - discordant], size=(4000, pairs))
    found = np.abs(drawn.mean(axis=1)) > 1.96 * drawn.std(axis=1) / np.sqrt(pairs)
    assert 0.77 < found.mean() < 0.86


def test_clustered_tasks_show_less_and_what_cannot_be_shown_is_said() -> None:
    alone = smallest_detectable_difference(100, variance=0.25)
    together = smallest_detectable_difference(100, variance=0.25, design_effect=4.0)
    assert alone is not None
    assert together == pytest.approx(2 * alone)
    assert smallest_detectable_difference(0, variance=0.25) is None
    assert smallest_detectable_difference(10, variance=0.0) is None
    assert smallest_detectable_difference(1, variance=0.25) is None


def test_a_measured_interval_tells_what_it_could_have_shown() -> None:
    assert detectable_by(None) is None
    assert detectable_by(Interval(-0.0196, 0.0196, "bootstrap_tasks")) == pytest.approx(0.028, abs=1e-4)
    assert detectable_by(Interval(-0.9, 0.9, "bootstrap_tasks")) is None
