"""What somebody's own model, suite, environment, scaling or method returns or raises: it is told as that part's fault,
in a line with its file, and nothing is made of it: no outcome, no journal line, no retry."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

import pytest
from runner_helpers import HERE, TINY, results

from eval.__main__ import main

NUMBERS = count()
"""A module is imported once in a process: every part has a name of its own."""

BASES = {
    "llm": "from arithmetic import Calculator\n\nclass Mine(Calculator):",
    "suite": "from arithmetic import Arithmetic, Blackboard\n\nclass Mine(Arithmetic):",
    "scaling": "from reasoningbank.matts.parallel import Parallel\n\nclass Mine(Parallel):",
    "agent": "from arithmetic import Pupil\n\nclass Mine(Pupil):",
    "memory": "from reasoningbank.memory.reasoningbank import ReasoningBankMemory\n\nclass Mine(ReasoningBankMemory):",
    "embedder": "from reasoningbank.embed.hashing import HashingEmbedder\n\nclass Mine(HashingEmbedder):",
}

COMPLETE = "def complete(self, messages, *, temperature, seed, max_tokens):"
RUN = "def run(self, rollout):"
SELECT = "def select(self, attempts, calls, *, seed):"
DISTILL = "def distill(self, episode, calls):"
AGENT = "def run(self, task, env, calls, *, attempt_id, memory, seed):"
EMBED = "def embed(self, texts, side):"
PLAY = "super().run(task, env, calls, attempt_id=attempt_id, memory=memory, seed=seed)"
FIRST = "super().distill(episode, calls).experiences"

MISTAKES = {
    "llm none": ("llm", COMPLETE, "return None", "Mine.complete returned NoneType, not Reply"),
    "llm str": ("llm", COMPLETE, "return 'text'", "Mine.complete returned str, not Reply"),
    "llm unchecked": (
        "llm",
        COMPLETE,
        "from reasoningbank.types import Reply; return Reply.model_construct(text=None)",
        "Mine.complete returned Reply with text",
    ),
    "llm TypeError": ("llm", COMPLETE, "return len(5)", "TypeError in llm=mine_"),
    "llm AttributeError": ("llm", COMPLETE, "return self.client", "AttributeError in llm=mine_"),
    "llm NameError": ("llm", COMPLETE, "return client", "NameError in llm=mine_"),
    "llm ImportError": ("llm", COMPLETE, "import opennai", "ModuleNotFoundError in llm=mine_"),
    "environment none": ("suite", "def environment(self, task):", "return None", "environment returned NoneType, not"),
    "evaluate nan": (
        "suite",
        "def evaluate(self, task, evidence, grader):",
        "from eval.journal import Outcome; return Outcome(status='solved', reward=float('nan'))",
        "Mine.evaluate returned reward=nan for task 0",
    ),
    "evaluate inf": (
        "suite",
        "def evaluate(self, task, evidence, grader):",
        "from eval.journal import Outcome; return Outcome(status='solved', reward=1, checks={'a': float('inf')})",
        "Mine.evaluate returned a=inf for task 0",
    ),
    "load_evidence none": ("suite", "def load_evidence(self, data):", "return None", "returned NoneType, not Evidence"),
    "tasks raise": ("suite", "def tasks(self):", "raise RuntimeError('x')", "RuntimeError"),
    "tasks none": ("suite", "def tasks(self):", "return None", "Mine.tasks returned NoneType, not list"),
    "tasks text": ("suite", "def tasks(self):", "return ['a']", "Mine.tasks returned str, not Task"),
    "tasks twice": ("suite", "def tasks(self):", "return super().tasks()[:1] * 2", "two tasks of the id '0'"),
    "attempts none": ("scaling", RUN, "return None", "Mine.run returned NoneType, not tuple"),
    "attempts empty": ("scaling", RUN, "return ()", "returned attempts [] of the [] it had, not [0, 1]"),
    "attempts dropped": ("scaling", RUN, "return super().run(rollout)[:1]", "attempts [0] of the [0, 1] it had"),
    "attempts not made": ("scaling", RUN, "return (rollout(0),)", "attempts [0] of the [0] it had, not [0, 1]"),
    "attempts doubled": ("scaling", RUN, "return (rollout(0), rollout(0))", "attempts [0, 0] of the [0] it had"),
    "attempts turned": ("scaling", RUN, "return super().run(rollout)[::-1]", "returned attempts [1, 0]"),
    "attempts of text": ("scaling", RUN, "return ('a', 'b')", "returned attempts ['a', 'b']"),
    "attempts forged": (
        "scaling",
        RUN,
        "return tuple(each.model_copy(update={'verdict': None}) for each in super().run(rollout))",
        "returned attempts that are not what its rollouts returned",
    ),
    "attempt -1": ("scaling", RUN, "return (rollout(-1),)", "Mine.run asked for attempt -1 of 2"),
    "attempt a": ("scaling", RUN, "return (rollout('a'),)", "Mine.run asked for attempt 'a' of 2"),
    "attempt 2": ("scaling", RUN, "return (rollout(0), rollout(1), rollout(2))", "asked for attempt 2 of 2"),
    "selected none": ("scaling", SELECT, "return None", "Mine.select returned NoneType, not Selection"),
    "selected 99": (
        "scaling",
        SELECT,
        "from reasoningbank.types import Selection; return Selection(index=99)",
        "Mine.select chose attempt 99, and there are [0, 1]",
    ),
    "trajectory none": ("agent", AGENT, "return None", "Mine.run returned NoneType, not Trajectory"),
    "trajectory unchecked": (
        "agent",
        AGENT,
        f"return {PLAY}.model_copy(update={{'exit': 'weird'}})",
        "Mine.run returned Trajectory with exit",
    ),
    "trajectory of another": (
        "agent",
        AGENT,
        f"return {PLAY}.model_copy(update={{'attempt_id': 'zzz'}})",
        "Mine.run returned a trajectory of attempt 'zzz'",
    ),
}

LEARNT = {
    "id twice": ("{'query': 'other'}", True, "an experience with the id 'sums.t0/0000/0#0' twice"),
    "id of nobody": ("{'id': 'always-the-same'}", False, "the id 'always-the-same', which does not begin with"),
    "id empty": ("{'id': ''}", False, "the id '', which does not begin with 'sums.t0/0000/0#'"),
    "position": ("{'position': 7}", False, "position 7, not 0"),
    "task": ("{'task_id': 'other'}", False, "task 'other', not '0'"),
}
MISTAKES |= {
    f"learnt {name}": (
        "memory",
        DISTILL,
        "from reasoningbank.distill.experience import make_experience; from reasoningbank.types import Distilled; "
        "from reasoningbank.distill.parse import ParsedItem; "
        "item = ParsedItem(title='t', description='d', content='c'); "
        "e = make_experience(episode, list(episode.attempts), [item]); "
        f"return Distilled(experiences=({'e, ' if first else ''}e.model_copy(update={change}),))",
        found,
    )
    for name, (change, first, found) in LEARNT.items()
}

ENVIRONMENTS = {
    "reset none": ("def reset(self, task, seed):", "return None", "reset returned NoneType, not Observation"),
    "reset str": ("def reset(self, task, seed):", "return 'text'", "reset returned str, not Observation"),
    "step none": ("def step(self, text):", "return None", "step returned NoneType, not Observation"),
    "finish none": ("def finish(self, answer):", "return None", "finish returned NoneType, not Evidence"),
    "finish dict": ("def finish(self, answer):", "return {}", "finish returned dict, not Evidence"),
    "step AttributeError": ("def step(self, text):", "return self.page", "AttributeError in suite=mine_"),
}


def run_mine(folder: Path, kind: str, source: str, *more: str) -> int:
    """The exit code of a run in which the part `kind` is of this source."""
    name = f"mine_{next(NUMBERS)}"
    (folder / f"{name}.py").write_text(source)
    (folder / kind).mkdir()
    keys = {"suite": "seed: 0\ncount: 3\n", "agent": "", "scaling": "aggregate: true\n"}.get(kind, "")
    (folder / kind / f"{name}.yaml").write_text(f"type: {name}\n{keys}")
    plugins = f"plugins=[{HERE / 'arithmetic.py'},{folder / f'{name}.py'}]"
    line = [each for each in TINY if not each.startswith(f"{kind}=")]
    if kind == "agent":  # the suite names its agent
        suite = f"from arithmetic import Arithmetic\n\nclass Own(Arithmetic):\n    agent = '{name}'\n"
        (folder / f"of_{name}.py").write_text(suite)
        plugins = plugins[:-1] + f",{folder / f'of_{name}.py'}]"
        line += [f"suite.type=of_{name}"]
    else:
        line += [f"{kind}={name}"]
    line += ["scaling=parallel"] if kind != "scaling" else []
    config = f"--config-dir={folder}"
    more = ("memory=reasoningbank", *more) if kind != "memory" else more
    return main(["run", *line, config, plugins, "k=2", "limit=2", f"results_dir={folder / 'results'}", *more])


def written(folder: Path) -> list[str]:
    return [line for path in folder.glob("results/*") for lines in results(path).values() for line in lines]


@pytest.mark.parametrize("name", [*MISTAKES, *(f"environment: {name}" for name in ENVIRONMENTS)])
def test_a_part_is_at_fault_for_what_it_returns_and_raises(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name in MISTAKES:
        kind, head, body, found = MISTAKES[name]
        source = f"{BASES[kind]}\n    {head}\n        {body}\n"
    else:
        head, body, found = ENVIRONMENTS[name.removeprefix("environment: ")]
        kind = "suite"
        source = (
            "from arithmetic import Arithmetic, Blackboard\n\n"
            f"def made():\n    class Env(Blackboard):\n        {head}\n            {body}\n"
            "    return Env(fails=False)\n\n"
            "class Mine(Arithmetic):\n    def environment(self, task):\n        return made()\n"
        )
    started = time.monotonic()
    assert run_mine(tmp_path, kind, source) == 1
    *trace, last = capsys.readouterr().err.splitlines()
    assert last.startswith("error: ")
    assert last.count("error: ") == 1
    assert not trace or trace[0] == "Traceback (most recent call last):"
    assert found in last
    assert str(tmp_path / "mine_") in last
    assert "at fault" in last
    assert written(tmp_path) == []
    assert time.monotonic() - started < 15, "a retry mends none of these"


@pytest.mark.parametrize("body", ["raise KeyError('choices')", "raise ValueError('not JSON')", "raise OSError('gone')"])
def test_what_a_servers_reply_may_cause_is_infra(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reasoningbank.retry.time.sleep", lambda seconds: None)
    monkeypatch.setattr("reasoningbank.retry.RetryPolicy.wait", lambda self, failures, rng: 0.0)
    source = f"{BASES['llm']}\n    {COMPLETE}\n        {body}\n"
    assert run_mine(tmp_path, "llm", source, "retries=0") == 3
    assert "the same command continues" in capsys.readouterr().err
    assert written(tmp_path) == []


def test_a_model_that_declines_is_an_outcome_and_said_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    body = "from reasoningbank.types import Reply, Usage; return Reply(text='', usage=Usage(), stop_reason='safety')"
    source = f"{BASES['llm']}\n    {COMPLETE}\n        {body}\n"
    assert run_mine(tmp_path, "llm", source, "memory=none") == 0
    assert len(written(tmp_path)) == 2
    assert all('"exit":"agent_error"' in line for line in written(tmp_path))
    assert "the model of role 'agent' declined to answer (call 0), and the agent went no further" in caplog.text


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return ['a' for text in texts]", "returned no vectors of numbers"),
        ("return None", "returned no vectors of numbers"),
        ("import numpy; return numpy.full((len(texts), self.dims), numpy.nan)", "not finite"),
        ("import numpy; return numpy.full((len(texts), self.dims), 1e300)", "not finite"),
        ("import numpy; return numpy.ones((len(texts), self.dims), dtype=complex)", "returned no vectors of numbers"),
    ],
)
def test_an_embedder_is_at_fault_for_what_are_no_vectors(
    body: str, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_mine(tmp_path, "embedder", f"{BASES['embedder']}\n    {EMBED}\n        {body}\n") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert found in said
    assert str(tmp_path / "mine_") in said
