"""Prompts out of a clone, on a small repository of made-up texts that is laid out as the official one."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.__main__ import guarded
from eval.official.packs import REPLACED, VALUES, Imported, imported, place, write_pack
from eval.official.reading import Source, escaped, text_of
from reasoningbank.errors import SetupError
from reasoningbank.prompts import DEFAULT_FOLDER, PromptPack
from reasoningbank.prompts.samples import SAMPLES
from reasoningbank.types import Message

ROOT = Path(__file__).parents[2]

INSTRUCTION = '''
SUCCESSFUL_SI = """
Say what went well{old}.

```
# Memory Item i
```
"""
FAILED_SI = "Say what " + "went wrong{old}."
PARALLEL_SI = """Compare them{old}. A set is {{{{1, 2}}}}."""
SEQUENTIAL_PROMPT = """
Look again{old}.
Write it as “<think>...</think><action></action>” once more.
"""
SEQUENTIAL_FOLLOWING_PROMPT = """And again{old}."""
AWM_INSTRUCTION = """Write routines{old}."""
AWM_EXAMPLE = """Query: made-up benchmark task
Answer: 42"""
'''
INDUCE = """
from prompts.memory_instruction import SUCCESSFUL_SI

def main():
    ex = get_info()
    trajectory = format_trajectory(ex["think_list"])
    trajectory = f"**Asked:** {ex['query']}\\n\\n**Done:**\\n{trajectory}"
    llm.chat(trajectory, system_msg=SUCCESSFUL_SI)
"""
JUDGE = '''
RULES = """
Be strict{old}."""

def build_vision_eval_prompt(intent, response, last_actions):
    system_msg = "Look at the picture."
    prompt = f"{{intent}} {{last_actions}}"
    return prompt, system_msg

def build_text_eval_prompt(cap, intent, response, last_actions) -> tuple[str, str]:
    system_msg = """You judge an agent.
""" + RULES
    prompt = f"""Wish: {{intent}}
Deeds:
{{last_actions}}
State:
{{cap}}
Reply: {{response if response else "N/A"}}. Literal braces: {{{{x}}}}"""
    return prompt, system_msg
'''
AGENT = """
class Agent:
    def get_action(self, obs):
        sys_msg = SystemPrompt().prompt
        if self.path is not None:
            sys_msg += "\\n\\n" + "These are memory items of mine, say of each whether you make use of it{old}."
            sys_msg += "\\n\\n" + open(self.path).read()
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str | bytes]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a commit")
    return git(folder, "rev-parse", "HEAD")


def tree(old: str) -> dict[str, str | bytes]:
    return {
        "WebArena/prompts/memory_instruction.py": INSTRUCTION.format(old=old),
        "WebArena/prompts/autoeval_prompts.py": JUDGE.format(old=old),
        "WebArena/agents/legacy/agent.py": AGENT.format(old=old),
        "WebArena/induce_memory.py": INDUCE,
        "WebArena/broken.py": "SUCCESSFUL_SI = (",
        "WebArena/latin.py": b"SUCCESSFUL_SI = 'caf\xe9'",
        "WebArena/leftover.py": "FAILED_SI = 'a copy that was left behind'",
        "third_party/src/minisweagent/memory/instruction.py": "SUCCESSFUL_SI = 'Say what mended the code.'",
    }


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The repository, and the commit that changed it. Its working tree is another one again."""
    folder = tmp_path_factory.mktemp("clone")
    git(folder, "init", "-q")
    commit(folder, tree(" (old)"))
    change = commit(folder, tree(""))
    commit(folder, {"WebArena/prompts/memory_instruction.py": "SUCCESSFUL_SI = 'newest'"})
    (folder / "WebArena/prompts/memory_instruction.py").write_text("raise SystemExit('executed')")
    return folder, change


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("import_prompts", ROOT / "scripts/import_prompts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def messages(pack: PromptPack, name: str) -> list[str]:
    found: tuple[Message, ...] = pack.messages(name, **SAMPLES[name][0])
    return [message.content for message in found]


def test_both_packs_have_the_texts_of_their_commit(
    clone: tuple[Path, str], script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, change = clone
    monkeypatch.chdir(tmp_path)
    status = git(folder, "status", "--porcelain")
    assert script.main([str(folder), "--commit", change]) == 0
    assert git(folder, "status", "--porcelain") == status, "the clone is left as it is"
    before, after = (PromptPack(tmp_path / "packs" / f"official_{at}") for at in ("before", "after"))
    assert before.replaced() == after.replaced() == sorted(REPLACED)
    assert before.digest() != after.digest()
    for pack, old in ((before, " (old)"), (after, "")):
        system, user = messages(pack, "extract_success")
        assert system == f"Say what went well{old}.\n\n```\n# Memory Item i\n```"
        assert user == "**Asked:** an intent\n\n**Done:**\n## Step 1\nThought: a thought\nAction: noop()"
        assert messages(pack, "extract_failure")[0] == f"Say what went wrong{old}."
        assert messages(pack, "contrast")[0] == f"Compare them{old}. A set is {{{{1, 2}}}}."
        assert "# Trajectory 1 (success)" in messages(pack, "contrast")[1]
        assert messages(pack, "check_first") == [f"Look again{old}."]
        system, user = messages(pack, "judge")
        assert system == f"You judge an agent.\n\nBe strict{old}."
        assert user.startswith("Wish: an intent\nDeeds:\n## Step 1")
        assert user.endswith("State:\na page\nReply: an answer. Literal braces: {x}")
        [memory] = messages(pack, "memory_items")
        assert memory.startswith(f"These are memory items of mine, say of each whether you make use of it{old}.\n")
        assert memory.count("## Title A title") == 2
        assert messages(pack, "workflow")[0].startswith(f"Write routines{old}.\n")
        assert "# Workflow 1" in messages(pack, "workflow")[0]
        assert "42" not in messages(pack, "workflow")[0]
    told = json.loads((tmp_path / "packs/official_after/pack.json").read_text())
    assert (told["commit"], told["digest"]) == (change, after.digest())
    assert told["prompts"]["extract_failure"]["from"].startswith("WebArena/prompts/memory_instruction.py:")
    assert told["prompts"]["check_first"]["ours"]


def test_the_judges_reasons_reach_the_extractor_only_where_they_are_given(
    clone: tuple[Path, str], script: ModuleType, tmp_path: Path
) -> None:
    script.main([str(clone[0]), "--at", clone[1], "--out", str(tmp_path / "p")])
    pack = PromptPack(tmp_path / "p")
    plain, reasons = (pack.messages("extract_failure", **values)[1].content for values in SAMPLES["extract_failure"])
    assert reasons == f"{plain}\n\n# Reasons of the judge\nreasons"


def test_examples_of_the_benchmark_come_only_when_asked_for(
    clone: tuple[Path, str], script: ModuleType, tmp_path: Path
) -> None:
    script.main([str(clone[0]), "--at", clone[1], "--out", str(tmp_path / "p"), "--with-examples"])
    assert "Answer: 42" in messages(PromptPack(tmp_path / "p"), "workflow")[0]


def test_the_other_benchmarks_texts(
    clone: tuple[Path, str], script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.main([str(clone[0]), "--at", clone[1], "--part", "swe", "--out", str(tmp_path / "p")])
    pack = PromptPack(tmp_path / "p")
    assert pack.replaced() == ["extract_success"]
    assert messages(pack, "extract_success")[0] == "Say what mended the code."
    assert "not found, ours is used: check_first" in capsys.readouterr().out


def test_a_pack_is_written_anew_and_nothing_else_is_overwritten(
    clone: tuple[Path, str], script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = [str(clone[0]), "--at", "HEAD", "--out", str(tmp_path / "p")]
    assert guarded(lambda: int(script.main(line))) == 0
    digest = PromptPack(tmp_path / "p").digest()
    assert guarded(lambda: int(script.main(line))) == 0
    assert PromptPack(tmp_path / "p").digest() == digest
    (tmp_path / "p/pack.json").unlink()
    assert guarded(lambda: int(script.main(line))) == 2
    assert "no pack of this script" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "no folder nowhere"),
        (["."], "is it a clone of the official repository"),
        (["CLONE", "--at", "no-such-revision"], "git rev-parse fails"),
        (["CLONE"], "a whole one"),
        (["CLONE", "--out", "x"], "--at"),
        (["CLONE", "--at", "--help"], "expected one argument"),
    ],
)
def test_what_is_no_clone_is_told_in_a_line(
    clone: tuple[Path, str],
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = [str(clone[0]) if word == "CLONE" else word for word in words]
    assert guarded(lambda: int(script.main(argv))) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "packs").exists()


def source(text: str) -> Source:
    made = Source.of("WebArena/induce_memory.py", text)
    assert made is not None
    return made


def test_values_without_a_counterpart_leave_the_user_message_ours() -> None:
    made = imported([source("SUCCESSFUL_SI = 'x'\ndef f():\n    t = f'{ex.query} {trajectory} {reward}'")])
    assert [(each.name, each.ours) for each in made] == [("extract_success", ["the user message"])]


def test_nothing_is_executed() -> None:
    found = source("A = open('/etc/passwd').read()\nB = f'{A} x'\nC: str = 'c'.strip()\nD = C + 'd'\nE = [C]\n")
    assert {name: each.text for name, each in found.constants.items()} == {"C": "c", "D": "cd"}


@given(st.text(min_size=1))
def test_any_literal_is_shown_as_it_is(text: str) -> None:
    made = source(f"X = {text!r}")
    assert made.constants["X"].text == text
    if "\r" not in text:
        import jinja2

        assert jinja2.Environment(keep_trailing_newline=True).from_string(escaped(text)).render() == text


@given(st.sampled_from(sorted(VALUES)), st.sampled_from(["{}", "ex['{}']", "self.{}", "{} or 'none'", "str({})"]))
def test_a_value_of_theirs_becomes_ours_whatever_is_around_it(word: str, form: str) -> None:
    made = source(f"X = f'''{{{form.format(word)}}} end'''").tree.body[0]
    assert text_of(made.value, {}, place) == f"{{{{ {VALUES[word]} }}}} end"  # type: ignore[attr-defined]


def test_a_pack_that_cannot_stand_in_leaves_what_is_there(tmp_path: Path) -> None:
    good = Imported("judge", (DEFAULT_FOLDER / "judge.j2").read_text(encoding="utf-8"), "there")
    folder = tmp_path / "packs" / "mine"
    write_pack(folder, [good], {"part": "web", "commit": "0" * 40})
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(SetupError):
        write_pack(folder, [Imported("judge", "{{ nothing.there }}", "there")], {"part": "web", "commit": "1" * 40})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]
