"""Where Chromium and the packages that drive it are."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from reasoningbank.errors import SetupError

PROGRAMS = (
    *("chromium-headless-shell", "chrome-headless-shell", "headless_shell"),
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
)
"""By what names it goes, the quickest to start first: the headless shell needs half the time of the whole browser."""
_IN_CACHE = (
    "chromium*/**/chrome-headless-shell",
    "chromium*/**/headless_shell",
    "chromium*/**/chrome",
    "chromium*/**/Chromium",
)
EXTRA = "browser"
TOO_NEW = (3, 13)
"""The first Python that the packages cannot be installed in."""
HOW = "run ./scripts/setup_browser.sh, or name one by web.chromium=PATH"


def find_chromium(given: str | None) -> Path:
    """The browser's program: the given one, else one on the PATH, else the newest in Playwright's cache.

    SetupError where there is none.
    """
    if given is not None:
        found = shutil.which(Path(given).expanduser())
        if found is None:
            raise SetupError(f"web.chromium={given}: no program is there; give the path of Chromium's")
        return Path(found)
    for name in PROGRAMS:
        if found := shutil.which(name):
            return Path(found)
    folder = playwright_cache()
    for pattern in _IN_CACHE:
        kept = [path for path in folder.glob(pattern) if os.access(path, os.X_OK) and path.is_file()]
        if kept:
            return max(kept, key=lambda path: (_release(path.relative_to(folder)), path))
    raise SetupError(f"web.backend=browser: no Chromium is on the PATH or in {folder}; {HOW}")


def _release(path: Path) -> tuple[int, ...]:
    """The numbers in the name of the folder that holds it, `chromium-1117`: 999 comes before 1117."""
    return tuple(int(digits) for digits in re.findall("[0-9]+", path.parts[0]))


def playwright_cache() -> Path:
    """Where Playwright keeps the browsers that it has fetched."""
    if folder := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(folder)
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "ms-playwright"


def browser_packages() -> str:
    """The packages' names and versions. SetupError where one is missing."""
    from importlib import metadata

    try:
        return ", ".join(f"{name} {metadata.version(name)}" for name in ("browsergym-core", "playwright"))
    except metadata.PackageNotFoundError as error:
        if sys.version_info >= TOO_NEW:
            raise SetupError(
                f"web.backend=browser: Python {sys.version.split()[0]} is too new for Playwright 1.44, which "
                "BrowserGym takes: make the environment with Python 3.11 or 3.12"
            ) from None
        raise SetupError(
            f"web.backend=browser: the package {error.name} is missing; run ./scripts/setup_browser.sh, or "
            f"{sys.executable} -m pip install -e '.[{EXTRA}]'"
        ) from None
