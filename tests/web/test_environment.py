"""The web environment: an attempt's own sites, its observations, and the evidence it leaves."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import flask
import pytest

from eval.suites.web.environment import WebEnvironment, check_locator
from eval.suites.web.evidence import WebEvidence
from eval.suites.web.transport import Site
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Environment
from reasoningbank.types import Task

PAGE = """<title>Notes</title><form method=post><label for=n>Note</label><input id=n name=note>
<button>Add</button></form><ul>{}</ul>"""
TASK = Task(id="1", suite="notes", group="notes", intent="Add a note", start="__NOTES__/")


def notes_app() -> flask.Flask:
    app = flask.Flask("notes")

    @app.route("/", methods=["GET", "POST"])
    def notes() -> str | flask.typing.ResponseReturnValue:
        db: sqlite3.Connection = flask.request.environ["site.db"]
        if flask.request.method == "POST":
            db.execute("INSERT INTO notes VALUES (?)", (flask.request.form["note"],))
            return flask.redirect("/")
        rows = db.execute("SELECT text FROM notes").fetchall()
        return PAGE.replace("{}", "".join(f"<li class=note>{text}</li>" for (text,) in rows))

    return app


APP = notes_app()
CLOSED: list[str] = []


def open_sites() -> Mapping[str, Site]:
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.execute("CREATE TABLE notes (text TEXT)")

    def close() -> None:
        CLOSED.append("notes")
        db.close()

    return {"http://notes.test": Site(APP, {"site.db": db}, close)}


def environment(*probes: tuple[str, str]) -> WebEnvironment:
    return WebEnvironment(open_sites=open_sites, placeholders={"__NOTES__": "http://notes.test"}, probes=probes)


def test_it_is_an_environment_whose_steps_show_the_page() -> None:
    env = environment()
    assert isinstance(env, Environment)
    first = env.reset(TASK, seed=1)
    assert first.url == "http://notes.test/"
    assert "[6] textbox 'Note'" in first.text
    assert env.step("fill('6', 'tea')").text.count("value='tea'") == 1
    assert "StaticText 'tea'" in env.step("click('7')").text
    env.close()


def test_several_calls_stop_at_the_first_that_fails() -> None:
    env = environment()
    env.reset(TASK, seed=1)
    seen = env.step("fill('6', 'tea')\nclick('99')\nclick('7')")
    assert seen.error == 'ValueError: Could not find element with bid "99"'
    assert "value='tea'" in seen.text
    env.close()


@pytest.mark.parametrize("text", ["", "click(", "sing('x')", "click('1') and more"])
def test_a_malformed_action_is_told_and_changes_nothing(text: str) -> None:
    env = environment()
    first = env.reset(TASK, seed=1)
    seen = env.step(text)
    assert seen.error
    assert seen.text == first.text
    env.close()


def test_each_attempt_has_its_own_sites_and_a_reset_makes_them_new() -> None:
    one, two = environment(), environment()
    one.reset(TASK, seed=1)
    two.reset(TASK, seed=1)
    one.step("fill('6', 'tea')\nclick('7')")
    assert "tea" not in two.step("goto('http://notes.test/')").text
    assert "tea" not in one.reset(TASK, seed=1).text
    one.close()
    two.close()


def test_evidence_has_the_end_and_what_the_probes_found() -> None:
    notes = [("__NOTES__/", "li.note"), ("__NOTES__/", "li.none")]
    env = environment(("last", "#n"), *notes, ("__NOTES__/no", "p"), ("http://x.test", "p"))
    env.reset(TASK, seed=1)
    env.step("fill('6', 'tea')\nclick('7')")
    env.step("fill('6', 'not sent')")
    evidence = env.finish("done")
    assert (evidence.answer, evidence.url, evidence.status) == ("done", "http://notes.test/", 200)
    assert [(p.url, p.locator, p.text) for p in evidence.probes] == [
        ("last", "#n", "not sent"),
        ("__NOTES__/", "li.note", "tea"),
        ("__NOTES__/", "li.none", ""),
        (
            "__NOTES__/no",
            "p",
            "The requested URL was not found on the server. If you entered the URL manually please "
            "check your spelling and try again.",
        ),
        ("http://x.test", "p", ""),
    ]
    assert WebEvidence.model_validate_json(evidence.model_dump_json()) == evidence
    assert env.finish("done") == evidence
    assert "not sent" in env.step("noop()").text
    env.close()


def test_without_a_locator_the_whole_page_is_kept() -> None:
    env = environment(("last", ""))
    env.reset(TASK, seed=1)
    assert env.finish(None).probes[0].text.startswith("<title>Notes</title>")
    env.close()


def test_close_frees_the_sites_once_and_nothing_works_after_it() -> None:
    CLOSED.clear()
    env = environment()
    env.close()
    env.reset(TASK, seed=1)
    env.close()
    env.close()
    assert CLOSED == ["notes"]
    with pytest.raises(InfraError, match="closed"):
        env.step("noop()")


def test_a_start_page_that_is_not_there_is_an_infra_error() -> None:
    env = environment()
    with pytest.raises(InfraError, match="start page __NOTES__/no"):
        env.reset(TASK.model_copy(update={"start": "__NOTES__/no"}), seed=1)
    env.close()


def test_a_wrong_locator_is_found_before_any_run() -> None:
    check_locator("main > h1.title, [id='x']")
    with pytest.raises(ValueError, match="not a CSS selector: '!!'"):
        check_locator("!!")
