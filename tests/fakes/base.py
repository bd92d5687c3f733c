"""A local server that speaks a provider's protocol, answers as it is told, and fails as it is told.

    with FakeServer(OpenAIApp(simulated(SimulatedLLM())), faults=at({2: Fault("status", status=429)})) as server:
        ...                                        # server.url, server.requests, server.peak

An app knows one protocol; what goes wrong on the way is the same for all of them and is here. A fault's call numbers
count the POST requests from 1, in the order in which they arrive.
"""

from __future__ import annotations

import json
import random
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from eval.grading.normalised import normalised_grader
from reasoningbank.interfaces import LLM
from reasoningbank.types import Message, Reply, Usage

Kind = Literal["status", "hang", "reset", "half", "invalid_json", "wrong_type", "empty", "reply", "drip"]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call.

    status: an error of that status, with `headers`, `message` and `code`. hang: silence for `seconds`, then the end.
    reset: the connection breaks before a byte. half: half of the body, or of the stream. invalid_json: it cannot be
    parsed. wrong_type: a page of HTML with status 200. empty: a reply without a choice. reply: `reply` instead of the
    answer, which is how a stop reason is scripted. drip: a byte every `seconds`.
    """

    kind: Kind
    status: int = 500
    headers: tuple[tuple[str, str], ...] = ()
    message: str = "scripted fault"
    code: str = ""
    seconds: float = 5.0
    reply: Reply | None = None


@dataclass(frozen=True)
class Request:
    """What arrived. `number` is 0 for a GET."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    raw: bytes


@dataclass(frozen=True)
class Response:
    """What is sent with status 200: one piece is a body, several are a stream."""

    pieces: tuple[bytes, ...]
    content_type: str = "application/json"

    @classmethod
    def json(cls, value: object) -> Response:
        return cls((json.dumps(value).encode(),))


class App(Protocol):
    """One provider's protocol."""

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        """The answer (`given`, where there is one, instead of the app's own); None where nothing is at that path."""
        ...

    def empty(self, request: Request) -> Response:
        """A reply of the right form with nothing in it."""
        ...

    def error(self, status: int, message: str, code: str) -> object:
        """The body of an error."""
        ...


@dataclass(frozen=True)
class Asked:
    """A chat request, whichever protocol it came by."""

    model: str
    messages: tuple[Message, ...]
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    stream: bool = False


Answer = Callable[[Asked], Reply]
Faults = Callable[[Request], Fault | None]


def simulated(llm: LLM) -> Answer:
    """Answers of a model of ours, with the temperature and the seed that were received."""

    def answer(asked: Asked) -> Reply:
        assert asked.temperature is not None
        return llm.complete(
            asked.messages,
            temperature=asked.temperature,
            seed=0 if asked.seed is None else asked.seed,
            max_tokens=asked.max_tokens or 0,
        )

    return answer


def compared(others: Answer) -> Answer:
    """Grades by comparing, as runs do whose model is a simulated one; all else is answered by `others`."""

    def answer(asked: Asked) -> Reply:
        text = asked.messages[-1].content
        parts = re.split(r"(?:^|\n\n)# (?:Question|Task|Reference|Why it cannot be done|Answer)\n", text)
        if "\n# Reference\n" in text:
            right = normalised_grader(*parts[1:])
        elif "\n# Why it cannot be done\n" in text:
            right = normalised_grader(parts[1], f"N/A: {parts[2]}", parts[3])
        else:
            return others(asked)
        return plain(f"Thoughts: I compare.\nGrade: {'correct' if right else 'incorrect'}")

    return answer


def scripted(replies: Iterable[str | Reply]) -> Answer:
    """The next of the replies, whoever asks."""
    left = iter(tuple(replies))
    lock = threading.Lock()

    def answer(asked: Asked) -> Reply:
        with lock:
            reply = next(left)
        return reply if isinstance(reply, Reply) else plain(reply)

    return answer


def plain(text: str, *, tokens_in: int = 10, tokens_out: int = 3) -> Reply:
    return Reply(text=text, usage=Usage(calls=1, input_tokens=tokens_in, output_tokens=tokens_out))


def at(faults: Mapping[int, Fault]) -> Faults:
    """Faults by call number."""
    return lambda request: faults.get(request.number)


def always(fault: Fault) -> Faults:
    return lambda request: fault


def at_random(rate: float, kinds: Sequence[Fault], *, seed: int, in_a_row: int = 3) -> Faults:
    """A share of the calls fails, each with one of the kinds; the same request at most `in_a_row` times, so that no
    number of retries above it is ever too few."""
    rng, lock, failed = random.Random(seed), threading.Lock(), Counter[bytes]()

    def fault(request: Request) -> Fault | None:
        with lock:
            if rng.random() >= rate or failed[request.raw] >= in_a_row:
                return None
            failed[request.raw] += 1
            return rng.choice(kinds)

    return fault


class FakeServer:
    """The server, in threads of this process. Requests are kept as they came, those of failed calls too."""

    def __init__(self, app: App, *, faults: Faults = lambda request: None, port: int = 0) -> None:
        self.app = app
        self.faults = faults
        self.requests: list[Request] = []
        self.failed: list[Fault] = []
        self.next: list[Fault] = []
        """What befalls the next calls, before `faults` is asked."""
        self.get_fault: Fault | None = None
        """What befalls every GET, such as that of the list of models."""
        self.connections = 0
        self.in_flight = 0
        self.peak = 0
        self._asked = 0
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        with self.lock:
            left = list(self._open)
        for connection in left:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def opened(self, connection: socket.socket) -> None:
        with self.lock:
            self.connections += 1
            self._open.add(connection)

    def closed(self, connection: socket.socket) -> None:
        with self.lock:
            self._open.discard(connection)

    def arrived(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Request:
        with self.lock:
            self._asked += method == "POST"
            number = self._asked if method == "POST" else 0
            body = json.loads(raw) if raw and "json" in headers.get("content-type", "") else None
            request = Request(number, method, path, headers, body, raw)
            self.requests.append(request)
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
        return request

    def fault(self, request: Request) -> Fault | None:
        with self.lock:
            if self.next:
                return self.next.pop(0)
        return self.faults(request)

    def left(self) -> None:
        with self.lock:
            self.in_flight -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512
    fake: FakeServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.fake.opened(self.connection)

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()
        self.server.fake.closed(self.connection)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what arrived is kept in `requests`."""

    def do_GET(self) -> None:
        self._serve("GET", b"")

    def do_POST(self) -> None:
        self._serve("POST", self.rfile.read(int(self.headers.get("content-length") or 0)))

    def _serve(self, method: str, raw: bytes) -> None:
        fake = self.server.fake
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = fake.arrived(method, self.path, headers, raw)
        try:
            fault = fake.fault(request) if method == "POST" else fake.get_fault
            if fault is None:
                self._answer(request, None)
            else:
                with fake.lock:
                    fake.failed.append(fault)
                self._fail(request, fault)
        finally:
            fake.left()

    def _answer(self, request: Request, given: Reply | None) -> None:
        response = self.server.fake.app.respond(request, given)
        if response is None:
            self._error(request, Fault("status", status=404, message=f"nothing at {request.path}"))
        else:
            self.wfile.write(_bytes(response))

    def _error(self, request: Request, fault: Fault) -> None:
        body = json.dumps(self.server.fake.app.error(fault.status, fault.message, fault.code)).encode()
        self.wfile.write(_head(fault.status, "application/json", len(body), fault.headers) + body)

    def _fail(self, request: Request, fault: Fault) -> None:
        app = self.server.fake.app
        match fault.kind:
            case "status":
                self._error(request, fault)
            case "reply":
                self._answer(request, fault.reply)
            case "empty":
                self.wfile.write(_bytes(app.empty(request)))
            case "wrong_type":
                page = b"<html><body>Please log in to this network</body></html>"
                self.wfile.write(_head(200, "text/html", len(page)) + page)
            case "hang":
                self.server.fake.closing.wait(fault.seconds)
                self.close_connection = True
            case "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
            case _:
                self._spoil(request, fault)

    def _spoil(self, request: Request, fault: Fault) -> None:
        response = self.server.fake.app.respond(request, None)
        assert response is not None
        if fault.kind == "invalid_json":
            spoilt = tuple(
                piece.replace(b":", b";").replace(b"data;", b"data:").replace(b"]", b")") for piece in response.pieces
            )
            self.wfile.write(_bytes(Response(spoilt, response.content_type)))
            return
        whole = _bytes(response)
        head = whole.index(b"\r\n\r\n") + 4
        if fault.kind == "half":
            self.wfile.write(whole[: (head + len(whole)) // 2])
        else:
            self.wfile.write(whole[:head])
            for place in range(head, len(whole)):
                if self.server.fake.closing.wait(fault.seconds):
                    break
                self.wfile.write(whole[place : place + 1])
        self.close_connection = True


def _head(status: int, content_type: str, length: int | None, headers: Iterable[tuple[str, str]] = ()) -> bytes:
    size = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    lines = [f"HTTP/1.1 {status} Fake", f"content-type: {content_type}", size, *(f"{k}: {v}" for k, v in headers)]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def _bytes(response: Response) -> bytes:
    if len(response.pieces) == 1:
        return _head(200, response.content_type, len(response.pieces[0])) + response.pieces[0]
    chunks = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in response.pieces if piece]
    return _head(200, response.content_type, None) + b"".join(chunks) + b"0\r\n\r\n"
