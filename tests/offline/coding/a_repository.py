"""A small repository with a defect, and the simulated agent at work in it by its real prompts and a real shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from reasoningbank.agents.mini_swe.messages import step_message, system_message, task_message
from reasoningbank.agents.mini_swe.reply import parse_command
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Message, Step, Task

PACK = PromptPack()
SHELF = '''\
"""Books on a shelf."""

from books.errors import BookError


def fits(widths: list[int], room: int) -> bool:
    """Whether they all have room, and none is left over."""
    return sum(widths) < room


def spread(widths: list[int], room: int) -> list[int]:
    """The places at which they begin. BookError where they do not fit."""
    if not fits(widths, room):
        raise BookError(f"{widths} do not fit in {room}")
    places, place = [], 0
    for width in widths:
        places.append(place)
        place += width
    return places
'''
FILES = {
    "books/__init__.py": '"""Books."""\n\nfrom books.errors import BookError\nfrom books.shelf import fits, spread\n\n'
    '__all__ = ["BookError", "fits", "spread"]\n',
    "books/errors.py": '"""Errors."""\n\n\nclass BookError(ValueError):\n    """What does not fit."""\n',
    "books/shelf.py": SHELF,
    "tests/test_shelf.py": "from books import spread\n\n\ndef test_spread():\n    assert spread([1, 2], 9) == [0, 1]\n",
}
REPORT = """I think I have found a bug in books.

```python
from books import spread
spread([2, 3], 5)
```

It stops with `BookError: [2, 3] do not fit in 5`. I expected `[0, 2]`.
"""
LOOKED = "I look at what is there, and whether its tests pass."


def write(folder: Path, files: dict[str, str] = FILES) -> Path:
    """The files in a folder that git knows."""
    folder.mkdir(exist_ok=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    bash(folder, "git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm start")
    return folder


def bash(folder: Path, command: str) -> tuple[str, int]:
    """What a command prints, and its exit code."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={
            **{"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(folder), "PYTHONHASHSEED": "0"},
            **{
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTEST_ADDOPTS": "-p no:cacheprovider",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "LC_ALL": "C.UTF-8",
            },
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout, done.returncode


def opening(report: str = REPORT, memory: str = "") -> tuple[Message, ...]:
    """What an agent is told first."""
    task = Task(id="1", suite="any", group="any", intent=report)
    return (
        Message(role="system", content=system_message(PACK, memory)),
        Message(role="user", content=task_message(PACK, task, "summary")),
    )


def shown(thought: str, command: str, output: str, returncode: int = 0) -> tuple[Message, Message]:
    """A reply, and what came of it."""
    error = f"exit code {returncode}" if returncode else ""
    step = Step(index=0, observation="", thought=thought, action=command, error=error)
    return (
        Message(role="assistant", content=f"Thought: {thought}\n\n```mswea_bash_command\n{command}\n```"),
        Message(role="user", content=step_message(PACK, step, output)),
    )


def worked(
    folder: Path, model: SimulatedLLM, *, report: str = REPORT, memory: str = "", seed: int = 0, most: int = 30
) -> list[tuple[str, str, str]]:
    """Thought, command and output of each step, until it hands in."""
    messages = opening(report, memory)
    out: list[tuple[str, str, str]] = []
    for number in range(most):
        reply = model.complete(messages, temperature=0.7, seed=seed + number, max_tokens=4000).text
        said = parse_command(reply)
        output, returncode = bash(folder, said.text)
        out.append((said.thought, said.text, output))
        if output.startswith("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"):
            break
        messages = (*messages, *shown(said.thought, said.text, output, returncode))
    return out
