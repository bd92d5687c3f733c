"""Evidence that is collected in the browser and evaluated later scores as libwebarena does in its own browser."""

from __future__ import annotations

import html
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from chromium_here import needs_chromium
from task_files import entry, python, written
from test_webarena_browser import SECONDS

from eval.suites.web.chromium.find import find_chromium
from eval.suites.webarena import WebArena
from eval.suites.webarena.evidence import RealEvidence

pytestmark = [pytest.mark.long, needs_chromium]
POST = "func:reddit_get_post_url('__last_url__')"
PAGES = {
    "/f/tea/7/title": """<title>Tea &amp; more</title><div class="a"><p>One</p><p hidden>Two</p></div>
        <form><input name="q" value="old"><select><option>x<option selected>y</select>
        <input type="checkbox" checked></form><a href="/b">b</a><img src="/i.png">""",
    "/f/tea/7/": "<title>Post</title><main>Hello</main>",
    "/b": """<title>B</title><button onclick="document.querySelector('p').innerText = 'pressed'">x</button><p>not</p>
        <table><tr><td data-label='Account'><span class='gl-avatar-labeled-sublabel'>@me</span></td>
        <td class='col-max-role'><span>Owner</span></td></tr></table>""",
    "/gone": "",
}
LOCATORS = (
    "",
    "document.title",
    "document.querySelector('.a').outerText",
    "document.querySelector('.a').textContent",
    "document.querySelector('[name=\"q\"').value",
    "document.querySelector('select').selectedIndex",
    "document.querySelector('input[type=checkbox]').checked",
    "document.querySelector('input[type=checkbox]').checked.toString()",
    "document.querySelector('none')",
    "document.querySelector('none').value",
    "document.querySelectorAll('p').length / 3",
    "[...document.querySelectorAll('[href],[src]')].map(each => each.getAttribute('href') || each.src).join(' ')",
    "document.querySelector('p').outerText + (document.querySelector('none')?.outerText || '')",
    "document.querySelector(",
    "func:gitlab_get_project_memeber_role(__page__, 'me')",
    "func:gitlab_get_project_memeber_role(__page__, 'you')",
)


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data = f"<!DOCTYPE html><html><body>{PAGES.get(self.path, '')}</body></html>".encode()
        self.send_response(200 if PAGES.get(self.path) else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return None


@pytest.fixture
def server() -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()
    thread.join()


def targets(server: str) -> list[dict[str, Any]]:
    """Every locator on several pages, and what is done or asked before."""
    places: list[tuple[str, tuple[str, ...]]] = [("last", LOCATORS), (f"{server}/b", LOCATORS), (POST, LOCATORS[:2])]
    places.append((f"{server}/gone", LOCATORS[:3]))
    press = "document.querySelector('button').click()"
    found: list[dict[str, Any]] = [{"url": url, "locator": locator} for url, locators in places for locator in locators]
    for before in ([press], ["document.none.click()", press], [press, "document.none.click()"]):
        locator = "document.querySelector('p').outerText"
        found.append({"url": f"{server}/b", "locator": locator, "prep_actions": before})
    return [{**each, "required_contents": {"exact_match": ""}} for each in found]


def comparable(text: str, target: dict[str, Any]) -> str:
    """As it is; but of the page where an attempt is BrowserGym, and so whoever evaluates by it, has written into every
    field's HTML what it holds."""
    whole = target["url"] == "last" and not target["locator"]
    return re.sub(r' value="[^"]*"', "", text) if whole else text


def test_every_locator_reads_the_same(server: str, tmp_path: Path) -> None:
    wanted, url = targets(server), f"{server}/f/tea/7/title"
    asked = json.dumps({"program": str(find_chromium(None)), "url": url, "targets": wanted})
    script = Path(__file__).with_name("libwebarena_pages.py")
    done = subprocess.run([python(), str(script)], input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    one = entry(0, "map", eval_types=["program_html"], program_html=wanted)
    one["start_url"] = url
    suite = WebArena(task_file=written(tmp_path, [one]), urls={"map": server}, sites=["map"], **SECONDS)
    [task] = suite.tasks()
    env = suite.environment(task)
    env.reset(task, 0)
    evidence = env.finish(None)
    env.close()
    assert isinstance(evidence, RealEvidence)
    ours = [html.unescape(seen.text or "") for seen in evidence.seen]
    wrong = [
        f"{there!r} there, {here!r} here: {target['url']} {target['locator']}"
        for there, here, target in zip(json.loads(done.stdout), ours, wanted, strict=True)
        if comparable(there, target) != comparable(here, target)
    ]
    assert wrong == []
    assert {"Tea & more", "One", "OneTwo", "old", "1", "True", "true", "None", "", "pressed", "Owner"} <= {
        " ".join(text.split()).replace("One Two", "OneTwo") for text in ours
    }
