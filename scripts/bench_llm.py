"""What a call to a remote model costs here beside the official client: CPU of this process, with 1 and 64 in flight.

    python scripts/bench_llm.py
    python scripts/bench_llm.py --calls 2000 --latency 100 --prompt 40000

The same calls are made in turns by the bare client library of OpenAI and through a CallScope (seeds, retries, record
on disk, account of tokens), against a server on loopback that is a process of its own. Each turn makes the same
number of calls; the medians over the turns are compared, and the difference is what the project adds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.record import CallLogs
from reasoningbank.types import Message

TARGET = 2.0
"""CPU milliseconds that a call may cost over the bare client with 64 in flight."""
IN_FLIGHT = (1, 64)
REPLY = "THOUGHT: the list goes on below, so I read further before I answer. " * 8
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


async def serve(latency: float) -> None:
    """Answers every POST with the same completion after `latency` seconds. Prints its port; runs until it is killed."""
    message = {"role": "assistant", "content": REPLY}
    usage = {"prompt_tokens": 4000, "completion_tokens": 120, "total_tokens": 4120}
    whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "usage": usage}
    body = json.dumps({**whole, "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                found = _LENGTH.search(await reader.readuntil(b"\r\n\r\n"))
                await reader.readexactly(int(found[1]) if found else 0)
                await asyncio.sleep(latency)
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@dataclass(frozen=True)
class Turn:
    """One turn: milliseconds of CPU, and of the clock, a call."""

    cpu: float
    wall: float


def turn(one: Callable[[int, int], None], calls: int, in_flight: int) -> Turn:
    """`one(worker, number)` for every call, `in_flight` workers at a time."""

    def work(worker: int) -> None:
        for number in range(calls // in_flight):
            one(worker, number)

    with ThreadPoolExecutor(in_flight) as pool:
        cpu, wall = time.process_time(), time.perf_counter()
        list(pool.map(work, range(in_flight)))
        made = calls // in_flight * in_flight
        return Turn((time.process_time() - cpu) / made * 1e3, (time.perf_counter() - wall) / made * 1e3)


def bare(url: str) -> Callable[[tuple[Message, ...]], Callable[[int, int], None]]:
    """The official client, without retries."""
    import openai

    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

    def asking(messages: tuple[Message, ...]) -> Callable[[int, int], None]:
        def one(worker: int, number: int) -> None:
            client.chat.completions.create(
                model="m",
                messages=[{"role": each.role, "content": each.content} for each in messages],  # type: ignore[misc]
                temperature=0.7,
                seed=number,
                max_completion_tokens=4096,
            )

        return one

    return asking


def ours(model: OpenAIChat, messages: tuple[Message, ...], folder: Path, workers: int) -> Callable[[int, int], None]:
    """The same through a scope for each worker, as an attempt has it."""
    logs = CallLogs(folder)
    scopes = [
        CallScope(
            llms={"agent": model},
            key=ScopeKey(seed=0, trial=0, suite="bench", suite_seed=0, task="1", attempt=worker),
            log=logs(worker),
        )
        for worker in range(workers)
    ]

    def one(worker: int, number: int) -> None:
        scopes[worker].ask("agent", messages)

    return one


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=512, help="calls of a turn")
    parser.add_argument("--turns", type=int, default=5, help="turns of each kind")
    parser.add_argument("--latency", type=float, default=20.0, help="milliseconds until the server answers")
    parser.add_argument("--prompt", type=int, default=16_000, help="characters of a prompt")
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        asyncio.run(serve(given.serve / 1e3))
        return 0
    messages = (
        Message(role="system", content="You act on web pages. " * (given.prompt // 88)),
        Message(role="user", content="[12] link 'Orders of the last month' " * (given.prompt * 3 // 4 // 37)),
    )
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", str(given.latency)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        compare(f"http://127.0.0.1:{int(server.stdout.readline())}/v1", messages, given.calls, given.turns)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    return 0


def compare(url: str, messages: tuple[Message, ...], calls: int, turns: int) -> None:
    """Turn and turn about, and print the table."""
    size = sum(len(message.content) for message in messages)
    print(f"{calls} calls a turn, {turns} turns each, prompts of {size:,} characters; medians, milliseconds a call")
    print(f"{'in flight':>9} {'bare CPU':>9} {'ours CPU':>9} {'added':>7} {'bare wall':>10} {'ours wall':>10}")
    asking = bare(url)(messages)
    model = OpenAIChat(model="m", base_url=url)
    with tempfile.TemporaryDirectory() as folder:
        for in_flight in IN_FLIGHT:
            amount = calls if in_flight > 1 else max(1, calls // 4)
            runs: dict[str, list[Turn]] = {"bare": [], "ours": []}
            for number in range(turns + 1):
                for name in runs:
                    one = asking
                    if name == "ours":
                        one = ours(model, messages, Path(folder) / f"{in_flight}.{number}", in_flight)
                    found = turn(one, amount, in_flight)
                    if number:  # the first turn loads code and opens connections
                        runs[name].append(found)
            cpu = {name: statistics.median(each.cpu for each in made) for name, made in runs.items()}
            wall = {name: statistics.median(each.wall for each in made) for name, made in runs.items()}
            added = cpu["ours"] - cpu["bare"]
            say = f" (target at most {TARGET:g}: {'met' if added <= TARGET else 'missed'})" if in_flight > 1 else ""
            print(
                f"{in_flight:>9} {cpu['bare']:>9.2f} {cpu['ours']:>9.2f} {added:>7.2f} "
                f"{wall['bare']:>10.2f} {wall['ours']:>10.2f}{say}"
            )
    model.close()


if __name__ == "__main__":
    raise SystemExit(main())
