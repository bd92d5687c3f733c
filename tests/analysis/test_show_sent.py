"""What `python -m eval show` prints as sent is, to the letter, what the model was sent."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from eval.commands import run as run_command
from eval.commands import show
from reasoningbank.prompts import DEFAULT_FOLDER

RECORDER = """
import json
from collections.abc import Sequence

from reasoningbank.llm.offline import SimulatedLLM
from reasoningbank.types import Message, Reply


class Recorder(SimulatedLLM):
    '''The offline model; every seventh reply has no action, and what an agent is sent is written down.'''

    def __init__(self, *, path: str) -> None:
        super().__init__()
        self.path, self.number = path, 0

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        reply = super().complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)
        if "# Current page" in messages[-1].content and "# Trajectory" not in messages[-1].content:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([message.content for message in messages]) + "\\n")
            self.number += 1
            if self.number % 7 == 2:
                return reply.model_copy(update={"text": "Thought: hm"})
        return reply
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """A run with prompts and agent settings of its own, and every (system, user) pair that was sent in it."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "recorder.py").write_text(RECORDER)
    (folder / "llm").mkdir()
    (folder / "llm/recorder.yaml").write_text(f"# records\ntype: recorder\npath: {folder / 'sent.jsonl'}\n")
    (folder / "pack").mkdir()
    user = (DEFAULT_FOLDER / "agent_web_user.j2").read_text().replace("# Goal", "# What to do")
    (folder / "pack/agent_web_user.j2").write_text(user)
    arguments = [f"results_dir={folder}", "run_name=run", "limit=4", "progress=quiet", f"--config-dir={folder}"]
    arguments += ["suite.sites=[shopping]"]
    arguments += [f"plugins=[{folder}/recorder.py]", "llm=recorder", f"prompts.pack={folder}/pack"]
    arguments += ["+agent.page_budget=3000", "+agent.history_budget=400", "+agent.thought_budget=60"]
    assert run_command.main(arguments) == 0
    return folder / "run", [json.loads(each) for each in (folder / "sent.jsonl").read_text().splitlines()]


def shown(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> str:
    capsys.readouterr()
    assert show.main([str(each) for each in argv]) == 0
    return capsys.readouterr().out


def test_every_message_is_printed_as_it_was_sent(
    recorded: tuple[Path, list[list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    run, sent = recorded
    assert any("# Error of the last action" in user for _, user in sent), "the test wants replies without an action"
    assert any("characters left out" in user for _, user in sent), "and budgets that cut"
    assert any("# Memory" in system for system, _ in sent), "and recalled memory"
    tasks = [row.split("\t")[1] for row in shown(capsys, run).splitlines() if row[:1].isdigit()]
    text = "".join(shown(capsys, run, task, "--attempt", "0", "--full") for task in tasks)
    assert "WARNING" not in text
    place = 0
    for system, user in sent:
        assert f"System prompt, as sent:\n{system}\n(system prompt ends)" in text
        message = f"User message, as sent:\n{user}\n(user message ends)"
        assert message in text[place:], "in the order in which they were sent"
        place = text.index(message, place) + len(message)
    assert text.count("User message, as sent:") == len(sent)


def test_without_full_the_first_message_alone(
    recorded: tuple[Path, list[list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    run, sent = recorded
    text = shown(capsys, run, "0", "--attempt", "0")
    assert f"User message, as sent:\n{sent[0][1]}\n(user message ends)" in text
    assert text.count("User message, as sent:") == 1


@pytest.mark.parametrize("what", ["code", "prompts", "plugins"])
def test_what_changed_since_the_run_is_told(
    recorded: tuple[Path, list[list[str]]], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(recorded[0], tmp_path / "run"))
    meta = json.loads((run / "meta.json").read_text())
    meta["identity"][what] = {"digest": "other"}
    (run / "meta.json").write_text(json.dumps(meta))
    text = shown(capsys, run, "0")
    assert f"WARNING: {what} changed since the run, so its user messages may have been others" in text


def test_where_nothing_can_be_rendered_the_rest_is_shown(
    recorded: tuple[Path, list[list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(recorded[0], tmp_path / "run"))
    meta = json.loads((run / "meta.json").read_text())
    for change, reason in (({"plugins": [str(tmp_path / "gone.py")]}, "no file"), ({"kk": 1}, "other settings")):
        changed = {**meta, "settings": {**meta["settings"], **change}}
        if "kk" not in change:
            changed["settings"]["agent"] = {**meta["settings"]["agent"], "type": "gone"}
        (run / "meta.json").write_text(json.dumps(changed))
        text = shown(capsys, run, "0", "--full")
        assert "WARNING: the user messages cannot be rendered again" in text
        assert reason in text
        assert "System prompt, as sent:" in text
        assert "Step 0  http://shopping.test/" in text
