"""Real tasks of WebArena from the command line to the journal, on the small sites behind WebArena's sign-in pages.

Most cannot be solved there. What is shown is that every part of an episode does its work: reset, sign-in, observation,
action, evidence, evaluation, journal.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from chromium_here import needs_chromium
from task_files import entry, packaged, written
from waiting import HANG

from eval.analysis.records import load_run
from eval.suites.webarena.evidence import RealEvidence
from eval.suites.webarena.practice import RESET, PracticeServer
from eval.suites.webarena.task_file import RealTask, read_tasks

pytestmark = [pytest.mark.long, needs_chromium]
ROOT = Path(__file__).parents[2]
SITES = ("shopping", "shopping_admin")
QUICK = ("suite.observation_delay=0.05", "suite.look_wait=0.05", "embedder=hashing", "agent.max_steps=3")


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, list[PracticeServer]]]:
    made = {name: [PracticeServer(name), PracticeServer(name)] for name in SITES}
    yield made
    for each in made.values():
        for server in each:
            server.close()


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eval", "run", "suite=webarena", *QUICK, *argv]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=20 * HANG, check=False)


def urls(servers: dict[str, list[PracticeServer]]) -> list[str]:
    return [f"suite.urls.{name}=[{','.join(each.url for each in group)}]" for name, group in servers.items()]


def some_of_each(tasks: dict[str, RealTask]) -> dict[str, RealTask]:
    """Two of each kind on each site, the first ones; none that asks the shop's interface for programs."""
    found: dict[str, RealTask] = {}
    for site in SITES:
        for types in (("string_match",), ("url_match",), ("program_html",)):
            fitting = [
                key
                for key, task in tasks.items()
                if task.sites == (site,) and task.spec.eval_types == types and "func:" not in str(task.looks)
            ]
            found |= {key: tasks[key] for key in fitting[:2]}
    return found


def test_twelve_real_tasks_from_reset_to_journal(servers: dict[str, list[PracticeServer]], tmp_path: Path) -> None:
    chosen = some_of_each(read_tasks(str(packaged())).tasks)
    assert len(chosen) == 12
    program = tmp_path / "put_back.py"
    program.write_text("import sys,urllib.request as u; u.urlopen(u.Request(sys.argv[1], method='POST'))")
    done = run(
        *urls(servers),
        f"suite.task_file={packaged()}",
        f"suite.task_ids=[{','.join(chosen)}]",
        "suite.reset=stream",
        f'suite.reset_command="{sys.executable} {program} {{url}}{RESET}"',
        f"results_dir={tmp_path}",
        "run_name=real",
        "scaling=parallel",
        "k=2",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    record = load_run(tmp_path / "real")
    assert record.complete
    episodes = {line.result.task_id: line.result for stream in record.streams for line in stream.lines}
    assert set(episodes) == set(chosen)
    assert {stream.name for stream in record.streams} == {f"{site}.t0" for site in SITES}
    for task_id, episode in episodes.items():
        for attempt in episode.attempts:
            assert attempt.outcome is not None
            assert set(attempt.outcome.checks) == set(chosen[task_id].spec.eval_types)
            assert attempt.steps >= 1
    used = {name: set[str]() for name in SITES}
    for path in sorted((tmp_path / "real").glob("streams/*/attempts/*/?.json")):
        evidence = RealEvidence.model_validate(json.loads(path.read_bytes())["attempt"]["evidence"])
        [(site, url)] = evidence.sites.items()
        used[site].add(url)
        task = chosen[path.parent.name.partition("-")[2]]
        assert [seen.look for seen in evidence.seen] == list(task.looks)
        assert evidence.url.startswith(url)
    assert used == {name: {each.url for each in group} for name, group in servers.items()}, "two attempts, two servers"
    for group in servers.values():
        for server in group:
            assert server.resets == 1
            assert server.forms >= 1
    meta = json.loads((tmp_path / "real" / "meta.json").read_bytes())
    assert meta["identity"]["suite"]["task_file"] == read_tasks(str(packaged())).sha256
    assert "urls" not in meta["identity"]["suite"]
    assert meta["identity"]["suite"]["reset"] == "stream"


def test_accounts_reach_no_file_and_servers_may_move(servers: dict[str, list[PracticeServer]], tmp_path: Path) -> None:
    shop = servers["shopping"]
    line = [
        *(f"suite.task_file={written(tmp_path)}", "suite.sites=[shopping]", "memory=none"),
        *(f"results_dir={tmp_path / 'results'}", "run_name=one", "agent.max_steps=1"),
    ]
    wrong = run(*line, f"suite.urls.shopping={shop[0].url}", "suite.accounts.shopping={username: me, password: hush7}")
    assert wrong.returncode == 2
    assert wrong.stderr.strip().splitlines()[-1].startswith(f"error: shopping at {shop[0].url}")
    for path in (tmp_path / "results").rglob("*"):
        assert not path.is_file() or b"hush7" not in path.read_bytes(), path
    assert "hush7" not in wrong.stdout + wrong.stderr
    nobody = run(*line, "suite.urls.shopping=http://127.0.0.1:1")
    assert nobody.returncode == 3
    assert "shopping at http://127.0.0.1:1 cannot be reached" in nobody.stderr
    moved = run(*line, f"suite.urls.shopping={shop[1].url}")
    assert moved.returncode == 0, moved.stdout + moved.stderr
    assert load_run(tmp_path / "results" / "one").complete


class Watched(PracticeServer):
    """Notes whose session each request is of, in their order."""

    def __init__(self, name: str) -> None:
        self.sessions: list[str] = []
        super().__init__(name)

    def _token(self, environ: dict[str, Any]) -> str:
        token = super()._token(environ)
        self.sessions += [token] if token else []
        return token


def test_two_processes_share_one_server_by_turns(tmp_path: Path) -> None:
    """Each process signs in once: where sessions change, one attempt has ended and another has begun."""
    shop = Watched("shopping")
    tasks = [entry(number, "shopping") for number in range(3)]
    line = [
        *(f"suite.task_file={written(tmp_path, tasks)}", "suite.sites=[shopping]", f"suite.urls.shopping={shop.url}"),
        *("memory=none", "trials=2", "concurrency.workers=2", f"results_dir={tmp_path}", "run_name=two"),
    ]
    done = run(*line)
    shop.close()
    assert done.returncode == 0, done.stdout + done.stderr
    record = load_run(tmp_path / "two")
    assert len({line.telemetry.pid for stream in record.streams for line in stream.lines}) == 2
    assert len(set(shop.sessions)) == 2
    changes = sum(one != other for one, other in pairwise(shop.sessions))
    assert 1 <= changes <= 5, "six attempts, one after the other"
    assert len(shop.sessions) > 12
