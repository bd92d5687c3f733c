"""Pages that an agent's own actions lead to: broken, hanging and foreign ones are what it sees, unless a site of its
task is down."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium_here import needs_chromium
from ill_site import IllSite
from task_files import entry, written

from eval.grading.normalised import normalised_grader
from eval.suites.webarena import WebArena
from eval.suites.webarena.evidence import RealEvidence
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Environment, Observation

pytestmark = needs_chromium
SECONDS: dict[str, Any] = {"observation_delay": 0.05, "look_wait": 0.05, "patience": 6.0}


@pytest.fixture
def site() -> Iterator[IllSite]:
    running = IllSite()
    yield running
    running.close()


def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{once.getsockname()[1]}"


def suite_of(folder: Path, site: IllSite, *places: dict[str, Any], **keys: Any) -> WebArena:
    gold: dict[str, Any] = {"eval_types": ["program_html"], "program_html": list(places)} if places else {}
    return WebArena(
        task_file=written(folder, [entry(0, "map", **gold)]), urls={"map": site.url}, sites=["map"], **SECONDS, **keys
    )


def begun(suite: WebArena) -> tuple[Environment, Observation]:
    [task] = suite.tasks()
    env = suite.environment(task)
    return env, env.reset(task, 0)


def press(env: Environment, seen: Observation, name: str) -> Observation:
    found = re.search(rf"\[(\w+)\] (?:link|button) '{name}'", seen.text)
    assert found is not None, seen.text
    return env.step(f"click('{found[1]}')")


def test_pages_that_are_no_good_are_what_the_agent_sees_unless_a_site_is_down(site: IllSite, tmp_path: Path) -> None:
    env, home = begun(suite_of(tmp_path, site))
    try:
        seen = press(env, home, "500")
        assert seen.error == f"Error: {site.url}/500 answers 500"
        assert "a page" in seen.text
        foreign = nobody()
        seen = env.step(f"goto('{foreign}/')")
        assert seen.error == f"Error: Page.goto: net::ERR_CONNECTION_REFUSED at {foreign}/"
        seen = env.step(f"goto('{site.url}/')")
        assert (seen.error, seen.text.count("link")) == ("", home.text.count("link"))
        seen = press(env, seen, "leaves")
        for _ in range(50):  # whether it is still there when it is looked at is a matter of milliseconds
            seen = env.step("noop(100)") if seen.url == f"{site.url}/leaves" else seen
        assert (seen.error, seen.url) == ("", f"{site.url}/"), "a tab that closes itself leaves the one before it"
        seen = press(env, press(env, seen, "another"), "shut")
        assert (seen.error, seen.url) == ("", f"{site.url}/"), "and so does one that an action closes"
        seen = press(env, seen, "never")
        assert seen.error == f"TimeoutError: {site.url}/never does not load within 6 s"
        assert seen.url == f"{site.url}/", "it is still there"
        seen = press(env, seen, "slow in a tab")
        assert "it took its time" in seen.text, "a tab that is only being opened is waited for"
        site.down = True
        with pytest.raises(InfraError, match=f"map at {site.url} answers 503") as told:
            env.step(f"goto('{site.url}/fine')")
        assert "\n" not in str(told.value)
    finally:
        env.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "error", "url"),
    [
        ("goto", "/never does not load", "/"),
        ("endless", "/endless does not load", "/endless"),
        ("part", "/part does not load", "/part"),
        ("spins", "/ does not load", "/"),
        ("never in a tab", "/never does not load", "/"),
        ("endless in a tab", "/endless does not load", "/"),
    ],
)
def test_whatever_hangs_is_left_and_the_attempt_goes_on(
    name: str, error: str, url: str, site: IllSite, tmp_path: Path
) -> None:
    env, home = begun(suite_of(tmp_path, site))
    try:
        after = f"goto('{site.url}/never')\ngoto('{site.url}/fine')"  # what follows is left out
        seen = env.step(after) if name == "goto" else press(env, home, name)
        assert f"{site.url}{error}" in seen.error
        assert seen.url == f"{site.url}{url}"
        assert env.step("scroll(0, 10)").error == "", "what was waited for once is not waited for again"
        assert env.step(f"goto('{site.url}/fine')").url == f"{site.url}/fine"
        assert env.finish(None).model_dump()["url"] == f"{site.url}/fine"
    finally:
        env.close()


@pytest.mark.long
def test_a_site_that_is_gone_is_an_infra_error(site: IllSite, tmp_path: Path) -> None:
    env, home = begun(suite_of(tmp_path, site))
    site.close()
    try:
        with pytest.raises(InfraError, match=f"map at {site.url} cannot be reached") as told:
            press(env, home, "fine")
        assert "\n" not in str(told.value)
    finally:
        env.close()


def test_places_to_look_at_that_are_no_good_say_nothing(site: IllSite, tmp_path: Path) -> None:
    """Not even the empty text that a task may ask for. Of the attempt's own page it is the one before that stays."""
    foreign = nobody()
    wanted = ("__MAP__/500", foreign, "func:reddit_get_post_url('__last_url__')")
    places = [{"url": url, "locator": "", "required_contents": {"exact_match": ""}} for url in wanted]
    suite = suite_of(tmp_path, site, *places)
    env, _ = begun(suite)
    try:
        env.step(f"goto('{foreign}/')")
        evidence = env.finish(None)
        assert isinstance(evidence, RealEvidence)
        assert [seen.text for seen in evidence.seen] == [None] * 3
        assert suite.evaluate(suite.tasks()[0], evidence, normalised_grader).reward == 0.0
        assert suite.lacks(suite.tasks()[0], evidence) == []
        site.down = True
        with pytest.raises(InfraError, match=f"map at {site.url} answers 503"):
            env.finish(None)
    finally:
        env.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("__MAP__/500", "/500 answers 500"),
        ("__MAP__/never", "/never does not load within 6 s"),
        ("__MAP__/endless", "/endless does not load within 6 s"),
        ("NOBODY", "cannot be opened: Page.goto: net::ERR_CONNECTION_REFUSED"),
    ],
)
def test_a_start_page_that_is_no_good_is_an_infra_error(start: str, said: str, site: IllSite, tmp_path: Path) -> None:
    one = {**entry(0, "map"), "start_url": nobody() if start == "NOBODY" else start}
    suite = WebArena(task_file=written(tmp_path, [one]), urls={"map": site.url}, sites=["map"], **SECONDS)
    [task] = suite.tasks()
    env = suite.environment(task)
    try:
        with pytest.raises(InfraError, match=said) as told:
            env.reset(task, 0)
        assert "\n" not in str(told.value)
    finally:
        env.close()
