"""What embedding a text costs: each embedder of this machine, and remote ones beside the bare official client.

    python scripts/bench_embed.py
    python scripts/bench_embed.py --qwen FOLDER          also a Qwen3-Embedding model in that folder

Local ones: texts a second, one text a call, as runs ask them, and the CPU of each. Remote ones: CPU milliseconds a call
of this process, the same calls by the bare client and through the project's cache with its file (retries, checks and
account included), in turns, against a server on loopback that is a process of its own; medians over the turns.
"""

from __future__ import annotations

import argparse
import base64
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.fastembed import FastEmbedEmbedder
from reasoningbank.embed.gemini import GeminiEmbedder
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.embed.minilm import MiniLMEmbedder
from reasoningbank.embed.openai import OpenAIEmbedder
from reasoningbank.embed.qwen import QwenEmbedder
from reasoningbank.embed.wordllama import WordLlamaEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import ChecksSetup, Embedder

TEXT = "What is the total cost of all orders of running shoes that I placed in May 2023 and did not send back ({})?"
DIMS = {"openai": 1536, "gemini": 3072}


def reply(kind: str) -> bytes:
    """One vector, as the provider sends it."""
    vector = np.random.default_rng(0).normal(size=DIMS[kind]).astype(np.float32)
    if kind == "gemini":
        return json.dumps({"embeddings": [{"values": vector.tolist()}]}).encode()
    packed = base64.b64encode(vector.tobytes()).decode()
    data = [{"object": "embedding", "index": 0, "embedding": packed}]
    whole = {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 20, "total_tokens": 20}}
    return json.dumps(whole).encode()


def serve(kind: str) -> None:
    """Answers every POST with the same vector. Prints its port; runs until it is killed."""
    body = reply(kind)
    whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.wfile.write(whole)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def bare(kind: str, url: str) -> Callable[[str], object]:
    """The provider's own client, as its documentation has it, without retries."""
    if kind == "gemini":
        from google import genai

        google = genai.Client(api_key="none", http_options=genai.types.HttpOptions(base_url=url))
        config = genai.types.EmbedContentConfig(task_type="RETRIEVAL_QUERY")
        return lambda text: google.models.embed_content(model="gemini-embedding-001", contents=text, config=config)
    import openai

    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    return lambda text: client.embeddings.create(input=[text], model="text-embedding-3-small")


def remote(kind: str, calls: int, turns: int) -> None:
    """A line for one provider."""
    server = subprocess.Popen([sys.executable, __file__, "--serve", kind], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        embedder: Embedder = GeminiEmbedder(base_url=url) if kind == "gemini" else OpenAIEmbedder(base_url=f"{url}/v1")
        asking = bare(kind, url)
        with tempfile.TemporaryDirectory() as folder:
            cache = CachedEmbedder(embedder=embedder, path=Path(folder) / "cache.sqlite")
            found: dict[str, list[float]] = {"bare": [], "ours": []}
            for number in range(turns + 1):
                for way in found:
                    begun = time.process_time()
                    for call in range(calls):
                        text = TEXT.format(f"{number}.{call}")
                        asking(text) if way == "bare" else cache.embed([text], "query")
                    if number:  # the first turn loads code and opens connections
                        found[way].append((time.process_time() - begun) / calls * 1e3)
            cache.close()
        one, other = (statistics.median(each) for each in found.values())
        print(f"{kind:<10} {one:>9.2f} {other:>9.2f} {other - one:>+9.2f}")
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def local(name: str, embedder: Embedder, texts: int) -> None:
    """A line for one embedder of this machine, or why there is none."""
    try:
        if isinstance(embedder, ChecksSetup):
            embedder.check()
        embedder.embed([TEXT], "query")
    except SetupError as error:
        print(f"{name:<10} {str(error).partition(':')[0]}")
        return
    clock, cpu = time.perf_counter(), time.process_time()
    for number in range(texts):
        embedder.embed([TEXT.format(number)], "query")
    seconds, busy = time.perf_counter() - clock, time.process_time() - cpu
    print(f"{name:<10} {texts / seconds:>12,.1f} {busy / texts * 1e3:>12.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=200, help="texts for each local embedder")
    parser.add_argument("--calls", type=int, default=100, help="calls of a turn")
    parser.add_argument("--turns", type=int, default=5, help="turns of each kind")
    parser.add_argument("--qwen", metavar="FOLDER", help="a Qwen3-Embedding model")
    parser.add_argument("--serve", choices=[*DIMS], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return 0
    print(f"{'local':<10} {'texts/s':>12} {'CPU ms/text':>12}")
    embedders: dict[str, Embedder] = {"wordllama": WordLlamaEmbedder(), "hashing": HashingEmbedder()}
    embedders |= {"minilm": MiniLMEmbedder(), "fastembed": FastEmbedEmbedder()}
    if given.qwen:
        embedders["qwen"] = QwenEmbedder(model=given.qwen)
    for name, embedder in embedders.items():
        local(name, embedder, given.texts)
    print(f"\n{'remote':<10} {'bare ms':>9} {'ours ms':>9} {'added':>9}")
    for kind in DIMS:
        remote(kind, given.calls, given.turns)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
