"""Requests to web applications in this very process: WSGI calls, redirects, cookies. No socket is opened."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urldefrag, urljoin, urlsplit, urlunsplit

from reasoningbank.errors import InfraError

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_MOST_REDIRECTS = 20
_HTML = ("text/html", "application/xhtml+xml")


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Site:
    """A web application as one attempt sees it: its state is in `environ`, which goes into every request."""

    app: WsgiApp
    environ: Mapping[str, object] = field(default_factory=dict)
    close: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class Response:
    """What came back in the end, after redirects."""

    method: str
    url: str
    status: int
    html: str | None
    """None for what no page shows: a file to be kept."""


class BrowserError(Exception):
    """An action that failed the way it fails in a browser; told to the agent, not a fault of the program."""


class Unreachable(BrowserError):
    """No page can be had; Chromium shows that in its place. `code` is what its message begins with."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.code = message.partition(" ")[0]


class Transport:
    """Sends requests to sites by their origin and keeps their cookies."""

    def __init__(self, sites: Mapping[str, Site]) -> None:
        self._sites = {_origin(base): site for base, site in sites.items()}
        self._cookies: dict[str, dict[str, str]] = {}

    def request(
        self, method: str, url: str, *, content_type: str = "", body: bytes = b"", referer: str = ""
    ) -> Response:
        """Follows redirects. Raises Unreachable for a host that is not there, InfraError when a site breaks (5xx)."""
        for _ in range(_MOST_REDIRECTS):
            url = checked_url(url)
            status, headers, data = self._once(method, url, content_type, body, referer)
            location = next((value for name, value in headers if name.lower() == "location"), "")
            if status not in (301, 302, 303, 307, 308) or not location:
                return Response(method, url, status, _text(headers, data))
            fragment = urldefrag(url).fragment
            referer, url = url, joined(url, location)
            if fragment and not urldefrag(url).fragment:
                url = f"{url}#{fragment}"
            if status == 303 or (status in (301, 302) and method == "POST"):
                method, content_type, body = "GET", "", b""
        raise Unreachable(f"net::ERR_TOO_MANY_REDIRECTS at {url}")

    def _once(
        self, method: str, url: str, content_type: str, body: bytes, referer: str
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        site = self._sites.get(origin)
        if site is None:
            raise Unreachable(f"net::ERR_NAME_NOT_RESOLVED at {url}")
        errors = io.StringIO()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(parts.path or "/").decode("latin-1"),
            "QUERY_STRING": quote(parts.query, safe="!$%&'()*+,/:;=?@[]~-._"),
            "SERVER_NAME": parts.hostname or "",
            "SERVER_PORT": str(parts.port or (443 if parts.scheme == "https" else 80)),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": parts.netloc,
            "HTTP_ACCEPT": "text/html",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": parts.scheme,
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": errors,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            **site.environ,
        }
        if method == "POST":
            environ["CONTENT_TYPE"] = content_type
            environ["CONTENT_LENGTH"] = str(len(body))
        if referer:
            environ["HTTP_REFERER"] = referer
        jar = self._cookies.get(origin)
        if jar:
            environ["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        status, headers, data = called(site.app, environ)
        code = code_of(status, f"{method} {url}")
        if code >= 500:
            raise InfraError(f"{method} {url} answered {status}: {errors.getvalue()[-2000:].strip() or _short(data)}")
        for name, value in headers:
            if name.lower() == "set-cookie":
                self._keep(origin, value)
        return code, headers, data

    def _keep(self, origin: str, header: str) -> None:
        try:
            cookies = SimpleCookie(header)
        except CookieError:  # a browser ignores a cookie it cannot read
            return
        jar = self._cookies.setdefault(origin, {})
        for name, morsel in cookies.items():
            if morsel["max-age"] in ("0", 0) or "1970" in morsel["expires"]:
                jar.pop(name, None)
            else:
                jar[name] = morsel.coded_value


INVALID = "Protocol error (Page.navigate): Cannot navigate to invalid URL"


def check_scheme(url: str) -> None:
    """Raises BrowserError for what is no address of the web."""
    scheme = re.match(r"\s*([A-Za-z][A-Za-z0-9+.-]*):", url)
    if scheme is None:
        raise BrowserError(INVALID)
    if scheme[1].lower() not in ("http", "https"):
        raise BrowserError(f"net::ERR_ABORTED at {url.strip()}")


def checked_url(url: str) -> str:
    """A URL that a browser can go to, normalised. Raises BrowserError for one it cannot."""
    check_scheme(url)
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if not parts.hostname:
        raise BrowserError(INVALID)
    default = {"http": 80, "https": 443}[parts.scheme]
    host = parts.hostname + (f":{port}" if port not in (None, default) else "")
    path = quote(parts.path or "/", safe="!$%&'()*+,/:;=@[]~-._|", errors="replace")
    query = quote(parts.query, safe="!$%&'()*+,/:;=?@[]~-._|`{}", errors="replace")
    return urlunsplit((parts.scheme, host, path, query, parts.fragment))


def joined(base: str, address: str) -> str:
    """An address on a page, in full; one that is none stays as it is and is refused when it is requested."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def _origin(base: str) -> str:
    parts = urlsplit(checked_url(base))
    return f"{parts.scheme}://{parts.netloc}"


def called(app: WsgiApp, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    started: list[tuple[str, list[tuple[str, str]]]] = []
    chunks: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Callable[[bytes], None]:
        started.append((status, headers))
        return chunks.append

    result = app(environ, start_response)
    try:
        chunks.extend(result)
    finally:
        close = getattr(result, "close", None)
        if close is not None:
            close()
    if not started:
        raise InfraError(f"the site gave no response to {environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
    status, headers = started[-1]
    return status, headers, b"".join(chunks)


def code_of(status: str, request: str) -> int:
    """The number that a status line begins with. InfraError where that is none."""
    if not re.match(r"[1-9][0-9][0-9](?![0-9])", status, re.ASCII):
        raise InfraError(f"{request} answered with the status {status!r}, which is no number of three digits")
    return int(status[:3])


def _text(headers: list[tuple[str, str]], data: bytes) -> str | None:
    """The body as HTML; a plain text is shown in a <pre>, as browsers do, and anything else not at all."""
    kind = next((value for name, value in headers if name.lower() == "content-type"), "text/html")
    text = data.decode("utf-8", "replace")
    if kind.lower().startswith(_HTML):
        return text
    if kind.lower().startswith(("text/", "application/json")):
        shown = text.replace("&", "&amp;").replace("<", "&lt;")
        return f"<html><head><meta name=color-scheme></head><body><pre>{shown}</pre></body></html>"
    return None


def _short(data: bytes) -> str:
    return data.decode("utf-8", "replace")[:300]
