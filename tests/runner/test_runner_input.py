"""Bad input: one clear line, exit code 2, at once, and nothing lost."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest
import yaml
from runner_helpers import HERE, ROOT, TINY, command, reach, run, start, working

from eval.__main__ import main
from eval.build import PACKAGES, part_modules
from eval.config.load import load_config
from eval.config.settings import flatten
from eval.workbench import build_workbench
from reasoningbank.errors import SetupError

MISTYPED = [
    ("k=0", "k=0", "1"),
    ("k=-1", "k=-1", "1"),
    ("k=abc", "k=abc", "whole number"),
    ("k=1.5", "k=1.5", "whole number"),
    ("k=true", "k=True", "whole number"),
    ("k=2", "scaling=single", "scaling=parallel"),
    ("limit=0", "limit=0", "1"),
    ("trials=0", "trials=0", "1"),
    ("seed=-1", "seed=-1", "0"),
    ("order=ascend", "order=ascend", "did you mean ascending"),
    ("memory=reasonbank", "memory=reasonbank", "did you mean reasoningbank"),
    ("memory.type=sinapse", "memory.type=sinapse", "did you mean synapse"),
    ("scaling=paralel", "scaling=paralel", "did you mean parallel"),
    ("embedder=word_llama", "embedder=word_llama", "did you mean wordllama"),
    ("judge=orcale", "judge=orcale", "did you mean oracle"),
    ("profile=papers", "profile=papers", "did you mean paper"),
    ("+exp=mats_parallel", "exp=mats_parallel", "did you mean matts_parallel"),
    ("zzzqqq=1", "zzzqqq", "run --help"),
    ("zz.qq=1", "zz.qq", "the groups are"),
    ("agent.zzzqqq=1", "agent.zzzqqq", "there are: agent.max_steps"),
    ("memroy=none", "memroy", "did you mean memory"),
    ("+runname=x", "runname", "did you mean run_name"),
    ("agent.maxsteps=3", "agent.maxsteps", "did you mean agent.max_steps"),
    ("+agent.maxsteps=3", "agent.maxsteps", "did you mean max_steps"),
    ("memory.learnfrom=both", "memory.learnfrom", "did you mean memory.learn_from"),
    ("+memory.learnfrom=both", "memory.learnfrom", "did you mean learn_from"),
    ("memory.learn_from=all", "memory.learn_from=all", "success"),
    ("memory.max_items=many", "memory.max_items=many", "whole number"),
    ("agent.max_steps=0", "agent.max_steps=0", "1"),
    ("suite.seed=abc", "suite.seed=abc", "whole number"),
    ("retrieval.k=-1", "retrieval.k=-1", "0"),
    ("retrieval.key=querry", "retrieval.key=querry", "did you mean query"),
    ("temperature.agent=hot", "temperature.agent=hot", "number"),
    ("+llm@roles.juge=arithmetic", "juge", "did you mean judge"),
    ("judge=noisy judge.tpr=2", "tpr", "between 0 and 1"),
    ("plugins=[missing.py]", "missing.py", "no file"),
    ("plugins=[missing_module]", "missing_module", "no module"),
    ("prompts.pack=missing_pack", "missing_pack", "folder"),
    ("run_name=../outside", "run_name", "leaves the results folder"),
    ("run_name=a*b", "run_name=a*b", "a name holds letters"),
    ("run_name=", "run_name=", "a name holds letters"),
    ("run_name=a/../../outside", "run_name", "leaves the results folder"),
    ("k=1,2", "k=1,2", "-m"),
    ("k==", "k==", "key=value"),
    ("k", "'k'", "key=value"),
    ("--mutirun", "--mutirun", "did you mean --multirun"),
    ("+k=3", "+k", "without the +"),
    ("results_dir=/proc/nowhere", "/proc/nowhere", "set results_dir to another folder"),
    ("suite.sites=sums", "suite.sites=sums", "must be a list: write [sums]"),
    ("plugins=x.py", "plugins=x.py", "must be a list: write [x.py]"),
    ("fresh=tru", "fresh=tru", "must be true or false"),
    ("k=0", "k=0", "must be 1 or more"),
    ("temperature.agent=3", "temperature.agent=3", "must be 2 or less"),
    ("bank=3", "bank=3", "write bank.NAME=VALUE"),
    ("results_dir=3", "results_dir=3", "quotes within quotes"),
    ("profile=3", "profile=3", "no such name in configs/profile"),
    ("memory.type=3", "memory.type=3", "must be the name of a module"),
    ("memory.max_item=3", "memory.max_item'", "did you mean memory.max_items or memory.max_items_contrast?"),
]


@pytest.mark.parametrize(("typed", "found", "hint"), MISTYPED, ids=[typed for typed, _, _ in MISTYPED])
def test_one_clear_line(typed: str, found: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = [] if typed.startswith("results_dir") else [f"results_dir={tmp_path}"]
    assert main(["run", *TINY, *results, *typed.split(" ")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("error: ")
    assert found in said.err
    assert hint in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", ["[a]", "{a:1}"])
@pytest.mark.parametrize("group", sorted({*PACKAGES} - {"agent"}))
def test_a_type_that_can_be_no_name_is_one_line_in_every_group(group: str, value: str) -> None:
    settings = load_config([*TINY, f"{group}.type={value}"])
    with pytest.raises(SetupError, match=r"^[a-z]+\.type=.*: must be the name of a module$"):
        build_workbench(settings)
    if group != "suite":
        with pytest.raises(SetupError, match=rf"^{group}\.type="):
            part_modules(settings, "web")


def test_k_above_one_at_temperature_zero_is_refused_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "scaling=parallel", "k=2", "limit=1", "temperature.agent=0"]
    assert main(line) == 2
    assert "allow_zero_temperature=true" in capsys.readouterr().err
    assert main([*line, "allow_zero_temperature=true"]) == 0


def test_answers_of_one_attempt_may_be_asked_for_at_temperature_zero(tmp_path: Path) -> None:
    """Whether attempts would be equal is for the strategy to say, whatever its name: a plugin's file is one more."""
    (tmp_path / "twice.py").write_text(
        "from reasoningbank.matts import sequential\n\n\nclass Twice(sequential.Sequential):\n    pass\n"
    )
    plugins = f"plugins=[{HERE / 'arithmetic.py'},{tmp_path / 'twice.py'}]"
    line = [*TINY[:1], plugins, *TINY[2:], "scaling=sequential", "scaling.type=twice", "k=2", "temperature.agent=0"]
    bench = build_workbench(load_config(line))
    assert (bench.scaling.k, bench.scaling.attempts) == (2, 1)


@pytest.mark.parametrize("argv", [["rum"], ["run", *TINY, "k=0"], ["run", *TINY, "memory=reasonbank"]])
def test_told_at_once(argv: list[str]) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(*argv)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 2
    assert after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime < 1.5


def test_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shw"]) == 2
    assert "did you mean show" in capsys.readouterr().err


def test_help_lists_the_commands_and_imports_none() -> None:
    line = "import sys, eval.__main__ as m; m.main(['--help']); print(sorted(sys.modules))"
    done = subprocess.run([command()[0], "-c", line], cwd=ROOT, capture_output=True, text=True, check=True)
    said, modules = done.stdout.rsplit("\n[", 1)
    for path in (ROOT / "eval" / "commands").glob("[!_]*.py"):
        assert f"  {path.stem.replace('_', '-')} " in said
        assert f"eval.commands.{path.stem}" not in modules
    for heavy in ("pydantic", "numpy", "hydra", "reasoningbank"):
        assert f"'{heavy}'" not in modules


def test_without_the_environment_a_line_says_how_to_make_it(tmp_path: Path) -> None:
    """-I -S: a Python that has nothing but its own library."""
    line = "import sys; sys.path.insert(0, '.'); from eval.__main__ import main; sys.exit(main(sys.argv[1:]))"
    for argv in (["run"], ["run", "k=2"], ["show", "x"], ["report", "x"], ["tasks"]):
        bare = [command()[0], "-I", "-S", "-c", line, *argv]
        done = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1
        assert "./scripts/demo.sh" in done.stderr
        assert ".venv/bin/activate" in done.stderr


def test_run_help_shows_the_keys_of_groups_as_the_files_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    said = capsys.readouterr().out
    assert "every key with its value" in said
    keys = [line.partition("#")[0].strip() for line in said.splitlines()]
    shown = dict(line.split(": ", 1) for line in keys if ": " in line)
    settings = flatten(load_config(["scaling=parallel", "k=2"]).model_dump(mode="json"))
    for key in ("suite.seed", "retrieval.k", "scaling.store", "llm.judge_error", "temperature.extractor"):
        assert yaml.safe_load(shown[key]) == settings[key]
    for key in ("retrieval.key", "retrieval.exclude_template", "scaling.aggregate", "scaling.select"):
        assert yaml.safe_load(shown[key]) == settings[key]


def test_run_help_shows_names_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    said = capsys.readouterr().out
    for name in ("reasoningbank", "synapse", "matts_parallel", "wordllama", "k: 1", "limit: null", "fresh: false"):
        assert name in said


def test_a_run_of_other_settings_is_refused_with_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "limit=1"]
    assert main(line) == 0
    journal = next(tmp_path.glob("mine/streams/*/journal.jsonl")).read_bytes()
    assert main([*line, "seed=3", "memory=awm"]) == 2
    said = capsys.readouterr().err
    assert "seed: 0 -> 3" in said
    assert "memory.type: reasoningbank -> awm and " in said
    assert "keys that come with it" in said
    assert "memory.max_items" not in said, "that follows from the method"
    assert next(tmp_path.glob("mine/streams/*/journal.jsonl")).read_bytes() == journal
    # how the run is carried out may change
    assert main([*line, "retries=0", "concurrency.workers=1"]) == 0
    # fresh=true starts over and loses nothing
    assert main([*line, "seed=3", "fresh=true"]) == 0
    assert next(tmp_path.glob(".old/mine-1/streams/*/journal.jsonl")).read_bytes() == journal


def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    assert main(["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "fresh=true"]) == 2
    assert "thesis.tex" in capsys.readouterr().err
    assert (tmp_path / "mine" / "thesis.tex").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    assert main(["run", *TINY, f"results_dir={tmp_path / 'results'}"]) == 2
    assert "results_dir" in capsys.readouterr().err


def test_journals_and_banks_that_are_not_as_they_were(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "limit=3"]
    assert main(line) == 0
    journal = next(tmp_path.glob("mine/streams/*/journal.jsonl"))
    whole = journal.read_bytes()

    first, second, third = whole.splitlines(keepends=True)
    journal.write_bytes(first + second[:40] + b"\n" + third)
    refused = run(*line)
    assert refused.returncode == 2
    assert "line 2" in refused.stderr
    assert journal.read_bytes() == first + second[:40] + b"\n" + third

    journal.write_bytes(first + second + third[:50])
    repaired = run(*line)
    assert repaired.returncode == 0, repaired.stderr
    assert "line 3 is torn" in repaired.stdout
    assert len(journal.read_bytes().splitlines()) == 3


def test_a_bank_of_another_embedder_is_refused(tmp_path: Path) -> None:
    from reasoningbank.bank.bank import Bank
    from reasoningbank.embed.hashing import HashingEmbedder

    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "limit=1"]
    assert main(line) == 0
    bank = next(tmp_path.glob("mine/streams/*/bank.sqlite"))
    bank.unlink()
    Bank.open(bank, HashingEmbedder(dims=64)).close()
    refused = run(*line)
    assert refused.returncode == 2
    assert "64" in refused.stderr
    assert "256" in refused.stderr


def test_two_processes_do_not_share_a_run(tmp_path: Path) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "limit=2"]
    with start(*line, failpoint=f"attempt@2:{tmp_path / 'here'}") as process:
        reach(process, tmp_path / "here")
        second, pid = run(*line), working(process)
        process.kill()
    assert second.returncode == 2
    assert str(pid) in second.stderr
