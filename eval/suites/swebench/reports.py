"""What SWE-bench's evaluation has written, as outcomes: a report of a whole run, or those of single instances.

The shapes are those of the package swebench (4 and 5) and of sb-cli: a run's has `resolved_ids` and other lists of ids;
an instance's has `resolved` and the status of its tests, in itself or below the instance's id. A folder stands for all
`report.json` in it, such as `logs/run_evaluation/<run>/<model>`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from eval.journal import Outcome
from eval.suites.code.evaluation import KINDS, share
from reasoningbank.errors import SetupError
from reasoningbank.types import digest

Ending = Literal["resolved", "unresolved", "empty_patch", "patch_not_applied", "tests_timed_out", "evaluation_error"]
"""`evaluation_error`: the evaluation of the instance did not come to its end. SWE-bench counts it as not resolved: a
patch that cannot be applied is among them, and tests that take too long."""
ENDINGS: tuple[Ending, ...] = get_args(Ending)
LISTS: dict[str, Ending] = {
    "resolved_ids": "resolved",
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty_patch",
    "error_ids": "evaluation_error",
}
"""Of a run's report; no instance is in two of them."""
AROUND = "infra_failure_ids"
"""Those of `unresolved_ids` and `error_ids` in which, by their logs, something around the tests failed."""
SHAPES = "a report of SWE-bench has resolved_ids (of a run), or resolved (of an instance)"


@dataclass(frozen=True)
class Report:
    """Outcomes by instance. `around`: those that have none, since something around their tests failed. `source` is its
    path, `sha256` a hash of what it says."""

    source: Path
    sha256: str
    outcomes: Mapping[str, Outcome]
    around: frozenset[str] = frozenset()

    def ending(self, instance_id: str) -> Ending:
        """That of an instance which has an outcome."""
        return next(each for each in ENDINGS if each in self.outcomes[instance_id].checks)


def read_report(path: Path) -> Report:
    """A report's file, or a folder of those of instances. SetupError where it is none."""
    if not path.is_dir():
        return of_data(read_json(path), path)
    found: dict[str, Outcome] = {}
    parts = []
    for file in sorted(path.rglob("report.json")):
        part = of_data(read_json(file), file)
        if twice := sorted(set(found) & set(part.outcomes)):
            raise SetupError(f"{path} has two reports of {twice[0]}: name the folder of one run and one model")
        found.update(part.outcomes)
        parts.append(part.sha256)
    if not found:
        raise SetupError(f"{path} has no report.json")
    return Report(path, digest(parts), found)


def read_json(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise SetupError(f"{path} is not JSON; {SHAPES}") from None


def of_data(data: object, path: Path) -> Report:
    """A report from its JSON, by its shape. One of an instance without its id has that in its path."""
    if not isinstance(data, Mapping):
        raise SetupError(f"{path} holds {type(data).__name__} where an object belongs; {SHAPES}")
    if "resolved_ids" in data:
        return of_run(data, path)
    entries = {instance_of(path): data} if "resolved" in data else data
    if not entries:
        raise SetupError(f"{path} is empty; {SHAPES}")
    return Report(path, digest(data), {str(name): of_instance(each, str(name), path) for name, each in entries.items()})


def instance_of(path: Path) -> str:
    """`<instance>/report.json`, as swebench has it, or `<instance>.report.json`."""
    return path.parent.name if path.name == "report.json" else path.name.partition(".report.")[0].removesuffix(".json")


def of_run(data: Mapping[str, Any], path: Path) -> Report:
    endings: dict[str, Ending] = {}
    for key, ending in LISTS.items():
        for name in ids_of(data, key, path):
            if name in endings:
                raise SetupError(f"{path}: {name} is in {key}, and {endings[name]} by another list")
            endings[name] = ending
    around = frozenset(ids_of(data, AROUND, path))
    outcomes = {name: outcome(ending, {}) for name, ending in endings.items() if name not in around}
    return Report(path, digest(data), outcomes, around)


def ids_of(data: Mapping[str, Any], key: str, path: Path) -> Iterator[str]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise SetupError(f"{path}: {key} is no list of instance ids")
    yield from found


def of_instance(data: object, name: str, path: Path) -> Outcome:
    """From the report of one instance."""
    if not isinstance(data, Mapping) or not isinstance(data.get("resolved"), bool):
        raise SetupError(f"{path}: {name} has no resolved, true or false; {SHAPES}")
    shares: dict[str, float] = {}
    status = data.get("tests_status")
    for kind in KINDS:
        match status.get(kind) if isinstance(status, Mapping) else None:
            case {"success": list(passed), "failure": list(failed)}:
                shares[kind] = share(passed, failed)
    ending: Ending = "resolved" if data["resolved"] else "unresolved"
    if data.get("patch_is_None") is True or data.get("patch_exists") is False:
        ending = "empty_patch"
    elif data.get("patch_successfully_applied") is False:
        ending = "patch_not_applied"
    if data["resolved"] and ending != "resolved":
        raise SetupError(f"{path}: {name} is resolved and {ending}, which cannot both be")
    return outcome(ending, shares)


def outcome(ending: Ending, shares: Mapping[str, float]) -> Outcome:
    """For a run: the shares of tests that pass, and the ending by its name."""
    reward = float(ending == "resolved")
    return Outcome(status="solved" if reward else "unsolved", reward=reward, checks={**dict(shares), ending: reward})
