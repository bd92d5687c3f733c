"""The command line, the logs and the report of swebench's `run_evaluation`, without containers.

A patch that says 3 resolves; of others their words tell how their evaluation breaks off.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

ERRORS = {
    "unappliable": ("run_instance.log", ">>>>> Patch Apply Failed:\nerror: No valid patches in input\n"),
    "slow": ("test_output.txt", "tests ...\n\nTimeout error: 9 seconds exceeded."),
    "lost": ("run_instance.log", "Creating container\nthe container is gone\n"),
}


def log_of(prediction: dict[str, str], folder: Path) -> bool:
    """Whether an evaluation breaks off, with what it logs then."""
    if prediction["model_patch"] not in ERRORS:
        return False
    name, text = ERRORS[prediction["model_patch"]]
    place = folder / prediction["instance_id"]
    place.mkdir(parents=True)
    (place / name).write_text(text)
    return True


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("dataset_name", "split", "predictions_path", "run_id", "max_workers", "timeout", "report_dir"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    if "broken" in given.dataset_name:
        return 1
    predictions = json.loads(Path(given.predictions_path).read_text())
    full = {name for name, each in predictions.items() if each["model_patch"]}
    resolved = {name for name in full if "+3" in predictions[name]["model_patch"]}
    model = next(iter(predictions.values()))["model_name_or_path"].replace("/", "__")
    errors = {name for name in full if log_of(predictions[name], Path("logs/run_evaluation") / given.run_id / model)}
    report = {
        "total_instances": len(predictions),
        "submitted_ids": sorted(predictions),
        "completed_ids": sorted(full - errors),
        "resolved_ids": sorted(resolved),
        "unresolved_ids": sorted(full - resolved - errors),
        "empty_patch_ids": sorted(set(predictions) - full),
        "error_ids": sorted(errors),
        "incomplete_ids": [],
        "schema_version": 2,
    }
    (Path(given.report_dir) / f"{model}.{given.run_id}.json").write_text(json.dumps(report))
    Path("told.json").write_text(json.dumps({"argv": sys.argv[1:], "environment": dict(os.environ)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
