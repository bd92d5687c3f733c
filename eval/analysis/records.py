"""Reading run folders: `results/<run>/meta.json` and `streams/<stream>/journal.jsonl`. Nothing is ever written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.analysis.origin import Origin
from eval.journal import (
    AttemptResult,
    EpisodeResult,
    JournalLine,
    Lines,
    episode_folder,
    group_and_trial,
    stream_folder,
)
from eval.names import nearest
from reasoningbank.errors import SetupError
from reasoningbank.files import path_name
from reasoningbank.text import counted
from reasoningbank.types import Trajectory

RESULTS = Path("results")
"""Where runs are looked for unless another folder is named."""


@dataclass(frozen=True)
class StreamRecord:
    """One stream's episodes in the order of their positions; of a redone episode the last line counts."""

    name: str
    lines: tuple[JournalLine, ...]
    planned: int | None
    """How many episodes the run set out to do here; None when its meta does not say."""

    @property
    def group(self) -> str:
        """What the stream's tasks have in common: its name without the trial."""
        return group_and_trial(self.name)[0]

    @property
    def complete(self) -> bool:
        """Whether every planned episode has a line."""
        return self.planned is None or len(self.lines) >= self.planned


@dataclass(frozen=True)
class RunRecord:
    """One run as its folder tells it."""

    name: str
    folder: Path
    meta: dict[str, Any]
    streams: tuple[StreamRecord, ...]

    @property
    def origin(self) -> Origin:
        """What had a say in it: simulated models, gold, lessons that were given."""
        return Origin(
            simulated=bool(self.meta.get("simulated", False)),
            gold_doors=tuple(map(str, self.meta.get("gold_doors") or ())),
            given_lessons=tuple(map(str, self.meta.get("given_lessons") or ())),
            origin_known=bool(self.meta.get("origin_known", True)),
        )

    @property
    def simulated(self) -> bool:
        """Whether any of its models was a simulated one."""
        return self.origin.simulated

    @property
    def bank(self) -> str:
        """What its banks start from and whether anything is learnt into them; empty for a run of the plain kind."""
        given = (self.meta.get("settings") or {}).get("bank") or {}
        if not given.get("init_from"):
            return ""
        return f"starts from {given['init_from']}{', frozen: nothing is learnt' if given.get('frozen') else ''}"

    @property
    def suite(self) -> object:
        """What tells the run's suite and world apart from others; None when its meta does not say."""
        return (self.meta.get("identity") or {}).get("suite")

    @property
    def success_metric(self) -> str:
        """Which figure is the run's success rate."""
        return str(self.meta.get("success_metric", "pass_at_1"))

    @property
    def k(self) -> int | None:
        """Attempts a task, or answers of its one attempt, as the run was told; None when its meta does not say."""
        k = self.meta.get("k")
        return k if isinstance(k, int) else None

    @property
    def complete(self) -> bool:
        """Whether every stream is."""
        return all(stream.complete for stream in self.streams)


def is_run(folder: Path) -> bool:
    """Whether `folder` holds a run."""
    return (folder / "meta.json").is_file()


def runs_below(folder: Path) -> list[Path]:
    """Every run inside `folder`, at any depth, by name; what begins with a dot is left out."""
    found = (path.parent for path in folder.rglob("meta.json"))
    return sorted(run for run in found if not any(part.startswith(".") for part in run.relative_to(folder).parts))


def find_run(name: str, root: Path) -> Path:
    """The folder of a run that is named by its path or by its name under `root`. SetupError tells the nearest names."""
    for candidate in (Path(name), root / name):
        if is_run(candidate):
            return candidate
    known = [str(path.relative_to(root)) for path in runs_below(root)] if root.is_dir() else []
    inside = [each for each in known if each.startswith(f"{name.rstrip('/')}/")]
    if inside:
        raise SetupError(
            f"{name} is no run itself: it holds {counted(len(inside), 'run')}; name one of them: {'; '.join(inside)}"
        )
    raise SetupError(
        f"no run {name!r}: neither a folder with meta.json nor a name under {root}; {nearest(name, known)}"
        + (f"; `python -m eval list{'' if root == RESULTS else f' {root}'}` shows all" if known else "")
    )


def find_sweep(name: str, root: Path) -> Path | None:
    """The folder, named by its path or by its name under `root`, that is no run but holds some. None: there is none."""
    candidates = (Path(name), root / name)
    return next((each for each in candidates if not is_run(each) and each.is_dir() and runs_below(each)), None)


def load_run(folder: Path) -> RunRecord:
    """Read a run. A torn last line is passed over (the run is then incomplete); anything else broken is refused."""
    meta = read_meta(folder)
    planned: dict[str, Any] = meta.get("streams") or {}
    started = {path.parent.name for path in folder.glob("streams/*/journal.jsonl")}
    folders = {path_name(name): name for name in planned}
    folders |= {name: name for name in sorted(started - set(folders))}
    streams = tuple(
        StreamRecord(name, read_lines(folder / "streams" / own / "journal.jsonl"), planned.get(name))
        for own, name in folders.items()
    )
    return RunRecord(name=str(meta.get("run_name") or folder.name), folder=folder, meta=meta, streams=streams)


def read_meta(folder: Path) -> dict[str, Any]:
    """What a run says of itself, as a whole."""
    path = folder / "meta.json"
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SetupError(f"{folder} is not a run: it has no meta.json") from None
    except (ValueError, RecursionError) as error:
        raise SetupError(f"{path} is not JSON ({error}); restore it from a copy") from None
    if not isinstance(meta, dict):
        raise SetupError(f"{path} holds {type(meta).__name__} where an object belongs; restore it from a copy")
    return meta


def meta_or_none(folder: Path) -> dict[str, Any] | None:
    """What a run says of itself; None where nothing of it can be read."""
    try:
        return read_meta(folder)
    except (SetupError, OSError):
        return None


def read_lines(path: Path) -> tuple[JournalLine, ...]:
    """The lines of one journal, of each episode the newest. None yet: an empty tuple."""
    lines = Lines()
    try:
        lines.read(path.read_bytes(), path)
    except FileNotFoundError:
        return ()
    return tuple(lines.newest)


def attempt_file(run: RunRecord, episode: EpisodeResult, index: int) -> Path:
    """Where an attempt's trajectory and evidence are kept."""
    stream = stream_folder(run.folder, episode.stream)
    return episode_folder(stream, episode.position, episode.task_id) / f"{index}.json"


def load_trajectory(run: RunRecord, episode: EpisodeResult, attempt: AttemptResult) -> Trajectory | None:
    """An attempt's trajectory; None when its file is not there (published runs may leave them out)."""
    path = attempt_file(run, episode, attempt.index)
    try:
        return Trajectory.model_validate(json.loads(path.read_bytes())["attempt"]["trajectory"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SetupError(f"{path} is not an attempt's file ({type(error).__name__}: {error})") from None
