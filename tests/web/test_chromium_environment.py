"""Chromium as a web environment: the same session as with the browser without a window, in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import flask
import pytest
from chromium_here import needs_chromium
from test_environment import APP, TASK, open_sites

from eval.suites.base import KeepsImages
from eval.suites.web.chromium import process
from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
from eval.suites.web.environment import WebEnvironment
from eval.suites.web.evidence import WebEvidence
from eval.suites.web.transport import Site
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Environment
from reasoningbank.types import Task

pytestmark = needs_chromium
PLACES = {"__NOTES__": "http://notes.test"}


@pytest.fixture
def environment() -> Iterator[Callable[..., BrowserEnvironment]]:
    made = []

    def make(
        *probes: tuple[str, str], sites: Callable[[], Mapping[str, Site]] = open_sites, patience: float = 30.0
    ) -> BrowserEnvironment:
        env = BrowserEnvironment(
            open_sites=sites, program=find_chromium(None), placeholders=PLACES, probes=probes, patience=patience
        )
        made.append(env)
        return env

    yield make
    for env in made:
        env.close()


def test_it_shows_does_and_leaves_what_the_browser_without_a_window_does(
    environment: Callable[..., BrowserEnvironment],
) -> None:
    probes = [("last", "#n"), ("__NOTES__/", "li.note"), ("__NOTES__/", "li.none"), ("http://x.test", "p")]
    one, two = environment(*probes), WebEnvironment(open_sites=open_sites, placeholders=PLACES, probes=probes)
    assert isinstance(one, Environment)
    assert one.reset(TASK, 0) == two.reset(TASK, 0)
    for text in ("fill('6', 'tea')\nclick('7')", "fill('6', 'not sent')", "click('99')", "click(", "noop(10)"):
        assert one.step(text) == two.step(text), text
    assert one.look("done") == two.look("done")
    evidence = one.finish("done")
    assert [probe.text for probe in evidence.probes] == ["not sent", "tea", "", ""]
    assert WebEvidence.model_validate_json(evidence.model_dump_json()) == evidence
    two.close()


@pytest.mark.long
def test_attempts_share_no_sites_and_processes_one_after_the_other(
    environment: Callable[..., BrowserEnvironment],
) -> None:
    one, two = environment(), environment()
    one.reset(TASK, 0)
    one.step("fill('6', 'tea')\nclick('7')")
    two.reset(TASK, 0)
    assert "tea" not in two.step("goto('http://notes.test/')").text
    assert "tea" in one.step("goto('http://notes.test/')").text
    assert one._process is not None
    assert two._process is not None
    pid = two._process.pid
    assert one._process.pid != pid
    two.close()
    assert "tea" not in two.reset(TASK, 0).text
    assert two._process.pid == pid
    two.close()
    two.close()
    with pytest.raises(InfraError, match="closed"):
        two.step("noop()")


def strange_app() -> flask.Flask:
    app = flask.Flask("strange")

    @app.get("/")
    def home() -> str:
        return "<title>Home</title><a href=/broken>Broken</a> <a href=/slow>Slow</a> <a href=/late>Late</a>"

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("a fault of the site")

    @app.get("/late")
    def late() -> str:
        time.sleep(1.0)
        return "<title>Late</title>come at last"

    @app.get("/slow")
    def slow() -> str:
        time.sleep(4.0)
        return "too late"

    return app


STRANGE = strange_app()


def strange() -> Mapping[str, Site]:
    return {"http://notes.test": Site(STRANGE)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("click('4')", "GET http://notes.test/broken answered 500"),
        pytest.param("goto('http://notes.test/broken')", "answered 500", marks=pytest.mark.long),
        ("click('5')", "http://notes.test/slow does not load within 2 s"),
        pytest.param(
            "goto('http://notes.test/slow')", "http://notes.test/slow does not load within 2 s", marks=pytest.mark.long
        ),
    ],
)
def test_what_fails_around_the_page_is_an_infra_error(
    environment: Callable[..., BrowserEnvironment], text: str, told: str
) -> None:
    env = environment(sites=strange, patience=2.0)
    env.reset(TASK, 0)
    with pytest.raises(InfraError, match=told):
        env.step(text)


@pytest.mark.long
def test_a_page_that_takes_its_time_is_waited_for(environment: Callable[..., BrowserEnvironment]) -> None:
    env = environment(sites=strange)
    env.reset(TASK, 0)
    seen = env.step("click('6')")
    assert (seen.url, seen.error) == ("http://notes.test/late", "")
    assert "come at last" in seen.text


@pytest.mark.long
@pytest.mark.parametrize("start", ["__NOTES__/no", "http://nowhere.test/", "__NOTES__/broken"])
def test_a_start_page_that_is_not_there_is_an_infra_error(
    environment: Callable[..., BrowserEnvironment], start: str
) -> None:
    task = Task(id="1", suite="notes", group="notes", intent="?", start=start)
    with pytest.raises(InfraError):
        environment(sites=strange).reset(task, 0)


@pytest.mark.long
def test_what_an_attempt_left_broken_serves_no_other(environment: Callable[..., BrowserEnvironment]) -> None:
    env = environment(sites=lambda: {"http://notes.test": Site(APP)})  # its site has no database
    with pytest.raises(InfraError, match="answered 500"):
        env.reset(TASK, 0)
    assert env._process is not None
    broken = env._process
    env.close()
    assert not broken.alive
    assert broken not in process._idle


@pytest.mark.long
def test_an_image_of_every_step_is_kept_where_it_is_wanted(tmp_path: Path) -> None:
    for wanted, names in ((False, []), (True, ["step-000.png", "step-001.png"])):
        env = BrowserEnvironment(
            open_sites=open_sites, program=find_chromium(None), placeholders=PLACES, screenshots=wanted
        )
        assert isinstance(env, KeepsImages)
        folder = tmp_path / str(wanted)
        env.keep_images(folder)
        for _ in range(2):
            env.reset(TASK, 0)
            env.step("fill('6', 'tea')")
        env.close()
        assert sorted(path.name for path in folder.glob("*")) == names
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (tmp_path / "True").iterdir())
