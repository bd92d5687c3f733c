"""The tiny suite with environments that do what DEAF names, after touching the file that MARK names:
`suite.type=deaf`."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from arithmetic import Arithmetic, Blackboard

from reasoningbank.interfaces import Environment, Observation
from reasoningbank.types import Task


class Deaf(Arithmetic):
    """Environments that keep the interpreter to themselves, leave it, or wait for a program."""

    def environment(self, task: Task) -> Environment:
        return Board(fails=False)


class Board(Blackboard):
    def step(self, text: str) -> Observation:
        Path(os.environ["MARK"]).touch()
        match os.environ["DEAF"]:
            case "regex":  # which holds the interpreter's lock for years
                re.match(r"(a+)+$", "a" * 60 + "b")
            case "leave":
                os._exit(0)
            case "program":
                while True:  # one that has ended is no reason to stop
                    subprocess.run(["sleep", "600"], check=False)
        return super().step(text)
