"""Images of an attempt's steps: where the next one goes."""

from __future__ import annotations

from pathlib import Path


class StepImages:
    """Names of files in an attempt's folder, `step-000.png` for the start page; none unless they are `wanted` and the
    folder is known."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._folder: Path | None = None
        self._count = 0

    def keep_in(self, folder: Path) -> None:
        """The folder is made with the first image."""
        self._folder = folder if self._wanted else None

    def first(self) -> str | None:
        """That of the start page; those of an older attempt in the folder are gone."""
        self._count = 0
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in self._folder.glob("step-*.png"):
                old.unlink()
        return self.next()

    def next(self) -> str | None:
        """That of the step that comes next."""
        if self._folder is None:
            return None
        self._count += 1
        return str(self._folder.absolute() / f"step-{self._count - 1:03d}.png")
