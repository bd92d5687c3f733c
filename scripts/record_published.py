"""Record the published run anew: experiment `tour` with the offline model, as a folder that replays anywhere.

python scripts/record_published.py
python -m eval run +exp=tour llm.replay=results/published/tour

Needed after a change to what models are asked (a prompt, a page, the agent's loop): a record answers nothing but what
it was asked. Attempts and banks are left out, which a replay makes again; so is what tells of this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from eval.__main__ import guarded, run_program

ROOT = Path(__file__).parents[1]
NAME = "tour"
KEPT = ("meta.json", "summary.json", "table.txt")
ELSEWHERE = {"host": "elsewhere", "pid": 0}
"""In the place of what the journal's telemetry says of the machine."""


def main(argv: list[str]) -> int:
    from eval.runs.replayed import compared
    from reasoningbank.errors import SetupError

    if len(argv) > 1 or argv[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    target = Path(argv[0]) if argv else ROOT / "results/published" / NAME
    with tempfile.TemporaryDirectory() as place:
        if run(place, "llm.record=true", f"run_name={NAME}"):
            raise SetupError("the run that was to be recorded has failed: nothing is changed")
        made = Path(place) / "results" / NAME
        if target.is_dir():
            shutil.rmtree(target)
        target.mkdir(parents=True)
        for name in KEPT:
            shutil.copy(made / name, target / name)
        for path in sorted(made.rglob("*.calls.jsonl")) + sorted(made.rglob("journal.jsonl")):
            kept = target / path.relative_to(made)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        for path in target.rglob("journal.jsonl"):
            lines = [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]
            told = [{**each, "telemetry": {**each["telemetry"], **ELSEWHERE}} for each in lines]
            path.write_text("".join(f"{json.dumps(each, sort_keys=True)}\n" for each in told), encoding="utf-8")
        if run(place, f"llm.replay={target.absolute()}", "run_name=again"):
            raise SetupError(f"{target} was written, but cannot be replayed")
        print(compared(Path(place) / "results/again", target).said)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {size / 1000:.0f} kB")
    return 0


def run(place: str, *words: str) -> int:
    """The experiment in a folder of its own, so that no path of this machine is in what it writes."""
    line = [sys.executable, "-m", "eval", "run", f"+exp={NAME}", "progress=quiet", *words]
    return subprocess.run(line, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode


if __name__ == "__main__":
    run_program(lambda: guarded(lambda: main(sys.argv[1:])))
