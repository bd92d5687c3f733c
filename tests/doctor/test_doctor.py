"""`python -m eval doctor`: every kind of broken configuration is found, said in a line, and costs nothing."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from fakes.base import FakeServer, Fault, Request, Response
from fakes.embedding_server import OpenAIEmbeddingsApp
from fakes.openai_server import OpenAIApp

from eval.__main__ import main
from eval.doctor import configuration, machine
from eval.doctor.checks import Check
from eval.doctor.configuration import check_sandbox
from eval.suites.base import Suite
from eval.suites.code.backend import CodeBackend
from eval.suites.code.sandbox import SANDBOXES
from eval.suites.swebench_mini import SwebenchMini
from eval.suites.web.backend import WebBackend
from eval.suites.webarena_mini import WebArenaMini
from reasoningbank.types import ROLES, Reply

RUNNER = Path(__file__).parents[1] / "runner"
PLUGIN = f"{RUNNER / 'arithmetic.py'}"
TINY = [f"--config-dir={RUNNER / 'configs'}", f"plugins=[{PLUGIN}]", "suite=arithmetic", "embedder=hashing"]
CHAT = ["llm=openai", "llm.model=fake-model", "llm.key_env=SOME_KEY"]


class Told(NamedTuple):
    """One line of the table."""

    state: str
    found: str
    todo: str


class Doctor:
    """Runs the command in a folder of its own, and looks after what it may not do."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.code = 0

    def __call__(self, *argv: str) -> dict[str, Told]:
        before = sorted(Path().rglob("*"))
        self.code = main(["doctor", "--json", *TINY, *argv])
        assert sorted(Path().rglob("*")) == before, "nothing is written"
        out = self._capsys.readouterr().out
        assert "planted" not in out
        data = json.loads(out)
        lines = {line["name"]: Told(line["state"], line["found"], line["todo"]) for line in data["checks"]}
        bad = [name for name, line in lines.items() if line.state == "fails"]
        assert (data["ok"], self.code) == ((False, 2) if bad else (True, 0)), bad
        # what is to be done stands apart, or is the end of an error
        to_mend = [line for line in lines.values() if line.state in ("fails", "warning")]
        assert all(line.todo or re.search("[:;] ", line.found) for line in to_mend)
        assert not any("\n" in part for line in lines.values() for part in line)
        return lines


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Doctor:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", {**os.environ, "SOME_KEY": "planted-0001"})
    return Doctor(capsys)


class Listing(OpenAIApp):
    """Answers no call: only the list of models, in whichever form."""

    def __init__(self, *models: str, body: object = None) -> None:
        super().__init__(_never, models=models)
        self._body = body

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        if self._body is not None:
            return Response.json(self._body)
        return super().respond(request, given)


def _never(asked: object) -> Reply:
    raise AssertionError("the doctor asked a model")


def at(server: FakeServer) -> list[str]:
    return [*CHAT, f"llm.base_url={server.url}/v1"]


def test_a_replay_needs_nothing_of_a_remote_embedder(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    recorded = {"models": dict.fromkeys(ROLES, "some-model"), "grading": "model"}
    (tmp_path / "r" / "meta.json").write_text(json.dumps({"identity": recorded, "simulated": False}))
    remote = ["embedder=gemini", "embedder.key_env=NO_SUCH_KEY", "embedder.base_url=http://localhost:1"]
    assert doctor(*remote)["embedder"].state == "fails"
    lines = doctor(*remote, "llm.replay=r")
    assert lines["embedder"].state == "skipped"
    assert "server of embedder" not in lines
    assert doctor.code == 0


def test_a_run_that_is_replayed_is_named_as_in_a_run(doctor: Doctor) -> None:
    published = RUNNER.parents[1] / "results/published"
    assert doctor("llm.replay=tour", f"results_dir={published}")["models"].state == "skipped"
    said = doctor("llm.replay=tuor", f"results_dir={published}")["models"]
    assert (said.state, "no run 'tuor'" in said.found, "did you mean tour" in said.found) == ("fails", True, True)


def test_a_replay_under_other_models_fails_as_it_does_in_a_run(doctor: Doctor) -> None:
    replay = f"llm.replay={RUNNER.parents[1] / 'results/published/tour'}"
    said = doctor("llm=openai", replay)["models"]
    assert (said.state, "was recorded with other models" in said.found) == ("fails", True)
    assert doctor(replay)["models"].state == doctor("llm=offline", replay)["models"].state == "skipped"


def test_the_default_configuration_can_be_run(doctor: Doctor, capsys: pytest.CaptureFixture[str]) -> None:
    lines = doctor()
    assert {line.state for line in lines.values()} == {"ok", "skipped"}
    assert lines["python"].found.startswith(sys.version.split()[0])
    assert "pydantic" in lines["packages"].found
    assert "simulated" in lines["model (all roles)"].found
    assert "256 dims" in lines["embedder"].found
    assert lines["settings"].found == "profile paper"
    assert lines["browser"].found == "not needed: web.backend=text"
    assert lines["sandbox"].found == "not needed for this suite"
    assert main(["doctor", *TINY]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[-1].endswith("skipped")
    assert [line.split()[0] for line in table[:-1]] == [line.state for line in lines.values()]


def test_a_server_with_the_chosen_model_is_asked_for_its_list_alone(doctor: Doctor) -> None:
    with FakeServer(Listing("other", "fake-model")) as server:
        lines = doctor(*at(server), "+llm@roles.judge=offline")
        assert [request.method for request in server.requests] == ["GET"] * len(server.requests)
    assert lines["server of model (agent, extractor, selector, refiner, grader)"].state == "ok"
    assert "key: SOME_KEY" in lines["model (agent, extractor, selector, refiner, grader)"].found
    assert "simulated" in lines["model (judge)"].found


@pytest.mark.parametrize(("status", "state"), [(404, "warning"), (401, "fails"), (400, "fails"), (503, "fails")])
def test_that_a_server_has_no_list_is_told_by_its_status_and_not_by_its_words(
    doctor: Doctor, status: int, state: str
) -> None:
    with FakeServer(Listing()) as server:
        server.get_fault = Fault("status", status=status, message="the gateway answered 404: port 4040")
        lines = doctor(*at(server))
    assert lines["server of model (all roles)"].state == state, lines


@pytest.mark.parametrize("model", ["models/fake-model", "fake-model:latest", "publishers/x/models/fake-model"])
def test_names_with_a_prefix_or_a_tag_are_the_model(doctor: Doctor, model: str) -> None:
    with FakeServer(Listing(model)) as server:
        assert model in doctor(*at(server))["server of model (all roles)"].found


def test_a_model_that_is_not_listed_fails_with_the_nearest(doctor: Doctor) -> None:
    with FakeServer(Listing("fake-modal", "b")) as server:
        line = doctor(*at(server))["server of model (all roles)"]
    assert line.state == "fails"
    assert "fake-modal" in line.todo


@pytest.mark.parametrize("body", [{"data": 3}, {"data": [{"name": "no id"}]}, "text"])
def test_a_list_of_any_form_is_told(doctor: Doctor, body: object) -> None:
    with FakeServer(Listing(body=body)) as server:
        assert doctor(*at(server))["server of model (all roles)"].state == "fails"


def test_a_server_without_a_list_is_a_warning(doctor: Doctor) -> None:
    with FakeServer(Listing("fake-model")) as server:
        lines = doctor(*CHAT, f"llm.base_url={server.url}/elsewhere/v1")
    assert lines["server of model (all roles)"].state == "warning"


def test_a_server_that_is_not_there_fails(doctor: Doctor) -> None:
    with FakeServer(Listing("fake-model")) as server:
        gone = at(server)
    line = doctor(*gone)["server of model (all roles)"]
    assert (line.state, "cannot be reached" in line.found, "start the server" in line.todo) == ("fails", True, True)


def test_a_server_that_says_nothing_is_waited_for_briefly(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "PATIENCE", 0.3)

    class Silent(Listing):
        def respond(self, request: Request, given: Reply | None) -> Response | None:
            server.closing.wait(5)
            return None

    with FakeServer(Silent()) as server:
        line = doctor(*at(server))["server of model (all roles)"]
    assert (line.state, "in time" in line.found) == ("fails", True)


def test_a_missing_key_and_what_follows_from_it(doctor: Doctor) -> None:
    del os.environ["SOME_KEY"]
    lines = doctor(*CHAT)
    assert lines["model (all roles)"].state == "fails"
    assert "set the environment variable SOME_KEY" in lines["model (all roles)"].found
    assert lines["server of model (all roles)"].state == "skipped"
    assert lines["suite"].state == "ok", "one fault hides no other"
    Path(".env").write_text("SOME_KEY=planted-0002\n", encoding="utf-8")
    with FakeServer(Listing("fake-model")) as server:
        lines = doctor(*at(server))
        assert server.requests[0].headers["authorization"] == "Bearer planted-0002"
    assert lines[".env"].found == "sets SOME_KEY"


def test_the_model_of_a_role_that_is_not_asked_needs_nothing(doctor: Doctor) -> None:
    del os.environ["SOME_KEY"]
    judged = ["suite=webarena_mini", "+llm@roles.judge=openai", "roles.judge.key_env=SOME_KEY", "roles.judge.model=m"]
    lines = doctor(*judged, "memory=none")
    assert lines["model (judge)"].state == "skipped"
    assert lines["model (all roles)"].state == "ok"
    assert (doctor(*judged)["model (judge)"].state, doctor.code) == ("fails", 2)


def test_an_embedder_that_is_not_asked_needs_nothing(doctor: Doctor) -> None:
    del os.environ["SOME_KEY"]
    remote = ["embedder=openai", "embedder.key_env=SOME_KEY"]
    line = doctor(*remote, "memory=none")["embedder"]
    assert (line.state, "never asks it" in line.found, doctor.code) == ("skipped", True, 0)
    assert doctor(*remote)["embedder"].state == "fails"


def test_a_missing_client_library_says_how_to_get_it(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    line = doctor(*CHAT)["model (all roles)"]
    assert (line.state, "pip install openai" in line.found) == ("fails", True)


@pytest.mark.parametrize(
    ("words", "name", "said"),
    [
        (["memory=awmm"], "settings", "awm"),
        (["k=many"], "settings", "k=many"),
        (["llm=openai", "llm.base_url=nowhere"], "models", "base_url"),
        (["embedder.dims=-1"], "embedder", "dims"),
        (["prompts.pack=nowhere"], "prompts", "not a folder"),
        (["suite=webarena_mini", "suite.sites=[nowhere]"], "suite", "nowhere"),
        (["memory.max_items=none"], "method", "max_items"),
        (["scaling=parallel", "k=2", "temperature.agent=0"], "method", "temperature"),
        (["results_dir=/proc/nothing"], "results_dir", "cannot be written"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_broken_setting_is_found_where_it_is(doctor: Doctor, words: list[str], name: str, said: str) -> None:
    lines = doctor(*words)
    assert lines[name].state == "fails"
    assert said in f"{lines[name].found} {lines[name].todo}"
    assert [each for each, line in lines.items() if line.state == "fails"] == [name]


def test_a_file_of_keys_that_cannot_be_read(doctor: Doctor) -> None:
    Path(".env").write_text("A=1\nplanted key\n", encoding="utf-8")
    line = doctor()[".env"]
    assert (line.state, "line 2" in line.found) == ("fails", True)


def test_prompts_that_leave_something_out_are_a_warning(doctor: Doctor) -> None:
    Path("mine").mkdir()
    Path("mine/judge.j2").write_text("Judge {{ answer }} to {{ intent }}.", encoding="utf-8")
    line = doctor("prompts.pack=mine")["prompts"]
    assert (line.state, "final_page" in line.todo) == ("warning", True)


LIAR = """
import numpy as np

class Liar:
    id, dims, asymmetric = "liar", 8, False

    def embed(self, texts, side):
        return np.ones((len(texts), 4), dtype=np.float32)
"""


def test_a_local_embedder_with_other_dims_than_it_says(doctor: Doctor) -> None:
    Path("lying_embedder.py").write_text(LIAR, encoding="utf-8")
    Path("conf/embedder").mkdir(parents=True)
    Path("conf/embedder/lying_embedder.yaml").write_text("type: lying_embedder\n", encoding="utf-8")
    line = doctor("embedder=lying_embedder", f"plugins=[{PLUGIN},lying_embedder.py]", "--config-dir=conf")["embedder"]
    assert line.state == "fails"
    assert "returned shape (1, 4), not (1, 8)" in line.found
    assert line.found.endswith("lying_embedder.py")


@pytest.mark.parametrize("dims", [8, 16])
def test_a_remote_embedder_is_asked_only_when_told(doctor: Doctor, dims: int) -> None:
    with FakeServer(OpenAIEmbeddingsApp(dims=8)) as server:
        words = ["embedder=openai", "embedder.model=fake-embedder", f"embedder.dims={dims}", "embedder.send_dims=false"]
        words += [f"embedder.base_url={server.url}/v1", "embedder.key_env=SOME_KEY"]
        assert f"{dims} dims are declared" in doctor(*words)["embedder"].found
        assert {request.method for request in server.requests} == {"GET"}
        assert doctor(*words, "--call")["embedder"].state == ("ok" if dims == 8 else "fails")


def test_little_disk_and_many_workers(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    class Disk(NamedTuple):
        free: float

    monkeypatch.setattr("shutil.disk_usage", lambda place: Disk(1e9))
    assert doctor()["results_dir"].state == "warning"
    monkeypatch.setattr("shutil.disk_usage", lambda place: Disk(1e7))
    lines = doctor("concurrency.workers=999", "trials=999")
    assert (lines["results_dir"].state, lines["cores"].state) == ("fails", "warning")


def test_a_package_that_is_missing_or_too_old(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    project: dict[str, list[str]] = {"dependencies": ["pydantic>=999", "no-such-package", "rich"]}
    monkeypatch.setattr(machine, "_project", lambda: {**project, "requires-python": ">=99"})
    lines = doctor()
    assert "no-such-package is missing" in lines["packages"].found
    assert "needs >=999" in lines["packages"].found
    assert (lines["packages"].state, lines["python"].state) == ("fails", "fails")


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_price_is_told_or_missed(doctor: Doctor) -> None:
    with FakeServer(Listing("fake-model")) as server:
        line = doctor(*at(server))["price of model (all roles)"]
        assert (line.state, "prices=FILE" in line.todo) == ("warning", True)
        models = "models: {'openai:fake-model@127.0.0.1': {input: 0.5, output: 2}}"
        Path("mine.yaml").write_text(models, encoding="utf-8")
        line = doctor(*at(server), "prices=mine.yaml")["price of model (all roles)"]
        told = "0.5 and 2 dollars a million tokens in and out"
        assert (line.state, line.found) == ("ok", f"{told}, of a file that does not say of which day they are")
        Path("mine.yaml").write_text(f"dated: 2026-02-01\n{models}", encoding="utf-8")
        line = doctor(*at(server), "prices=mine.yaml")["price of model (all roles)"]
        assert (line.state, line.found) == ("ok", f"{told}, as of 2026-02-01")
        Path("mine.yaml").write_text("models: 3", encoding="utf-8")
        assert doctor(*at(server), "prices=mine.yaml")["prices"].state == "fails"
        assert doctor("prices=mine.yaml")["prices"].state == "fails", "no run begins with it, whatever its model"


def test_what_would_be_fetched_is_not(doctor: Doctor) -> None:
    line = doctor("embedder=qwen", "embedder.download=true", "embedder.model=Nobody/Nothing", "embedder.dims=64")[
        "embedder"
    ]
    assert "--call loads it" in line.found or "pip install" in line.found + line.todo


def test_a_sandbox_where_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(suite: object) -> Check:
        return check_sandbox(cast(Suite, suite))

    assert check(WebArenaMini()).state == "skipped"
    assert check(SwebenchMini(code=CodeBackend(sandbox="local"))).state == "ok"
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in SANDBOXES:
        line = check(SwebenchMini(code=CodeBackend(sandbox=name)))
        assert line.state == "fails"
        assert f"code.sandbox={name}" in line.found


def test_a_browser_where_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = WebBackend(backend="browser")
    assert machine.check_browser(WebBackend()).state == "skipped"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    versions = {"browsergym-core": "0.14.3"}
    monkeypatch.setattr("importlib.metadata.version", lambda name: versions.get(name) or missing(name))
    assert "setup_browser.sh" in machine.check_browser(asked).found
    assert "playwright" in machine.check_browser(asked).found
    versions["playwright"] = "1.44.0"
    assert "no Chromium is on the PATH" in machine.check_browser(asked).found
    program(tmp_path, "chromium", "echo Chromium 156")
    assert machine.check_browser(asked).found.startswith(f"Chromium 156 at {tmp_path}/chromium; browsergym-core 0.14.3")
    program(tmp_path, "chromium", "echo 'a library is missing' >&2; exit 1")
    assert "a library is missing" in machine.check_browser(asked).found
    program(tmp_path, "other", "echo Other 1")
    assert machine.check_browser(WebBackend(backend="browser", chromium=str(tmp_path / "other"))).state == "ok"


def missing(name: str) -> str:
    raise PackageNotFoundError(name)


@pytest.mark.parametrize(("status", "said"), [(401, "key"), (500, "start the server"), (302, "base_url")])
def test_a_list_that_is_refused(doctor: Doctor, status: int, said: str) -> None:
    with FakeServer(Listing("fake-model")) as server:
        server.get_fault = Fault("status", status=status, message="no planted-0001, go away")
        line = doctor(*at(server))["server of model (all roles)"]
    assert line.state == "fails"
    assert said in f"{line.found} {line.todo}"


def test_all_that_a_published_suite_lacks_is_told_at_once(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without swebench, docker and the instances; what takes no time comes first."""
    monkeypatch.setenv("PATH", str(tmp_path))
    bare = tmp_path / "python"  # an interpreter that has no package
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    line = ["suite=swebench", "suite.subset=nowhere.jsonl", f"suite.python={bare}", "embedder=hashing"]
    assert main(["doctor", "--json", *line]) == 2
    told = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert "the package swebench of" in told["sandbox"]["found"]
    assert "the program docker is missing" in told["sandbox"]["found"]
    assert "nowhere.jsonl" in told["suite"]["found"]
    assert [told[name]["state"] for name in ("sandbox", "suite")] == ["fails", "fails"]
    assert list(told).index("sandbox") < list(told).index("suite")
    assert re.search(r"mini-swe-agent \S+, pytest \S+ \(with the extra code\)$", told["packages"]["found"])
    assert "mini-swe-agent" not in doctor()["packages"].found, "pages need none of it"


def test_a_suites_extra_is_named_where_a_package_of_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> str:
        if name == "mini-swe-agent":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr("eval.doctor.machine.metadata.version", without)
    check = machine.check_packages(["code"])
    assert (check.state, check.found) == ("fails", "mini-swe-agent is missing")
    assert check.todo.endswith("[code]'")
    assert machine.check_packages([]).state == "ok"
