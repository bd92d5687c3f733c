"""The sites of one attempt on the loopback address, for a browser that finds them under their own names."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from eval.suites.web.transport import Site, called, code_of
from reasoningbank.boundary import capture
from reasoningbank.errors import InfraError

_NO_PAGE = frozenset(("/favicon.ico",))
"""What a browser asks for by itself. A site that answered would take it for a visit."""


class SiteServer:
    """Serves sites by their base URLs, one request at a time, until it is closed. Raises OSError where no port is free.

    `hosts` are the sites' names, which are to be looked up at 127.0.0.1:`port`. Nothing may be kept by the browser: it
    asks again wherever the browser without a window does.
    """

    def __init__(self, sites: Mapping[str, Site]) -> None:
        from werkzeug.serving import make_server

        self.hosts = tuple(urlsplit(base).netloc for base in sites)
        self._sites = dict(zip(self.hosts, sites.values(), strict=True))
        self._faults: list[BaseException] = []
        self._turn = threading.Lock()
        # a browser opens connections ahead of need, each of which would hold a server without threads
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_handler())
        self._server.daemon_threads = True  # type: ignore[attr-defined]  # of the threaded one
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raises what the sites have failed at since this was last called: InfraError where one has answered that it is
        broken (5xx), or what its application has raised, as it does in a browser without a window."""
        found, self._faults = self._faults, []
        if found:
            raise found[0]

    def close(self) -> None:
        """No request is answered after it. The sites stay open."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        site = self._sites.get(environ.get("HTTP_HOST", ""))
        if site is None or environ["PATH_INFO"] in _NO_PAGE:
            start_response("404 Not Found", [("Content-Length", "0")])
            return [b""]
        errors = io.StringIO()
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        request = f"{environ['REQUEST_METHOD']} http://{environ['HTTP_HOST']}{environ['PATH_INFO']}{query}"

        def answer() -> tuple[str, list[tuple[str, str]], bytes]:
            status, headers, data = called(site.app, {**environ, **site.environ, "wsgi.errors": errors})
            if code_of(status, request) >= 500:
                said = errors.getvalue()[-2000:].strip() or data.decode("utf-8", "replace")[:300]
                raise InfraError(f"{request} answered {status}: {said}")
            return status, headers, data

        with self._turn:
            answered = capture(answer)
        if answered.error is not None:
            self._faults.append(answered.error)
            start_response("500 Internal Server Error", [("Content-Length", "0")])
            return [b""]
        status, headers, data = answered.unwrap()
        start_response(status, [*headers, ("Cache-Control", "no-store")])
        return [data]


def _handler() -> type[Any]:
    from werkzeug.serving import WSGIRequestHandler

    class Handler(WSGIRequestHandler):
        """Keeps connections open, and tells nobody of requests."""

        protocol_version = "HTTP/1.1"

        def log(self, type: str, message: str, *args: Any) -> None:
            return None

    return Handler
