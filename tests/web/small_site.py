"""A small real Flask site for the browser's tests: forms of every kind, redirects, cookies, errors."""

from __future__ import annotations

import flask

from eval.suites.web.browser import TextBrowser
from eval.suites.web.transport import Site

BASE = "http://small.test"

HOME = """
<title>Home</title>
<a href="/form">The form</a> <a href="second">Second</a> <a href="#below">Below</a>
<a href="http://elsewhere.test/x">Elsewhere</a> <a href="mailto:a@b.c">Mail</a> <a href="/missing">Missing</a>
<a href="/broken">Broken</a> <a><b>No link</b></a> <p>Just text</p>
<a href="/second"><span>Inside</span></a>
"""

FORM = """
<title>Form</title>
<form action="/echo?old=1" method="{method}" {extra}>
 <label for="who">Name</label> <input id="who" name="who" value="Ann" maxlength="13" required>
 <label>Notes <textarea name="notes">
a
b</textarea></label>
 <label><input type="checkbox" name="box" value="yes"> Box</label>
 <input type="checkbox" name="on" checked aria-label="On">
 <fieldset><legend>Size</legend>
  <label><input type="radio" name="size" value="s" checked> Small</label>
  <label><input type="radio" name="size" value="l"> Large</label></fieldset>
 <select name="color" aria-label="Color"><option value="r">Red</option><option value="g" selected>Green</option>
  <option>Blue  Sky</option><option value="x" disabled>None</option></select>
 <select name="many" multiple aria-label="Many"><option>a</option><option selected>b</option></select>
 <input type="number" name="count" aria-label="Count" min="1" max="5" value="2">
 <input name="off" value="never" disabled><input name="fixed" value="kept" readonly aria-label="Fixed">
 <fieldset disabled><input name="inside" value="never"></fieldset>
 <input type="hidden" name="token" value="t 1"><input value="nameless">
 <button name="go" value="first">Save</button>
 <button name="go" value="second" formnovalidate>Force</button>
 <input type="submit" name="go" value="Third" formaction="/other" formmethod="get">
 <button type="button" name="go" value="never">Nothing</button><button type="reset">Reset</button>
 <button disabled>Off</button>
</form>
<form action="/echo"><input name="q" aria-label="Query"></form>
<form action="/echo"><input name="a" aria-label="A"><input name="b" aria-label="B"></form>
<input form="far" name="remote" value="r"><form id="far" action="/echo"><button>Far</button></form>
<div hidden><button>Unseen</button></div>
"""


def create_app() -> flask.Flask:
    app = flask.Flask("small")

    @app.get("/")
    def home() -> str:
        return HOME

    @app.get("/form")
    def form() -> str:
        args = flask.request.args
        return FORM.replace("{method}", args.get("method", "post")).replace("{extra}", args.get("extra", ""))

    @app.get("/second")
    def second() -> str:
        return f"<title>Second</title><p>from {flask.request.headers.get('Referer', 'nowhere')}</p>"

    @app.route("/echo", methods=["GET", "POST"])
    @app.route("/other", methods=["GET", "POST"])
    def echo() -> str:
        request = flask.request
        pairs = list(request.form.items(multi=True)) if request.method == "POST" else []
        lines = [f"<li>{name}={value!r}</li>" for name, value in pairs]
        query = request.query_string.decode()
        return f"<title>Echo</title><h1>{request.method} {request.path}</h1><p>?{query}</p><ul>{''.join(lines)}</ul>"

    @app.route("/moved/<int:code>", methods=["GET", "POST"])
    def moved(code: int) -> flask.Response:
        return flask.Response(status=code, headers={"Location": f"/echo?code={code}"})

    @app.route("/same", methods=["GET", "POST"])
    def same() -> flask.typing.ResponseReturnValue:
        if flask.request.method == "POST":
            return flask.redirect("/same", 303)
        return "<form method=post><input name=a aria-label=A><button>Send</button></form>"

    @app.get("/loop")
    def loop() -> flask.Response:
        return flask.Response(status=302, headers={"Location": "/loop"})

    @app.get("/count")
    def count() -> flask.Response:
        seen = int(flask.request.cookies.get("seen", "0")) + 1
        response = flask.Response(f"<p>visit {seen}, world {flask.request.environ['small.world']}</p>")
        if seen == 3:
            response.delete_cookie("seen")
        else:
            response.set_cookie("seen", str(seen))
        return response

    @app.get("/text")
    def text() -> flask.Response:
        return flask.Response("1 < 2", mimetype="text/plain")

    @app.get("/file")
    def file() -> flask.Response:
        return flask.Response(b"\x00\x01", mimetype="application/octet-stream")

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("a fault of the site")

    return app


def browser(world: str = "one", path: str = "/") -> TextBrowser:
    opened = TextBrowser({BASE: Site(create_app(), {"small.world": world})})
    assert opened.goto(BASE + path) == ""
    return opened


def bid(opened: TextBrowser, text: str) -> str:
    """The bid on the first line of the tree that contains a text."""
    line = next(line for line in opened.tree().splitlines() if text in line and "[" in line)
    return line.strip()[1:].split("]")[0]
