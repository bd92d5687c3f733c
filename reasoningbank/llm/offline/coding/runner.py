"""The small program that the simulated agent writes to try its ideas with, and what that prints."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.llm.offline.coding.conversation import Turn
from reasoningbank.llm.offline.coding.files import Change
from reasoningbank.llm.offline.coding.report import Example

EXAMPLE, RUNNER = "example_tmp.py", "try_tmp.py"
"""Removed at the end."""

_PROGRAM = '''\
"""Runs the example: as the files are, or with each change of a list, of which the first that helps stays."""
import json, os, runpy, signal, sys
# what many modules need is loaded once
import collections, dataclasses, datetime, decimal, enum, functools, itertools, math, re, typing, warnings
from pathlib import Path

HERE = os.getcwd() + "/"
WANTED, WANTS, GOT = {wanted!r}, {wants!r}, {got!r}
sys.path.insert(0, HERE)
seen = {{}}


def follow(frame, event, arg):
    path = frame.f_code.co_filename
    if not path.startswith(HERE) or path.endswith("_tmp.py") or not frame.f_code.co_flags & 1:
        return None
    def line(frame, event, arg):
        if event == "line":
            key = (path[len(HERE):], frame.f_lineno)
            seen.pop(key, None)
            seen[key] = 1
        return line
    return line


def shown():
    try:
        return repr(runpy.run_path("{example}")["shown"]), False
    except Exception as error:
        return f"{{type(error).__name__}}: {{error}}", True


def ran(tracing=False):
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, 2.5 if tracing else 0.25)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        if tracing:
            sys.settrace(follow)
        text, failed = shown()
        sys.settrace(None)
        os.write(tell, json.dumps([text[:2000], failed, list(seen)[-600:]]).encode())
        os._exit(0)
    os.close(tell)
    with os.fdopen(told) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else ["it was stopped", True, []]


def good(text, failed, _):
    if WANTS == "value":
        return text.strip(" :") == WANTED.strip(" :")
    return not failed and (WANTS == "no error" or text != GOT)


if len(sys.argv) == 1:
    text, failed, lines = ran(tracing=True)
    print("as it should be:" if good(text, failed, lines) else "wrong:", text[:400])
    places = {{}}
    for path, number in reversed(lines):
        places.setdefault(path, []).append(str(number))
    for path, numbers in places.items():
        print("ran", path, *numbers)
    sys.exit()
number = 0
for number, (path, first, last, text) in enumerate(json.load(sys.stdin), start=1):
    before = Path(path).read_text()
    lines = before.split("\\n")
    Path(path).write_text("\\n".join([*lines[:first - 1], *text.split("\\n"), *lines[last:]]))
    if good(*ran()):
        print(f"helped: {{path}}:{{first}}")
        break
    Path(path).write_text(before)
else:
    print(f"none of {{number}} helped")
'''


def writes(example: Example) -> str:
    """The command that writes the example and the program, and runs it."""
    program = _PROGRAM.format(wanted=example.wanted, wants=example.wants, got=example.got, example=EXAMPLE)
    return (
        f"cat > {EXAMPLE} <<'EXAMPLE_ENDS'\n{example.program}EXAMPLE_ENDS\n"
        f"cat > {RUNNER} <<'PROGRAM_ENDS'\n{program}PROGRAM_ENDS\npython {RUNNER}"
    )


def tries(changes: Sequence[Change]) -> str:
    """The command that tries changes, one after the other."""
    rows = ",\n".join(json.dumps([each.path, each.first, each.last, each.text]) for each in changes)
    return f"python {RUNNER} - <<'CHANGES_END'\n[{rows}]\nCHANGES_END"


def tried(command: str) -> list[Change]:
    """The changes that such a command has."""
    _, _, rest = command.partition("<<'CHANGES_END'\n")
    try:
        return [Change(*row) for row in json.loads(rest.rpartition("\nCHANGES_END")[0])]
    except (ValueError, TypeError):
        return []


REMOVES = f"rm -f {EXAMPLE} {RUNNER}"


@dataclass(frozen=True)
class Reproduced:
    """What the example came to, and through which lines it ran, the last ones first."""

    right: bool
    shown: str
    lines: dict[str, list[int]]


def reproduced(turns: Sequence[Turn]) -> Reproduced | None:
    """The first run of the example; None where it was not run, or did not run."""
    for turn in turns:
        found = re.search(r"^(as it should be|wrong): (.*)$", turn.output, re.MULTILINE)
        if found and "PROGRAM_ENDS" in turn.command:
            rows = re.findall(r"^ran (\S+) ([\d ]+)$", turn.output, re.MULTILINE)
            lines = {path: [int(number) for number in numbers.split()] for path, numbers in rows}
            return Reproduced(found.group(1) != "wrong", found.group(2), lines)
    return None


def helped(output: str) -> tuple[str, int] | None:
    """Where the change was made that was kept."""
    found = re.search(r"^helped: (\S+):(\d+)$", output, re.MULTILINE)
    return (found.group(1), int(found.group(2))) if found else None
