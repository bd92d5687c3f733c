"""A suite that can be down is looked at before a failed episode is tried again, and hears of the end of a stream."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from runner_helpers import results
from watched_bench import EnvironmentAround, SuiteAround, bench_of, run_bench

from eval.suites.base import HealthChecked, Suite
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Environment, Observation
from reasoningbank.types import Task


class Site(SuiteAround):
    """Goes down when the environment number `fails` is reset, and is up again after `looks` looks that found it so."""

    def __init__(self, inner: Suite, *, fails: int, looks: int, error: Exception | None = None) -> None:
        super().__init__(inner)
        self.environments = 0
        self.looks = 0
        self.up = True
        self.stopped = ""
        self._fails = fails
        self._until = looks
        self._error = error or InfraError("the site answers with 502")

    def environment(self, task: Task) -> Environment:
        self.environments += 1
        if self.environments == self._fails:
            self.up = False
        return OnSite(self.inner.environment(task), self)

    def check_health(self) -> None:
        self.looks += 1
        self.up = self.up or self.looks > self._until
        if not self.up:
            raise self._error


class OnSite(EnvironmentAround):
    def __init__(self, inner: Environment, site: Site) -> None:
        super().__init__(inner)
        self._site = site

    def reset(self, task: Task, seed: int) -> Observation:
        if not self._site.up:
            raise InfraError("no connection")
        return super().reset(task, seed)


def on_site(
    tmp_path: Path, *overrides: str, looks: int, error: Exception | None = None, made: type[Site] = Site
) -> tuple[Site, Path]:
    """A run of three tasks whose site goes down at the second."""
    bench = bench_of("limit=3", "retry_wait=0", *overrides)
    site = made(bench.suite, fails=2, looks=looks, error=error)
    assert isinstance(site, HealthChecked)
    folder = tmp_path / "streams" / "sums.t0"
    try:
        run_bench(replace(bench, suite=site), folder)
    except InfraError as failed:
        site.stopped = str(failed)
    return site, folder


class Ends(Site):
    """Notes how many of its environments there were when a stream ended."""

    ends: tuple[int, ...] = ()

    def end_stream(self) -> None:
        self.ends = (*self.ends, self.environments)


@pytest.mark.parametrize("looks", [9, pytest.param(0, marks=pytest.mark.long)])
def test_a_suite_hears_that_a_stream_has_ended_however_it_ended(looks: int, tmp_path: Path) -> None:
    site, _ = on_site(tmp_path, "retries=1", looks=looks, made=Ends)
    assert isinstance(site, Ends)
    assert bool(site.stopped) == bool(looks)
    assert site.ends == (site.environments,)


class EndsBadly(Ends):
    def end_stream(self) -> None:
        super().end_stream()
        raise OSError("the site does not stop")


@pytest.mark.parametrize("looks", [9, 0])
def test_an_end_that_fails_is_told_and_hides_no_error(
    looks: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site, _ = on_site(tmp_path, "retries=1", looks=looks, made=EndsBadly)
    assert isinstance(site, Ends)
    assert len(site.ends) == 1
    assert ("the site answers with 502" in site.stopped) == bool(looks)
    assert ("the site does not stop" in site.stopped) != bool(looks), "there is no other"
    assert ("the site does not stop" in caplog.text) == bool(looks)


def test_a_suite_without_the_hook_is_held_to_be_well() -> None:
    assert not isinstance(bench_of().suite, HealthChecked)


def test_no_attempt_is_made_while_the_site_is_down(tmp_path: Path) -> None:
    site, _ = on_site(tmp_path, "retries=3", looks=2)
    assert site.looks == 3
    assert site.environments == 4, "three tasks, and the one that failed again; none while a look found it down"
    on_site(tmp_path / "well", "retries=3", looks=0)
    assert results(tmp_path) == results(tmp_path / "well"), "whatever was down changes no result"


@pytest.mark.parametrize("error", [InfraError("the site answers with 502"), OSError("the site answers with 502")])
def test_a_site_that_stays_down_stops_the_stream_and_is_named(error: Exception, tmp_path: Path) -> None:
    site, folder = on_site(tmp_path, "retries=2", looks=9, error=error)
    assert (site.looks, site.environments) == (2, 2)
    assert "sums.t0/0001/1" in site.stopped
    assert "the site answers with 502" in site.stopped
    assert len(results(tmp_path)[folder.name]) == 1


def test_or_leaves_the_episode_out(tmp_path: Path) -> None:
    site, folder = on_site(tmp_path, "retries=1", "on_infra_error=skip", looks=1)
    assert site.environments == 4, "the third task finds it down, looks, and finds it up"
    assert not site.stopped
    assert [json.loads(line)["attempts"][0]["exit"] for line in results(tmp_path)[folder.name]] == [
        *("answered", "infra_error", "answered")
    ]
