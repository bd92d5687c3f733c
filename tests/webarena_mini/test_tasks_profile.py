"""The profile that the tasks were made to, with its tolerances; and the command that prints it."""

from __future__ import annotations

import json
from collections import Counter

import mini_suite as mini
import pytest

from eval.__main__ import main
from eval.commands import tasks as command
from eval.suites.profile import SuiteProfile
from eval.suites.webarena_mini.measure import labels
from eval.suites.webarena_mini.profile import (
    ACTIONS,
    IMPOSSIBLE,
    REAL_EVALUATIONS,
    REAL_SOURCE,
    SEVERAL_PAGES,
    TOKENS,
    VAGUE,
    profile,
)
from eval.suites.webarena_mini.site_tasks import conventions_of
from eval.suites.webarena_mini.sites import MULTI, SITES
from reasoningbank.errors import SetupError

CHANGES = {"gitlab": (0.36, 0.46), "all": (0.36, 0.42)}
"""Shares of tasks that change something where they are more, as WebArena's of that site are; else `CHANGES_ELSE`."""
CHANGES_ELSE = (0.3, 0.4)
EVALUATIONS = {
    "string_match": (0.38, 0.45),
    "program_html": (0.3, 0.38),
    "url_match, program_html": (0.14, 0.2),
    "url_match": (0.06, 0.09),
}
"""Shares of evaluation types among all tasks, around WebArena's."""
BOTH = f"suite.sites=[{','.join(mini.ALL)}]"


def measured(seed: int, *sites: str) -> SuiteProfile:
    """The profile of these sites' tasks, or of all."""
    suite = mini.suite(seed)
    tasks = [task for task in suite.tasks() if task.group in (sites or mini.ALL)]
    return profile([(labels(suite, task), mini.solved(seed, task.id)) for task in tasks], suite.conventions)


LATER = [pytest.param(each, marks=pytest.mark.long) for each in [*SITES, "all"] if each != "shopping"]


@pytest.mark.parametrize("site", ["shopping", *LATER])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_profile(seed: int, site: str) -> None:
    """Each site has it by itself, and so have all together."""
    found = measured(seed) if site == "all" else measured(seed, site)
    assert found.solved == 1
    actions, tokens = found.measures[ACTIONS], found.measures[TOKENS]
    assert actions.lowest >= 2
    assert actions.highest <= 20
    assert (5 if site == "reddit" else 6) <= actions.median <= 7
    smallest = 100 if site == "all" else 500  # the page where tasks of several sites begin
    assert smallest <= tokens.lowest <= 800
    assert 8_000 <= tokens.highest <= 12_000
    assert 1_700 <= tokens.median <= 2_400
    assert found.shares[SEVERAL_PAGES] >= 0.25
    assert 0.08 <= found.shares[VAGUE] <= 0.14
    assert 0.04 <= found.shares[IMPOSSIBLE] <= 0.06
    fewest, most = CHANGES.get(site, CHANGES_ELSE)
    assert fewest <= found.shares["change"] <= most
    for name in ("click", "fill", "send_msg_to_user"):
        assert abs(found.actions[name] - found.real_actions[name]) < 0.1
    for name in {*found.actions, *found.real_actions} - {"click", "fill", "send_msg_to_user"}:
        assert abs(found.actions.get(name, 0) - found.real_actions.get(name, 0)) < 0.07, name


def test_types_of_evaluation_are_mixed_as_webarenas_are() -> None:
    """Answers, pages, addresses, and addresses together with what their pages say; no site asks mostly questions."""
    found = {task.id: labels(mini.suite(0), task).evaluation for task in mini.suite(0).tasks()}
    counts = Counter(found.values())
    assert counts.keys() == EVALUATIONS.keys() == REAL_EVALUATIONS.keys()
    for name, (fewest, most) in EVALUATIONS.items():
        assert fewest <= REAL_EVALUATIONS[name] <= most
        assert fewest <= counts[name] / len(found) <= most, name
    for site in SITES:
        own = [found[task.id] for task in mini.suite(0).tasks() if task.group == site]
        assert own.count("string_match") / len(own) < 0.48, site


@pytest.mark.parametrize("seed", mini.WORLDS)
def test_an_address_alone_may_be_that_of_another_page_too_so_the_page_is_looked_at(seed: int) -> None:
    """Lists whose filters stand in no address, and pages whose address begins like that of others."""
    for entry in mini.entries(seed).values():
        gold = entry.task.eval
        if gold["eval_types"] == ["url_match", "program_html"]:
            places = {check["url"] for check in gold["program_html"]}
            assert "last" in places or entry.kind == "change", entry.template


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_tasks_of_several_sites(seed: int) -> None:
    """They are longer, and most of them write on the second site what the first one says."""
    found = measured(seed, MULTI)
    assert found.solved == 1
    assert found.tasks >= 12
    assert found.templates >= 3
    assert 9 <= found.measures[ACTIONS].median <= 14
    assert found.measures[ACTIONS].highest <= 20
    assert found.shares["change"] > 0.7
    for task in mini.suite(seed).tasks():
        sites = mini.entries(seed)[task.id].task.sites
        assert (task.group == MULTI) == (len(sites) > 1)


def test_a_good_share_needs_no_convention() -> None:
    entries = mini.entries(0).values()
    assert 1 / 3 <= sum(not entry.needs for entry in entries) / len(entries) <= 1 / 2


def test_the_command_lists_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--json", "suite.seed=1", BOTH]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["intent"] for row in shown] == [task.intent for task in mini.suite(1).tasks()]
    assert set(shown[0]) == {"id", "site", "template", "kind", "intent", "start"}


def test_the_command_selects(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--kind", "navigation", "--site", "shopping", BOTH]) == 0
    text = capsys.readouterr().out
    wanted = [task for task in mini.suite(0).tasks() if (task.kind, task.group) == ("navigation", "shopping")]
    assert f"{len(wanted)} tasks" in text
    assert all(task.intent in text for task in wanted)
    with pytest.raises(SetupError, match="did you mean shopping"):
        command.main(["--site", "shoping", BOTH])


def test_the_command_prints_the_profile(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.suites.webarena_mini.measure.measure", lambda suite: measured(0, "shopping"))
    assert command.main(["--profile"]) == 0
    text = capsys.readouterr().out
    assert "known solutions solve 100.0 %" in text
    assert f"real episodes: {REAL_SOURCE}" in text
    for code, found in measured(0, "shopping").conventions.items():
        assert f"{found.says}\t{found.templates}" in text.splitlines(), code
    assert all(row == row.rstrip() for row in text.splitlines())
    assert command.main(["--profile", "--json"]) == 0
    assert SuiteProfile.model_validate_json(capsys.readouterr().out) == measured(0, "shopping")


def test_every_convention_has_a_name() -> None:
    assert {code for entry in mini.entries(0).values() for code in entry.needs} == set(mini.CONVENTIONS)


def test_each_site_has_its_own_conventions_and_needs_no_other() -> None:
    of_site = {name: set(conventions_of(site)) for name, site in SITES.items()}
    assert sum(len(codes) for codes in of_site.values()) == len(mini.CONVENTIONS)
    for entry in mini.entries(0).values():
        assert set(entry.needs) <= set().union(*(of_site[name] for name in entry.task.sites))


@pytest.mark.parametrize("argv", [["--kind", "foo"], ["--kind"], ["--jsn"], ["--site"]])
def test_arguments_that_cannot_be_read_are_told_in_one_line(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tasks", *argv]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
    assert "python -m eval tasks --help" in shown.err


def test_the_commands_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    assert "python -m eval tasks suite.seed=1" in capsys.readouterr().out
