"""The parser of action calls: what it takes, what it refuses and with which words, and that it round-trips."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.agents.actions import SIGNATURES, Action, ActionSyntaxError, Parameter, parse_actions
from reasoningbank.agents.react import MalformedReply
from reasoningbank.agents.web import WebAgent
from reasoningbank.text import storable

ANY = st.text(st.characters(codec=None), max_size=40)
TEXT = ANY.map(storable)


def _values(parameter: Parameter) -> st.SearchStrategy[object]:
    if parameter.kind == "number":
        return st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    if parameter.kind == "flag":
        return st.booleans()
    one = st.sampled_from(parameter.choices) if parameter.choices else TEXT
    if parameter.kind == "options":
        many = st.lists(one, max_size=4).map(tuple)
        return many if parameter.choices else one | many
    return one


@st.composite
def actions(draw: st.DrawFn) -> Action:
    name = draw(st.sampled_from(sorted(SIGNATURES)))
    values = [draw(_values(parameter)) for parameter in SIGNATURES[name]]
    while values and SIGNATURES[name][len(values) - 1].default == values[-1]:
        values.pop()
    return Action(name, tuple(values))  # type: ignore[arg-type]


@given(actions())
def test_canonical_text_parses_back_to_the_same_action(action: Action) -> None:
    assert parse_actions(action.text, multi=False) == [action]


@given(st.lists(actions(), min_size=1, max_size=4))
def test_several_calls_round_trip_one_a_line(many: list[Action]) -> None:
    text = "\n".join(action.text for action in many)
    assert parse_actions(text, multi=True) == many
    assert parse_actions(f"```python\n{text}\n```", multi=True) == many


@given(ANY, st.booleans())
def test_any_text_parses_or_raises_the_one_error(text: str, multi: bool) -> None:
    with contextlib.suppress(ActionSyntaxError):
        parse_actions(text, multi)


@given(st.lists(st.sampled_from(["click", "fill", "(", ")", "'1'", "[", "]", ",", "=", "bid", "-1", "'", "\\", "`"])))
def test_any_soup_of_tokens_parses_or_raises_the_one_error(tokens: list[str]) -> None:
    with contextlib.suppress(ActionSyntaxError):
        parse_actions(" ".join(tokens), multi=True)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("click('12')", "click('12')"),
        ('click("12")', "click('12')"),
        ("click(12)", "click('12')"),
        ("click('a12', button='left')", "click('a12')"),
        ("click('12', button='right')", "click('12', 'right')"),
        ("click('12', 'left', ['Shift'])", "click('12', 'left', ['Shift'])"),
        ("click(bid='12', modifiers='Shift')", "click('12', 'left', ['Shift'])"),
        ("fill(bid='12', value='x')", "fill('12', 'x')"),
        ("fill('12', text='x')", "fill('12', 'x')"),
        ("fill('12', 'x', True)", "fill('12', 'x', True)"),
        ("fill('12', value='x', enable_autocomplete_menu=False)", "fill('12', 'x')"),
        ("fill('12', 'it\\'s\\n\"so\"')", "fill('12', 'it\\'s\\n\"so\"')"),
        ("fill('12', 'two\nlines')", "fill('12', 'two\\nlines')"),
        ('fill("12", """it\'s "quoted" """)', "fill('12', 'it\\'s \"quoted\" ')"),
        ("fill('1', 'a' 'b')", "fill('1', 'ab')"),
        ("fill('1', 'C:\\\\d \\d')", "fill('1', 'C:\\\\d \\\\d')"),
        (r"fill('1', 'great \ud83d\ude00')", "fill('1', 'great 😀')"),
        (r"fill('1', '\ud83d')", r"fill('1', '\\ud83d')"),
        ("select_option('3', 'Blue')", "select_option('3', 'Blue')"),
        ("select_option('3', options=['a', 'b'])", "select_option('3', ['a', 'b'])"),
        ("press('4', 'Control+a')", "press('4', 'Control+a')"),
        ("press(bid='4', key_comb='Enter')", "press('4', 'Enter')"),
        ("scroll(0, -200)", "scroll(0, -200)"),
        ("scroll(dx=0, dy=1.5)", "scroll(0, 1.5)"),
        ("noop()", "noop()"),
        ("noop(500)", "noop(500)"),
        ("go_back( )", "go_back()"),
        ("```click('12')```", "click('12')"),
        ("```\nclick('12')\n```", "click('12')"),
        ("```python\nclick('12')  # the link\n```", "click('12')"),
        ("`click('12')`", "click('12')"),
        ("click('12');", "click('12')"),
        ("click('12',)", "click('12')"),
        ("send_msg_to_user('12 (twelve), ```done```')", "send_msg_to_user('12 (twelve), ```done```')"),
    ],
)
def test_what_is_taken(text: str, canonical: str) -> None:
    [action] = parse_actions(text, multi=False)
    assert action.text == canonical


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no action"),
        ("I will click it", "unexpected|expected|unknown action"),
        ("clik('1')", "unknown action 'clik'.*click"),
        ("click()", "needs the argument 'bid'"),
        ("click('1', 'left', [], 'x')", "was given 4 arguments"),
        ("click('1', bid='1')", "'bid' twice"),
        ("click('1', colour='red')", "no argument 'colour'"),
        ("click('1', button='up')", "left, middle, right"),
        ("click(None)", "not a value"),
        ("click(1.5)", "must be the bid"),
        ("click(['1'])", "must be the bid"),
        ("fill('1', 5)", "value must be a text in quotes, not 5"),
        ("fill(value='x', '1')", "positional argument stands after"),
        ("fill('1', 'x'", "expected '\\)'"),
        ("fill('1', 'x", "no closing"),
        ("send_msg_to_user('it's done')", "expected '\\)'|expected a value"),
        ("scroll('0', 1)", "must be a number"),
        ("scroll(1e999, 1)", "too large"),
        ("scroll(" + "9" * 9000 + ", 1)", "too long"),
        ("select_option('1', [1])", "texts in quotes only"),
        ("__import__('os').system('ls')", "unknown action"),
        ("click('1').x()", "unexpected '.'"),
    ],
)
def test_what_is_refused_and_with_which_words(text: str, told: str) -> None:
    with pytest.raises(ActionSyntaxError, match=told):
        parse_actions(text, multi=False)


def test_several_calls_are_refused_where_one_is_asked_for() -> None:
    text = "fill('1', 'tea')\nclick('2')"
    assert [action.name for action in parse_actions(text, multi=True)] == ["fill", "click"]
    with pytest.raises(ActionSyntaxError, match=r"2 calls were found \(fill, click\).*exactly one"):
        parse_actions(text, multi=False)


N = 50_000
DEGENERATE = {
    "backticks": "`" * N,
    "backticks around a word": "`" * N + "x" + "`" * N,
    "backticks before a word": "`" * N + "x",
    "backticks and spaces": "` " * N,
    "escaped quotes": "fill('1', '" + "\\'" * N,
    "escaped quotes that end": "fill('1', '" + "\\'" * N + "')",
    "backslashes": "fill('1', '" + "\\" * N,
    "quotes": "fill('1', " + "'" * N,
    "triple quotes": "fill('1', '''" + "''x" * N,
    "spaces": "click(" + " " * N + "x",
    "comments": "#\n" * N,
    "brackets": "select_option('1', " + "[" * N,
    "literals": "fill('1'," + " 'a'" * N + ")",
    "options": "select_option('1', [" + "'a'," * N + "])",
    "arguments": "click(" + "'1'," * N + ")",
    "names": "a" * N,
    "digits": "click(" + "1" * N + ")",
    "numbers": "scroll(" + "1e" * N + ")",
    "calls": "noop();" * N,
}


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_a_degenerate_reply_is_read_in_one_pass(text: str) -> None:
    started = time.process_time()
    with contextlib.suppress(ActionSyntaxError):
        parse_actions(text, multi=True)
    with contextlib.suppress(MalformedReply):
        WebAgent(multi_actions=True).parse(f"Thought: {text}\nAction: {text}")
    assert time.process_time() - started < 5
