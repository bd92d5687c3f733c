"""A page with an element of every kind, for the tests of what each action does to each."""

from __future__ import annotations

import flask

BASE = "http://every.test"
PAGE = """<!DOCTYPE html><html><head><title>Every</title></head><body>
<h1 id=heading>Every kind</h1> <p id=paragraph>Just text</p>
<a id=link href="/second">Second</a> <a id=inner href="/second"><span id=inside>Inside</span></a>
<a id=blank href="/second" target=_blank>In a tab</a> <a id=below href="#heading">Below</a>
<a id=empty href="">Empty</a>
<a id=mail href="mailto:a@b.c">Mail</a> <a id=elsewhere href="http://elsewhere.test/x">Elsewhere</a>
<a id=missing href="/missing">Missing</a> <a id=file href="/file">File</a> <a id=none>No link</a>
<a id=kept href="/second" download>Kept</a> <a id=script href="javascript:void(0)">Script</a>
<form id=form action="/echo" method=post>
 <label id=label for=text>Text</label> <input id=text name=text value="one two" maxlength=20>
 <input id=required name=required aria-label=Required required value=x>
 <input id=search name=search type=search aria-label=Search> <input id=number name=number type=number aria-label=Number
 min=1 max=9 value=5> <input id=password name=password type=password
 aria-label=Password> <input id=email name=email type=email aria-label=Email value="a@b.c">
 <input id=readonly name=readonly readonly value=fixed aria-label=Fixed> <input id=off name=off disabled aria-label=Off>
 <label id=around><input id=box type=checkbox name=box> Box</label>
 <input id=ticked type=checkbox name=ticked checked aria-label=Ticked> <input id=dead type=checkbox disabled
 aria-label=Dead> <input id=small type=radio name=size value=s checked aria-label=Small>
 <input id=large type=radio name=size value=l aria-label=Large>
 <textarea id=area name=area aria-label=Area>some
lines</textarea>
 <select id=one name=one aria-label=One><option value=r>Red</option><option id=green value=g selected>Green</option>
  <option>Blue  Sky</option><option value=x disabled>None</option></select>
 <select id=many name=many multiple aria-label=Many><option id=a>a</option><option id=b selected>b</option>
  <option id=c>c</option></select>
 <select id=grouped name=grouped aria-label=Grouped><optgroup label=G1><option>p</option></optgroup>
  <optgroup label=G2 disabled><option>q</option></optgroup></select>
 <select id=shut name=shut disabled aria-label=Shut><option>z</option></select>
 <fieldset id=set disabled><legend>Set</legend><input id=within name=within aria-label=Within></fieldset>
 <button id=save name=go value=save>Save</button> <input id=send type=submit name=go value=Send>
 <button id=nothing type=button>Nothing</button> <button id=reset type=reset>Reset</button>
 <button id=deadbutton disabled>Dead button</button>
</form>
<form action="/echo"><input id=query name=q aria-label=Query></form>
<form action="/echo" target=_blank><input id=other name=q aria-label=Other><button id=tab>Tab</button></form>
<input id=red type=radio name=free aria-label=Red> <input id=blue type=radio name=free aria-label=Blue>
<textarea id=wide aria-label=Wide>a text that is as long as a line of its own and longer</textarea>
<details><summary id=summary>More</summary><p>Details</p></details>
<table><tr><th>Head</th><td id=cell>Cell</td></tr></table> <div id=tabindex tabindex=0>Focusable</div>
<div hidden><button id=unseen>Unseen</button></div>
</body></html>"""


def create_app() -> flask.Flask:
    app = flask.Flask("every")

    @app.get("/")
    def every() -> str:
        return PAGE

    @app.get("/second")
    def second() -> str:
        return f"<title>Second</title><p>from {flask.request.headers.get('Referer', 'nowhere')}</p>"

    @app.route("/echo", methods=["GET", "POST"])
    def echo() -> str:
        request = flask.request
        pairs = [*request.args.items(multi=True), *request.form.items(multi=True)]
        return f"<title>Echo</title><h1>{request.method}</h1>" + "".join(
            f"<p>{key}={value!r}</p>" for key, value in pairs
        )

    @app.get("/file")
    def file() -> flask.Response:
        return flask.Response(b"\x00\x01", mimetype="application/octet-stream")

    return app
