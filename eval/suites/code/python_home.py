"""The Python that commands in a sandbox have: the interpreter of this process, and of its packages a few alone.

Not its other packages: among these may be this project with the tests that no agent is to see.
"""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from reasoningbank.errors import SetupError

TEST_PACKAGES = ("pytest",)


def base_prefix() -> Path:
    """Where the interpreter is installed, also from inside a virtual environment."""
    return Path(sys.base_prefix).resolve()


def program() -> Path:
    """The interpreter itself, relative to where it is installed."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = [base_prefix() / "bin" / name for name in (version, "python3", "python")]
    return next((path for path in found if path.is_file()), found[0]).relative_to(base_prefix())


def package_folders() -> list[Path]:
    """Where the interpreter finds packages that were installed, with and without a virtual environment."""
    base = str(base_prefix())
    variables = {"base": base, "platbase": base, "installed_base": base, "installed_platbase": base}
    schemes = {"posix_prefix", sysconfig.get_default_scheme()} & set(sysconfig.get_scheme_names())
    found = {sysconfig.get_path(kind, scheme, variables) for kind in ("purelib", "platlib") for scheme in schemes}
    found |= set(site.getsitepackages([base]))
    if base_prefix() == Path("/usr"):
        found |= {"/usr/lib/python3/dist-packages"}  # Debian's own
    return [path for path in map(Path, sorted(found)) if path.is_dir()]


@cache
def files_of(packages: Sequence[str]) -> dict[str, Path]:
    """For each file or folder that these packages and all that they need have installed, by its name, its place.

    SetupError for a package that is missing.
    """
    from importlib import metadata

    from packaging.requirements import Requirement

    found: dict[str, Path] = {}
    waiting, seen = list(packages), set[str]()
    while waiting:
        name = waiting.pop()
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise SetupError(
                f"the package {name} is missing, which tests in a sandbox need: {sys.executable} -m pip install {name}"
            ) from None
        tops = {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}
        found |= {top: Path(str(distribution.locate_file(top))) for top in sorted(tops)}
        for line in distribution.requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append(needed.name)
    return {name: path for name, path in sorted(found.items()) if path.exists() and path.suffix != ".pth"}
