"""Values, groups, sweeps, files and plugins that cannot be meant: one line without a parser's jargon, nothing left."""

from __future__ import annotations

from itertools import cycle, product
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runner_helpers import HERE, TINY

from eval.__main__ import main
from eval.build import build_llms
from eval.config.files import CONFIGS, group_names, groups
from eval.config.load import expand, load_config, load_job
from eval.config.overrides import as_override, parsed, quoted
from eval.plan import plan_streams
from eval.workbench import build_workbench
from reasoningbank.llm.calls import DEFAULT_SETTINGS
from reasoningbank.types import Role

JARGON = ("Exception", "mismatched", "no viable", "token recognition", "extraneous", "provider=", "https://", "[type=")


def told(argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    results = [] if any(text.startswith("results_dir") for text in argv) else [f"results_dir={tmp_path / 'results'}"]
    assert main(["run", *TINY, *results, *argv]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert not [word for word in JARGON if word in said.err], said.err
    assert not (tmp_path / "results").exists()
    return said.err


GROUPS = [group for group in groups() if group != "exp"]


@pytest.mark.parametrize("value", ["[none]", "null", "", "{}", "{a: 1}", "[]", "true"])
@pytest.mark.parametrize("group", GROUPS)
def test_a_group_takes_one_name(group: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told([f"{group}={value}"], tmp_path, capsys)
    assert f"{group}={value}: {group} takes one name" in said
    assert group_names(group)[0] in said


@pytest.mark.parametrize("value", ["../llm/openai", "../../configs/llm/openai", "/etc/hosts", "x/../none", ".."])
@pytest.mark.parametrize("group", ["profile", "memory", "+llm@roles.judge"])
def test_a_group_takes_no_file_from_elsewhere(
    group: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told([f"{group}={value}"], tmp_path, capsys)
    assert f"{group}={value}: no such name in configs/{group.lstrip('+').partition('@')[0]}; " in said


@pytest.mark.parametrize("value", ["é", "日本", "'no", 'no"', "a(b", "a{b", "a]b", "a:b[", "x=y z'", "[1,2", "💡"])
@pytest.mark.parametrize("key", ["run_name", "prompts.pack", "memory", "k"])
def test_what_needs_quotes_is_told_with_them(
    key: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told([f"{key}={value}"], tmp_path, capsys)
    assert key in said
    if "quotes" in said:
        assert f"'{key}=\"...\"'" in said


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=20))
def test_a_quoted_text_is_read_as_it_is(text: str) -> None:
    assert parsed(f"key={quoted(text)}").value() == text or "${" in text
    assert parsed(f"key={as_override(text)}").value() == text or "${" in text
    assert parsed(f"key={as_override([text, 1, None, True])}").value() == [text, 1, None, True] or "${" in text


SWEEPS = [
    (["-m", "seed=1,1"], "1 is there twice"),
    (["-m", "memory=none,awm,none"], "none is there twice"),
    (["+sweep.seed=[1,2,1]"], "1 is there twice"),
    (["+sweep.memory=[]"], "sweep.memory=[]"),
    (["+sweep.memory=[none,'']"], "memory takes one name"),
    (["+sweep.nothing=[1]"], "unknown key 'nothing'"),
    (["-m", "results_dir=a,b"], "one value for a whole sweep"),
    (["-m", "run_name=a,b"], "one value for a whole sweep"),
    (["-m", "concurrency.workers=1,2"], "one value for a whole sweep"),
    (["+sweep.fresh=[true,false]"], "one value for a whole sweep"),
    (["-m", "seed=range(1000000000)"], "at most 1000"),
    (["-m", "seed=range(100)", "order_seed=range(100)"], "10000 runs"),
    (["-m", "memory=glob(x*)"], "there are: adversarial, awm"),
    (["-m", "temperature.agent=interval(0,1)"], "can be swept over"),
    (["trials=3000000"], "1000"),
    (["scaling=parallel", "k=3000000"], "1000"),
    (["plugins=['']"], "plugins.0"),
    (["results_dir="], "results_dir"),
    (["--config-dir="], "--config-dir=DIR"),
    (["memory.type=none"], "memory=none"),
    (["temperature.agent=nan"], "temperature.agent"),
    (["hydra.run.dir=x"], "hydra.run.dir"),
]


@pytest.mark.parametrize(("argv", "hint"), SWEEPS, ids=[" ".join(argv) for argv, _ in SWEEPS])
def test_what_cannot_be_meant(argv: list[str], hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hint in told(argv, tmp_path, capsys)


def test_equal_runs_in_one_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(["-m", "llm.record=true,false"], tmp_path, capsys)  # how calls travel is no part of what a run is
    assert "llm.record=true and llm.record=false are the same settings" in said


def test_a_glob_is_every_name_of_the_group() -> None:
    jobs = expand([*TINY, "memory=glob(*)"], multirun=True)
    assert [job.choices["memory"] for job in jobs] == group_names("memory")


@pytest.mark.parametrize("section", ["temperature", "max_tokens"])
@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_has_its_settings(
    section: str, role: Role, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"{section}.{role} is not set" in told([f"~{section}.{role}"], tmp_path, capsys)


FILES = {
    "me": (b"defaults: [me]\ntype: none\n", "lead back to itself"),
    "one": (b"defaults: [two]\ntype: none\n", "lead back to itself"),
    "latin": (b"type: none\n# caf\xe9\n", "line 2: not UTF-8"),
    "words": (b"just words\n", "must hold lines"),
    "tab": (b"type:\n\t- x\n", "tab"),
}


FOLDERS = ("plain", "é ü", "a=b", "a,b", "it's", 'say "x"', "[x]", "50% #1", "back\\slash")


def pairs() -> list[Any]:
    """Every file in every folder: in the normal tests all of them in a plain one, and one of them in each other."""
    usual = {("plain", name) for name in FILES} | set(zip(FOLDERS, cycle(FILES), strict=False))
    return [
        pytest.param(folder, name, marks=[] if (folder, name) in usual else [pytest.mark.long])
        for folder, name in product(FOLDERS, FILES)
    ]


@pytest.mark.parametrize(("folder", "name"), pairs())
def test_files_that_cannot_be_read_in_folders_of_any_name(
    name: str, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, hint = FILES[name]
    (memory := tmp_path / folder / "memory").mkdir(parents=True)
    (memory / f"{name}.yaml").write_bytes(content)
    (memory / "two.yaml").write_bytes(b"defaults:\n  - /memory/one\n")
    (memory / "fine.yaml").write_bytes((CONFIGS / "memory" / "none.yaml").read_bytes())
    said = told([f"--config-dir={tmp_path / folder}", f"memory={name}"], tmp_path, capsys)
    assert hint in said
    assert str(memory) in said
    assert load_config([*TINY, f"--config-dir={tmp_path / folder}", "memory=fine"]).memory == {"type": "none"}


PLUGINS = {
    "exit0": "import sys\nsys.exit(0)\n",
    "exit": "raise SystemExit\n",
    "syntax": "def (\n",
    "raises": "x = 1\nraise OSError('no\\nway')\n",
    "lacks": "import nothing_of_this_name\n",
}


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_that_cannot_be_imported(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"plugged_{name}.py"
    path.write_text(PLUGINS[name])
    said = told([f"plugins=[{HERE / 'arithmetic.py'},{path}]", "memory=none", "memory.type=other"], tmp_path, capsys)
    assert f"{path}, line" in said


@pytest.mark.parametrize("does", ["import sys; sys.exit(0)", "exit()", "1 / 0", "raise KeyError('x')", "open('/none')"])
def test_a_part_that_cannot_be_made(does: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"part_{abs(sum(map(ord, does)))}.py"
    path.write_text(
        f"class Mine:\n    needs_verdicts = True\n\n    def __init__(self):\n        {does}\n\n"
        "    def recall(self, task, bank): ...\n    def distill(self, episode, calls): ...\n"
    )
    said = told(
        [f"plugins=[{HERE / 'arithmetic.py'},{path}]", "memory=none", f"memory.type={path.stem}"], tmp_path, capsys
    )
    assert f"{path}, line 5" in said


def test_a_suite_chooses_its_agent_s_settings_and_the_command_line_goes_before_it(tmp_path: Path) -> None:
    for group in ("suite", "agent"):
        (tmp_path / group).mkdir()
    (tmp_path / "suite" / "own.yaml").write_text(
        "defaults:\n  - override /agent@_global_.agent: own\ntype: arithmetic\nseed: 0\ncount: 2\n"
    )
    (tmp_path / "agent" / "own.yaml").write_text("max_steps: 250\n")
    own = [*TINY, f"--config-dir={tmp_path}", "suite=own"]
    assert load_config(own).agent == {"max_steps": 250}
    assert load_config([*own, "agent.max_steps=3"]).agent == {"max_steps": 3}
    assert load_config([*own, "agent=web"]).agent == load_config([]).agent
    assert load_job(own).choices["agent"] == "own"


def test_the_paper_s_profile_and_the_library_s_defaults_are_the_same() -> None:
    settings = load_config([])
    assert settings.profile == "paper"
    for role, default in DEFAULT_SETTINGS.items():
        assert settings.temperature[role] == default.temperature
        assert settings.max_tokens[role] == default.max_tokens


@pytest.mark.parametrize(
    ("line", "extractor", "reasons"),
    [
        ([], 1.0, True),
        (["memory=awm"], 0.7, None),
        (["memory=synapse"], 1.0, None),
        (["scaling=parallel", "k=2"], 0.7, True),
        (["scaling=parallel", "k=2", "temperature.extractor=0.2", "memory.judge_reasons=false"], 0.2, False),
    ],
)
def test_the_official_code_s_profile(line: list[str], extractor: float, reasons: bool | None) -> None:
    settings = load_config(["profile=official_code", *line])
    assert settings.temperature["extractor"] == extractor
    assert settings.memory.get("judge_reasons") is reasons
    paper = load_config(line)
    assert {**settings.temperature, "extractor": 0} == {**paper.temperature, "extractor": 0}


def test_every_name_of_a_profile_s_special_cases_is_one() -> None:
    for folder, group in (("with_memory", "memory"), ("with_scaling", "scaling")):
        for path in (CONFIGS / "profile" / folder).glob("*.yaml"):
            assert path.stem in {f"{one}_{two}" for one in group_names("profile") for two in group_names(group)}


def test_the_grader_makes_no_run_a_simulated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = build_workbench(load_config(TINY))
    assert bench.simulated
    llms = build_llms(bench.settings)
    for role, llm in llms.items():
        if role != "grader":
            monkeypatch.setattr(llm, "simulated", False)
    assert not any(llm.simulated for role, llm in llms.items() if role != "grader")
    assert llms["grader"].simulated
    real = type(bench)(**{**vars(bench), "llms": llms})
    assert not real.simulated


@pytest.mark.parametrize("order", ["ascending", "shuffled"])
def test_streams_by_site_by_suite_and_site_after_site(order: str) -> None:
    def streams(by: str) -> dict[str, list[str]]:
        line = [*TINY, "+suite.sites=[sums,more]", "suite.count=4", f"stream.by={by}", f"order={order}", "trials=2"]
        settings = load_config(line)
        suite = build_workbench(settings).suite
        plans = plan_streams(settings, suite)
        return {plan.name: [task.id for task in plan.tasks] for plan in plans}

    by_site, by_suite, in_order = map(streams, ("site", "suite", "sites_in_order"))
    assert list(by_site) == ["sums.t0", "more.t0", "sums.t1", "more.t1"]
    assert list(by_suite) == list(in_order) == ["arithmetic.t0", "arithmetic.t1"]
    for trial in (0, 1):
        assert in_order[f"arithmetic.t{trial}"] == by_site[f"sums.t{trial}"] + by_site[f"more.t{trial}"]
        assert sorted(by_suite[f"arithmetic.t{trial}"]) == sorted(in_order["arithmetic.t0"])
    for plans in (by_suite, in_order):
        assert (plans["arithmetic.t0"] == plans["arithmetic.t1"]) is (order == "ascending"), "a shuffle for each trial"
    assert (in_order["arithmetic.t0"] == sorted(in_order["arithmetic.t0"])) is (order == "ascending")
