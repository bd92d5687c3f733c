"""The sites as they are served to a browser: what fails in them is raised here as it is without a browser."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from eval.suites.web.browser import TextBrowser
from eval.suites.web.chromium.server import SiteServer
from eval.suites.web.transport import Site

BASE = "http://odd.test"
Start = Callable[..., Any]


def works(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    start("200 OK", [("Content-Type", "text/html")])
    return [b"<p>fine</p>"]


def raises(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    raise AttributeError("a mistake of the site's")


def breaks_off(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    start("200 OK", [("Content-Type", "text/html")])
    yield b"<p>"
    raise KeyError("row")


def is_silent(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    return []


def says_nonsense(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    start("fine", [("Content-Type", "text/html")])
    return [b"x"]


def is_broken(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    start("503 Service Unavailable", [("Content-Type", "text/html")])
    return [b"back soon"]


def status(server: SiteServer, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", path, headers={"Host": "odd.test"})
    answered = connection.getresponse()
    answered.read()
    connection.close()
    return answered.status


@pytest.mark.parametrize("app", [raises, breaks_off, is_silent, says_nonsense, is_broken])
def test_what_fails_in_a_site_is_raised_as_without_a_browser(app: Callable[..., Iterable[bytes]]) -> None:
    with pytest.raises(Exception) as without:  # noqa: PT011  # each has its own
        TextBrowser({BASE: Site(app)}).goto(f"{BASE}/a?b=1")
    server = SiteServer({BASE: Site(app)})
    try:
        assert status(server, "/a?b=1") == 500
        with pytest.raises(Exception) as served:  # noqa: PT011  # it is compared in whole
            server.check()
        assert (type(served.value), str(served.value)) == (type(without.value), str(without.value))
        server.check()  # it is told once
    finally:
        server.close()


def test_what_works_raises_nothing() -> None:
    server = SiteServer({BASE: Site(works)})
    try:
        assert (status(server, "/"), status(server, "/favicon.ico")) == (200, 404)
        server.check()
    finally:
        server.close()
