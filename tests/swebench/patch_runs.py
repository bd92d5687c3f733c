"""The command line of a run whose attempts leave patches, and what `score` has put beside one."""

from __future__ import annotations

from pathlib import Path

from eval.rescoring import Rescored

HERE = Path(__file__).parent
RUNNER = HERE.parent / "runner"
JOB = [
    *(f"--config-dir={HERE / 'configs'}", f"--config-dir={RUNNER / 'configs'}"),
    f"plugins=[{HERE / 'patch_tasks.py'},{RUNNER / 'shell_tasks.py'}]",
    *("suite=patch_tasks", "llm=mender", "embedder=hashing", "memory=none", "progress=quiet", "figure=false"),
    *("concurrency.workers=1", "run_name=one", "on_infra_error=skip", "retries=0"),
]


def rescored(run: Path) -> Rescored:
    """The one file that there is."""
    (path,) = run.glob("rescored/*.json")
    return Rescored.model_validate_json(path.read_bytes())
