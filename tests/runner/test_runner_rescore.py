"""`rescore`: outcomes again from stored evidence, beside a run that stays as it is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes.base import Asked, FakeServer
from fakes.openai_server import OpenAIApp

from eval.__main__ import main
from eval.grading.rescoring import Rescored
from eval.journal import Outcome
from eval.suites.web.evaluators import EvalSpec
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.types import Reply, Usage

JOB = [
    *(
        "suite=webarena_mini",
        "suite.sites=[shopping]",
        "suite.templates=[vague_price_paid,phone_of_address]",
        "memory=none",
    ),
    *("scaling=sequential", "k=2", "embedder=hashing", "progress=quiet", "run_name=one"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert main(["run", *JOB, f"results_dir={folder}"]) == 0
    return folder / "one"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "one"))


def files(run: Path) -> dict[str, bytes]:
    """Everything that a run has, but for what is written beside it."""
    return {
        str(path.relative_to(run)): path.read_bytes()
        for path in sorted(run.rglob("*"))
        if path.is_file() and "rescored" not in path.parts
    }


def rescored(run: Path, *words: str, code: int = 0) -> Rescored:
    before = {path.name for path in run.glob("rescored/*.json")}
    assert main(["rescore", str(run), *words]) == code
    [path] = [path for path in run.glob("rescored/*.json") if path.name not in before] or run.glob("rescored/*.json")
    return Rescored.model_validate_json(path.read_bytes())


def test_the_same_evaluators_change_nothing(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(run)
    found = rescored(run)
    said = capsys.readouterr().out
    assert files(run) == before
    assert found.overall.old == found.overall.new
    assert (found.overall.new.n, found.overall.left_out, found.changes) == (4, 0, ())
    assert found.overall.new.interval is not None
    assert "0 attempts changed" in said
    assert "simulated" in said
    assert main(["rescore", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found.model_dump(mode="json")
    assert main(["run", *JOB, f"results_dir={run.parent}"]) == 0, "it is still known for a run"
    assert main(["rescore", str(run)]) == 0
    assert len(list(run.glob("rescored/*.json"))) == 1, "the same question has the same file"


def test_another_evaluator_is_told_with_every_attempt_that_it_changes(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(run)
    evaluate = WebArenaMini.evaluate

    def turned(suite: WebArenaMini, *given: Any) -> Outcome:
        solved = evaluate(suite, *given).status != "solved"
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved))

    monkeypatch.setattr(WebArenaMini, "evaluate", turned)
    found = rescored(run)
    assert files(run) == before
    assert len(found.changes) == 4
    assert found.overall.old.success_rate is not None
    assert found.overall.new.success_rate == 1.0 - found.overall.old.success_rate
    assert {change.old.status != change.new.status for change in found.changes} == {True}
    assert "4 attempts changed" in capsys.readouterr().out


def test_another_grader_is_asked_once(run: Path) -> None:
    asked = []

    def answer(one: Asked) -> Reply:
        asked.append(one)
        return Reply(text="Reasons: none\nGrade: incorrect", usage=Usage(calls=1, input_tokens=9, output_tokens=2))

    with FakeServer(OpenAIApp(answer)) as server:
        remote = ["--grader", "openai", f"roles.grader.base_url={server.url}/v1", "roles.grader.model=fake-model"]
        found = rescored(run, *remote)
        number = len(asked)
        assert rescored(run, *remote) == found
    assert len(asked) == number > 0
    assert "fake-model" in found.grading
    assert found.changed_settings["grader"] == "openai"
    assert all(change.new.status == "unsolved" for change in found.changes)
    assert found.spent["grader"].usage.input_tokens == 9 * number
    assert rescored(run, "--grader", "offline").grading == "comparison"


def test_what_cannot_be_evaluated_again_is_in_neither_number(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, *_ = sorted(run.glob("streams/*/attempts/*/0.json"))
    one.unlink()
    two.write_text(two.read_text().replace('"answer"', '"answered"', 1))
    found = rescored(run)
    assert (found.overall.new.n, found.overall.old.n, found.overall.left_out) == (2, 2, 2)
    assert found.not_rescored == {"the file of an attempt is missing or was changed": 2}
    assert "2 tasks left out of both" in capsys.readouterr().out


def test_a_place_that_nobody_has_looked_at_is_not_an_empty_one(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = EvalSpec.probes
    monkeypatch.setattr(EvalSpec, "probes", lambda spec: (*asked(spec), ("last", "h9")))
    found = rescored(run)
    assert (found.overall.new.n, found.overall.left_out) == (0, 4)
    assert found.not_rescored == {"its evidence lacks last h9": 4}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["k=3"], "only what evaluates can be set here"),
        (["suite.seed=1"], "evidence of one world says nothing of the tasks of another"),
        (["suite.sead=3"], "did you mean seed"),
        (["--grader", "openia"], "openai"),
        (["suite.seed"], "suite.seed"),
        (["--graders", "x"], "--graders"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    words: list[str], said: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rescore", str(run), *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (run / "rescored").exists()


@pytest.mark.parametrize("roles", [None, [1], "grader", 3, {"grader": 3}])
@pytest.mark.parametrize("words", [(), ("--grader", "offline")])
def test_settings_that_are_none_of_a_run_are_one_line(
    roles: object, words: tuple[str, ...], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    meta = json.loads((run / "meta.json").read_text())
    given = {key: value for key, value in meta["settings"].items() if key != "roles"}
    settings = given if roles is None else {**given, "roles": roles}
    (run / "meta.json").write_text(json.dumps({**meta, "settings": settings}))
    assert main(["rescore", str(run), *words]) == 2
    told = capsys.readouterr().err
    assert "meta.json has other settings than this version knows (roles)" in told
    assert told.count("\n") == 1


def test_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rescore", "none", "--results", str(tmp_path)]) == 2
    assert "no run 'none'" in capsys.readouterr().err
