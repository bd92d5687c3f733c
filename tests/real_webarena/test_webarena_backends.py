"""Servers of real sites: one writer at a time over threads and processes, a throttle, health and reset."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from holding import HOLD, read_line
from task_files import entry, written

from eval.suites.webarena import WebArena
from eval.suites.webarena.backends import Backends, Throttle
from eval.suites.webarena.health import check_server, run_reset
from reasoningbank.errors import InfraError, Outage, SetupError

SHOPS = ["http://a.test", "http://b.test"]


class Waiting(Exception):
    """It would have waited."""


def never(seconds: float) -> None:
    raise Waiting


def test_each_attempt_has_a_server_of_its_own_and_the_next_one_waits(tmp_path: Path) -> None:
    backends = Backends({"shopping": SHOPS}, folder=tmp_path, sleep=never)
    first, second = backends.lease(["shopping"]), backends.lease(["shopping"])
    assert {first.addresses["shopping"], second.addresses["shopping"]} == set(SHOPS)
    with pytest.raises(Waiting):
        backends.lease(["shopping"])
    first.release()
    first.release()
    assert backends.lease(["shopping"]).addresses == first.addresses


def test_what_was_taken_while_waiting_for_more_is_given_back(tmp_path: Path) -> None:
    backends = Backends({"gitlab": ["http://g.test"], "reddit": ["http://r.test"]}, folder=tmp_path, sleep=never)
    forum = backends.lease(["reddit"])
    with pytest.raises(Waiting):
        backends.lease(["reddit", "gitlab"])
    forum.release()
    both = backends.lease(["reddit", "gitlab"])
    assert both.addresses == {"gitlab": "http://g.test", "reddit": "http://r.test"}


def test_sites_on_one_server_share_it(tmp_path: Path) -> None:
    backends = Backends({"map": ["http://m.test"], "wikipedia": ["http://m.test"]}, folder=tmp_path, sleep=never)
    assert backends.lease(["map", "wikipedia"]).addresses == {"map": "http://m.test", "wikipedia": "http://m.test"}


@pytest.mark.parametrize("first", ["gitlab", "shopping"])
@pytest.mark.parametrize(
    ("servers", "held", "not_kept"),
    [
        (("b", "a"), "a", "b"),
        (("a", "b"), "a", "b"),
        (("ae", "c"), "ac", "e"),  # of one site there are two, and the second would be free
    ],
)
def test_who_waits_for_a_server_has_none_that_comes_after_it(
    first: str, servers: tuple[str, str], held: str, not_kept: str, tmp_path: Path
) -> None:
    """Whatever the sites are called: else two would wait for each other for ever."""
    second = "shopping" if first == "gitlab" else "gitlab"
    wanted = {name: [f"http://{each}.test" for each in letters] for name, letters in zip((first, second), servers)}
    here = Backends({letter: [f"http://{letter}.test"] for letter in "abcde"}, folder=tmp_path, sleep=never)

    def look(seconds: float) -> None:
        here.lease(not_kept).release()
        raise Waiting("and it was free")

    others = here.lease(held)
    with pytest.raises(Waiting, match="and it was free"):
        Backends(wanted, folder=tmp_path, sleep=look).lease(wanted)
    others.release()


def test_all_servers_are_taken_in_one_order(tmp_path: Path) -> None:
    here = Backends({"map": ["http://b.test"], "gitlab": ["http://c.test", "http://a.test"]}, folder=tmp_path)
    every = here.lease_all(["map", "gitlab"]).addresses
    assert list(every) == ["gitlab http://a.test", "map http://b.test", "gitlab http://c.test"]


def test_never_two_writers_over_threads(tmp_path: Path) -> None:
    backends = Backends({"shopping": SHOPS}, folder=tmp_path, sleep=lambda seconds: time.sleep(0.001))
    writers: dict[str, int] = dict.fromkeys(SHOPS, 0)
    worst: list[int] = []
    turn = threading.Lock()

    def attempt() -> None:
        for _ in range(10):
            lease = backends.lease(["shopping"])
            url = lease.addresses["shopping"]
            with turn:
                writers[url] += 1
                worst.append(writers[url])
            time.sleep(0.001)
            with turn:
                writers[url] -= 1
            lease.release()

    threads = [threading.Thread(target=attempt) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(worst) == 60
    assert max(worst) == 1


def test_never_two_writers_over_processes(tmp_path: Path) -> None:
    """Another process holds one of two; it is killed, and holds nothing any more."""
    backends = Backends({"shopping": SHOPS}, folder=tmp_path, sleep=never)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), *SHOPS], stdout=subprocess.PIPE, text=True
    ) as other:
        theirs = read_line(other)
        ours = backends.lease(["shopping"])
        assert {theirs, ours.addresses["shopping"]} == set(SHOPS)
        with pytest.raises(Waiting):
            backends.lease(["shopping"])
        other.kill()
    assert backends.lease(["shopping"]).addresses["shopping"] == theirs


def test_a_reset_of_all_waits_for_all(tmp_path: Path) -> None:
    backends = Backends({"shopping": SHOPS}, folder=tmp_path, sleep=never)
    every = backends.lease_all(["shopping"])
    assert sorted(every.addresses) == [f"shopping {url}" for url in SHOPS]
    with pytest.raises(Waiting):
        backends.lease(["shopping"])
    every.release()
    one = backends.lease(["shopping"])
    with pytest.raises(Waiting):
        backends.lease_all(["shopping"])
    one.release()


def test_a_stream_s_servers_are_put_back_by_no_other_until_it_ends(tmp_path: Path) -> None:
    """Between two of its attempts nobody holds them, and yet they are in use."""
    here = Backends({"shopping": SHOPS, "map": ["http://m.test"]}, folder=tmp_path, sleep=never)
    alone = here.use(["shopping"], alone=True)
    with pytest.raises(Waiting):
        here.use(["shopping"], alone=False)
    here.lease(["shopping"]).release()
    alone.share()
    both = here.use(["map", "shopping"], alone=False)
    with pytest.raises(Waiting):
        here.use(["shopping", "map"], alone=True)
    alone.release()
    with pytest.raises(Waiting):
        here.use(["map"], alone=True)
    both.release()
    here.use(["shopping", "map"], alone=True).release()


def test_the_throttle_lets_one_through_in_so_many_seconds(tmp_path: Path) -> None:
    now, slept = [50.0], []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    one, other = (Throttle({"gitlab": 2.0}, folder=tmp_path, clock=lambda: now[0], sleep=sleep) for _ in range(2))
    one.wait(["gitlab"])
    other.wait(["gitlab", "reddit"])
    now[0] += 0.5
    one.wait(["gitlab"])
    now[0] += 5.0
    other.wait(["gitlab"])
    one.wait(["reddit"])
    assert slept == [2.0, 1.5]
    now[0] = 1.0  # the machine was started anew
    one.wait(["gitlab"])
    assert slept == [2.0, 1.5]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status = {"/ill": 500, "/gone": 404, "/slow": 200}.get(self.path, 200)
        if self.path == "/slow":
            time.sleep(0.5)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return None


@pytest.fixture
def server() -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()
    thread.join()


def test_a_server_that_answers_is_well(server: str) -> None:
    check_server("shopping", server)
    check_server("shopping", f"{server}/gone")


def test_a_server_that_does_not_is_named(server: str) -> None:
    """And is no outage that has been waited out, after which nothing would be tried again."""
    for path, within, said in (("/ill", 20.0, "answers 500"), ("/slow", 0.1, "gives no answer within")):
        with pytest.raises(InfraError, match=f"shopping at {server}{path} {said}") as told:
            check_server("shopping", f"{server}{path}", within=within)
        assert not isinstance(told.value, Outage)
    for url, said in (
        ("http://127.0.0.1:9", "cannot be reached: Connection refused; is it running"),
        ("http://no-such-host.invalid", "cannot be reached"),
    ):
        with pytest.raises(InfraError, match=said) as told:
            check_server("shopping", url)
        assert not isinstance(told.value, Outage)


def test_a_reset_waits_until_the_server_answers(server: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    code = "import os,sys; open(sys.argv[1],'a').write(os.environ['SITE']+' '+sys.argv[2])"
    run_reset(f'{sys.executable} -c "{code}" {note} {{url}}', {"shopping": server}, within=30.0)
    assert note.read_text() == f"shopping {server}"
    with pytest.raises(SetupError, match="cannot be started"):
        run_reset("/no/such/program", {"shopping": server}, within=30.0)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_reset_that_takes_too_long_ends_with_all_that_it_has_started(server: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    program = tmp_path / "reset.sh"
    program.write_text(f"sleep 600 & echo $! >{note}.new; mv {note}.new {note}; wait\n")
    with pytest.raises(InfraError, match="took longer than 1 s"):
        run_reset(f"sh {program}", {"shopping": server}, within=1.0)
    child = int(note.read_text())
    until = time.monotonic() + 10.0
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_running(child)


def test_a_reset_may_leave_a_server_running_and_is_asked_for_nothing(server: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    program = tmp_path / "reset.sh"
    program.write_text(f"sleep 600 & echo $! >{note}; cat\n")
    reading, writing = os.pipe()
    stdin = os.dup(0)
    os.dup2(reading, 0)
    try:
        run_reset(f"sh {program}", {"shopping": server}, within=20.0)
    finally:
        os.dup2(stdin, 0)
        for each in (reading, writing, stdin):
            os.close(each)
    left = int(note.read_text())
    assert is_running(left)
    os.kill(left, signal.SIGKILL)


def test_what_a_reset_says_last_is_told(server: str) -> None:
    for stream in ("stdout", "stderr"):
        code = f"import sys; print('one\\ntwo', file=sys.{stream}); sys.exit(3)"
        with pytest.raises(InfraError, match=r"failed with exit code 3: two$"):
            run_reset(f'{sys.executable} -c "{code}"', {"shopping": server}, within=20.0)


def test_a_stream_begins_with_health_and_reset(server: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    code = "import sys; open(sys.argv[1],'a').write('.')"
    suite = WebArena(
        task_file=written(tmp_path, [entry(0, "shopping"), entry(1, "shopping")]),
        urls={"shopping": server},
        reset="stream",
        reset_command=f'{sys.executable} -c "{code}" {note}',
    )
    suite.begin_stream(suite.tasks()[1:], fresh=False)
    assert not note.exists(), "a stream that is continued is not put back"
    suite.begin_stream(suite.tasks(), fresh=True)
    assert note.read_text() == "."
    suite.check_health()
    other = WebArena(
        task_file=written(tmp_path, [entry(0, "shopping")]),
        urls={"shopping": server},
        reset="stream",
        reset_command="true",
    )
    other._backends = Backends(other._backends.urls, sleep=never)
    with pytest.raises(Waiting):
        other.begin_stream(other.tasks(), fresh=True)
    suite.end_stream()
    other.begin_stream(other.tasks(), fresh=True)
    suite.begin_stream(suite.tasks()[1:], fresh=False)
    suite.end_stream()
    other.end_stream()
    other.end_stream()
    ill = WebArena(task_file=written(tmp_path, [entry(0, "shopping")]), urls={"shopping": f"{server}/ill"})
    for look in (ill.check_health, lambda: ill.begin_stream(ill.tasks(), fresh=True)):
        with pytest.raises(InfraError, match="answers 500"):
            look()
