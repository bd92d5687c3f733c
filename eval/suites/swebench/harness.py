"""SWE-bench's own evaluation of predictions: the package swebench with docker, or sb-cli, which sends them away.

Neither is imported: the package is run by an interpreter that has it, which may be of an environment of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.suites.code.docker import Unreachable, daemon
from eval.suites.swebench.dataset import SUBSETS
from eval.suites.swebench.predictions import Prediction
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.text import last_words

VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
BEGINNINGS = ("DOCKER_", "HF_", "XDG_")
PROXIES = ("http_proxy", "https_proxy", "no_proxy")
SB_CLI_KEY = "SWEBENCH_API_KEY"
SB_CLI_SETS = {"lite": "swe-bench_lite", "verified": "swe-bench_verified"}
"""What sb-cli calls the sets that it evaluates."""


@dataclass(frozen=True)
class Job:
    """Predictions that are to be evaluated: their file, the model that they all name, and the set whose instances they
    are of. `run_id` names their evaluation; `folder` is where it writes, and its report comes to be."""

    predictions: Path
    model: str
    subset: str
    split: str
    run_id: str
    folder: Path

    @property
    def dataset(self) -> str:
        """As swebench is told: a name on Hugging Face, or a file."""
        return SUBSETS[self.subset] if self.subset in SUBSETS else str(Path(self.subset).expanduser().resolve())


def run_id_of(run: str, name: str, digest: str) -> str:
    """An evaluation's name: that of equal predictions is equal, so that it goes on where it was broken off. Containers
    are named after it, which have fewer letters than runs."""
    return "-".join(filter(None, (re.sub(r"[^A-Za-z0-9_.-]+", "_", run).strip("._-"), name, digest[:8])))


def check_swebench(python: str) -> str:
    """The version of docker's daemon. SetupError in one line where swebench cannot evaluate here: without the package,
    or without docker."""
    missing, version = [], ""
    look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('swebench') is None)"
    try:
        done = subprocess.run([python, "-c", look], capture_output=True, check=False, timeout=60.0)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"--python {python} cannot be run: {error}") from None
    if done.returncode:
        where = "" if python == sys.executable else f" of {python}"
        missing.append(f"the package swebench{where} is missing (pip install swebench)")
    try:
        version = daemon()
    except Unreachable as error:
        missing.append(str(error))
    if missing:
        raise SetupError("; ".join(missing))
    return version


def swebench_command(job: Job, *, python: str, workers: int, seconds: int) -> list[str]:
    """The line that evaluates them; `seconds` each instance's tests may take."""
    return [
        *(python, "-m", "swebench.harness.run_evaluation"),
        *("--dataset_name", job.dataset, "--split", job.split, "--predictions_path", str(job.predictions.resolve())),
        *("--run_id", job.run_id, "--max_workers", str(workers), "--timeout", str(seconds), "--report_dir", "."),
    ]


def run_swebench(
    job: Job, *, python: str, workers: int, seconds: int, quiet: bool = False, within: float | None = None
) -> Path:
    """Evaluates them here, and returns the report. InfraError where none comes of it, or not `within` some seconds."""
    report = job.folder / f"{job.model.replace('/', '__')}.{job.run_id}.json"
    report.unlink(missing_ok=True)
    line = swebench_command(job, python=python, workers=workers, seconds=seconds)
    run_in(job.folder, line, report, quiet=quiet, within=within)
    return report


def check_sb_cli(job: Job) -> None:
    """SetupError where sb-cli cannot evaluate these."""
    if shutil.which("sb-cli") is None:
        raise SetupError("the program sb-cli is missing (pip install sb-cli)")
    if job.subset not in SB_CLI_SETS:
        raise SetupError(f"sb-cli evaluates {' and '.join(SB_CLI_SETS)} alone, not suite.subset={job.subset}")
    if not os.environ.get(SB_CLI_KEY):
        raise SetupError(f"{SB_CLI_KEY} is not set; `sb-cli gen-api-key EMAIL` sends one")


def sb_cli_command(job: Job) -> list[str]:
    """The line that sends them to SWE-bench's servers and waits for the report."""
    return [
        *("sb-cli", "submit", SB_CLI_SETS[job.subset], job.split),
        *("--predictions_path", str(job.predictions.resolve()), "--run_id", job.run_id),
        *("--output_dir", ".", "--overwrite", "1"),
    ]


def run_sb_cli(job: Job) -> Path:
    """Has them evaluated elsewhere, and returns the report. InfraError where none comes of it."""
    report = job.folder / f"{SB_CLI_SETS[job.subset]}__{job.split}__{job.run_id}.json"
    report.unlink(missing_ok=True)
    run_in(job.folder, sb_cli_command(job), report, keys=(SB_CLI_KEY,))
    return report


def run_in(
    folder: Path,
    line: Sequence[str],
    report: Path,
    *,
    keys: Sequence[str] = (),
    quiet: bool = False,
    within: float | None = None,
) -> None:
    """Runs a program to its end in a folder; what it says is the terminal's, or with `quiet` told where it fails. Of
    the models' keys it is told none."""
    folder.mkdir(parents=True, exist_ok=True)
    heard = subprocess.PIPE if quiet else None
    try:
        done = subprocess.run(
            line,
            cwd=folder,
            env=environment(os.environ, keys),
            stdout=heard,
            stderr=heard,
            text=True,
            timeout=within,
            check=False,
        )
    except OSError as error:
        raise SetupError(f"{line[0]} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired:
        raise InfraError(f"{line[0]} did not end within {within:g} s") from None
    if done.returncode or not report.is_file():
        what = f"{line[0]} ended with {done.returncode} and wrote {'a' if report.is_file() else 'no'} report"
        if quiet:
            raise InfraError(f"{what}: {last_words(done.stderr)}")
        raise InfraError(f"{what}; its logs are in {folder}, and the same command goes on with it")


def environment(every: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """What is told to such a program of this one's variables."""
    return {
        name: value
        for name, value in every.items()
        if name in (*VARIABLES, *keys) or name.lower() in PROXIES or name.startswith(BEGINNINGS)
    }


def filled(predictions: Sequence[Prediction]) -> int:
    """How many of them have a patch."""
    return sum(bool(each.model_patch.strip()) for each in predictions)
