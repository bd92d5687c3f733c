"""Programs that stand in for docker, for an interpreter that has swebench, and for sb-cli."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

INSTALLED = Path(__file__).parent / "installed"


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def python_with_swebench(folder: Path) -> Path:
    line = f'PYTHONPATH={shlex.quote(str(INSTALLED))} exec {shlex.quote(sys.executable)} -P "$@"'
    return program(folder, "python-with-swebench", line)


def put_docker_first(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str = "echo 27.0") -> None:
    program(folder, "docker", script)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
