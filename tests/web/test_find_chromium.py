"""Which Chromium is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.suites.web.chromium.find import find_chromium
from reasoningbank.errors import SetupError


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("folders", "newest"),
    [
        (("chromium-999", "chromium-1117", "chromium-1048"), "chromium-1117"),
        (("chromium-1117", "chromium_headless_shell-999"), "chromium_headless_shell-999"),
        (("chromium_headless_shell-1200", "chromium_headless_shell-999"), "chromium_headless_shell-1200"),
    ],
)
def test_the_newest_of_the_kind_that_starts_first_is_taken(
    folders: tuple[str, ...], newest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for folder in folders:
        program(tmp_path / folder / "chrome-linux" / ("headless_shell" if "shell" in folder else "chrome"))
    assert find_chromium(None).relative_to(tmp_path).parts[0] == newest


def test_what_is_no_program_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    program(tmp_path / "chromium-1117" / "chrome-linux" / "chrome").chmod(0o644)
    with pytest.raises(SetupError, match="no Chromium is on the PATH or in"):
        find_chromium(None)
