"""`python -m eval tasks` for any suite: with a profile of its own, and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from arithmetic import CANARY
from runner_helpers import TINY

from eval.__main__ import main

SETTINGS = [setting for setting in TINY if not setting.startswith("embedder")]
MEASURED = '''"""Sums that can be measured."""

from arithmetic import Arithmetic
from eval.suites.profile import Convention, SuiteProfile, quantiles


class Measured(Arithmetic):
    def profile(self):
        return SuiteProfile(
            tasks=8,
            templates=2,
            solved=0.5,
            measures={"digits of a sum": quantiles([1, 2, 2])},
            conventions={"S1": Convention(says="carry the one", templates=1)},
        )
'''


@pytest.fixture
def measured(tmp_path: Path) -> list[str]:
    """Settings of a suite of somebody's own."""
    (tmp_path / "suite").mkdir()
    plugin = tmp_path / f"{tmp_path.name}.py"
    (tmp_path / "suite" / "measured.yaml").write_text(f"type: {plugin.stem}\nseed: 0\ncount: 8\n", encoding="utf-8")
    plugin.write_text(MEASURED, encoding="utf-8")
    return [f"--config-dir={tmp_path}", f"plugins=[{plugin}]", "suite=measured"]


def test_tasks_of_any_suite_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", *SETTINGS, "--json"]) == 0
    shown = capsys.readouterr().out
    assert len(json.loads(shown)) == 8
    assert CANARY not in shown


def test_a_suite_without_known_solutions_has_no_profile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", *SETTINGS, "--profile"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "--profile: suite arithmetic has no known solutions to measure" in shown.err


def test_a_suite_says_itself_what_is_measured(measured: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", *measured, "--profile"]) == 0
    text = capsys.readouterr().out
    assert "8 tasks of 2 templates; known solutions solve 50.0 %" in text
    for word in ("digits of a sum", "carry the one"):
        assert word in text
    assert "real episodes" not in text
    assert main(["tasks", *measured, "--profile", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"]["digits of a sum"]["median"] == 2


@pytest.mark.parametrize(("agent", "group"), [("web", "site"), ("code", "library")])
def test_a_profile_says_what_it_is_that_has_conventions(
    agent: str, group: str, measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / f"{tmp_path.name}.py"
    text = MEASURED.replace("    def profile", f"    agent = {agent!r}\n\n    def profile")
    plugin.write_text(text, encoding="utf-8")
    assert main(["tasks", *measured, "--profile"]) == 0
    assert f"what a {group} does without saying so" in capsys.readouterr().out


@pytest.mark.parametrize("profile", [False, True])
def test_into_a_pipe_a_row_is_a_line_with_tabs(
    profile: bool, measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tasks", *measured, *["--profile"] * profile]) == 0
    said = capsys.readouterr()
    rows = [line.split("\t") for line in said.out.splitlines() if line and not line.startswith("#")]
    assert ["carry the one", "1"] in rows if profile else len(rows) == 9 and {len(row) for row in rows} == {5}
    assert not set(said.out) & set("│┃━─")
    assert ("known solutions of 8 tasks" in said.err) == profile
