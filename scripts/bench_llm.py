"""What a call to a remote model costs here beside the official client: CPU of this process, with 1 and 64 in flight.

    python scripts/bench_llm.py
    python scripts/bench_llm.py --client gemini --calls 2000 --latency 100 --prompt 40000

The same calls are made in turns by a provider's bare client library and through a CallScope (seeds, retries, limits,
record on disk, account of tokens), against a server on loopback that is a process of its own. Each turn makes the same
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
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoningbank.llm.anthropic import Claude
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.gemini import Gemini
from reasoningbank.llm.limits import Limiter, Limits
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.record import CallLogs
from reasoningbank.llm.transport import Transport
from reasoningbank.types import Message

TARGET = 2.0
"""CPU milliseconds that a call may cost over the bare client with 64 in flight."""
IN_FLIGHT = (1, 64)
REPLY = "THOUGHT: the list goes on below, so I read further before I answer. " * 8
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


Messages = tuple[Message, ...]
One = Callable[[int, int], None]
"""One call: by which worker, and its number."""


async def serve(client: str, latency: float) -> None:
    """Answers every POST with the same reply after `latency` seconds. Prints its port; runs until it is killed."""
    body = json.dumps(CLIENTS[client].reply).encode()
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


def turn(one: One, calls: int, in_flight: int) -> Turn:
    """`one(worker, number)` for every call, `in_flight` workers at a time."""

    def work(worker: int) -> None:
        for number in range(calls // in_flight):
            one(worker, number)

    with ThreadPoolExecutor(in_flight) as pool:
        cpu, wall = time.process_time(), time.perf_counter()
        list(pool.map(work, range(in_flight)))
        made = calls // in_flight * in_flight
        return Turn((time.process_time() - cpu) / made * 1e3, (time.perf_counter() - wall) / made * 1e3)


def bare_openai(url: str, messages: Messages) -> One:
    """OpenAI's client, without retries."""
    import openai

    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)

    def one(worker: int, number: int) -> None:
        client.chat.completions.create(
            model="m",
            messages=[{"role": each.role, "content": each.content} for each in messages],  # type: ignore[misc]
            temperature=0.7,
            seed=number,
            max_completion_tokens=4096,
        )

    return one


def bare_gemini(url: str, messages: Messages) -> One:
    """Google's client, which by itself makes no retries."""
    from google import genai

    types = genai.types
    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))
    system, user = messages

    def one(worker: int, number: int) -> None:
        client.models.generate_content(
            model="m",
            contents=[types.Content(role="user", parts=[types.Part(text=user.content)])],
            config=types.GenerateContentConfig(
                system_instruction=system.content, temperature=0.7, seed=number, max_output_tokens=4096
            ),
        )

    return one


def bare_claude(url: str, messages: Messages) -> One:
    """Anthropic's client, without retries."""
    import anthropic

    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    system, user = messages

    def one(worker: int, number: int) -> None:
        client.messages.create(
            model="m",
            system=system.content,
            messages=[{"role": "user", "content": user.content}],
            max_tokens=4096,
            extra_body={"temperature": 0.7},
        )

    return one


Model = OpenAIChat | Gemini | Claude


@dataclass(frozen=True)
class Client:
    """A provider: what its server replies, its bare client, and ours."""

    reply: Mapping[str, Any]
    bare: Callable[[str, Messages], One]
    model: Callable[[str], Model]


_USAGE = {"prompt_tokens": 4000, "completion_tokens": 120, "total_tokens": 4120}
_CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": REPLY}}
_PART = {"finishReason": "STOP", "index": 0, "content": {"role": "model", "parts": [{"text": REPLY}]}}
_COUNTS = {"promptTokenCount": 4000, "candidatesTokenCount": 120, "totalTokenCount": 4120}
_MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
CLIENTS: dict[str, Client] = {
    "openai": Client(
        {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "usage": _USAGE, "choices": [_CHOICE]},
        bare_openai,
        lambda url: OpenAIChat(model="m", base_url=f"{url}/v1"),
    ),
    "gemini": Client(
        {"candidates": [_PART], "usageMetadata": _COUNTS, "modelVersion": "m", "responseId": "r"},
        bare_gemini,
        lambda url: Gemini(model="m", base_url=url),
    ),
    "claude": Client(
        {
            **{**_MESSAGE, "stop_sequence": None, "content": [{"type": "text", "text": REPLY}]},
            "usage": {"input_tokens": 4000, "output_tokens": 120},
        },
        bare_claude,
        lambda url: Claude(model="m", base_url=url),
    ),
}


def ours(model: Model, messages: Messages, folder: Path, workers: int) -> One:
    """The same through a scope for each worker, as an attempt has it. The limits are never reached."""
    limiter = Limiter(Limits(requests_per_minute=10**7, tokens_per_minute=10**10, in_flight=1000))
    transport = Transport(limiters={"agent": limiter})
    logs = CallLogs(folder)
    scopes = [
        CallScope(
            llms={"agent": model},
            key=ScopeKey(seed=0, trial=0, suite="bench", suite_seed=0, task="1", attempt=worker),
            log=logs(worker),
            transport=transport,
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
    parser.add_argument("--client", choices=[*CLIENTS, "all"], default="all")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.client, given.latency / 1e3))
        return 0
    messages = (
        Message(role="system", content="You act on web pages. " * (given.prompt // 88)),
        Message(role="user", content="[12] link 'Orders of the last month' " * (given.prompt * 3 // 4 // 37)),
    )
    size = sum(len(message.content) for message in messages)
    print(f"{given.calls} calls a turn, {given.turns} turns each, prompts of {size:,} characters; medians, ms a call")
    heads = ("in flight", "bare CPU", "ours CPU", "added", "bare wall", "ours wall")
    print("client  " + " ".join(f"{head:>{max(9, len(head))}}" for head in heads))
    for name in CLIENTS if given.client == "all" else [given.client]:
        asked = [sys.executable, __file__, "--serve", "--client", name, "--latency", str(given.latency)]
        server = subprocess.Popen(asked, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            compare(name, f"http://127.0.0.1:{int(server.stdout.readline())}", messages, given.calls, given.turns)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
    return 0


def compare(name: str, url: str, messages: Messages, calls: int, turns: int) -> None:
    """Turn and turn about, and print a line for each number in flight."""
    asking = CLIENTS[name].bare(url, messages)
    model = CLIENTS[name].model(url)
    with tempfile.TemporaryDirectory() as folder:
        for in_flight in IN_FLIGHT:
            amount = calls if in_flight > 1 else max(1, calls // 4)
            runs: dict[str, list[Turn]] = {"bare": [], "ours": []}
            for number in range(turns + 1):
                for kind in runs:
                    one = asking
                    if kind == "ours":
                        one = ours(model, messages, Path(folder) / f"{in_flight}.{number}", in_flight)
                    found = turn(one, amount, in_flight)
                    if number:  # the first turn loads code and opens connections
                        runs[kind].append(found)
            cpu = {kind: statistics.median(each.cpu for each in made) for kind, made in runs.items()}
            wall = {kind: statistics.median(each.wall for each in made) for kind, made in runs.items()}
            added = cpu["ours"] - cpu["bare"]
            say = f" (target at most {TARGET:g}: {'met' if added <= TARGET else 'missed'})" if in_flight > 1 else ""
            print(
                f"{name:<7} {in_flight:>9} {cpu['bare']:>9.2f} {cpu['ours']:>9.2f} {added:>9.2f} "
                f"{wall['bare']:>9.2f} {wall['ours']:>9.2f}{say}"
            )
    model.close()


if __name__ == "__main__":
    raise SystemExit(main())
