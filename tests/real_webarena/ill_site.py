"""A server with pages that are broken, never come, hang or leave: what an agent may meet anywhere."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_LINKS = "".join(f"<p><a href='/{name}'>{name}</a></p>" for name in ("500", "never", "part", "endless", "fine"))
PAGES = {
    "/": f"""{_LINKS}<a href='/never' target='_blank'>never in a tab</a><a href='/endless' target='_blank'>endless in a
        tab</a><a href='/slow' target='_blank'>slow in a tab</a><button onclick="window.open('/leaves')">leaves</button>
        <button onclick="window.open('/shuts')">another</button><button onclick="for (;;) {{}}">spins</button>""",
    "/part": "<p>most of it</p><img src='/never' alt='a part'>",
    "/endless": "<p>before it</p><script>for (;;) {}</script>",
    "/leaves": "<p>bye</p><script>setTimeout(() => window.close(), 50)</script>",
    "/shuts": "<button onclick='window.close()'>shut</button>",
    "/slow": "<p>it took its time</p>",
}
NEVER = 300.0
"""Seconds after which nobody waits any more: a tab that comes after all would be shown."""


class IllSite:
    """Serves its pages at `url` until `close`. While it is `down`, every page is broken; /500 always is."""

    def __init__(self) -> None:
        site = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/never":
                    site._ended.wait(NEVER)
                    return
                if self.path == "/slow":
                    time.sleep(0.7)
                broken = site.down or self.path == "/500"
                data = f"<!DOCTYPE html><title>{self.path}</title>{PAGES.get(self.path, 'a page')}".encode()
                self.send_response(503 if site.down else 500 if broken else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                return None

        self.down = False
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """No request is answered after it. A second time does nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
