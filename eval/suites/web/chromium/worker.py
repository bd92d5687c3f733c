"""The program of a browser's process: requests on standard input, answers on standard output, a line of JSON each.

`open` a browser at a page, `step` in it, `look` at pages for evidence, `close` it. What fails is answered by `fault`,
and `mistake` tells whether some code is to blame. It ends where its standard input does, whatever it is doing.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

from reasoningbank.boundary import attempt_edge, capture, one_line
from reasoningbank.errors import CodeError

Answer = dict[str, Any]
Does = Mapping[str, Callable[..., Answer]]
"""What is done for a request, by its name."""


def read(source: IO[bytes], into: queue.Queue[bytes]) -> None:
    for line in source:
        into.put(line)
    os._exit(0)  # whoever asked is gone: what this process waits for interests nobody


def answered(call: Callable[[], Answer]) -> Answer:
    """The answer, or what was raised: a mistake in somebody's code, or something around the attempt."""
    done = capture(call)
    if not isinstance(done.error, Exception):
        return done.unwrap()
    told = capture(lambda: attempt_edge(done.unwrap, source="environment")).error
    if isinstance(told, CodeError):
        return {"fault": str(told), "mistake": True}
    if told is done.error:
        return {"fault": str(told), "mistake": False}
    return {"fault": f"the browser failed: {one_line(done.error)}", "mistake": False}


def serve(make: Callable[[], Does]) -> None:
    """Answers requests to its end. What it does them by is made when it can hear that it is to end; where that fails,
    it is told in answer to each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    requests: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=read, args=(sys.stdin.buffer, requests), daemon=True).start()
    does = capture(make)

    def answer_to(do: str, **words: Any) -> Answer:
        return does.unwrap()[do](**words)

    while True:
        request = json.loads(requests.get())
        answer = answered(lambda: answer_to(**request))  # noqa: B023  # called at once
        out.write(json.dumps(answer).encode() + b"\n")
        out.flush()


def main() -> None:
    def make() -> Does:
        from eval.suites.web.chromium.gym import GymBrowser

        browser = GymBrowser()
        return {"open": browser.open, "step": browser.step, "look": browser.look, "close": browser.close}

    serve(make)


if __name__ == "__main__":
    main()
