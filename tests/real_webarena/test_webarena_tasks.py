"""WebArena's tasks as a suite: the paper's subsets, what is refused in a task file, and what is part of a run."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from task_files import entry, mixed, packaged, written

from eval.suites import webarena
from eval.suites.base import BeginsStreams, EndsStreams, HealthChecked, KnowsItsEvidence, Suite
from eval.suites.webarena import WebArena
from eval.suites.webarena.places import Look, check_look, locator_call, post_of, url_call
from eval.suites.webarena.sites import PAPER, server_of
from eval.suites.webarena.suite import HOMEPAGE
from eval.suites.webarena.task_file import read_tasks
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import ReadsFiles


def test_the_paper_s_subsets_are_counted() -> None:
    suite = WebArena(task_file=str(packaged()))
    tasks = suite.tasks()
    counts = Counter(task.group for task in tasks)
    assert counts == {"shopping": 187, "shopping_admin": 182, "gitlab": 180, "reddit": 106, "multi": 29}
    assert len(tasks) == 684
    assert len({task.template_id for task in tasks}) == 157
    assert [int(task.id) for task in tasks] == sorted(int(task.id) for task in tasks)


def test_all_812_with_the_map() -> None:
    tasks = WebArena(task_file=str(packaged()), sites=[*PAPER, "map"]).tasks()
    assert len(tasks) == 812
    assert Counter(task.group for task in tasks)["map"] == 109
    assert len({task.template_id for task in tasks}) == 190


def test_a_suite_of_all_that_it_should_be(tmp_path: Path) -> None:
    suite = WebArena(task_file=written(tmp_path))
    for protocol in (Suite, HealthChecked, BeginsStreams, EndsStreams, KnowsItsEvidence, ReadsFiles):
        assert isinstance(suite, protocol)


def test_tasks_have_no_gold_and_keep_the_placeholders(tmp_path: Path) -> None:
    tasks = WebArena(task_file=written(tmp_path)).tasks()
    assert [task.id for task in tasks] == ["0", "1", "2", "3", "6", "7"]
    assert [task.group for task in tasks] == ["shopping", "shopping_admin", "gitlab", "reddit", "shopping", "multi"]
    assert {task.kind for task in tasks} == {""}, "it could only be told from how a task is evaluated"
    assert tasks[0].start == "__SHOPPING__"
    told = "".join(task.model_dump_json() for task in tasks)
    assert not [each for each in ("Tea", "tea", "Hello", "/sales", "submission") if each in told]


def test_ids_choose(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert [task.id for task in WebArena(task_file=path, task_ids=[3, "0"]).tasks()] == ["0", "3"]
    with pytest.raises(SetupError, match="no task 99; there are 0 to 7"):
        WebArena(task_file=path, task_ids=[99]).tasks()
    with pytest.raises(SetupError, match=r"no task is of suite\.sites and of suite\.task_ids"):
        WebArena(task_file=path, task_ids=[4]).tasks()


def test_another_file_is_another_run(tmp_path: Path) -> None:
    one = WebArena(task_file=written(tmp_path)).digests()
    other = WebArena(task_file=written(tmp_path, mixed()[:3])).digests()
    assert one.keys() == other.keys() == {"task_file", "accounts"}
    assert one != other
    assert all(re.fullmatch("[0-9a-f]{64}", each["task_file"]) for each in (one, other))


def test_who_signs_in_makes_another_run_and_the_password_does_not(tmp_path: Path) -> None:
    def made(**account: str) -> Mapping[str, str]:
        return WebArena(task_file=written(tmp_path), accounts={"shopping": account}).digests()

    one = made(username="emma", password="one")
    assert one == made(username="emma", password="two")
    assert one != made(username="anna", password="one")


def test_what_is_said_beside_the_intent_is_in_no_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOMEPAGE, "http://127.0.0.1:4399")
    plain = WebArena(task_file=written(tmp_path)).tasks()
    hinted = WebArena(task_file=written(tmp_path), homepage_hint=True).tasks()
    assert [task.intent for task in plain] == [task.intent for task in hinted]
    assert all("127.0.0.1:4399" in task.asked for task in hinted)
    assert all(task.asked == task.intent for task in plain)


@pytest.mark.parametrize("field", ["task_id", "sites", "start_url", "intent", "intent_template_id", "eval"])
def test_a_missing_field_is_named_with_its_task(field: str, tmp_path: Path) -> None:
    entries = mixed()
    del entries[3][field]
    with pytest.raises(SetupError) as told:
        read_tasks(written(tmp_path, entries))
    named = "entry 3 (from 0)" if field == "task_id" else "task 2"
    assert f"tasks.json, {named}: the field {field} is missing" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ({}, "eval.eval_types"),
        ({"eval_types": ["string_match"]}, "needs reference_answers"),
        ({"eval_types": ["url_match"]}, "needs reference_url"),
        ({"eval_types": ["program_html"], "program_html": [{"url": "last", "locator": ""}]}, "required_contents is"),
        ({"eval_types": ["smell"]}, "eval.eval_types.0"),
        (
            {
                "eval_types": ["program_html"],
                "program_html": [{"url": "last", "locator": "func:rm('/')", "required_contents": {"exact_match": ""}}],
            },
            "calls an unknown helper",
        ),
    ],
)
def test_gold_that_is_wrong_is_named_with_its_task(gold: dict[str, Any], said: str, tmp_path: Path) -> None:
    wrong = entry(9, "shopping", eval_types=["string_match"])
    wrong["eval"] = gold
    with pytest.raises(SetupError, match=re.escape(said)) as told:
        read_tasks(written(tmp_path, [wrong]))
    assert "tasks.json, task 9: " in str(told.value)
    assert " eval." in str(told.value) or " eval:" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '"tasks"', "[[1]]", "[null]"])
def test_what_is_no_task_file_is_refused_in_a_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(content)
    with pytest.raises(SetupError) as told:
        read_tasks(str(path))
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


def test_other_refusals(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be read"):
        read_tasks(str(tmp_path / "none.json"))
    with pytest.raises(SetupError, match="two tasks have the id 1"):
        read_tasks(written(tmp_path, [entry(1, "map"), entry(1, "map")]))
    with pytest.raises(SetupError, match="sites holds 'shoping'"):
        read_tasks(written(tmp_path, [entry(1, "shoping")]))


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.suites.webarena.task_file.PACKAGE", "no-such-package")
    with pytest.raises(SetupError, match=r"setup_webarena\.sh"):
        WebArena().tasks()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"sites": ["shoping"]}, "did you mean shopping"),
        ({"sites": []}, "a list of names is needed"),
        ({"urls": {"shoping": "http://x"}}, "did you mean shopping"),
        ({"urls": {"shopping": "localhost:7770"}}, "no address of a server"),
        ({"urls": {"shopping": "http://"}}, "no address of a server"),
        ({"urls": {"shopping": "http://me:secret@host"}}, "no name and no password"),
        ({"urls": {"shopping": ["http://a", "http://a/"]}}, "there twice"),
        ({"reset": "task"}, "do not go together"),
        ({"reset_command": "true"}, "do not go together"),
        ({"reset": "task", "reset_command": "'"}, "reset_command"),
        ({"throttle": {"shoping": 1.0}}, "did you mean shopping"),
        ({"accounts": {"shoping": {}}}, "did you mean shopping"),
        ({"accounts": {"shopping": {"username": "me"}}}, "shopping has username; it needs {username: NAME, password"),
        ({"accounts": {"shopping": {"user": "me", "password": "secret"}}}, "shopping has user, password; it needs"),
        ({"urls": {"shopping": []}}, "suite.urls.shopping names no server"),
        ({"accounts": {"map": {"username": "me", "password": "secret"}}}, "nobody signs in at map"),
        ({"accounts": {"wikipedia": {}}}, "nobody signs in at wikipedia"),
        ({"answer_form": "verified"}, "set suite.evaluator=verified too"),
        ({"evaluator": "webarena", "answer_form": "verified", "network_trace": True}, "cannot compare"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_a_line(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=re.escape(said)) as told:
        WebArena(**keys)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_the_version_is_that_of_what_evaluates_and_not_of_the_practice_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "suites" / "webarena"
    shutil.copytree(Path(webarena.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder.parent / "web").mkdir()
    monkeypatch.setattr("eval.suites.webarena.suite.FOLDER", folder)

    def version(name: str) -> str:
        (folder / name).write_text("# another")
        return WebArena().version

    before = WebArena().version
    assert version("practice.py") == before
    assert version("evaluation.py") != before


def test_a_site_without_address_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WA_GITLAB", raising=False)
    suite = WebArena(task_file=written(tmp_path), sites=["gitlab"])
    with pytest.raises(SetupError, match=r"set WA_GITLAB, or suite\.urls\.gitlab"):
        suite.environment(suite.tasks()[0])
    monkeypatch.setenv("WA_GITLAB", "http://localhost:8023/")
    assert WebArena(sites=["gitlab"])._backends.urls["gitlab"] == ("http://localhost:8023",)


def test_a_server_is_one_however_it_is_written() -> None:
    assert server_of("http://Shop.test/a?b") == server_of("http://shop.test:80") == "shop.test:80"
    assert server_of("https://shop.test") != server_of("http://shop.test")
    assert [server_of(url) for url in ("about:blank", "chrome-error://data/", "http://[")] == ["", "data", "http://["]


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("http://r.test/f/books/12/a-title", "http://r.test/f/books/12/"),
        ("http://r.test/f/books/12/a-title/-/comment/3", "http://r.test/f/books/12/"),
        ("http://r.test/f/books", "http://r.test/f/books"),
        ("http://r.test/user/me/a/b", "http://r.test/user/me/a/b"),
    ],
)
def test_the_post_of_an_address(url: str, post: str) -> None:
    assert post_of(url) == post


def test_calls_are_read_and_not_run() -> None:
    look = Look(url="func:reddit_get_post_url('__last_url__')", locator="")
    check_look(look)
    assert url_call(look) is not None
    role = locator_call(Look(url="last", locator="func:gitlab_get_project_memeber_role(__page__, 'it\\'s me')"))
    assert role is not None
    assert role.args == ("__page__", "it's me")


@pytest.mark.parametrize(
    "look",
    [
        Look(url="func:open('/etc/passwd')", locator=""),
        Look(url="func:reddit_get_post_url(open('x'))", locator=""),
        Look(url="func:reddit_get_post_url('elsewhere')", locator=""),
        Look(url="func:shopping_get_latest_order_url('x')", locator=""),
        Look(url="func:__import__('os').system('x')", locator=""),
        Look(url="func:", locator=""),
        Look(url="ftp://x", locator=""),
        Look(url="last", locator="window.close()"),
        Look(url="last", locator="func:shopping_get_sku_latest_review_author('x', key='y')"),
        Look(url="last", locator="func:gitlab_get_project_memeber_role('page', 'me')"),
    ],
)
def test_other_code_is_refused(look: Look) -> None:
    with pytest.raises(ValueError, match=r"url|locator|func"):
        check_look(look)
