"""The suite object: what it shows, what it keeps to itself, which worlds and settings it takes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import mini_suite as mini
import pytest

from eval.grading.normalised import normalised_grader
from eval.suites.base import Suite
from eval.suites.web.environment import check_locator
from eval.suites.web.evaluators import EvalSpec
from eval.suites.web.evidence import WebEvidence
from eval.suites.webarena_mini import WebArenaMini, homepage
from eval.suites.webarena_mini import suite as suite_module
from eval.suites.webarena_mini.site_tasks import solutions_of, tasks_of
from eval.suites.webarena_mini.sites import MULTI, SITES, open_sites
from eval.suites.webarena_mini.tasks import shopping_admin
from eval.suites.webarena_mini.tasks.base import make_tasks
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Environment
from reasoningbank.types import canonical_json

WEBARENA_KEYS = {
    "sites",
    "task_id",
    "require_login",
    "storage_state",
    "start_url",
    "geolocation",
    "intent_template",
    "instantiation_dict",
    "intent",
    "require_reset",
    "eval",
    "intent_template_id",
}


def test_it_is_a_suite() -> None:
    suite = mini.suite(0)
    assert isinstance(suite, Suite)
    assert isinstance(suite.environment(suite.tasks()[0]), Environment)
    assert (suite.id, suite.agent, suite.seed) == ("webarena_mini", "web", 0)


@pytest.mark.parametrize(
    "seed", [*mini.WORLDS, 100, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 101, 102, 103, 104))]
)
def test_worlds_have_the_same_templates_at_the_same_ids_and_other_tasks(seed: int) -> None:
    own, first = mini.entries(seed), mini.entries(0)
    assert list(own) == sorted(own, key=int) == list(first)
    assert [entry.template for entry in own.values()] == [entry.template for entry in first.values()]
    assert len(own) >= 60
    assert len({entry.template for entry in own.values()}) >= 15
    intents = [entry.task.intent for entry in own.values()]
    if seed:
        same = set(intents) & {entry.task.intent for entry in first.values()}
        assert len(same) < len(own) / 8
    assert len(set(intents)) == len(intents)


@pytest.mark.parametrize("seed", mini.WORLDS)
def test_records_follow_webarenas_schema(seed: int) -> None:
    for entry in mini.entries(seed).values():
        record = json.loads(entry.task.model_dump_json())
        assert set(record) == WEBARENA_KEYS
        spec = EvalSpec.model_validate(record["eval"])
        for target in spec.program_html:
            check_locator(target.locator)
        filled = record["intent_template"]
        for slot, value in record["instantiation_dict"].items():
            assert value
            filled = filled.replace("{{" + slot + "}}", value)
        assert filled == record["intent"]
        alone = [SITES[name].placeholder for name in record["sites"]]
        assert record["start_url"] == (alone[0] if len(alone) == 1 else homepage.PLACEHOLDER)
        assert entry.impossible == (spec.reference_answers is not None and spec.reference_answers.fuzzy_match == "N/A")


def test_templates_have_ids_and_names_of_their_own() -> None:
    pairs = {(entry.task.intent_template_id, entry.template) for entry in mini.entries(0).values()}
    assert len(pairs) == len({number for number, _ in pairs}) == len({name for _, name in pairs})


def test_tasks_show_no_gold() -> None:
    shown = canonical_json([task.model_dump(mode="json") for task in mini.suite(0).tasks()])
    for key in ("reference", "must_include", "exact_match", "fuzzy_match", "program_html", "eval"):
        assert key not in shown


def test_names_of_templates_say_what_is_asked_and_not_what_is_true() -> None:
    """They stand in listings beside the intent, which an agent gets."""
    telling = {"no", "not", "none", "nothing", "impossible", "infeasible", "missing", "absent", "unknown", "without"}
    for entry in mini.entries(0).values():
        assert not telling & set(entry.template.split("_")), entry.template


@pytest.mark.parametrize("seed", mini.WORLDS)
def test_wordings_do_not_give_the_answer_away(seed: int) -> None:
    for entry in mini.entries(seed).values():
        answers = entry.task.eval["reference_answers"] or {}
        for text in (answers.get("exact_match", ""), *answers.get("must_include", ())):
            assert len(text) < 3 or text not in entry.task.intent


def test_an_environment_knows_where_to_look_and_not_for_what() -> None:
    suite = mini.suite(0)
    for task in suite.tasks():
        spec = suite.suite_tasks[task.id].task.eval
        held = vars(suite.environment(task))
        probes = held["_probes"]
        assert {url for url, _ in probes} == {target["url"] for target in spec["program_html"]}
        for target in spec["program_html"]:
            for text in target["required_contents"]["must_include"]:
                assert text not in str(probes)
        assert "required_contents" not in str(held)


def test_attempts_do_not_see_each_other() -> None:
    suite = mini.suite(0)
    task = next(task for task in suite.tasks() if task.template_id == "cart_two")
    untouched = suite.environment(task)
    untouched.reset(task, 0)
    assert mini.solved(0, task.id).reward == 1
    assert suite.evaluate(task, untouched.finish(""), normalised_grader).reward == 0
    untouched.close()


def test_evidence_scores_the_same_after_it_was_stored() -> None:
    suite = mini.suite(0)
    task = next(task for task in suite.tasks() if task.template_id == "product_price")
    evidence = WebEvidence(answer="It is $1.00", url="http://shopping.test/")
    stored = suite.load_evidence(json.loads(evidence.model_dump_json()))
    assert stored == evidence
    assert suite.evaluate(task, stored, normalised_grader).status == "unsolved"


def test_kinds_groups_and_starts() -> None:
    tasks = mini.suite(0).tasks()
    starts = {name: site.base_url for name, site in SITES.items()} | {MULTI: homepage.BASE_URL}
    assert {(task.group, task.start) for task in tasks} == set(starts.items())
    assert {site.base_url for site in SITES.values()} >= {"http://shopping.test", "http://shopping-admin.test"}
    kinds = Counter(task.kind for task in tasks)
    assert set(kinds) == {"information", "navigation", "change"}
    # an impossible task keeps the kind that its wording has
    hidden = [entry for entry in mini.entries(0).values() if entry.impossible]
    assert {entry.kind for entry in hidden} == {"information", "change"}


def test_tasks_are_the_same_in_every_process() -> None:
    line = (
        "from eval.suites.webarena_mini import WebArenaMini; from reasoningbank.types import digest;"
        "print(digest([e.model_dump(mode='json') for e in WebArenaMini(seed=5).suite_tasks.values()]))"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", line], env={"PYTHONHASHSEED": salt}, capture_output=True, text=True, check=True
        ).stdout
        for salt in ("1", "2")
    }
    assert len(prints) == 1


def test_version_follows_tasks_pages_and_evaluators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = mini.suite(0).version
    for name in ("web", "webarena_mini"):
        shutil.copytree(
            suite_module.FOLDER.parent / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    folder = tmp_path / "webarena_mini"
    monkeypatch.setattr(suite_module, "FOLDER", folder)
    assert WebArenaMini(seed=7).version == original
    (folder / "solutions" / "driver.py").write_text("", encoding="utf-8")
    assert WebArenaMini().version == original
    versions = {original}
    parts = ("tasks/gold.py", "shopping/schema.sql", "shopping/templates/base.html")
    for part in (*parts, "../web/evaluators.py", "../web/chromium/page.js"):
        path = folder / part
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        versions.add(WebArenaMini().version)
    assert len(versions) == 6


def test_mistaken_settings_are_told() -> None:
    with pytest.raises(SetupError, match=r"suite\.seed=-1"):
        WebArenaMini(seed=-1)
    with pytest.raises(SetupError, match="did you mean shopping"):
        WebArenaMini(sites=["shoping"])
    with pytest.raises(SetupError, match=r"a list of names is needed, such as \[shopping"):
        WebArenaMini(sites="shopping")
    with pytest.raises(SetupError, match="a list of names"):
        WebArenaMini(sites=[])


def test_a_task_of_another_world_is_refused() -> None:
    suite = mini.suite(0)
    stranger = suite.tasks()[0].model_copy(update={"id": "9999"})
    with pytest.raises(SetupError, match=r"task 9999 is not in webarena_mini with suite\.seed=0"):
        suite.environment(stranger)


@pytest.mark.parametrize("site", mini.ALL)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_site_has_the_same_tasks_alone_and_in_company(site: str, seed: int) -> None:
    """By their ids lessons know the task that they are of, and seeds of two runs are the same ones."""
    alone = WebArenaMini(seed=seed, sites=[site]).suite_tasks
    groups = {task.id: task.group for task in mini.suite(seed).tasks()}
    assert alone == {key: entry for key, entry in mini.entries(seed).items() if groups[key] == site}


def test_no_two_sites_share_a_thousand() -> None:
    thousands = [{entry.task.task_id // 1000 for entry in tasks_of(site, 0)} for site in SITES.values()]
    assert [len(found) for found in thousands] == [1] * len(SITES)
    assert len(set().union(*thousands)) == len(SITES)
    assert min(int(task_id) for task_id in WebArenaMini(sites=["shopping"]).suite_tasks) == 0
    assert min(int(task_id) for task_id in WebArenaMini(sites=["shopping_admin"]).suite_tasks) == 1000


def test_the_order_in_which_sites_are_named_changes_nothing() -> None:
    assert WebArenaMini(sites=mini.ALL[::-1]).tasks() == mini.suite(0).tasks()


def test_a_template_with_a_locator_that_is_none_is_told_before_the_first_attempt() -> None:
    suite = WebArenaMini(templates=["cart_two"])
    first, *_ = suite.tasks()
    last = list(suite.suite_tasks.values())[-1]
    last.task.eval["program_html"][0]["locator"] = "td:::nothing"
    with pytest.raises(ValueError, match="td:::nothing"):
        suite.environment(first)


def test_later_templates_leave_the_ids_of_earlier_tasks() -> None:
    """A site's batches of templates stand one behind the other."""
    site = SITES["shopping_admin"]
    with closing(site.database(0)) as connection:
        world = shopping_admin.World(connection)
        first = make_tasks(
            shopping_admin.BATCHES[:1], world, 0, site=site.name, start_url=site.placeholder, first_id=1000
        )
    assert len(first) == sum(template.count for template in shopping_admin.BATCHES[0])
    assert tasks_of(site, 0)[: len(first)] == first


@pytest.mark.parametrize("site", SITES)
def test_each_site_has_tasks_and_templates_enough(site: str) -> None:
    own = [entry for entry in mini.entries(0).values() if entry.task.sites == (site,)]
    assert len(own) >= 48
    assert len({entry.template for entry in own}) >= 12
    assert 0.08 <= sum(entry.vague for entry in own) / len(own) <= 0.14
    assert 0.04 <= sum(entry.impossible for entry in own) / len(own) <= 0.06


def test_every_site_has_its_parts() -> None:
    for site in SITES.values():
        made = tasks_of(site, 0)
        assert {entry.template for entry in made} == set(solutions_of(site))
        assert {entry.task.sites for entry in made} == {(site.name,)}


def test_an_attempt_opens_the_sites_of_its_task_and_no_others() -> None:
    suite = mini.suite(0)
    by_sites = {mini.entries(0)[task_id].task.sites: task_id for task_id in mini.one_of_each(0).values()}
    assert len(by_sites) > len(SITES)
    for sites, task_id in by_sites.items():
        task = mini.task(0, task_id)
        opened = open_sites(sites, 0)
        addresses = {SITES[name].base_url for name in sites} | ({homepage.BASE_URL} if len(sites) > 1 else set())
        assert set(opened) == addresses
        env = suite.environment(task)
        first = env.reset(task, 0)
        assert first.url.rstrip("/") in addresses
        for name, site in SITES.items():
            assert (env.step(f"goto('{site.base_url}')").error == "") == (name in sites), (task_id, name)
        env.close()
        for copy in opened.values():
            copy.close()


def test_the_page_where_tasks_of_several_sites_begin_links_them_and_says_how_to_come_back() -> None:
    suite = mini.suite(0)
    task = next(task for task in suite.tasks() if task.group == MULTI)
    env = suite.environment(task)
    first = env.reset(task, 0).text
    for name in SITES:
        assert (f"link '{homepage.SITES[name][0]}'" in first) == (name in mini.entries(0)[task.id].task.sites)
    assert homepage.BASE_URL in first
    assert "Page not found" in env.step(f"goto('{homepage.BASE_URL}/nothing')").text
    env.close()


def test_every_site_can_be_linked() -> None:
    assert set(homepage.SITES) >= set(SITES)
    assert len({called for called, _ in homepage.SITES.values()}) == len(homepage.SITES)


def test_the_default_is_all_sites_and_the_tasks_of_several() -> None:
    assert {task.group for task in WebArenaMini().tasks()} == {*SITES, MULTI}
