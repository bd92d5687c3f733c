"""A command that means harm, or does it by mistake, in the real sandbox."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import ValidationError
from sandbox_here import SMALL, needs_bubblewrap
from sleepers import MARK
from waiting import HANG

from eval.suites.code.backend import CodeBackend
from eval.suites.code.bubblewrap import Bubblewrap
from eval.suites.code.sandbox import LOCAL_RISK, Limits, Ran, choose
from reasoningbank.errors import InfraError, SetupError

ROOT = Path(__file__).parents[2]
pytestmark = needs_bubblewrap


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The task's own, with a neighbour that is nobody's business."""
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "kept").write_text("kept")
    here = tmp_path / "task"
    here.mkdir()
    (here / "a.py").write_text("A = 1\n")
    return here


def run(command: str, folder: Path, *, seconds: float = HANG, scratch: Path | None = None) -> Ran:
    return SMALL.run(command, folder, seconds=seconds, scratch=scratch)


def processes_with(mark: str) -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(place.parent.name)
    return found


def test_a_command_works_in_its_folder_and_leaves_files_there(folder: Path) -> None:
    ran = run("pwd; cat a.py; echo B = 2 > b.py; python -c 'import b; print(b.B)'; false", folder)
    assert (ran.output, ran.returncode, ran.stopped) == ("/workspace\nA = 1\n2\n", 1, "")
    assert (folder / "b.py").read_text() == "B = 2\n"
    assert run("python -m pytest --version && pytest --version && git --version", folder).returncode == 0


def test_the_system_survives_the_removal_of_all_that_is_there(folder: Path) -> None:
    before = sorted(path.name for path in Path("/usr/bin").iterdir())
    ran = run("timeout 1 rm -rf --no-preserve-root /usr/bin /workspace ~ / 2>/dev/null; ls /", folder)
    assert "workspace" in ran.output
    assert sorted(path.name for path in Path("/usr/bin").iterdir()) == before
    assert (folder.parent / "beside" / "kept").read_text() == "kept"
    assert folder.is_dir()
    assert list(folder.iterdir()) == []


def test_nothing_else_can_be_written(folder: Path) -> None:
    places = [
        "/",
        "/usr",
        "/usr/local/bin",
        "/etc",
        "/etc/alternatives",
        "/dev",
        "/packages/pytest",
        "/tools",
        "/proc/sys",
    ]
    ran = run(
        f"for each in {' '.join(places)}; do touch $each/x && echo written $each; done; echo x > /etc/passwd", folder
    )
    assert "written" not in ran.output
    assert ran.output.count("Read-only") >= len(places) - 1
    assert run('python -c \'import sys; open(sys.prefix + "/x", "w")\'', folder).returncode == 1


def test_of_this_machine_only_programs_are_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither files of users, nor their variables, nor this project with its hidden tests, nor other processes."""
    monkeypatch.setenv("SOME_API_KEY", "a-secret-of-mine")
    places = [ROOT, Path(__file__), folder.parent, Path.home() / "x", Path("/var/run"), Path("/etc/shadow")]
    seen = f"for each in {' '.join(map(str, places))}; do test -e $each && echo seen $each; done"
    ran = run(f"{seen}; env; cat /proc/*/environ", folder)
    assert "seen" not in ran.output
    assert "a-secret" not in ran.output
    ran = run("python -c 'import eval'; python -c 'import reasoningbank'; find / -name hidden 2>/dev/null", folder)
    assert ran.output.count("ModuleNotFoundError") == 2
    assert ran.output.splitlines()[-1] == "ModuleNotFoundError: No module named 'reasoningbank'"
    assert run("ls -d /proc/[0-9]* | wc -l", folder).output.strip() in ("3", "4", "5")


def test_who_it_runs_as_has_no_rights(folder: Path) -> None:
    ran = run(
        "id; grep -E 'CapEff|NoNewPrivs' /proc/self/status; mount -t tmpfs x /tmp; hostname; chroot / true", folder
    )
    assert ran.output.startswith("uid=1000(agent) gid=1000(agent)")
    assert "CapEff:\t0000000000000000\n" in ran.output
    assert "NoNewPrivs:\t1\n" in ran.output
    assert "sandbox\n" in ran.output
    assert ran.returncode != 0


def test_no_network_not_even_this_machines_own(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        dial = "import socket,sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 2)"
        ran = run(f"python -c '{dial}' 127.0.0.1 {port}; echo $?; python -c '{dial}' 192.0.2.1 80; echo $?", folder)
        assert ran.output.count("\n1\n") == 2
        assert "refused" in ran.output
        assert "unreachable" in ran.output
        if shutil.which("curl", path="/usr/bin"):
            assert run(f"curl -s -m 5 http://127.0.0.1:{port}/", folder).returncode != 0
        with pytest.raises(TimeoutError):
            server.accept()
    assert run("python -c 'import socket; socket.gethostbyname(\"localhost.example\")'", folder).returncode == 1


def test_a_fork_bomb_ends_and_starts_no_more_than_it_may(folder: Path) -> None:
    ran = run(":(){ :|:& };:; sleep 1; echo over", folder, seconds=3.0)
    assert ran.returncode == 0 or ran.stopped or "Resource temporarily unavailable" in ran.output
    many = "import os,time\nn=0\ntry:\n while os.fork(): n+=1\nexcept OSError: print(n)\nelse: time.sleep(60)"
    ran = run(f"python -c '{many}'", folder)
    assert 10 <= int(ran.output) < 40
    assert run("echo well", folder).output == "well\n"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("python -c 'x = bytearray(400 << 20)'", "MemoryError"),
        ("head -c 30000000 /dev/zero > big", "File size limit"),
        ("for i in $(seq 12); do head -c 15000000 /dev/zero > /tmp/$i || exit 1; done", "No space left"),
        ("for i in 1 2; do head -c 15000000 /dev/zero > /dev/shm/$i || exit 1; done", "No space left"),
    ],
    ids=["memory", "file", "tmp", "shm"],
)
def test_nobody_takes_more_than_there_is_for_one(folder: Path, command: str, told: str) -> None:
    ran = run(command, folder)
    assert ran.returncode != 0
    assert told in ran.output or "16 MiB" in ran.stopped  # whichever is looked at first


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "for i in 1 2 3 4; do python -c 'import time; x=bytearray(120<<20); time.sleep(60)' & done; wait",
            "256 MiB of memory",
        ),
        ("for i in 1 2 3 4; do head -c 10000000 /dev/zero > big$i; done; sleep 60", "16 MiB"),
        ("seq 20000 | xargs touch; sleep 60", "16 MiB"),
        ("yes", "printed 1 MiB"),
    ],
    ids=["memory", "disk", "files", "output"],
)
def test_many_do_not_take_more_together(folder: Path, command: str, told: str) -> None:
    began = time.monotonic()
    ran = run(command, folder)
    assert told in ran.stopped
    assert ran.returncode == 137
    assert not ran.timed_out
    assert time.monotonic() - began < 55
    assert len(ran.output) <= 1 << 20


def test_what_sleeps_for_ever_is_ended_by_its_time(folder: Path) -> None:
    ran = run(f"echo before; sleep {MARK}", folder, seconds=0.5)
    assert (ran.timed_out, ran.returncode, ran.output) == (True, 124, "before\n")
    assert ran.stopped == "it was stopped after 0.5 s"
    assert processes_with(MARK) == []


def test_what_is_left_behind_ends_with_its_command(folder: Path) -> None:
    begin = time.monotonic()
    ran = run(f"setsid nohup sleep {MARK} & (sleep {MARK} >/dev/null 2>&1 &) ; echo done", folder)
    assert (ran.output, ran.returncode) == ("done\n", 0)
    assert time.monotonic() - begin < 60
    assert processes_with(MARK) == []


def test_who_kills_all_that_it_sees_hits_itself_alone(folder: Path) -> None:
    ran = run("sleep 60 & kill -9 $PPID; kill -9 1; kill -9 -1; wait; echo still here", folder)
    assert ran.output.endswith("still here\n")
    assert ran.output.count("not permitted") in (0, 2)  # the first of all can be sent nothing, or takes no notice
    assert run("kill -9 $$", folder).returncode == 137
    assert run("echo well", folder).output == "well\n"


def test_all_ends_with_the_process_that_asked_for_it(folder: Path) -> None:
    program = (
        "import sys; from pathlib import Path; sys.path[:0] = ['tests']; from sandbox_here import SMALL;"
        f"print('on', flush=True); SMALL.run('sleep {MARK}', Path(sys.argv[1]), seconds=600)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, env=environment, stdout=subprocess.PIPE
    ) as process:
        end = time.monotonic() + HANG
        while not processes_with(MARK) and time.monotonic() < end:
            time.sleep(0.02)
        assert processes_with(MARK)
        process.kill()
    while processes_with(MARK) and time.monotonic() < end:
        time.sleep(0.02)
    assert processes_with(MARK) == []


def test_what_is_kept_for_the_next_command_is_in_the_folder_and_in_tmp(folder: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    run("echo 1 > /tmp/a; export B=2; cd /usr", folder, scratch=scratch)
    assert run("cat /tmp/a; echo ${B:-none}; pwd", folder, scratch=scratch).output == "1\nnone\n/workspace\n"
    assert run("ls /tmp", folder).output == ""


def test_a_link_out_of_the_folder_leads_nowhere(folder: Path) -> None:
    ran = run(f"ln -s {folder.parent}/beside out; cat out/kept; echo x > out/kept", folder)
    assert ran.returncode == 1
    assert (folder.parent / "beside" / "kept").read_text() == "kept"


def test_where_the_sandbox_itself_fails_nobody_takes_it_for_the_command(folder: Path) -> None:
    broken = Bubblewrap(limits=Limits())
    broken._system.append("--no-such-option")
    with pytest.raises(InfraError, match=r"did not start.*no-such-option"):
        broken.run("true", folder, seconds=5.0)


def test_limits_too_small_for_python_are_named() -> None:
    with pytest.raises(SetupError, match=r"does not run in it: .*code\.limits"):
        Bubblewrap(limits=Limits(memory_mb=1)).check()


@pytest.mark.parametrize("seconds", [True, "30", 0, -1.0, float("inf"), float("nan")])
def test_seconds_are_a_number(seconds: object) -> None:
    with pytest.raises(ValidationError):
        CodeBackend.model_validate({"command_seconds": seconds})


def test_without_the_program_the_line_says_what_the_other_way_risks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SetupError) as told:
        choose("bubblewrap")
    assert "bwrap is missing" in str(told.value)
    assert "setup_bubblewrap.sh" in str(told.value)
    assert LOCAL_RISK in str(told.value)
    assert "\n" not in str(told.value)


def test_a_program_that_may_make_no_sandbox_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(SetupError, match=r"cannot make a sandbox here .*No permissions.*code.sandbox=local runs"):
        choose("bubblewrap")
