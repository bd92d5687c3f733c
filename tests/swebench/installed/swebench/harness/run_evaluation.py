"""The command line and the report of swebench's `run_evaluation`, without containers: a patch that says 3 resolves."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path


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
    report = {
        "total_instances": len(predictions),
        "submitted_ids": sorted(predictions),
        "completed_ids": sorted(full),
        "resolved_ids": sorted(resolved),
        "unresolved_ids": sorted(full - resolved),
        "empty_patch_ids": sorted(set(predictions) - full),
        "error_ids": [],
        "incomplete_ids": [],
        "schema_version": 2,
    }
    model = next(iter(predictions.values()))["model_name_or_path"].replace("/", "__")
    (Path(given.report_dir) / f"{model}.{given.run_id}.json").write_text(json.dumps(report))
    Path("told.json").write_text(json.dumps({"argv": sys.argv[1:], "environment": dict(os.environ)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
