"""The small sites behind WebArena's sign-in pages, on the loopback address: servers to try a set-up with, and tests.

`python -m eval.suites.webarena.practice` serves them and prints the variables to set; `--copies 2` starts two servers a
site. Addresses, fields and buttons of the sign-in pages are WebArena's; what is behind them is our own, so that most of
WebArena's tasks cannot be solved there. A POST to `/__reset__` puts a server back to where it began.
"""

from __future__ import annotations

import argparse
import html
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from eval.suites.web.transport import Site, called
from eval.suites.webarena.sites import SITES, Account, RealSite, SignIn
from eval.suites.webarena_mini.sites import SITES as SMALL

RESET = "/__reset__"
_COOKIE = "practice"
_FORM = """<!DOCTYPE html>
<html lang="en"><head><title>{title}</title></head><body><main><h1>{title}</h1>{notice}
<form method="post">
<p><label>{user_label} <input name="username" autocomplete="off"></label></p>
<p><label>{password_label} <input name="password" type="password"></label></p>
<p><button type="submit">{button}</button></p>
</form></main></body></html>
"""
Start = Callable[..., Any]


class PracticeServer:
    """One server of one site, with data of its own. `url` is its address; it is served until `close`."""

    def __init__(self, name: str, *, seed: int = 0, port: int = 0, account: Account | None = None) -> None:
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Quiet(WSGIRequestHandler):
            protocol_version = "HTTP/1.1"

            def log(self, type: str, message: str, *args: object) -> None:
                return None

        sign_in = SITES[name].sign_in
        assert sign_in is not None
        self._sign_in: SignIn = sign_in
        self._account = account or sign_in.account
        self._name, self._seed = name, seed
        self._site: Site = SMALL[name].open(seed)
        self._inside: set[str] = set()
        self._turn = threading.Lock()
        self.resets = 0
        self.forms = 0
        """Times that somebody signed in by the form."""
        self._server = make_server("127.0.0.1", port, self._answer, threaded=True, request_handler=Quiet)
        self._server.daemon_threads = True  # type: ignore[attr-defined]  # of the threaded one
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """No request is answered after it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._site.close()

    def sign_everybody_out(self) -> None:
        """Sessions end, as they do on real servers after some time."""
        self._inside.clear()

    def _answer(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        path = environ["PATH_INFO"] or "/"
        with self._turn:
            if path == RESET and environ["REQUEST_METHOD"] == "POST":
                return self._put_back(start)
            inside = self._token(environ) in self._inside
            page, asks = self._sign_in.page or "/", self._sign_in.asks or "/"
            if path == page or (not inside and path.startswith(asks)):
                if not inside:
                    return self._form(environ, start)
                if page != asks:
                    return redirected("/", start)
            elif path == asks:
                return redirected("/", start)  # the page that is for those inside alone
            status, headers, data = called(self._site.app, {**environ, **self._site.environ})
        start(status, headers)
        return [data]

    def _form(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        notice = ""
        if environ["REQUEST_METHOD"] == "POST":
            length = min(int(environ.get("CONTENT_LENGTH") or 0), 10_000)
            sent = parse_qs(environ["wsgi.input"].read(length).decode("utf-8", "replace"))
            given = [sent.get(field, [""])[0] for field in ("username", "password")]
            if given == [self._account.username, self._account.password]:
                token = secrets.token_hex(16)
                self._inside.add(token)
                self.forms += 1
                return redirected("/", start, ("Set-Cookie", f"{_COOKIE}={token}; Path=/; HttpOnly"))
            notice = "<p>The sign-in was incorrect. Please wait and try again later.</p>"
        names = ("user_label", "password_label", "button")
        words = {name: html.escape(getattr(self._sign_in, name)) for name in names}
        data = _FORM.format(title="Sign in", notice=notice, **words).encode()
        start("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(data)))])
        return [data]

    def _put_back(self, start: Start) -> Iterable[bytes]:
        self._site.close()
        self._site = SMALL[self._name].open(self._seed)
        self._inside.clear()
        self.resets += 1
        start("204 No Content", [("Content-Length", "0")])
        return [b""]

    def _token(self, environ: dict[str, Any]) -> str:
        try:
            found = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(_COOKIE)
        except CookieError:
            return ""
        return "" if found is None else found.value


def redirected(path: str, start: Start, *headers: tuple[str, str]) -> Iterable[bytes]:
    start("302 Found", [("Location", path), ("Content-Length", "0"), *headers])
    return [b""]


def available() -> tuple[RealSite, ...]:
    """WebArena's sites that there is a small one of."""
    return tuple(site for site in SITES.values() if site.name in SMALL)


def main(argv: Sequence[str] | None = None) -> None:
    """Until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m eval.suites.webarena.practice")
    parser.add_argument("--seed", type=int, default=0, help="which world")
    parser.add_argument("--copies", type=int, default=1, help="servers of each site")
    given = parser.parse_args(argv)
    servers = {
        site: [PracticeServer(site.name, seed=given.seed) for _ in range(max(1, given.copies))] for site in available()
    }
    for site, copies in servers.items():
        print(f"export {site.variable}={copies[0].url}")
        if len(copies) > 1:
            print(f"# suite.urls.{site.name}=[{','.join(copy.url for copy in copies)}]")
    print(f"# each is put back by: curl -X POST URL{RESET}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
