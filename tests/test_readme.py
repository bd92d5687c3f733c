"""What the README shows is run as it is shown."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import HANG

from eval.config.load import expand

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    python -m eval (.+?)(?:\s+#.*)?$", README, re.MULTILINE)


def block(mark: str, language: str) -> str:
    """The fenced code after `<!-- mark -->`."""
    found = re.search(rf"<!-- {mark} -->\n```{language}\n(.*?)```", README, re.DOTALL)
    assert found, f"README.md has no {language} block after <!-- {mark} -->"
    return found[1]


def run(*arguments: str, cwd: Path, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )


def write_method(python: Path, yaml: Path) -> None:
    python.write_text(block("method: python", "python"), encoding="utf-8")
    yaml.parent.mkdir(exist_ok=True)
    yaml.write_text(block("method: yaml", "yaml"), encoding="utf-8")


def test_two_files_in_a_checkout_add_a_memory_method(tmp_path: Path) -> None:
    for folder in ("reasoningbank", "eval", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    write_method(tmp_path / "reasoningbank/memory/mine.py", tmp_path / "configs/memory/mine.yaml")
    (command,) = (shlex.split(each) for each in COMMANDS if "mine" in each)
    one_seed = [word for word in command if not word.startswith("seed=")]
    small = ["limit=2", "suite.sites=[shopping]", "run_name=own"]
    done = run("-m", "eval", *one_seed, *small, cwd=tmp_path, path=tmp_path)
    assert done.returncode == 0, done.stderr
    runs = json.loads((tmp_path / "results/own/summary.json").read_text(encoding="utf-8"))["runs"]
    assert set(runs) == {"memory=none", "memory=reasoningbank", "memory=mine"}
    assert all(each["overall"]["n"] >= 2 for each in runs.values())


@pytest.mark.long
def test_the_two_files_may_lie_elsewhere(tmp_path: Path) -> None:
    write_method(tmp_path / "mine.py", tmp_path / "memory/mine.yaml")
    done = run(
        *("-m", "eval", "run", "memory=mine", "limit=2", "run_name=own"),
        *(f"plugins=[{tmp_path}/mine.py]", f"--config-dir={tmp_path}"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results/own/summary.json").is_file()


@pytest.mark.parametrize("judged", ["success", "failure"])
def test_the_memory_method_recalls_what_it_learnt(tmp_path: Path, judged: str) -> None:
    """Its two methods on a bank, as the runner calls them."""
    script = f"""
import sys
sys.path[:0] = [{str(ROOT / "tests")!r}, {str(tmp_path)!r}]
from attempt_makers import make_attempt, make_episode
from mine import Mine
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.types import Task

method = Mine(hits=1)
bank = Bank.open(None, HashingEmbedder())
episode = make_episode(make_attempt(0, {judged!r}), make_attempt(1, "failure"))
for experience in method.distill(episode, None).experiences:
    bank.add(experience)
other = Task(id="other", suite="any", group="any", intent=episode.task.intent)
print(method.recall(episode.task, bank).text + "|" + method.recall(other, bank).text)
"""
    (tmp_path / "mine.py").write_text(block("method: python", "python"), encoding="utf-8")
    done = run("-c", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    own, _, other = done.stdout.strip().partition("|")
    assert own == ""
    assert ("What worked for similar tasks:" in other) == (judged == "success")


def test_the_library_example_works_as_shown(tmp_path: Path) -> None:
    given = """
def ask(messages):
    text = messages[-1]["content"]
    if "Status:" in messages[0]["content"] + text:
        return "Thoughts: the order is canceled\\nStatus: success"
    title, content = "Open the order first", "Cancel is inside."
    return f"# Memory Item 1\\n## Title\\n{title}\\n## Description\\nOrders\\n## Content\\n{content}"

def run_agent(task, advice):
    print(f"advice: {advice!r}")
    return [{"role": "user", "content": task}, {"role": "assistant", "content": "The order is canceled."}]

"""
    (tmp_path / "example.py").write_text(given + block("library", "python"), encoding="utf-8")
    first, second = run("example.py", cwd=tmp_path), run("example.py", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert "advice: ''" in first.stdout
    assert "success: 1 item learnt\n" in first.stdout
    assert "Cancel is inside." in second.stdout.splitlines()[0], "a second process recalls what the first one learnt"


def test_the_library_example_is_ten_lines() -> None:
    assert len(block("library", "python").strip().splitlines()) <= 10


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.split()[0] == "run" and "--help" not in each])
def test_every_run_command_is_a_valid_one(command: str) -> None:
    words = [word for word in shlex.split(command)[1:] if word != "--show-config"]
    if "mine" in command:
        words = [word.replace(",mine", "") for word in words]
    assert expand([word for word in words if word != "-m"], multirun="-m" in words)


def test_the_other_commands_exist() -> None:
    assert COMMANDS
    for command in COMMANDS:
        assert (ROOT / f"eval/commands/{shlex.split(command)[0].replace('-', '_')}.py").is_file(), command


def test_the_folders_of_the_map_and_all_links_exist() -> None:
    folders = re.findall(r"^\| `([\w/]+)/` \|", README, re.MULTILINE)
    assert {"reasoningbank", "eval", "configs", "scripts", "results", "tests"} <= set(folders)
    for name in [*folders, *re.findall(r"\]\(([^):#]+)\)", README)]:
        assert (ROOT / name).exists(), name
    titles = {
        re.sub(r"[^a-z ]", "", line.lower()).strip().replace(" ", "-") for line in README.split("\n") if line[:1] == "#"
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= titles
    for name in re.findall(r"`(?:eval|reasoningbank|tests|configs)/[\w/.]+`", README):
        path = name.strip("`")
        assert (ROOT / path).exists() or "mine" in path, path


def test_the_demo_output_is_real_and_marked_simulated() -> None:
    shown = README.partition("<!-- demo output: begin -->")[2].partition("<!-- demo output: end -->")[0]
    for part in ("simulated", "success", "Pass@1", "pass@5", "judge accuracy", "items stored"):
        assert part in shown, f"the README's demo output lacks {part!r}"


def test_every_key_of_a_summary_is_explained() -> None:
    from eval.analysis.summary import Block, IntervalValue, Overhead, Summary
    from eval.analysis.sweep import Difference, Setting, SolvedSteps

    explained = set(re.findall(r"`(\w+)`", (ROOT / "results/README.md").read_text(encoding="utf-8")))
    for model in (Summary, Block, Overhead, IntervalValue, Setting, Difference, SolvedSteps):
        assert set(model.model_fields) <= explained, model.__name__
    assert {"settings", "runs"} <= explained


def test_folders_that_the_guide_to_results_names_exist() -> None:
    text = (ROOT / "results/README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(results/[a-z]+/)`", text):
        assert (ROOT / name).is_dir(), name
