"""Banks as they are looked at: found by file or run, read from a private copy, searched with their own embedder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from eval.analysis.origin import UNKNOWN, Origin, of_notes, united
from eval.analysis.records import RunRecord, StreamRecord, find_run, is_run, load_run
from eval.build import build
from eval.config.files import group_names
from eval.config.load import compose
from eval.config.settings import Settings
from eval.journal import stream_folder
from eval.names import nearest
from reasoningbank.bank import files
from reasoningbank.bank.bank import Bank, Key
from reasoningbank.bank.copy import copy_bank
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.errors import BankError, SetupError
from reasoningbank.interfaces import Embedder, Side
from reasoningbank.types import Experience


@dataclass(frozen=True)
class BankFile:
    """A bank's file, and the run whose own it is, if it is one's."""

    path: Path
    run: RunRecord | None = None


def origin_of(file: BankFile, meta: Mapping[str, str]) -> Origin:
    """What made a bank with that meta: what it says itself, else what is known of its run, if it is one's."""
    own = of_notes(meta)
    if own.origin_known or file.run is None:
        return own
    return file.run.origin if own == UNKNOWN else united([own, file.run.origin])


class NotAsked:
    """Stands for a bank's embedder where nothing is embedded."""

    asymmetric = False

    def __init__(self, *, id: str, dims: int) -> None:
        self.id = id
        self.dims = dims

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        raise BankError(f"embedder {self.id} is not loaded: this bank was opened to be looked at")


def find_bank(name: str, root: Path, stream: str | None) -> BankFile:
    """A bank by its file, or by its run's folder or name under `root`, with `stream` where the run has several."""
    file = next((each for each in (Path(name), root / name) if each.is_file()), None)
    if file is not None:
        if stream is not None:
            raise SetupError(f"{file} is a bank's file, which has no streams: leave --stream {stream} away")
        run = next((load_run(folder) for folder in file.resolve().parents[:3] if is_run(folder)), None)
        return BankFile(file, run)
    if not any(each.is_dir() for each in (Path(name), root / name)):
        raise SetupError(f"no bank {name!r}: neither a file, nor a run's folder, nor a name under {root}")
    run = load_run(find_run(name, root))
    path = stream_folder(run.folder, choose_stream(run, stream).name) / "bank.sqlite"
    if not path.is_file():
        raise SetupError(f"no bank at {path}: the stream has not begun, or its bank was moved away")
    return BankFile(path, run)


def choose_stream(run: RunRecord, name: str | None) -> StreamRecord:
    """The run's stream of that name, or the only one it has."""
    names = [stream.name for stream in run.streams]
    if not names:
        raise SetupError(f"{run.folder} has no stream yet: it has not begun, or its journals were moved away")
    if name is None and len(names) != 1:
        raise SetupError(f"{run.folder} has {len(names)} streams: name one with --stream ({', '.join(names)})")
    for stream in run.streams:
        if name in (None, stream.name):
            return stream
    raise SetupError(f"{run.folder} has no stream {name!r}; {nearest(str(name), names)}")


@contextmanager
def looked_at(file: BankFile, embedder: Embedder | None = None) -> Iterator[Bank]:
    """A private copy of the bank, so that not a byte of it changes. Without `embedder` it cannot be searched.

    BankError where it is no bank or damaged, and where the embedder is not the one that it was made with.
    """
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as folder:
        copy = Path(folder) / "bank.sqlite"
        copy_bank(file.path, copy)
        meta = files.check(copy, name=file.path)
        if embedder is not None and embedder.id != meta["embedder"]:
            raise BankError(
                f"bank {file.path} was made with the embedder {meta['embedder']!r}, not {embedder.id!r}: "
                "scores of the one say nothing of the other"
            )
        own = embedder or NotAsked(id=meta["embedder"], dims=int(meta["dims"]))
        with Bank.open(copy, own, key=cast(Key, meta["key"]), create=False) as bank:
            yield bank


def read_experiences(path: Path) -> tuple[str, list[Experience]]:
    """A bank's scope, and all it holds, whatever embedder made it."""
    with looked_at(BankFile(path)) as bank:
        return bank.scope, bank.all()


def own_embedder(file: BankFile, name: str | None = None) -> Embedder:
    """The embedder that the bank was made with: that of its run, else the one of `configs/embedder` with its id.

    With `name` that one, whatever its id is. BankError tells the bank's id and those there are.
    """
    if name is not None:
        return _configured(name)
    if file.run is not None:
        try:
            settings = Settings.model_validate(file.run.meta.get("settings"))
        except ValidationError:
            raise SetupError(
                f"{file.run.folder / 'meta.json'} has other settings than this version knows: name its embedder "
                "with --embedder"
            ) from None
        return CachedEmbedder(embedder=cast(Embedder, build("embedder", settings.embedder, settings.plugins, {})))
    with looked_at(file) as bank:
        wanted = bank.embedder_id
    there = []
    # one with the name in the id first: others may be slow to load
    for each in sorted(group_names("embedder"), key=lambda known: (known not in wanted, known)):
        embedder = _configured(each)
        if embedder.id == wanted:
            return embedder
        there.append(f"{each} is {embedder.id!r}")
    raise BankError(f"bank {file.path} was made with the embedder {wanted!r}; {', '.join(there)}: none is the same")


def _configured(name: str) -> Embedder:
    part = compose([f"embedder={name}"])[0]["embedder"]
    return CachedEmbedder(embedder=cast(Embedder, build("embedder", part, [], {})))
