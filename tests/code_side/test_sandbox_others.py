"""Docker up to what it is told, commands without a sandbox, and the choice between them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from sleepers import MARK
from waiting import HANG

from eval.suites.code.bounded import family
from eval.suites.code.docker import Docker
from eval.suites.code.local import Local
from eval.suites.code.python_home import files_of
from eval.suites.code.sandbox import LOCAL_RISK, Limits, choose, variables
from reasoningbank.errors import InfraError, SetupError

SMALL = Limits(memory_mb=256, processes=40, disk_mb=16, output_mb=1)


def after(words: list[str], option: str) -> list[str]:
    """What follows an option, wherever it is given."""
    return [words[place + 1] for place, word in enumerate(words) if word == option]


def test_what_docker_is_told(tmp_path: Path) -> None:
    words = Docker(limits=SMALL, image="some/image:1").arguments("name", "echo a; b", tmp_path, None, 30.0)
    assert words[:2] == ["run", "--rm"]
    assert words[-7:] == ["some/image:1", "timeout", "--signal=KILL", "30", "bash", "-c", "echo a; b"]
    assert {"--init", "--read-only"} <= set(words)
    for option, given in {
        **{"--name": "name", "--hostname": "sandbox", "--network": "none", "--workdir": "/workspace"},
        **{"--cap-drop": "ALL", "--security-opt": "no-new-privileges", "--pids-limit": "40"},
        **{"--memory": "256m", "--memory-swap": "256m", "--tmpfs": "/tmp:rw,exec,mode=1777,size=134217728"},
    }.items():
        assert after(words, option) == [given], option
    (user,) = after(words, "--user")
    assert not user.startswith("0:")
    assert after(words, "--ulimit") == ["fsize=16777216", "core=0"]
    volumes = after(words, "--volume")
    assert [each for each in volumes if not each.endswith(":ro")] == [f"{tmp_path}:/workspace"]
    assert all(each.split(":")[1].startswith("/packages/") for each in volumes[1:])
    assert "PYTHONHASHSEED=0" in after(words, "--env")


def test_docker_keeps_tmp_where_it_is_to_be_kept(tmp_path: Path) -> None:
    for name in ("folder", "scratch"):
        (tmp_path / name).mkdir()
    words = Docker().arguments("name", "true", tmp_path / "folder", tmp_path / "scratch", 30.0)
    assert f"{tmp_path}/scratch:/tmp" in after(words, "--volume")
    assert "--tmpfs" not in words


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (None, "the program docker is missing"),
        ("echo 'Cannot connect to the Docker daemon at unix:///x.' >&2; exit 1", r"cannot be reached \(Cannot connect"),
    ],
    ids=["no program", "no daemon"],
)
def test_without_docker_the_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, told: str
) -> None:
    if script:
        program = tmp_path / "docker"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=told) as line:
        choose("docker")
    assert LOCAL_RISK in str(line.value)
    assert "\n" not in str(line.value)


def test_what_docker_itself_fails_at_is_no_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "docker"
    program.write_text('#!/bin/sh\necho "docker: Error response from daemon: no such image"; exit 125\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(InfraError, match="no such image"):
        Docker().run("true", tmp_path, seconds=5.0)


@pytest.mark.parametrize(
    ("command", "code", "late"),
    [("sleep 30", 124, True), ("exit 124", 124, False), ("kill -9 $$", 137, False), ("exit 3", 3, False)],
)
def test_docker_tells_what_is_late_from_what_says_so_itself(
    command: str, code: int, late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a program in docker's place that runs what follows the image."""
    program = tmp_path / "docker"
    program.write_text('#!/bin/bash\nwhile [ "$1" != timeout ]; do shift; done\n"$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    ran = Docker().run(command, tmp_path, seconds=0.5 if late else HANG)
    assert (ran.returncode, ran.timed_out) == (code, late)
    assert ran.stopped == ("it was stopped after 0.5 s" if late else "")


def test_an_unknown_sandbox_is_told_with_the_nearest_name() -> None:
    with pytest.raises(SetupError, match=r"code.sandbox=bublewrap: .*bubblewrap"):
        choose("bublewrap")


def test_local_says_what_it_risks_and_runs_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a-secret-of-mine")
    assert "as you" in Local().check()
    sandbox = choose("local", limits=SMALL)
    folder = tmp_path / "task"
    folder.mkdir()
    ran = sandbox.run("pwd; cd /workspace && echo a > /workspace/a; env; false", folder, seconds=HANG)
    assert ran.output.startswith("/workspace\n")
    assert "a-secret" not in ran.output
    assert str(folder) not in ran.output
    assert (ran.returncode, (folder / "a").read_text()) == (1, "a\n")


@pytest.mark.parametrize(
    ("command", "seconds", "told"),
    [
        (f"sleep {MARK}", 0.3, "0.3 s"),
        (f"sleep {MARK} & sleep {MARK}", 0.3, "0.3 s"),
        (f"exec >/dev/null 2>&1; sleep {MARK}", 0.3, "0.3 s"),
        ("yes", HANG, "printed 1 MiB"),
        ("for i in $(seq 60); do sleep 60 & done; wait", HANG, "40 processes"),
        ("head -c 15000000 /dev/zero > a; cp a b; sleep 60", HANG, "16 MiB"),
    ],
    ids=["sleeps", "leaves", "silent", "prints", "forks", "fills"],
)
def test_local_has_limits_too(tmp_path: Path, command: str, seconds: float, told: str) -> None:
    began = time.monotonic()
    ran = Local(limits=SMALL).run(command, tmp_path, seconds=seconds)
    assert told in ran.stopped
    assert ran.timed_out == (seconds < 1)
    assert time.monotonic() - began < 55
    time.sleep(0.05)
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert MARK.encode() not in place.read_bytes().split(b"\0")
        except OSError:
            continue


def test_local_does_not_wait_for_what_has_left_with_its_output(tmp_path: Path) -> None:
    began = time.monotonic()
    ran = Local(limits=SMALL).run("sleep 20 & echo done", tmp_path, seconds=HANG)
    assert (ran.output, ran.returncode, ran.stopped) == ("done\n", 0, "")
    assert time.monotonic() - began < 15


def test_commands_get_nothing_of_the_users() -> None:
    told = variables("/usr/bin", home="/tmp")
    assert not {name for name in told if name in os.environ and told[name] == os.environ[name]} - {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "COLUMNS", "PAGER", "GIT_PAGER"),
        *(name for name in told if name.startswith(("PYTHON", "PYTEST", "GIT_", "NO_COLOR", "PY_"))),
    }
    assert (told["PYTHONHASHSEED"], told["TZ"], told["LC_ALL"]) == ("0", "UTC", "C.UTF-8")


def test_of_the_packages_only_what_tests_need_is_there() -> None:
    found = files_of(("pytest",))
    assert {"pytest", "_pytest", "pluggy", "iniconfig"} <= set(found)
    assert not {"reasoningbank", "eval", "numpy", "pydantic"} & set(found)
    with pytest.raises(SetupError, match="no-such-package is missing"):
        files_of(("no-such-package",))


def test_a_container_has_the_packages_that_tests_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docker").write_text("#!/bin/sh\necho 27.0\n")
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox = choose("docker", image="some/image:1", packages=("pytest", "hypothesis"))
    assert isinstance(sandbox, Docker)
    mounted = " ".join(after(sandbox.arguments("name", "true", tmp_path, None, 30.0), "--volume"))
    assert ":/packages/hypothesis:ro" in mounted


@pytest.mark.skipif(shutil.which("docker") is None, reason="docker is not installed")
def test_a_real_daemon_runs_a_command(tmp_path: Path) -> None:
    docker = Docker(limits=SMALL)
    try:
        docker.check()
    except SetupError as error:
        pytest.skip(str(error))
    ran = docker.run("echo a > /workspace/a; id -u; touch /x", tmp_path, seconds=60.0)
    assert ran.returncode == 1


def test_who_starts_others_all_the_time_is_not_followed_for_ever() -> None:
    """Its children change faster than they can be read."""
    line = "while :; do (exec bash -c 'exec bash -c :') & wait; done"
    with subprocess.Popen(["bash", "-c", line], start_new_session=True) as process:
        try:
            for _ in range(20):
                found = family(process.pid)
                assert found[0] == process.pid
                assert len(found) < 20
        finally:
            os.killpg(process.pid, signal.SIGKILL)
