"""SWE-bench's file of predictions, `preds.json`: for each instance the patch that is to be evaluated."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from reasoningbank.files import write_atomic
from reasoningbank.types import digest


class Prediction(BaseModel):
    """One entry, by the field names of the file. An empty patch is an attempt that changed nothing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    instance_id: str
    model_name_or_path: str
    model_patch: str


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> str:
    """Writes them by their ids, all of them or none, and returns a hash of what was written."""
    data = {each.instance_id: vars(each) for each in sorted(predictions, key=lambda each: each.instance_id)}
    write_atomic(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return digest(data)


def read_predictions(path: Path) -> dict[str, Prediction]:
    """What `write_predictions` wrote, by the ids; nothing where no such file is. What cannot be read is put aside, as
    `<name>.broken`."""
    try:
        return {name: Prediction.model_validate(each) for name, each in json.loads(path.read_bytes()).items()}
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError, RecursionError):
        path.replace(path.with_name(f"{path.name}.broken"))
        return {}
