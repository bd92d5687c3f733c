"""Estimates: what a run takes before it runs, without a key and without a call to a real model."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from fakes.base import FakeServer, always, plain
from fakes.base import Fault as Failing
from fakes.openai_server import OpenAIApp
from runner_helpers import TINY

from eval.__main__ import main
from eval.build import build_suite
from eval.config.settings import Settings
from eval.suites.base import Suite

GEMINI = ["suite.sites=[shopping]", "limit=6", "llm=gemini_flash"]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def estimated(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["estimate", *argv, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def ran(folder: Path, *argv: str) -> dict[str, Any]:
    assert main(["run", *argv, f"results_dir={folder}", "run_name=real", "progress=quiet"]) == 0
    summary: dict[str, Any] = json.loads((folder / "real" / "summary.json").read_bytes())
    return summary["overall"]  # type: ignore[no-any-return]


ARMS = {
    "none": ["memory=none"],
    "single": ["memory=reasoningbank"],
    "parallel": ["memory=reasoningbank", "scaling=parallel", "k=3"],
    "awm": ["memory=awm", "scaling=parallel", "k=2"],
}


@pytest.mark.parametrize(
    "name", ["parallel", *(pytest.param(name, marks=pytest.mark.long) for name in ("none", "single", "awm"))]
)
def test_a_trial_finds_the_calls_of_every_role(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*TINY, *ARMS[name]]
    before, after = estimated(capsys, *argv), ran(tmp_path, *argv)
    assert set(before["roles"]) == set(after["tokens"])
    assert before["episodes"] == after["n"]
    for role in ("agent", "selector"):
        if role in after["tokens"]:
            assert before["roles"][role]["calls"] == pytest.approx(after["tokens"][role]["calls"])
    assert before["tokens"] == pytest.approx(
        sum(each["input_tokens"] + each["output_tokens"] for each in after["tokens"].values()), rel=0.4
    )
    assert before["cost_usd"] is None, "a simulated model costs nothing"


def test_an_earlier_run_of_the_same_kind_tells_it_to_the_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [*TINY, *ARMS["parallel"], f"results_dir={tmp_path}"]
    after = ran(tmp_path, *argv)
    before = estimated(capsys, *argv, "--from", "real")
    for role, each in after["tokens"].items():
        for key in ("calls", "input_tokens", "output_tokens"):
            assert before["roles"][role][key] == pytest.approx(each[key])
    twice = estimated(capsys, *argv, "trials=2", "--from", "real")
    assert twice["tokens"] == pytest.approx(2 * before["tokens"])
    other = estimated(capsys, *argv, "memory=none", "--from", "real")
    assert set(other["roles"]) == {"agent", "selector"}
    assert any("of other settings" in note for note in other["notes"])


def test_all_runs_of_an_arm_in_a_sweep_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And not the first of them alone."""
    argv = [*TINY, f"results_dir={tmp_path}", "progress=quiet"]
    assert main(["run", "-m", "limit=2,4", "memory=reasoningbank", "run_name=s", *argv]) == 0
    overall = [json.loads(path.read_bytes())["overall"] for path in sorted((tmp_path / "s").glob("*/summary.json"))]
    learnt = [each["tokens"] for each in overall]
    mean = {role: sum(each[role]["input_tokens"] for each in learnt) / 6 for role in learnt[0]}
    assert mean["agent"] != learnt[0]["agent"]["input_tokens"] / 2, "else the first run tells as much as all"
    found = estimated(capsys, *argv, "memory=reasoningbank", "limit=3", "--from", "s")
    told = {role: each["input_tokens"] / 3 for role, each in found["roles"].items()}
    assert told == pytest.approx(mean)
    [note] = [note for note in found["notes"] if note.startswith("as in ")]
    assert "6 episodes" in note


def test_what_the_runs_of_a_sweep_share_is_built_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[object] = []

    def counting(settings: Settings) -> Suite:
        built.append(settings.suite)
        return build_suite(settings)

    monkeypatch.setattr("eval.workbench.build_suite", counting)
    few = ["suite.sites=[shopping]", "limit=2", f"results_dir={tmp_path}"]
    estimated(capsys, "-m", "memory=none", "seed=0,1,2,3", *few)
    assert len(built) == 1, "for the trial and for all runs"


def test_a_real_model_is_priced_without_a_key_or_a_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = estimated(capsys, *GEMINI, f"results_dir={tmp_path / 'nothing'}")
    assert not (tmp_path / "nothing").exists()
    roles = found["roles"].values()
    assert {each["model"] for each in roles} == {"gemini:gemini-2.5-flash"}
    expected = sum(each["input_tokens"] * 0.30 + each["output_tokens"] * 2.50 for each in roles) / 1e6
    assert found["cost_usd"] == pytest.approx(expected, rel=1e-3)
    assert found["cost_low"] < found["cost_usd"] < found["cost_high"]
    assert any("offline model" in note for note in found["notes"])
    assert [note for note in found["notes"] if note.startswith("prices as of 20")]


@pytest.mark.long
def test_no_model_of_any_role_is_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with FakeServer(OpenAIApp(lambda asked: plain("no")), faults=always(Failing("status", status=500))) as server:
        real = ["+llm@roles.judge=openai", f"roles.judge.base_url={server.url}/v1", "roles.judge.model=m"]
        found = estimated(capsys, "suite.sites=[shopping]", "limit=2", *real)
        assert not server.requests
    assert found["roles"]["judge"]["model"] == "openai:m@127.0.0.1"
    assert found["roles"]["judge"]["cost_usd"] is None
    assert found["cost_usd"] is None, "a part that is not known makes the whole unknown"
    assert any("no price is known for openai:m@127.0.0.1" in note for note in found["notes"])


def test_the_table_says_it_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", *GEMINI, "budget.usd=0.0001"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 run, 6 episodes, 6 attempts" in said
    assert "US$" in said
    assert "smallest detectable difference" in said
    assert "budget.usd=0.0001 would stop it" in said
    assert main(["estimate", *GEMINI, "budget.usd=0.15"]) == 0
    assert "budget.usd=0.15 may stop it" in capsys.readouterr().out
    assert main(["estimate", *GEMINI, "budget.usd=15"]) == 0
    assert "stop it" not in capsys.readouterr().out


@pytest.mark.long
def test_a_sweeps_arms_are_paired_over_their_worlds_and_not_over_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    one = estimated(capsys, *TINY, "memory=none")
    arms = estimated(capsys, *TINY, "-m", "memory=none,awm")
    worlds = estimated(capsys, *TINY, "-m", "memory=none,awm", "suite.seed=0,1", "seed=0,1")
    assert one["pairs"] == arms["pairs"] == one["episodes"]
    assert worlds["runs"] == 8
    assert worlds["pairs"] == 2 * one["pairs"]
    # four times the tasks show half the difference
    assert worlds["detectable"] == pytest.approx(one["detectable"] / math.sqrt(2))


def test_what_is_frozen_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(tmp_path, *TINY)
    given = [f"results_dir={tmp_path}", "bank.init_from=real", "bank.frozen=true"]
    assert set(estimated(capsys, *TINY, *given)["roles"]) == {"agent"}


def test_a_run_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["estimate", *TINY, f"results_dir={tmp_path}", "--from", "nowhere"]) == 2
    assert "no run 'nowhere'" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["models: [", "models: {a: {input: 1}}", "- 1", None])
@pytest.mark.parametrize("llm", ["openai", "offline"])
def test_prices_that_cannot_be_used_are_told_alone(
    llm: str, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "mine.yaml").write_text(text)
    assert main(["estimate", f"llm={llm}", "limit=1", f"prices={tmp_path / 'mine.yaml'}"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: prices={tmp_path / 'mine.yaml'}: ")
    assert error.count("\n") == 1
    assert "trial" not in error
