"""What makes two runs one: the code they execute, and folders that a refused run must not keep."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runner_helpers import HERE, ROOT, TINY, kill_at, results, run

from eval import code
from eval.__main__ import main
from eval.build import part_modules
from eval.config import load_config
from eval.identity import identity
from eval.workbench import Workbench, build_workbench


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's code as a copy, which the digest is made from."""
    for package in ("reasoningbank", "eval"):
        shutil.copytree(ROOT / package, tmp_path / "code" / package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code, "ROOT", tmp_path / "code")
    return tmp_path / "code"


def digest_of(bench: Workbench) -> str:
    code.imported.cache_clear()
    return code.code_digest(part_modules(bench.settings, bench.suite.agent), bench.settings.plugins)


def used(bench: Workbench) -> dict[str, Path]:
    roots = [code.RUNNER, *part_modules(bench.settings, bench.suite.agent)]
    return code.modules_used(roots, {"eval": code.ROOT, "reasoningbank": code.ROOT})


def test_a_module_that_the_run_does_not_use_moves_nothing(copied: Path) -> None:
    bench = build_workbench(load_config([*TINY, "memory=awm"]))
    before = digest_of(bench)
    for name in ("memory", "matts", "embed", "llm", "distill", "agents"):
        (copied / "reasoningbank" / name / "mine.py").write_text("'''New.'''\n")
    for name in ("reasoningbank/memory/synapse.py", "reasoningbank/llm/offline/advice.py", "eval/analysis/stats.py"):
        (copied / name).write_text("'''Other.'''\n")
    assert digest_of(bench) == before


def test_any_file_that_the_run_uses_moves_it(copied: Path) -> None:
    bench = build_workbench(load_config([*TINY, "memory=awm", "scaling=parallel", "k=2"]))
    before = digest_of(bench)
    paths = used(bench)
    assert {"reasoningbank.memory.awm", "reasoningbank.matts.parallel", "eval.episode", "reasoningbank"} <= set(paths)
    for path in paths.values():
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        assert digest_of(bench) != before, path
        path.write_bytes(content)
    assert digest_of(bench) == before


EXECUTED = """
import sys, tempfile, pathlib
from eval.build import part_modules
from eval.config import load_config
from eval.plan import plan_streams
from eval.stream import run_stream
from eval.workbench import build_workbench
bench = build_workbench(load_config(sys.argv[1:]))
[plan] = plan_streams(bench.settings, bench.suite)
run_stream(bench, plan, pathlib.Path(tempfile.mkdtemp()), report=lambda line, old: None, note=print)
print(*(name for name in sys.modules if name.partition(".")[0] in ("eval", "reasoningbank")))
"""


@pytest.mark.parametrize(
    "line", [["limit=1", "suite.sites=[shopping]"], [*TINY, "limit=2", "memory=synapse", "scaling=parallel", "k=2"]]
)
def test_all_that_is_loaded_for_a_run_is_in_its_code(line: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", EXECUTED, *line], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if not name.startswith("eval.suites.")}
    assert len(loaded) > 30
    assert loaded - set(used(build_workbench(load_config(line)))) - code.WORDS == set()


@pytest.mark.parametrize("plugin", ["file", "module", "bare"])
def test_what_a_plugin_imports_is_in_the_code(plugin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"marked_{plugin}"
    (tmp_path / name).mkdir()
    if plugin != "bare":  # a package may do without
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "inner.py").write_text("WORDS = 'Check.'\n")
    (tmp_path / f"{name}_method.py").write_text(f"from {name}.inner import WORDS\n")
    monkeypatch.syspath_prepend(tmp_path)
    path = str(tmp_path / f"{name}_method.py") if plugin == "file" else f"{name}.inner"
    plugins = [str(HERE / "arithmetic.py"), path]
    bench = build_workbench(load_config([*TINY, f"plugins=[{','.join(plugins)}]", "memory=none"]))
    __import__(f"{name}.inner")
    before = digest_of(bench)
    (tmp_path / name / "other.py").write_text("WORDS = ''\n")
    assert digest_of(bench) == before
    (tmp_path / name / "inner.py").write_text("WORDS = 'Check again.'\n")
    assert digest_of(bench) != before


def test_relative_imports_of_a_plugin_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "marked_relative"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("from .deep import first\n")
    (package / "deep" / "__init__.py").write_text("from . import first\n")
    (package / "deep" / "first.py").write_text("from ..second import WORDS\n")
    (package / "second.py").write_text("WORDS = 'Check.'\n")
    monkeypatch.syspath_prepend(tmp_path)
    bench = build_workbench(load_config([*TINY, f"plugins=[{HERE / 'arithmetic.py'},{package.name}]", "memory=none"]))
    __import__(package.name)
    for name in ("deep/first.py", "second.py"):
        before = digest_of(bench)
        with (package / name).open("a") as file:
            file.write("# other words\n")
        assert digest_of(bench) != before, name


def test_changed_code_is_told_as_that(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, "limit=1", f"results_dir={tmp_path / 'results'}", "run_name=mine"]
    assert main(line) == 0
    with (copied / "reasoningbank" / "bank" / "bank.py").open("a") as file:
        file.write("\n")
    code.imported.cache_clear()
    assert main(line) == 2
    assert "the code has changed since" in (said := capsys.readouterr().err)
    assert "(code: " in said
    assert main([*line, "seed=1"]) == 2
    assert "other settings (seed: 0 -> 1) and other code" in capsys.readouterr().err


@pytest.mark.parametrize("other", ["memory=awm", "scaling=parallel", "judge=oracle"])
def test_other_parts_are_other_settings_and_not_changed_code(
    other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, "limit=1", f"results_dir={tmp_path / 'results'}", "run_name=mine"]
    assert main(line) == 0
    assert main([*line, other]) == 2
    said = capsys.readouterr().err
    key, _, value = other.partition("=")
    assert f"{key}.type: " in said
    assert f" -> {value}" in said
    assert "other code" not in said


def test_a_run_that_is_refused_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "limit=2"]
    assert main([*line, "run_name=first"]) == 0
    bank = next(tmp_path.glob("first/streams/*/bank.sqlite"))
    for wrong in ("embedder.dims=64", "retrieval.key=item"):
        assert main([*line, wrong, f"bank.init_from={bank}", "run_name=mine"]) == 2
        assert str(bank) in capsys.readouterr().err
        assert not (tmp_path / "mine").exists()
    assert main([*line, f"bank.init_from={bank}", "run_name=mine"]) == 0


def test_a_folder_in_which_nothing_was_done_is_taken_over(tmp_path: Path) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "limit=2", "run_name=mine"]
    kill_at("attempt", 1, tmp_path / "here", *line)
    assert (tmp_path / "mine" / "meta.json").exists()
    changed = [*line, "embedder.dims=64", "seed=3"]
    assert run(*changed).returncode == 0
    assert run(*line, "seed=3", "embedder.dims=64").returncode == 0
    assert [len(lines) for lines in results(tmp_path / "mine").values()] == [2]
    # one attempt is something
    kill_at("attempt", 3, tmp_path / "here", *line, "run_name=other")
    refused = run(*line, "run_name=other", "seed=3")
    assert refused.returncode == 2
    assert "seed: 0 -> 3" in refused.stderr


def test_a_pack_of_prompts_names_a_run_by_its_texts_and_not_by_its_folder(tmp_path: Path) -> None:
    def prompts_of(*words: str) -> object:
        return identity(build_workbench(load_config([*TINY, *words])))["prompts"]

    for name, text in (
        ("one", "Judge {{ answer }}."),
        ("same", "Judge {{ answer }}."),
        ("other", "Rule on {{ answer }}."),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "judge.j2").write_text(text, encoding="utf-8")
    found = {name: prompts_of(f"prompts.pack={tmp_path / name}") for name in ("one", "same", "other")}
    assert found["one"] == found["same"] != found["other"]
    assert prompts_of() not in found.values()
