"""The shell scripts' set-up: which Python is taken, what is said when something is missing, what a second run does.

Each test gives the script a PATH of its own, with small programs standing for Python and uv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import HANG

SCRIPTS = Path(__file__).parents[1] / "scripts"
TOOLS = ("bash", "cat", "dirname", "grep", "tail", "mkdir", "rm", "touch")
UV = f"""#!/usr/bin/env bash
echo "$@" >>"$UV_CALLS"
case "$1" in
venv) shift; exec {sys.executable} -m venv --without-pip ${{UV_VENV:-}} "${{!#}}" ;;
pip) echo "${{UV_SAYS:-}}"; exit "${{UV_CODE:-0}}" ;;
esac
"""


class Machine:
    """A checkout and a PATH with nothing on it but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        (self.checkout / "scripts").mkdir(parents=True)
        self.bin.mkdir()
        self.calls.touch()
        shutil.copy(SCRIPTS / "setup.sh", self.checkout / "scripts")
        self.pyproject = self.checkout / "pyproject.toml"
        self.pyproject.write_text('[project]\nname = "thing"\nversion = "1"\n')
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)

    def program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def real_python(self, name: str = "python3") -> None:
        self.program(name, f'#!/usr/bin/env bash\nexec {sys.executable} "$@"\n')

    def setup(self, extra: str = "base", **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "HOME": str(self.checkout), "UV_CALLS": str(self.calls), **variables}
        for name in ("LANG", "LC_ALL"):
            environment[name] = os.environ.get(name, "C.UTF-8")
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f'source scripts/setup.sh; setup {extra}; echo "ready $VENV_PYTHON"'],
            cwd=self.checkout,
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def old_python(version: str) -> str:
    return f'#!/usr/bin/env bash\nif [ "$1" = --version ]; then echo "Python {version}"; exit; fi\nexit 1\n'


def test_no_python_at_all(machine: Machine) -> None:
    done = machine.setup()
    assert done.returncode == 2
    assert "error: Python 3.11 or newer is needed; found none." in done.stderr


def test_only_older_pythons_are_named_with_their_versions(machine: Machine) -> None:
    machine.program("python3", old_python("3.9.2"))
    machine.program("python", old_python("2.7.18"))
    machine.program("python3.12", "#!/usr/bin/env bash\necho 'no such version' >&2; exit 127\n")
    done = machine.setup()
    assert done.returncode == 2
    assert "found python3 (3.9.2) python3.12 (does not start) python (2.7.18)" in done.stderr
    assert not (machine.checkout / ".venv").exists()


def test_a_named_python_is_the_only_candidate(machine: Machine) -> None:
    machine.real_python()
    machine.program("old", old_python("3.10.1"))
    for name, found in (("old", "old (3.10.1)"), ("absent", "absent (not found)")):
        done = machine.setup(PYTHON=name)
        assert done.returncode == 2
        assert f"found {found}." in done.stderr


def test_a_python_without_the_venv_module(machine: Machine) -> None:
    machine.program(
        "python3",
        f'#!/usr/bin/env bash\ncase "$*" in *venv*) exit 1 ;; esac\nexec {sys.executable} "$@"\n',
    )
    done = machine.setup()
    assert done.returncode == 2
    assert "its modules venv and ensurepip are missing" in done.stderr
    assert "apt install python3-venv" in done.stderr


@pytest.mark.parametrize("has_pip", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_network(has_pip: bool, machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV)
    done = machine.setup(UV_CODE="2", UV_SAYS="dns error", **unreachable(has_pip))
    assert done.returncode == 2
    assert "the packages could not be downloaded: check the network or the proxy" in done.stderr
    again = machine.setup(UV_CODE="2", UV_SAYS="dns error", **unreachable(has_pip))
    assert again.returncode == 2, "a set-up that failed must not count as done"


def unreachable(has_pip: bool = True) -> dict[str, str]:
    """pip, which takes seconds to install where the environment does not have it, looks where nobody listens."""
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/"}
    at_once = {"PIP_RETRIES": "0", "PIP_DEFAULT_TIMEOUT": "1", "PIP_NO_CACHE_DIR": "1"}
    return {**nowhere, **at_once, "UV_VENV": "--system-site-packages" if has_pip else ""}


def test_another_fault_of_the_installation_is_shown(machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV)
    build = '[build-system]\nrequires = []\nbuild-backend = "nothing_there"\n'
    machine.pyproject.write_text(build + machine.pyproject.read_text())
    done = machine.setup(UV_CODE="2", UV_SAYS="no such backend", **unreachable())
    assert done.returncode == 2
    assert "nothing_there" in done.stderr
    assert "the packages could not be installed (all of the output: " in done.stderr


def test_what_is_installed_is_told_as_it_comes(machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV)
    done = machine.setup(
        UV_SAYS="Collecting numpy>=2.2 (from thing==1)\nsomething else\nDownloading faiss-cpu (22 MiB)"
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert "once, in one to five minutes" in done.stdout
    assert [line for line in told if line.startswith("  ")] == [
        "  Collecting numpy>=2.2",
        "  Downloading faiss-cpu (22 MiB)",
    ]
    assert "something else" in (machine.checkout / ".venv/setup.log").read_text()


def test_a_second_run_installs_nothing_until_something_changes(machine: Machine, tmp_path: Path) -> None:
    machine.real_python()
    machine.program("uv", UV)

    def calls() -> list[str]:
        text = machine.calls.read_text()
        machine.calls.write_text("")
        return [line.split(" --")[0] for line in text.splitlines()]

    first = machine.setup()
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[-1] == f"ready {machine.checkout}/.venv/bin/python"
    assert calls() == ["venv", "pip install"]
    second = machine.setup()
    assert (second.returncode, calls()) == (0, [])
    assert second.stdout == f"ready {machine.checkout}/.venv/bin/python\n"

    machine.setup("test")
    assert calls() == ["pip install"], "an extra is installed on top"
    machine.pyproject.write_text(machine.pyproject.read_text() + 'description = "changed"\n')
    machine.setup("test")
    assert calls() == ["pip install"]
    machine.setup("base")
    assert calls() == [], "what the tests need holds what the demo needs"
    machine.setup("alltests")
    assert calls() == ["pip install"]
    machine.setup("test")
    assert calls() == [], "what all tests need holds what most need"

    moved = tmp_path / "moved"
    machine.checkout.rename(moved)
    machine.checkout = moved
    assert machine.setup().returncode == 0
    assert calls() == ["venv", "pip install"], "in a checkout that was moved, the environment is made anew"
    for program in (moved / ".venv/bin").iterdir():
        if not program.is_symlink():
            assert str(tmp_path / "checkout") not in program.read_text(encoding="utf-8"), program
    assert machine.setup().returncode == 0
    assert calls() == []

    (moved / ".venv/bin/python").unlink()
    assert machine.setup().returncode == 0
    assert calls() == ["venv", "pip install"], "an environment whose Python is gone is made anew"


def test_an_environment_of_the_users_own_is_kept_where_it_is_in_its_place(machine: Machine) -> None:
    machine.program("uv", UV)
    own = machine.checkout / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(own)], check=True)
    (own / "mine").touch()
    assert machine.setup().returncode == 0
    assert (own / "mine").is_file()
    assert "venv" not in machine.calls.read_text().split("pip install")[0]


def run_all(machine: Machine, **variables: str) -> subprocess.CompletedProcess[str]:
    """scripts/test_all.sh, whose tests are a program that says which interpreters it was given."""
    for name in ("test_all.sh", "setup_reference.sh"):
        shutil.copy(SCRIPTS / name, machine.checkout / "scripts")
    (machine.checkout / "scripts" / "punkt_data.py").write_text("print('the data are there')\n")
    says = 'echo "with ${LIBWEBARENA_PYTHON:-none} and ${WEBARENA_VERIFIED_PYTHON:-none}: $*"\n'
    (machine.checkout / "scripts" / "test.sh").write_text(says)
    environment = {"PATH": str(machine.bin), "HOME": str(machine.checkout), "UV_CALLS": str(machine.calls), **variables}
    return subprocess.run(
        ["bash", "scripts/test_all.sh", "tests/bank"],
        cwd=machine.checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )


def test_what_scores_are_compared_with_is_installed_once_and_named_to_all_tests(machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV)
    own = machine.checkout / "scripts" / ".." / ".venv" / "reference" / "bin" / "python"
    for times in (1, 2):
        done = run_all(machine)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == f"with {own} and {own}: -rs tests/bank"
        installed = [line for line in machine.calls.read_text().splitlines() if "webarena" in line]
        assert len(installed) == 1, f"run {times}"
        assert "browsergym-webarena==0.14.3 webarena-verified==1.2.3" in installed[0]
    named = run_all(machine, LIBWEBARENA_PYTHON="/a/python", WEBARENA_VERIFIED_PYTHON="/b/python")
    assert named.stdout == "with /a/python and /b/python: -rs tests/bank\n", "whoever has them already"


@pytest.mark.long
def test_where_they_cannot_be_installed_no_test_is_run(machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV.replace("pip) echo", 'pip) case "$*" in *webarena*) exit 2 ;; esac; echo'))
    done = run_all(machine, **unreachable(), PIP_NO_INDEX="1")
    assert done.returncode == 2
    assert "that scores are compared with could not be installed" in done.stderr
    assert "tests/bank" not in done.stdout
    again = run_all(machine, **unreachable(), PIP_NO_INDEX="1")
    assert again.returncode == 2, "an installation that failed does not count as done"


def test_a_python_that_they_do_not_take_is_told(machine: Machine) -> None:
    machine.real_python()
    machine.program("uv", UV)
    assert machine.setup("alltests").returncode == 0
    python = machine.checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.write_text(f'#!/bin/sh\ncase "$*" in *"(3, 13)"*) exit 1 ;; esac\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    done = run_all(machine)
    assert done.returncode == 0, done.stderr
    assert "WARNING: no score is compared with libwebarena's" in done.stderr
    assert done.stdout.splitlines()[-1] == "with none and none: -rs tests/bank"


@pytest.mark.parametrize(
    "name",
    [
        *("demo.sh", "test.sh", "test_all.sh"),
        *("setup_reference.sh", "setup_webarena.sh", "setup_browser.sh", "setup_bubblewrap.sh"),
    ],
)
def test_scripts_are_executable_and_parse(name: str) -> None:
    path = SCRIPTS / name
    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0


@pytest.mark.long
def test_what_is_installed_is_found_from_the_folder_that_holds_the_checkout(tmp_path: Path) -> None:
    # a checkout that is named as its package stands there like a package without a file of its own
    root, checkout = SCRIPTS.parent, tmp_path / "reasoningbank"
    keep_out = shutil.ignore_patterns(".venv", ".git", "results", "__pycache__", "*.egg-info")
    shutil.copytree(root, checkout, ignore=keep_out)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "v")], check=True)
    python = str(tmp_path / "v" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "-e", str(checkout)], check=True, timeout=HANG)
    code = "import importlib.util as u; print(u.find_spec('reasoningbank').origin, u.find_spec('eval').origin)"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.check_output([python, "-c", code], cwd=tmp_path, env=env, text=True)
    assert found.split() == [str(checkout / name / "__init__.py") for name in ("reasoningbank", "eval")]
