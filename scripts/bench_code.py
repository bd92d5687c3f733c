"""What a step of the code agent costs here beside mini-swe-agent's DefaultAgent alone: CPU of this process.

    python scripts/bench_code.py
    python scripts/bench_code.py --steps 250 --output 10000 --turns 9

Both drive the same loop for as many steps, with a model that answers at once and an environment that runs nothing, in
turns. Theirs has messages, actions and outputs as their own text models make them; ours also has a CallScope (seeds,
retries, limits, account of tokens, and with `recorded` a record on disk), prompts and a trajectory. Medians over the
turns are compared.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reasoningbank.agents.code import CodeAgent
from reasoningbank.agents.mini_swe.load import MiniSwe, load
from reasoningbank.agents.mini_swe.model import exit_message
from reasoningbank.agents.mini_swe.progress import SUBMIT
from reasoningbank.interfaces import Evidence, Observation, ShellObservation
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.record import CallLog
from reasoningbank.types import Message, Reply, Task, Usage

TARGET = 5.0
"""CPU milliseconds that a step may cost over the bare loop, at 30 steps."""
COMMAND = "sed -n 1,200p package/module.py"
REPLY = f"Thought: the cause is further down, so I read on.\n\n```mswea_bash_command\n{COMMAND}\n```"
HAND_IN = f"Thought: done.\n\n```mswea_bash_command\necho {SUBMIT}\n```"
SYSTEM = "You repair software. " * 100
TASK = Task(id="1", suite="bench", group="bench", intent="It counts twice. " * 60)


class BareModel:
    """The least that their loop takes."""

    config: Any = None

    def __init__(self, steps: int) -> None:
        self._left = steps

    def query(self, messages: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
        self._left -= 1
        command, text = (COMMAND, REPLY) if self._left else (SUBMIT, HAND_IN)
        return {"role": "assistant", "content": text, "extra": {"actions": [{"command": command}], "cost": 0.0}}

    def format_message(self, **kwargs: Any) -> dict[str, Any]:
        return kwargs

    def format_observation_messages(
        self, message: dict[str, Any], outputs: list[dict[str, Any]], template_vars: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        return [{"role": "user", "content": output["output"], "extra": output} for output in outputs]

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return {}

    def serialize(self) -> dict[str, Any]:
        return {}


class BareShell:
    """The same for an environment."""

    config: Any = None

    def __init__(self, mini: MiniSwe, output: str) -> None:
        self._mini, self._output = mini, output

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        if action["command"] == SUBMIT:
            raise self._mini.Submitted(exit_message("Submitted", ""))
        return {"output": self._output, "returncode": 0, "exception_info": ""}

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return {}

    def serialize(self) -> dict[str, Any]:
        return {}


class Answers:
    """Our model: the same replies."""

    id = "bench"
    simulated = True

    def __init__(self, steps: int) -> None:
        self._left = steps

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        self._left -= 1
        return Reply(text=REPLY if self._left else HAND_IN, usage=Usage(calls=1, input_tokens=9, output_tokens=9))


class Prints:
    """Our environment: the same outputs."""

    def __init__(self, output: str) -> None:
        self._output = output

    def reset(self, task: Task, seed: int) -> Observation:
        return Observation(text="")

    def step(self, text: str) -> Observation:
        return ShellObservation(text=f"{SUBMIT}\n" if SUBMIT in text else self._output, returncode=0)

    def finish(self, answer: str | None) -> Evidence:
        return Evidence()

    def close(self) -> None:
        """Nothing to close."""


def bare(mini: MiniSwe, steps: int, output: str) -> None:
    """Their loop alone."""
    agent = mini.DefaultAgent(
        BareModel(steps),
        BareShell(mini, output),
        system_template=SYSTEM,
        instance_template="{{ task }}",
        cost_limit=0.0,
    )
    assert agent.run(TASK.intent)["exit_status"] == "Submitted"
    assert agent.n_calls == steps


def ours(steps: int, output: str, log: CallLog | None = None) -> None:
    """The same loop as the project has it."""
    key = ScopeKey(seed=0, trial=0, suite="bench", suite_seed=0, task="1", attempt=0)
    calls = CallScope(llms={"agent": Answers(steps)}, key=key, log=log)
    agent = CodeAgent(max_steps=steps + 1)
    done = agent.run(TASK, Prints(output), calls, attempt_id="a/0", memory="", seed=0)
    assert (done.exit, len(done.steps)) == ("answered", steps)


def measured(work: Callable[[], None], steps: int) -> float:
    """CPU milliseconds a step."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3 / steps


def compare(mini: MiniSwe, steps: int, output: str, turns: int, folder: Path) -> tuple[float, float, float]:
    """Turn and turn about: theirs, ours, and ours with a record."""
    taken: list[tuple[float, float, float]] = []
    for turn in range(turns + 1):
        log = CallLog(folder / f"{turn}.calls.jsonl")
        one = (
            measured(lambda: bare(mini, steps, output), steps),
            measured(lambda: ours(steps, output), steps),
            measured(lambda log=log: ours(steps, output, log), steps),  # type: ignore[misc]
        )
        taken += [one] if turn else []  # the first one warms up
    low, mid, high = (statistics.median(values) for values in zip(*taken))
    return low, mid, high


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, nargs="+", default=[30, 250], help="of an attempt")
    parser.add_argument("--output", type=int, default=4_000, help="characters that a command prints")
    parser.add_argument("--turns", type=int, default=5, help="attempts of each kind")
    given = parser.parse_args()
    mini = load()
    output = ("def count(basket):\n" * (given.output // 19 + 1))[: given.output]
    print(f"mini-swe-agent {mini.version}, outputs of {given.output:,} characters, {given.turns} turns each")
    print("medians, milliseconds of CPU a step")
    print("  steps      bare      ours     added  recorded     added")
    for steps in given.steps:
        with tempfile.TemporaryDirectory() as folder:
            low, mid, high = compare(mini, steps, output, given.turns, Path(folder))
        print(f"{steps:7d} {low:9.3f} {mid:9.3f} {mid - low:9.3f} {high:9.3f} {high - low:9.3f}")
        if steps <= 30 and mid - low > TARGET:
            print(f"more than {TARGET:g} ms a step are added")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
