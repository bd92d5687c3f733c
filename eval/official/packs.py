"""From a clone of the official repository to a pack of prompts: which text of theirs stands for which prompt of ours.

Their texts name no place for a judge's reasons, no item format that ours could be told from another, and another reply
format of the agent; what had to be added or left out for that is in the pack's `pack.json`, prompt by prompt.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.official.reading import Found, Source, assigned, escaped, text_of, words_in
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.prompts import DEFAULT_FOLDER, USER_MARK, PromptPack

CHANGE = "95a3fbb"
"""The commit of the official repository before and after which its prompts differ."""

PARTS: Mapping[str, tuple[str, ...]] = {"web": ("WebArena/",), "swe": ("SWE-Bench/", "third_party/")}
"""Where in the clone each benchmark's code is."""

CONSTANTS: Mapping[str, str] = {
    "extract_success": "SUCCESSFUL_SI",
    "extract_failure": "FAILED_SI",
    "contrast": "PARALLEL_SI",
    "workflow": "AWM_INSTRUCTION",
    "check_first": "SEQUENTIAL_PROMPT",
    "check_follow_up": "SEQUENTIAL_FOLLOWING_PROMPT",
}
"""By prompt of ours the constant of theirs."""

REPLACED = frozenset({*CONSTANTS, "judge", "memory_items"})
"""The prompts of ours that theirs may stand for."""

EXAMPLES = "AWM_EXAMPLE"
"""Appended to theirs of `workflow`: tasks of the benchmark with their answers, so only where it is asked for."""

VALUES: Mapping[str, str] = {
    **dict.fromkeys(("intent", "query", "goal"), "intent"),
    **dict.fromkeys(("last_actions", "actions", "action_history", "trajectory"), "trajectory"),
    **dict.fromkeys(("cap", "caps", "caption", "captions", "page_states", "states", "observation"), "final_page"),
    **dict.fromkeys(("response", "answer"), "answer"),
}
"""By a word in a value of their f-strings the value of ours."""

REPLY_TAGS = ("<think>", "<action>", "</think>", "</action>")
REASONS = "{% if judge_reasons %}\n\n\n# Reasons of the judge\n{{ judge_reasons }}\n{% endif %}"
WORKFLOW_FORMAT = (
    '{% with heading = "Workflow", sentences = "the steps, one a line, numbered" %}\n{% include "_item_format" %}\n'
    "{% endwith %}"
)
ITEMS = (
    "{% for item in items %}\n\n# Memory Item {{ loop.index }}\n## Title {{ item.title }}\n"
    "## Description {{ item.description }}\n## Content {{ item.content }}\n{% endfor %}"
)


@dataclass
class Imported:
    """One prompt of a pack: its template, where it is from, and what of it is ours."""

    name: str
    template: str
    source: str
    ours: list[str] = field(default_factory=list)


def git(clone: Path, *words: str) -> str:
    """What git says. SetupError with its own last line where it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(clone), *words], capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except OSError as error:
        raise SetupError(f"git cannot be run: {error.strerror}; install it") from error
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SetupError(f"{clone}: git {words[0]} fails: {said}")
    return done.stdout


def resolved(clone: Path, at: str, change: str = CHANGE) -> str:
    """The commit that `at` (`before` or `after` the change, or any revision) names."""
    if not clone.is_dir():
        raise SetupError(f"no folder {clone}: clone the official repository, and give that folder")
    revision = {"before": f"{change}^", "after": change}.get(at, at)
    try:
        return git(clone, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").strip()
    except SetupError as error:
        raise SetupError(
            f"{error}; is it a clone of the official repository, and a whole one (git fetch --unshallow)?"
        ) from error


def sources(clone: Path, commit: str, part: str) -> list[Source]:
    """The Python files of a part, as that commit has them."""
    names = git(clone, "ls-tree", "-r", "-z", "--name-only", commit).split("\0")
    paths = sorted(name for name in names if name.endswith(".py") and name.startswith(PARTS[part]))
    found = [Source.of(path, git(clone, "show", f"{commit}:{path}")) for path in paths]
    return [source for source in found if source is not None]


def imported(files: Sequence[Source], *, examples: bool = False) -> list[Imported]:
    """All prompts that can be found."""
    prompts = []
    user = extraction_user(files)
    for name, constant in CONSTANTS.items():
        found = best(files, constant)
        if found is None:
            continue
        text = found.text.strip()
        if name.startswith("check_"):
            prompts.append(check_prompt(name, found, text))
        elif name == "contrast":
            made = Imported(name, f"{escaped(text)}\n\n{USER_MARK}\n{our_user_part(name)}", found.where)
            made.ours.append("the user message, with each trajectory's label")
            prompts.append(made)
        else:
            prompts.append(extraction(name, found, text, user, best(files, EXAMPLES) if examples else None))
    prompts += [made for made in (judge_prompt(files), memory_prompt(files)) if made is not None]
    return prompts


def best(files: Sequence[Source], constant: str) -> Found | None:
    """The constant from the file that has most of the names: the others are copies that were left behind."""
    having = [source for source in files if constant in source.constants]
    wanted = {*CONSTANTS.values(), EXAMPLES}
    having.sort(key=lambda source: (-len(wanted & set(source.constants)), source.path))
    return having[0].constants[constant] if having else None


def check_prompt(name: str, found: Found, text: str) -> Imported:
    """Without the lines that ask for their agent's reply format, which ours does not write."""
    lines = text.splitlines()
    kept = [line.rstrip() for line in lines if not any(tag in line for tag in REPLY_TAGS)]
    made = Imported(name, escaped("\n".join(kept).strip()), found.where)
    if len(kept) < len(lines):
        made.ours.append("left out: the line that asks for their agent's reply format")
    return made


def extraction(name: str, found: Found, text: str, user: Found | None, example: Found | None) -> Imported:
    system = escaped(text)
    made = Imported(name, "", found.where)
    if example is not None:
        system += f"\n\n{escaped(example.text.strip())}"
        made.source += f" and {example.where}"
    if name == "workflow":
        system += f"\n\n{WORKFLOW_FORMAT}"
        made.ours.append("the reply's format, since theirs is stored as it comes")
    if user is None:
        message = our_user_part(name)
        made.ours.append("the user message")
    else:
        message = user.text
        made.source += f"; user message {user.where}"
        if name != "workflow":
            message += REASONS
            made.ours.append("the place of the judge's reasons, empty unless memory.judge_reasons=true")
    made.template = f"{system}\n\n{USER_MARK}\n{message}"
    return made


def our_user_part(name: str) -> str:
    text = (DEFAULT_FOLDER / f"{name}.j2").read_text(encoding="utf-8")
    return text.partition(f"{USER_MARK}\n")[2].strip()


def place(node: ast.expr) -> str | None:
    """Where a value of theirs stands, that of ours."""
    value = next((VALUES[word] for word in words_in(node) if word in VALUES), None)
    return None if value is None else f"{{{{ {value} }}}}"


def templates(source: Source) -> Iterator[Found]:
    """The f-strings in functions of a file that become templates, by the variable that they are given to."""
    for function in source.functions:
        for node in ast.walk(function):
            name, value = assigned(node)
            if value is not None and (text := text_of(value, source.known(), place)) is not None:
                yield Found(text.strip(), source.path, f"{function.name}.{name}", value.lineno)


def extraction_user(files: Sequence[Source]) -> Found | None:
    """What the extractor is shown, in whichever file induces memory."""
    for source in sorted(files, key=lambda each: (not each.path.endswith("/induce_memory.py"), each.path)):
        if "induce" in source.path.rpartition("/")[2]:
            for found in templates(source):
                if "{{ intent }}" in found.text and "{{ trajectory }}" in found.text:
                    return found
    return None


def judge_prompt(files: Sequence[Source]) -> Imported | None:
    """A function that makes the judge's text prompt: a system message, and one that shows all four values or three."""
    for source in files:
        for function in source.functions:
            if "eval_prompt" not in function.name or "text" not in function.name:
                continue
            mine = [each for each in templates(source) if each.name.startswith(f"{function.name}.")]
            users = [each for each in mine if {"{{ intent }}", "{{ trajectory }}"} <= set(_shown(each.text))]
            systems = [each for each in mine if not _shown(each.text)]
            if users and systems:
                system, user = max(systems, key=lambda each: len(each.text)), users[0]
                return Imported("judge", f"{system.text}\n\n{USER_MARK}\n{user.text}", f"{system.where}; {user.where}")
    return None


def _shown(text: str) -> list[str]:
    return [mark for value in set(VALUES.values()) if (mark := f"{{{{ {value} }}}}") in text]


def memory_prompt(files: Sequence[Source]) -> Imported | None:
    """What the agent's system message says before the memory: the longest text that is appended to it."""
    found = []
    for source in files:
        if "agent" not in source.path:
            continue
        for node in ast.walk(source.tree):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and "sys" in node.target.id:
                text = text_of(node.value, source.known())
                if text is not None and "memory" in text.lower() and len(text.split()) > 10:
                    found.append(Found(text.strip(), source.path, node.target.id, node.lineno))
    if not found:
        return None
    longest = max(found, key=lambda each: len(each.text))
    made = Imported("memory_items", f"{escaped(longest.text)}\n{ITEMS}", longest.where)
    made.ours.append("how the items are laid out, since theirs are the extractor's text as it came")
    return made


def write_pack(folder: Path, prompts: Sequence[Imported], origin: Mapping[str, str]) -> str:
    """Write the pack and try it; returns its digest, which is part of the identity of runs with it.

    SetupError where the folder holds something else, or a prompt cannot stand in for ours.
    """
    if not prompts:
        raise SetupError(f"no prompt was found in {origin['part']} at {origin['commit'][:12]}: nothing is written")
    there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    if there and "pack.json" not in there:
        raise SetupError(f"{folder} holds {sorted(there)[0]} and is no pack of this script: choose another --out")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # beside it, and in its place once it is whole and has been tried: what is there stays until then
    with TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as place:
        new = Path(place) / "new"
        new.mkdir()
        digest = _write(new, prompts, origin)
        if folder.exists():
            folder.rename(Path(place) / "old")
        new.rename(folder)
    return digest


def _write(folder: Path, prompts: Sequence[Imported], origin: Mapping[str, str]) -> str:
    files = {}
    for made in prompts:
        text = f"{made.template.strip()}\n"
        write_atomic(folder / f"{made.name}.j2", text)
        files[made.name] = {
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "from": made.source,
            "ours": made.ours,
        }
    digest = PromptPack(folder).digest()
    write_atomic(folder / "pack.json", json.dumps({**origin, "digest": digest, "prompts": files}, indent=2) + "\n")
    return digest
