"""The instances of a published set, or of a file in its schema, looked at row by row.

found = read_dataset("verified")                  from Hugging Face, through the package datasets
found = read_dataset("mine.jsonl")                or a .json, or a .parquet
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError

from eval.names import nearest
from eval.suites.code.instance import Instance
from eval.suites.swebench import hub
from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import SetupError
from reasoningbank.types import digest

SUBSETS = {
    "verified": "SWE-bench/SWE-bench_Verified",
    "lite": "SWE-bench/SWE-bench_Lite",
    "full": "SWE-bench/SWE-bench",
    "multilingual": "SWE-bench/SWE-bench_Multilingual",
}
"""The published sets by their names on Hugging Face."""
ENDINGS = (".parquet", ".json", ".jsonl")
INSTALL = "pip install 'reasoningbank[datasets]'"
IDS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
COMMITS = re.compile(r"[0-9a-f]{7,64}")
FILLED = ("repo", "problem_statement", "patch", "FAIL_TO_PASS")
"""Without any of them there is no task."""

Order = Literal["dataset", "chronological"]


@dataclass(frozen=True)
class Row:
    """An instance, where it stands (from 1), and its line as it was read, which may have more fields."""

    number: int
    instance: Instance
    line: Mapping[str, Any]
    where: str

    @property
    def others(self) -> dict[str, Any]:
        """What the line has beside the instance's fields, as JSON."""
        known = type(self.instance).model_fields
        found = {key: value for key, value in self.line.items() if key not in known and value is not None}
        return cast(dict[str, Any], json.loads(json.dumps(found, default=str)))

    @property
    def image(self) -> str:
        """Of its container, where the line names one: those of newer sets do."""
        found = self.line.get("image")
        return found if isinstance(found, str) else ""

    @property
    def created(self) -> datetime:
        """When its pull request was opened. SetupError where the line does not tell."""
        if self.instance.created is None:
            raise SetupError(
                f"{self.where}: created_at={self.instance.created_at!r} is no date and time such as "
                "2022-03-03T15:14:54Z, by which the chronological order goes"
            )
        return self.instance.created


@dataclass(frozen=True)
class DataSet:
    """Instances by their ids, in the order in which they are published. `source` is a name or a path."""

    source: str
    rows: Mapping[str, Row]

    @cached_property
    def sha256(self) -> str:
        """Of the instances, wherever they were read from."""
        return digest([{**row.others, **row.instance.line()} for row in self.rows.values()])

    def ordered(self, order: Order) -> list[Row]:
        """All rows, by their place or by their dates; those of one date by their place."""
        rows = list(self.rows.values())
        return sorted(rows, key=lambda row: row.created) if order == "chronological" else rows


def read_dataset(subset: str, *, split: str = "test", revision: str | None = None) -> DataSet:
    """The set of that name, or of that file, for which `split` and `revision` say nothing.

    SetupError, which names the file and the row, where one has not all fields, has one of another type, or the id of
    another one.
    """
    if subset in SUBSETS:
        source = SUBSETS[subset]
        lines = from_hub(source, split, revision)
        where = f"{source}, split {split}"
    elif subset.endswith(ENDINGS):
        source = where = str(Path(subset).expanduser())
        lines = from_file(Path(source))
    else:
        raise SetupError(
            f"suite.subset={subset}: neither a published set ({nearest(subset, list(SUBSETS))}) nor a file that ends "
            f"with {', '.join(ENDINGS)}"
        )
    return DataSet(source, checked(lines, where))


def checked(lines: Sequence[object], source: str) -> dict[str, Row]:
    """Rows of lines, in their order. SetupError for the first that is none."""
    rows: dict[str, Row] = {}
    for number, line in enumerate(lines, start=1):
        row = checked_row(line, number, f"{source}, row {number}")
        name = row.instance.instance_id
        if name in rows:
            raise SetupError(f"{row.where}: the instance_id {name} is that of row {rows[name].number} too")
        rows[name] = row
    if not rows:
        raise SetupError(f"{source} holds no instance")
    return rows


def checked_row(line: object, number: int, where: str) -> Row:
    """One row. SetupError, which begins with `where`."""
    if not isinstance(line, Mapping):
        raise SetupError(f"{where}: {type(line).__name__} where an object with SWE-bench's fields belongs")
    if named := line.get("instance_id"):
        where = f"{where} ({named})"
    given = {key: value for key, value in line.items() if key in Instance.model_fields}
    # a Parquet file may hold it as a time
    if isinstance(given.get("created_at"), datetime):
        given["created_at"] = given["created_at"].isoformat()
    try:
        instance = Instance.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        if first["type"] == "missing":
            raise SetupError(f"{where}: the field {field} is missing") from None
        given_type = "" if first["type"] == "value_error" else f", not {type(first['input']).__name__}"
        raise SetupError(f"{where}: {field}: {first['msg']}{given_type}") from None
    if not IDS.fullmatch(instance.instance_id):
        raise SetupError(f"{where}: instance_id={instance.instance_id!r} is no name such as django__django-11099")
    if not COMMITS.fullmatch(instance.base_commit):
        raise SetupError(f"{where}: base_commit={instance.base_commit!r} is no hash of a commit")
    if empty := [field for field in FILLED if not getattr(instance, field)]:
        raise SetupError(f"{where}: the field {empty[0]} is empty")
    return Row(number, instance, dict(line), where)


def from_hub(name: str, split: str, revision: str | None) -> list[object]:
    """The lines of a published set, from the cache of the package datasets where it is there."""
    try:
        from datasets import load_dataset
    except ImportError:
        raise SetupError(
            f"{name}: the package datasets, which fetches it, is missing: {INSTALL}, or name a file by suite.subset"
        ) from None
    except ValueError as error:
        raise SetupError(
            f"{name}: the package datasets cannot be loaded: {one_line(error)}; is HF_ENDPOINT a URL?"
        ) from None
    with hub.asked() as wrong:
        done = capture(lambda: load_dataset(name, split=split, revision=revision))
    if isinstance(done.error, Exception):
        raise SetupError(
            f"{name}, split {split}, cannot be had ({wrong or one_line(done.error)}); look to the network and to "
            "suite.split, or name a local file by suite.subset"
        ) from done.error
    return list(done.unwrap())


def from_file(path: Path) -> list[object]:
    """The lines of a local file. What a JSON file holds counts, not how it is called: a list, an object with instances
    by their ids, or a line for each."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SetupError(f"suite.subset={path} cannot be read: {error.strerror}") from error
    return from_parquet(path) if path.suffix == ".parquet" else from_json(raw, str(path))


def from_parquet(path: Path) -> list[object]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise SetupError(f"{path}: the package pyarrow, which reads Parquet, is missing: {INSTALL}") from None
    try:
        return list(parquet.read_table(path).to_pylist())
    except (ArrowException, OSError) as error:
        raise SetupError(f"{path} is no Parquet file: {one_line(error)}") from error


def from_json(raw: bytes, source: str) -> list[object]:
    """Of the three shapes the one that it has. SetupError names the line that is no JSON."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SetupError(f"{source} is no text in UTF-8: {error.reason} at byte {error.start}") from None
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return by_lines(text, source)
    if isinstance(whole, list):
        return whole
    if (
        isinstance(whole, dict)
        and "instance_id" not in whole
        and all(isinstance(each, dict) for each in whole.values())
    ):
        return list(whole.values())
    return [whole]


def by_lines(text: str, source: str) -> list[object]:
    found: list[object] = []
    # splitlines would break at characters that JSON leaves inside of texts
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            told = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise SetupError(f"{source}, line {number}, is no JSON: {told}") from None
    return found
