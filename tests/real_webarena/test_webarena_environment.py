"""An attempt on real sites without its browser: addresses, sign-in, time, reset, evidence and what evaluates it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ill_site import IllSite
from scripted_session import ScriptedSession, surroundings
from task_files import entry, written

from eval.grading.normalised import normalised_grader
from eval.suites.web.evidence import LAST
from eval.suites.webarena import WebArena
from eval.suites.webarena.backends import Backends
from eval.suites.webarena.environment import RealEnvironment
from eval.suites.webarena.evidence import RealEvidence, Seen
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.places import Look
from eval.suites.webarena.session import Trouble
from eval.suites.webarena.sites import Account
from reasoningbank.errors import InfraError, LimitReached
from reasoningbank.interfaces import Environment
from reasoningbank.types import Task, canonical_json

TITLE = "document.title"


@pytest.fixture
def site() -> Iterator[IllSite]:
    running = IllSite()
    yield running
    running.close()


def task_of(start: str = "__SHOPPING__", *, id: str = "0") -> Task:
    return Task(id=id, suite="webarena", group="shopping", intent="Buy tea.", start=start)


def opened(
    folder: Path, *looks: Look, session: ScriptedSession, sites: tuple[str, ...] = ("shopping",), **more: Any
) -> Any:
    environment = RealEnvironment(sites=sites, looks=looks, session=session, around=surroundings(folder, **more))
    assert isinstance(environment, Environment)
    return environment


def test_start_pages_are_on_the_server_that_the_attempt_has(tmp_path: Path) -> None:
    one, other = ScriptedSession(), ScriptedSession()
    first = opened(tmp_path, session=one)
    second = opened(tmp_path, session=other)
    first.reset(task_of("__SHOPPING__/a.html |AND| __SHOPPING__/b.html"), 0)
    second.reset(task_of(), 0)
    assert one.started == ["http://shop-a.test/a.html", "http://shop-a.test/b.html"]
    assert other.started == ["http://shop-b.test"]
    first.close()
    third = opened(tmp_path, session=ScriptedSession())
    third.reset(task_of(), 0)
    assert third.finish(None).sites == {"shopping": "http://shop-a.test"}
    second.close()
    third.close()


def test_it_signs_in_at_each_site_of_the_task_and_keeps_what_it_got(tmp_path: Path) -> None:
    around = surroundings(tmp_path, accounts={"gitlab": Account(username="me", password="mine")})
    session = ScriptedSession()
    for _ in range(2):
        env = RealEnvironment(sites=("gitlab", "reddit", "map"), looks=(), session=session, around=around)
        with pytest.raises(Exception, match="WA_MAP"):
            env.reset(task_of("__GITLAB__"), 0)
        env = RealEnvironment(sites=("gitlab", "reddit"), looks=(), session=session, around=around)
        env.reset(task_of("__GITLAB__"), 0)
        env.close()
    git, forum = session.entrances
    assert (git.page, git.username, git.password) == ("http://git.test/users/sign_in", "me", "mine")
    assert (forum.page, forum.username) == ("http://forum.test/login", "MarvelsGrantMan136")
    assert git.cookies == ({"name": "session", "value": "1"},), "what the first attempt got is tried first"
    assert "mine" not in repr(git)


def test_time_that_is_up_is_a_limit_and_no_fault(tmp_path: Path) -> None:
    """It is that of actions: a model that has to be waited for uses up none of it."""
    session = ScriptedSession()
    env = opened(tmp_path, session=session, task_seconds=60.0)
    env.reset(task_of(), 0)
    session.seconds = 40.0
    env.step("noop()")
    env.step("noop()")
    with pytest.raises(LimitReached, match="task_seconds=60"):
        env.step("noop()")
    assert len(session.steps) == 2
    assert env.finish(None).url == session.url, "it is evaluated all the same"
    env.close()


def test_the_servers_are_free_after_whatever_happened(tmp_path: Path) -> None:
    class Broken(ScriptedSession):
        def close(self) -> None:
            if self.opened:
                raise InfraError("the browser has gone")

    env = opened(tmp_path, session=Broken(), sites=("reddit",))
    env.reset(task_of("__REDDIT__"), 0)
    with pytest.raises(InfraError, match="has gone"):
        env.close()
    again = opened(tmp_path, session=ScriptedSession(), sites=("reddit",))
    again.reset(task_of("__REDDIT__"), 0)
    again.close()
    with pytest.raises(InfraError, match="call reset"):
        again.finish(None)


def test_the_reset_command_is_run_for_each_server_and_counted(site: IllSite, tmp_path: Path) -> None:
    note, other = tmp_path / "note", IllSite()
    code = "import os,sys; open(sys.argv[1],'a').write(os.environ['SITE']+' '+sys.argv[2]+'\\n')"
    given: dict[str, Any] = {
        "sites": ("reddit", "shopping"),
        "backends": Backends({"shopping": [site.url], "reddit": [other.url]}, folder=tmp_path),
        "reset_command": f'{sys.executable} -c "{code}" {note} {{url}}',
        "signed_in": SignedIn(),
    }
    for session in (ScriptedSession(), ScriptedSession()):
        env = opened(tmp_path, session=session, **given)
        for times in (1, 2):
            note.write_text("")
            env.reset(task_of(), 0)
            assert sorted(note.read_text().splitlines()) == [f"reddit {other.url}", f"shopping {site.url}"]
            assert env.finish(None).resets == times
            assert [each.cookies for each in session.entrances] == [(), ()], "servers put back know nobody"
        env.close()
    other.close()


def test_a_reset_command_that_fails_is_an_infra_error(tmp_path: Path) -> None:
    env = opened(tmp_path, session=ScriptedSession(), sites=("reddit",), reset_command="false", reset_seconds=9.0)
    with pytest.raises(
        InfraError, match=r"suite\.reset_command for reddit at http://forum\.test failed with exit code 1"
    ):
        env.reset(task_of("__REDDIT__"), 0)
    env.close()


def test_a_page_that_is_no_good_is_an_infra_error_where_a_site_of_the_task_is_down(
    site: IllSite, tmp_path: Path
) -> None:
    port = site.url.rpartition(":")[2]
    backends = Backends({"shopping": [site.url], "reddit": [f"http://localhost:{port}"]}, folder=tmp_path / "locks")
    (tmp_path / "locks").mkdir()
    look = Look(url="__SHOPPING__/gone", locator="")
    session = ScriptedSession()
    env = opened(tmp_path, look, session=session, sites=("shopping",), backends=backends)
    env.reset(task_of(), 0)
    own = Trouble(url=f"{site.url}/x", said="answers 500")
    foreign = Trouble(url=f"http://localhost:{port}/x", said="answers 500")
    for site.down, troubles in ((False, (own, foreign)), (True, (foreign,)), (True, ())):
        session.troubles = troubles
        assert env.step("click('1')").text
    session.troubles = (own,)
    with pytest.raises(InfraError, match=f"shopping at {site.url} answers 503"):
        env.step("click('1')")
    session.gone = {f"{site.url}/gone": Trouble(url=f"{site.url}/gone", said="answers 500")}
    with pytest.raises(InfraError, match=f"shopping at {site.url} answers 503"):
        env.finish(None)
    site.down = False
    assert [seen.text for seen in env.finish(None).seen] == [None]
    env.close()


def test_what_is_looked_at(tmp_path: Path) -> None:
    prepared = ("document.body.click()",)
    looks = (
        Look(url=LAST, locator=TITLE),
        Look(url="__SHOPPING__/orders", locator=""),
        Look(url="__SHOPPING__/orders", locator=TITLE),
        Look(url="__SHOPPING__/orders", locator=TITLE, prep_actions=prepared),
        Look(url="func:reddit_get_post_url('__last_url__')", locator=TITLE),
        Look(url=LAST, locator="func:gitlab_get_project_memeber_role(__page__, 'me')"),
    )
    session = ScriptedSession(url="http://forum.test/f/books/7/title/-/comment/9", said={TITLE: "T", "": "<html>"})
    env = opened(tmp_path, *looks, session=session, sites=("shopping", "reddit"))
    env.reset(task_of(), 0)
    evidence = env.finish("tea")
    env.close()
    assert [place.url for place in session.places] == [
        *("", "http://shop-a.test/orders", "http://shop-a.test/orders", "http://forum.test/f/books/7/")
    ]
    assert session.places[1].scripts == ("", TITLE), "one tab for all looks at one page"
    assert session.places[2].prepare == prepared
    assert [seen.text for seen in evidence.seen][:5] == ["T", "<html>", "T", "T", "T"]
    assert [seen.look for seen in evidence.seen] == list(looks)
    assert "'@me'" in session.places[0].scripts[1]
    assert RealEvidence.model_validate(json.loads(canonical_json(evidence.model_dump(mode="json")))) == evidence


def test_before_the_end_nothing_is_done_on_the_attempt_s_own_page(tmp_path: Path) -> None:
    """In the end it is, after all other looks there, as WebArena does: tasks ask for what is only typed there."""
    prepared = ("document.body.click()",)
    looks = (Look(url=LAST, locator=TITLE, prep_actions=prepared), Look(url=LAST, locator=TITLE))
    for each_step in (False, True):
        session = ScriptedSession(url="http://shop-a.test/form")
        env = opened(tmp_path, *looks, session=session, each_step=each_step)
        env.reset(task_of(), 0)
        env.step("noop()")
        env.look(None)
        assert {(place.url, place.prepare) for place in session.places} == {
            ("http://shop-a.test/form", prepared),
            ("", ()),
        }
        session.places.clear()
        evidence = env.finish(None)
        assert [(place.url, place.prepare) for place in session.places] == [("", ()), ("", prepared)]
        assert [seen.look for seen in evidence.seen] == list(looks)
        env.close()


def suite_of(folder: Path, *sites: str, evaluate: Any = "end", **gold: Any) -> WebArena:
    return WebArena(task_file=written(folder, [entry(0, *sites, **gold)]), evaluate=evaluate)


def outcome(suite: WebArena, evidence: RealEvidence) -> float:
    return suite.evaluate(suite.tasks()[0], evidence, normalised_grader).reward


def test_evidence_is_evaluated_by_the_addresses_that_it_has(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, "shopping", eval_types=["url_match"], reference_url="__SHOPPING__/tea.html")
    url = "http://shop-b.test/tea.html"
    assert outcome(suite, RealEvidence(url=url, sites={"shopping": "http://shop-b.test"})) == 1.0
    assert outcome(suite, RealEvidence(url=url, sites={"shopping": "http://shop-a.test"})) == 0.0


def test_pages_are_evaluated_by_what_was_seen(tmp_path: Path) -> None:
    target = {"url": "last", "locator": TITLE, "required_contents": {"exact_match": "Tea & more"}}
    suite = suite_of(tmp_path, "shopping", eval_types=["program_html"], program_html=[target])
    session = ScriptedSession(said={TITLE: "tea &amp; more"})
    env = opened(tmp_path, *suite.chosen["0"].looks, session=session)
    env.reset(suite.tasks()[0], 0)
    found = env.finish(None)
    env.close()
    assert outcome(suite, found) == 1.0
    assert suite.lacks(suite.tasks()[0], found) == []
    assert outcome(suite, found.model_copy(update={"seen": ()})) == 0.0
    assert suite.lacks(suite.tasks()[0], found.model_copy(update={"seen": ()})) == [f"last {TITLE}"]


def test_looks_that_differ_in_what_is_done_before_are_two(tmp_path: Path) -> None:
    target = {"url": "last", "locator": TITLE, "required_contents": {"exact_match": "closed"}}
    after = {**target, "prep_actions": ["document.body.click()"], "required_contents": {"exact_match": "open"}}
    for targets in ([target, after], [after, target]):
        suite = suite_of(tmp_path, "shopping", eval_types=["program_html"], program_html=targets)
        seen = [Seen(look=look, text="open" if look.prep_actions else "closed") for look in suite.chosen["0"].looks]
        assert len(seen) == 2
        assert outcome(suite, RealEvidence(sites={"shopping": "http://shop-a.test"}, seen=tuple(seen))) == 1.0


def test_a_page_that_has_not_come_does_not_even_say_nothing(tmp_path: Path) -> None:
    target = {"url": "last", "locator": TITLE, "required_contents": {"exact_match": ""}}
    suite = suite_of(tmp_path, "shopping", eval_types=["program_html"], program_html=[target])
    [look] = suite.chosen["0"].looks
    scores = [outcome(suite, RealEvidence(seen=(Seen(look=look, text=text),))) for text in ("", None)]
    assert scores == [1.0, 0.0]


def test_at_each_step_the_first_that_is_met_counts(tmp_path: Path) -> None:
    gold: dict[str, Any] = {"eval_types": ["url_match"], "reference_url": "__SHOPPING__/tea.html"}
    session = ScriptedSession()
    pages = iter(["http://shop-a.test/", "http://shop-a.test/tea.html", "http://shop-a.test/milk.html"])
    env = opened(tmp_path, session=session, each_step=True)
    env.reset(task_of(), 0)

    def go() -> None:
        session.url = next(pages)

    session.at_step = go
    for _ in range(3):
        env.step("click('1')")
    found = env.finish("done")
    env.close()
    assert [moment.step for moment in found.moments] == [0, 1, 2]
    assert outcome(suite_of(tmp_path, "shopping", **gold), found) == 0.0, "it is gone from there in the end"
    assert outcome(suite_of(tmp_path, "shopping", evaluate="each_step", **gold), found) == 1.0


def test_at_each_step_a_foreign_page_ends_the_task(tmp_path: Path) -> None:
    gold: dict[str, Any] = {"eval_types": ["url_match"], "reference_url": "__SHOPPING__/tea.html"}
    session = ScriptedSession(url="http://shop-a.test/tea.html")
    env = opened(tmp_path, session=session, each_step=True, known=("http://forum.test",))
    env.reset(task_of(), 0)
    session.tabs = ("http://shop-a.test/", "about:blank", "http://forum.test/f")
    env.step("click('1')")
    session.tabs = ("http://elsewhere.test/",)
    env.step("click('1')")
    found = env.finish("done")
    env.close()
    assert [moment.outside for moment in found.moments] == [False, True]
    suite = suite_of(tmp_path, "shopping", evaluate="each_step", **gold)
    assert outcome(suite, found) == 1.0, "the first step came before"
    assert outcome(suite, found.model_copy(update={"moments": found.moments[1:]})) == 0.0


def test_at_each_step_nobody_is_asked_before_there_is_an_answer(tmp_path: Path) -> None:
    suite = suite_of(
        tmp_path,
        "shopping",
        evaluate="each_step",
        eval_types=["string_match"],
        reference_answers={"fuzzy_match": ["tea"]},
    )
    env = opened(tmp_path, session=ScriptedSession(), each_step=True)
    env.reset(task_of(), 0)
    env.step("noop()")
    found = env.finish("it is tea")
    env.close()
    asked = []

    def grader(question: str, reference: str, answer: str) -> bool:
        asked.append(answer)
        return True

    assert suite.evaluate(suite.tasks()[0], found, grader).reward == 1.0
    assert asked == ["it is tea"]
