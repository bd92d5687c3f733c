"""Connections to a server that are kept and reused, and a time limit that holds for a reply as a whole.

The timeouts of HTTP clients are those of a single read, which a server that drips a byte a second never meets.
"""

from __future__ import annotations

import errno
import functools
import os
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx2

from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import scrub

END = b"data: [DONE]"
KEPT = 30.0
"""Seconds that an idle connection is kept."""


class _Limited(httpx2.SyncByteStream):
    """A reply's bytes until its deadline."""

    def __init__(self, stream: httpx2.SyncByteStream, deadline: float) -> None:
        self._stream = stream
        self._chunks = iter(stream)
        self._deadline = deadline
        self._last = b""

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the reply as a whole took too long")
            self._last = chunk
            yield chunk

    def close(self) -> None:
        # readers of events stop at their mark, a few bytes before the end: the connection would be lost with them
        if END in self._last:
            with suppress(httpx2.HTTPError):
                next(self._chunks, None)
        self._stream.close()


CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@functools.cache
def authorities() -> ssl.SSLContext:
    """Whose certificates are trusted. Reading them takes longer than many calls: once a process. SetupError where the
    environment names others, and there are none."""
    try:
        return httpx2.create_ssl_context()
    except OSError as error:
        if not (named := _named(CERTIFICATES)):
            raise
        there = all(os.path.exists(os.environ[name]) for name in named.split(" or "))
        why = error.strerror or error if there else os.strerror(errno.ENOENT)  # the library may say another thing
        raise SetupError(
            f"{named} names no certificates that can be read ({why}): name a file of them, in PEM form, or unset it"
        ) from None


def _named(variables: tuple[str, ...]) -> str:
    """Those that are set, in whichever case they are."""
    both = (name for variable in variables for name in (variable, variable.lower()))
    return " or ".join(name for name in both if os.environ.get(name))


def pooled_client(*, timeout: float, connect_timeout: float, connections: int) -> httpx2.Client:
    """A thread-safe HTTP client for `connections` calls in flight. Proxies of the environment are used; no redirect is
    followed, since it would turn a question into another or carry a key elsewhere. SetupError for a proxy that is none.
    """
    limits = httpx2.Timeout(timeout, connect=connect_timeout)

    def start(request: httpx2.Request) -> None:
        # said here, since one client library knows a single timeout and would give it to connecting too
        times = {"timeout": limits.as_dict(), "deadline": time.monotonic() + timeout}
        request.extensions = {**request.extensions, **times}

    def limit(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Limited(response.stream, response.request.extensions["deadline"])

    kept = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=KEPT)
    trusted = authorities()
    try:
        return httpx2.Client(
            verify=trusted,
            timeout=limits,
            limits=kept,
            event_hooks={"request": [start], "response": [limit]},
            follow_redirects=False,
        )
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        if not (named := _named(PROXIES)):
            raise
        raise SetupError(
            f"{named} names no proxy that can be used: {scrub(str(error))}; change it, or unset it"
        ) from None
