"""The program of a browser's process: requests on standard input, answers on standard output, a line of JSON each.

`open` a browser at a page, `step` in it, `look` at pages for evidence, `close` it. What fails around the page is
answered by `fault`. It ends where its standard input does, whatever it is doing.
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

from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import InfraError

Answer = dict[str, Any]
Does = Mapping[str, Callable[..., Answer]]
"""What is done for a request, by its name."""


def read(source: IO[bytes], into: queue.Queue[bytes]) -> None:
    for line in source:
        into.put(line)
    os._exit(0)  # whoever asked is gone: what this process waits for interests nobody


def answered(call: Callable[[], Answer]) -> Answer:
    """The answer, or what was raised as a fault: here all that fails is something around the attempt."""
    done = capture(call)
    if isinstance(done.error, InfraError):
        return {"fault": str(done.error)}
    if isinstance(done.error, Exception):
        return {"fault": f"the browser failed: {one_line(done.error)}"}
    return done.unwrap()


def serve(make: Callable[[], Does]) -> None:
    """Answers requests to its end. What it does them by is made when it can hear that it is to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    requests: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=read, args=(sys.stdin.buffer, requests), daemon=True).start()
    does = make()
    while True:
        request = json.loads(requests.get())
        act = does[request.pop("do")]
        answer = answered(lambda: act(**request))  # noqa: B023  # called at once
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
