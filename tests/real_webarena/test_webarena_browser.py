"""Real sites through a real browser: the small sites behind WebArena's sign-in pages, each with a server of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium_here import needs_chromium
from task_files import entry, written

from eval.grading.normalised import normalised_grader
from eval.suites.base import KeepsImages
from eval.suites.web.backend import WebBackend
from eval.suites.webarena import WebArena
from eval.suites.webarena.chromium import ChromiumSession
from eval.suites.webarena.environment import RealEnvironment
from eval.suites.webarena.practice import RESET, PracticeServer
from eval.suites.webarena.sites import Account
from reasoningbank.errors import InfraError, SetupError

SECONDS: dict[str, Any] = {"observation_delay": 0.05, "look_wait": 0.05, "patience": 5.0}
TITLE = "document.title"


pytestmark = needs_chromium


@pytest.fixture(scope="module")
def shop() -> Iterator[PracticeServer]:
    server = PracticeServer("shopping")
    yield server
    server.close()


@pytest.fixture(scope="module")
def admin() -> Iterator[PracticeServer]:
    server = PracticeServer("shopping_admin")
    yield server
    server.close()


def suite_of(folder: Path, urls: dict[str, str], *entries: dict[str, Any], **keys: Any) -> WebArena:
    return WebArena(task_file=written(folder, list(entries)), urls=urls, **SECONDS, **keys)


def test_signed_in_it_acts_and_leaves_what_is_evaluated(shop: PracticeServer, tmp_path: Path) -> None:
    here = {"url": "last", "locator": TITLE, "required_contents": {"must_include": ["Search results"]}}
    home = {"url": "__SHOPPING__/", "locator": "", "required_contents": {"must_include": ["Welcome", "</html>"]}}
    role = "func:gitlab_get_project_memeber_role(__page__, 'nobody')"
    nothing = {"url": "last", "locator": role, "required_contents": {"exact_match": ""}}
    odd = {
        "url": "last",
        "locator": "document.nothing.there",
        "prep_actions": ["document.body.remove()", "no script", "document.write('never')"],
        "required_contents": {"exact_match": ""},
    }
    gold = {"eval_types": ["program_html"], "program_html": [here, home, nothing, odd]}
    suite = suite_of(tmp_path, {"shopping": shop.url}, entry(0, "shopping", **gold), web=WebBackend(screenshots=True))
    [task] = suite.tasks()
    before = shop.forms
    for number in range(2):
        env = suite.environment(task)
        assert isinstance(env, KeepsImages)
        env.keep_images(tmp_path / "images")
        shown = env.reset(task, 0)
        assert shown.url == f"{shop.url}/"
        assert "Welcome" in shown.text
        box = next(line for line in shown.text.splitlines() if "textbox 'Search'" in line).split("]")[0].strip("\t[")
        seen = env.step(f"fill('{box}', 'lamp')\npress('{box}', 'Enter')")
        assert seen.error == ""
        assert seen.url != shown.url
        assert env.step("click('99999')").error != ""
        evidence = env.finish(None)
        env.close()
        assert suite.evaluate(task, evidence, normalised_grader).reward == 1.0, (number, evidence)
    kept = sorted(path.name for path in (tmp_path / "images").iterdir())
    assert kept == ["step-000.png", "step-001.png", "step-002.png"]
    assert shop.forms == before + 1, "the second attempt found itself still signed in"
    shop.sign_everybody_out()
    env = suite.environment(task)
    env.reset(task, 0)
    env.close()
    assert shop.forms == before + 2, "and renewed it when it no longer was"


@pytest.mark.long
def test_several_tabs_and_two_sites(shop: PracticeServer, admin: PracticeServer, tmp_path: Path) -> None:
    both = entry(0, "shopping", "shopping_admin")
    both["start_url"] = "__SHOPPING__ |AND| __SHOPPING_ADMIN__"
    suite = suite_of(tmp_path, {"shopping": shop.url, "shopping_admin": admin.url}, both)
    [task] = suite.tasks()
    env = suite.environment(task)
    assert env.reset(task, 0).url == f"{admin.url}/"
    evidence = env.finish("tea")
    env.close()
    assert evidence.model_dump()["sites"] == {"shopping": shop.url, "shopping_admin": admin.url}
    assert suite.evaluate(task, evidence, normalised_grader).reward == 1.0


def test_a_wrong_password_is_one_clear_line(admin: PracticeServer, tmp_path: Path) -> None:
    account = Account(username="admin", password="not-this-one")
    suite = suite_of(
        tmp_path, {"shopping_admin": admin.url}, entry(0, "shopping_admin"), accounts={"shopping_admin": account}
    )
    [task] = suite.tasks()
    env = suite.environment(task)
    with pytest.raises(SetupError, match=f"shopping_admin at {admin.url} does not let admin in") as told:
        env.reset(task, 0)
    env.close()
    assert "not-this-one" not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.long
def test_a_browser_that_dies_is_an_infra_error_and_its_server_is_free(shop: PracticeServer, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, {"shopping": shop.url}, entry(0, "shopping"))
    [task] = suite.tasks()
    env = suite.environment(task)
    env.reset(task, 0)
    assert isinstance(env, RealEnvironment)
    assert isinstance(env._session, ChromiumSession)
    assert env._session._process is not None
    worker = env._session._process.pid
    browsers = [pid for pid in children_of(worker) if "chrom" in Path(f"/proc/{pid}/comm").read_text()]
    assert browsers
    for pid in browsers:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(InfraError) as told:
        env.step("click('1')")
    assert "\n" not in str(told.value)
    env.close()
    again = suite.environment(task)
    again.reset(task, 0)
    again.close()


def children_of(pid: int) -> list[int]:
    """Of a process, at any depth, those that are the deepest first."""
    found = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [each for child in found for each in (*children_of(child), child)]


@pytest.mark.long
def test_a_server_is_put_back_for_every_attempt(shop: PracticeServer, tmp_path: Path) -> None:
    code = f"import urllib.request as u; u.urlopen(u.Request('{shop.url}{RESET}', method='POST'))"
    suite = suite_of(
        tmp_path,
        {"shopping": shop.url},
        entry(0, "shopping"),
        reset="task",
        reset_command=f'python3 -c "{code}"',
    )
    [task] = suite.tasks()
    resets, forms = shop.resets, shop.forms
    for _ in range(2):
        env = suite.environment(task)
        env.reset(task, 0)
        assert env.finish("tea").model_dump()["resets"] == 1
        env.close()
    assert (shop.resets - resets, shop.forms - forms) == (2, 2)
