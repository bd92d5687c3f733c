"""What a run needs of the machine: Python, packages, disk, cores, and where a suite asks for it browser and sandbox."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from eval.config.files import CONFIGS
from eval.config.settings import Settings
from eval.cores import cores
from eval.doctor.checks import Check, fails, ok, skipped, tried, warning
from eval.runner import worker_count
from eval.suites.web.backend import WebBackend
from eval.suites.web.chromium.find import HOW, browser_packages, find_chromium
from reasoningbank.text import counted

LITTLE = 2.0
TOO_LITTLE = 0.2
"""GB of free disk below which it is a warning, and a fault."""
NO_BROWSER = "not needed: web.backend=text"


def check_python() -> Check:
    version, wanted = sys.version.split()[0], _project().get("requires-python", ">=3.11")
    from packaging.specifiers import SpecifierSet

    if SpecifierSet(wanted).contains(version, prereleases=True):
        return ok("python", f"{version} at {sys.executable}")
    return fails("python", f"{version} at {sys.executable}", f"needs {wanted}: make the environment with another one")


def check_packages(extras: Sequence[str]) -> Check:
    """The packages that `pyproject.toml` names without an extra and for these, each in a version that it takes."""
    from packaging.requirements import Requirement

    found, wrong = [], []
    project = _project()
    optional: dict[str, list[str]] = project.get("optional-dependencies", {})
    for text in [*project.get("dependencies", []), *(each for extra in extras for each in optional.get(extra, []))]:
        wanted = Requirement(text)
        try:
            version = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{wanted.name} is missing")
            continue
        if not wanted.specifier.contains(version, prereleases=True):
            wrong.append(f"{wanted.name} {version}, needs {wanted.specifier}")
        found.append(f"{wanted.name} {version}")
    if wrong:
        place = f"'{CONFIGS.parent}[{','.join(extras)}]'" if extras else f"{CONFIGS.parent}"
        return fails("packages", "; ".join(wrong), f"{sys.executable} -m pip install -e {place}")
    return ok("packages", ", ".join(found) + f" (with the extra {', '.join(extras)})" * bool(extras))


def _project() -> dict[str, Any]:
    """The `[project]` table. A checkout has it; a program without one has been installed with what it needs."""
    path = CONFIGS.parent / "pyproject.toml"
    if not path.is_file():
        return {}
    project: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")).get("project", {})
    return project


def check_results(folder: Path) -> Check:
    """Whether runs can be written, now and to their end. Nothing is made but a file without a name."""
    place = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x")
    except OSError as error:
        return fails(
            "results_dir", f"{folder} cannot be written: {error.strerror}", "set results_dir to another folder"
        )
    free = shutil.disk_usage(place).free / 1e9
    found = f"{folder}: {free:.1f} GB free"
    if free < TOO_LITTLE:
        return fails("results_dir", found, "make room, or set results_dir to a folder on another disk")
    if free < LITTLE:
        return warning("results_dir", found, "enough for a small run; make room for a large one")
    return ok("results_dir", found)


def check_cores(settings: Settings, streams: int) -> Check:
    there, workers = cores(), worker_count(settings, streams)
    found = f"{there} for {counted(streams, 'stream')}: {workers} at a time"
    if workers > there:
        return warning("cores", found, f"more workers than cores: set concurrency.workers={there}")
    return ok("cores", found)


def check_browser(web: WebBackend) -> Check:
    """Chromium and the packages that drive it, where pages are looked at by it. It is asked for its version."""
    if web.backend != "browser":
        return skipped("browser", NO_BROWSER)
    packages, wrong = tried("browser", browser_packages)
    program, wrong = tried("browser", lambda: find_chromium(web.chromium)) if packages is not None else (None, wrong)
    if program is None:
        assert wrong is not None
        return wrong
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return fails("browser", f"{program} does not start ({type(error).__name__})", HOW)
    if done.returncode:
        return fails("browser", f"{program} does not start: {' '.join(done.stderr.split())[:200]}", HOW)
    return ok("browser", f"{' '.join(done.stdout.split())} at {program}; {packages}")
