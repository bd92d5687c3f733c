"""What an attempt costs beside its model: a step of a text environment, a reset, and a reply of the offline model.

    python scripts/bench_env.py                    # walks over the sites' links, attempts of the offline model
    python scripts/bench_env.py --steps 500 --seed 3
    python scripts/bench_env.py --backend browser  # the same walks in Chromium, one at a time and two at once

CPU milliseconds of this process, median and 95th percentile; in a browser the seconds that pass. The floor is the least
that any such step must do: the bare call of the web application and the bare parse of its answer, on the same pages in
the same run.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from eval.suites.web.backend import WebBackend
from eval.suites.web.transport import Transport
from eval.suites.webarena_mini.sites import SITES
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.agents.web import WebAgent
from reasoningbank.interfaces import Observation
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message, Reply

STEP_TARGET, REPLY_TARGET = 4.0, 3.0
BROWSER_TARGETS = {1: (1.1, 0.35), 2: (2.0, 0.45)}
"""Seconds of a reset and of a step, by how many browsers there are at once."""
_LINK = re.compile(r"\[(\d+)\] link ")


class TimedLLM:
    """The offline model, each reply timed."""

    id = "offline"
    simulated = True

    def __init__(self) -> None:
        self._llm = SimulatedLLM()
        self.milliseconds: list[float] = []

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        started = time.process_time()
        reply = self._llm.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)
        self.milliseconds.append((time.process_time() - started) * 1e3)
        return reply


def cpu() -> float:
    """Milliseconds of this process."""
    return time.process_time() * 1e3


def timed(work: Callable[[], Observation], into: list[float], clock: Callable[[], float]) -> Observation:
    started = clock()
    seen = work()
    into.append(clock() - started)
    return seen


def walk(
    suite: WebArenaMini, walks: int, steps: int, rng: random.Random, clock: Callable[[], float] = cpu
) -> tuple[list[float], list[float], list[str]]:
    """Random walks: what resets cost, what steps cost, and the addresses that were seen."""
    resets: list[float] = []
    spent: list[float] = []
    urls: list[str] = []
    for task in rng.sample(suite.tasks(), walks):
        env = suite.environment(task)
        seen = timed(partial(env.reset, task, 0), resets, clock)
        for _ in range(steps):
            links = _LINK.findall(seen.text)
            seen = timed(partial(env.step, f"click('{rng.choice(links)}')" if links else "go_back()"), spent, clock)
            urls.append(seen.url)
        env.close()
    return resets, spent, urls


def in_browsers(seed: int, walks: int, steps: int) -> None:
    """Prints what walks take in Chromium, one at a time and two at once."""
    suite = WebArenaMini(seed=seed, web=WebBackend(backend="browser"))
    print(suite.check())
    print(f"{'seconds':<34}{'n':>7}{'median':>10}{'p95':>10}")
    for at_once, (reset_target, step_target) in BROWSER_TARGETS.items():
        with ThreadPoolExecutor(at_once) as pool:
            for warm in (True, False):  # at first each process loads what it needs
                rngs = [random.Random(f"{seed} {number}") for number in range(at_once)]
                size = (1, 2) if warm else (max(1, walks // at_once), steps)
                done = list(pool.map(lambda rng: walk(suite, *size, rng, time.perf_counter), rngs))  # noqa: B023
        resets = [each for run in done for each in run[0]]
        spent = [each for run in done for each in run[1]]
        said = "one at a time" if at_once == 1 else f"{at_once} at once"
        print(row(f"reset, {said}", resets, reset_target))
        print(row(f"step, {said}", spent, step_target))


def floor(urls: Sequence[str], seed: int) -> list[float]:
    """The bare request and the bare parse of each page."""
    from selectolax.lexbor import LexborHTMLParser

    opened = {site.base_url: site.open(seed) for site in SITES.values()}
    transport = Transport(opened)
    spent = []
    for url in urls:
        started = time.process_time()
        LexborHTMLParser(transport.request("GET", url).html or "")
        spent.append((time.process_time() - started) * 1e3)
    for site in opened.values():
        site.close()
    return spent


def replies(suite: WebArenaMini, attempts: int, rng: random.Random) -> list[float]:
    """Attempts of the offline model without memory: what each of its replies costs."""
    llm, seed = TimedLLM(), rng.randrange(2**32)
    for task in rng.sample(suite.tasks(), attempts):
        env = suite.environment(task)
        key = ScopeKey(seed=seed, trial=0, suite=suite.id, suite_seed=suite.seed, task=task.id, attempt=0)
        WebAgent().run(task, env, CallScope(llms={"agent": llm}, key=key), attempt_id="bench", memory="", seed=0)
        env.close()
    return llm.milliseconds


def row(name: str, spent: Sequence[float], target: float | None = None) -> str:
    ordered = sorted(spent)
    median, p95 = statistics.median(ordered), ordered[max(0, math.ceil(len(ordered) * 0.95) - 1)]
    said = "" if target is None else f"   target {target:g}: {'met' if median <= target else 'missed'}"
    return f"{name:<34}{len(ordered):>7}{median:>10.2f}{p95:>10.2f}{said}"


def positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is needed, not {text!r}")
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walks", type=positive, default=10, help="random walks, each in a fresh environment")
    parser.add_argument("--steps", type=positive, default=40, help="steps of a walk")
    parser.add_argument("--attempts", type=positive, default=12, help="attempts of the offline model")
    parser.add_argument("--seed", type=int, default=0, help="of the walks and of the world")
    parser.add_argument("--backend", choices=("text", "browser"), default="text", help="how pages are looked at")
    arguments = parser.parse_args()
    if arguments.backend == "browser":
        in_browsers(arguments.seed, arguments.walks, arguments.steps)
        return
    suite = WebArenaMini(seed=arguments.seed)
    most = len(suite.tasks())
    rng = random.Random(arguments.seed)
    walk(suite, 1, 5, rng)  # templates are compiled and modules loaded at the first use
    resets, steps, urls = walk(suite, min(arguments.walks, most), arguments.steps, rng)
    print(f"{'CPU milliseconds':<34}{'n':>7}{'median':>10}{'p95':>10}")
    print(row("reset, start page included", resets))
    print(row("step, observation included", steps, STEP_TARGET))
    print(row("  floor: bare request and parse", floor(urls, arguments.seed)))
    print(row("reply of the offline model", replies(suite, min(arguments.attempts, most), rng), REPLY_TARGET))


if __name__ == "__main__":
    main()
