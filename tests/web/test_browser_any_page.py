"""Any page and any action: the browser tells what it cannot do and never raises."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from eval.suites.web.environment import WebEnvironment
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import Action
from reasoningbank.types import Task

BASE = "http://any.test"
TASK = Task(id="1", suite="any", group="any", intent="Do anything", start=f"{BASE}/")

TAGS = "a form input button select option textarea label fieldset legend details summary table td p div dialog"
ATTRS = (
    "href=/x href=http://[ href=// href=#y href=javascript:x href=http://any.test:x/ action=http://[ action=?q "
    "method=post enctype=multipart/form-data name=n name=_charset_ value=v required disabled readonly checked selected "
    "type=submit type=image type=radio type=checkbox type=number type=date type=email type=reset type=hidden min=5 "
    "step=0 step=1e-320 maxlength=2 maxlength=99999999999 pattern=[ pattern=a+ id=i for=i form=i list=i open hidden "
    "size=2 multiple tabindex=0 tabindex=3 tabindex=-1 tabindex=x"
)
PIECES = st.tuples(
    st.sampled_from(["<{0} {1} {2}>", "<{0} {1} {2}>x", "</{0}>"]),
    st.sampled_from(TAGS.split()),
    st.sampled_from(ATTRS.split()),
    st.sampled_from(ATTRS.split()),
)
TEXTS = st.one_of(st.sampled_from(["", "5", "1e999", "x", "2024-01-01", "a@b.c"]), st.text(max_size=6))
PRESSED = (
    *("Enter", "Space", "Backspace", "Delete", "a", "5", "Control+a", "+", "++", "", "Tab", "Shift+Tab", "Home", "End"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "Shift+ArrowRight", "PageDown", "Control+x", "Escape", "Alt+ArrowDown"),
)
KEYS = st.one_of(st.sampled_from(PRESSED), st.text(max_size=3))


def _made(name: str, bid: int, text: str, key: str) -> Action:
    args: dict[str, tuple[Any, ...]] = {"fill": (text,), "press": (key,), "select_option": ((text, "x"),)}
    if name == "goto":
        return Action(name, (text,))
    return Action(name) if name in ("go_back", "go_forward") else Action(name, (str(bid), *args.get(name, ())))


NAMES = ["click", "click", "dblclick", "fill", "clear", "press", "press", "press", "select_option", "hover", "focus"]
ACTIONS = st.builds(_made, st.sampled_from([*NAMES, "go_back", "go_forward", "goto"]), st.integers(3, 14), TEXTS, KEYS)


def serve(html: str) -> Site:
    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Type", "text/html")])
        return [html.encode("utf-8", "replace")]

    return Site(app)


@given(st.lists(PIECES, max_size=14), st.lists(ACTIONS, max_size=8))
def test_any_action_on_any_page_is_carried_out_or_told(pieces: list[tuple[str, ...]], actions: list[Action]) -> None:
    html = "".join(form.format(*rest) for form, *rest in pieces)
    env = WebEnvironment(open_sites=lambda: {BASE: serve(html)}, probes=[("last", "a, input"), (f"{BASE}/z", "")])
    env.reset(TASK, seed=0)
    for action in actions:
        assert env.step(action.text).text.startswith("RootWebArea")
    assert len(env.finish(None).probes) == 2
    env.close()


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_as_an_action_is_carried_out_or_told(text: str) -> None:
    env = WebEnvironment(open_sites=lambda: {BASE: serve("<a href=x>x</a>")})
    env.reset(TASK, seed=0)
    assert env.step(text).text
    assert env.step(Action("goto", (f"{BASE}/{text}",)).text).text
    assert env.step(Action("goto", (text,)).text).text
    env.close()
