"""Action calls in BrowserGym's syntax, such as `click('12')`: read by a parser, never executed as code.

`parse_actions("fill('7', value='tea')", multi=False)` gives `[Action("fill", ("7", "tea"))]`; `.text` of an action is
its canonical form, which parses back to the same action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reasoningbank.agents.lexer import ActionSyntaxError, Token, tokens, unfenced

__all__ = ["SIGNATURES", "Action", "ActionSyntaxError", "parse_actions", "signature"]

Value = str | int | float | tuple[str, ...]
Kind = Literal["bid", "text", "number", "options", "flag"]


@dataclass(frozen=True, slots=True)
class Action:
    """One action call. Arguments that equal their default are left out at the end."""

    name: str
    args: tuple[Value, ...] = ()

    @property
    def text(self) -> str:
        """The canonical syntax: positional arguments, Python literals."""
        return f"{self.name}({', '.join(_literal(value) for value in self.args)})"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: all names it goes by (the first is canonical), what it holds, its default (None: required)."""

    names: tuple[str, ...]
    kind: Kind
    default: Value | None = None
    choices: tuple[str, ...] = ()


_BID = Parameter(("bid",), "bid")
_BUTTON = Parameter(("button",), "text", "left", ("left", "middle", "right"))
_MODIFIERS = Parameter(("modifiers",), "options", (), ("Alt", "Control", "ControlOrMeta", "Meta", "Shift"))

SIGNATURES: dict[str, tuple[Parameter, ...]] = {
    "click": (_BID, _BUTTON, _MODIFIERS),
    "dblclick": (_BID, _BUTTON, _MODIFIERS),
    "fill": (_BID, Parameter(("value", "text"), "text"), Parameter(("enable_autocomplete_menu",), "flag", False)),
    "clear": (_BID,),
    "select_option": (_BID, Parameter(("options", "option"), "options")),
    "press": (_BID, Parameter(("key_comb", "key"), "text")),
    "hover": (_BID,),
    "focus": (_BID,),
    "scroll": (Parameter(("delta_x", "dx"), "number"), Parameter(("delta_y", "dy"), "number")),
    "goto": (Parameter(("url",), "text"),),
    "go_back": (),
    "go_forward": (),
    "noop": (Parameter(("wait_ms",), "number", 1000),),
    "send_msg_to_user": (Parameter(("text", "message"), "text"),),
    "report_infeasible": (Parameter(("reason",), "text"),),
}
"""Every action with its parameters, by BrowserGym's names and, after them, the shorter ones people write."""


def parse_actions(text: str, multi: bool) -> list[Action]:
    """The action calls in `text`, at least one. Without `multi`, exactly one.

    Raises ActionSyntaxError, and nothing else, for every text that is not that.
    """
    reader = _Reader(tokens(unfenced(text)))
    actions: list[Action] = []
    while not reader.at_end():
        actions.append(reader.call())
        while reader.peek().kind == ";":
            reader.next()
    if not actions:
        raise ActionSyntaxError("no action was found: write one call such as click('12')")
    if len(actions) > 1 and not multi:
        found = ", ".join(action.name for action in actions[:5])
        raise ActionSyntaxError(f"{len(actions)} calls were found ({found}), but a turn takes exactly one action call")
    return actions


def signature(name: str) -> str:
    """How an action is called, for messages: `click(bid, button=...)`."""
    shown = [p.names[0] if p.default is None else f"{p.names[0]}={_literal(p.default)}" for p in SIGNATURES[name]]
    return f"{name}({', '.join(shown)})"


def _literal(value: Value) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(repr(part) for part in value) + "]"
    return repr(value)


class _Reader:
    """Reads calls from tokens."""

    def __init__(self, source: Iterator[Token]) -> None:
        self._tokens = source
        self._ahead: list[Token] = []

    def peek(self, ahead: int = 0) -> Token:
        while len(self._ahead) <= ahead:
            last = self._ahead[-1] if self._ahead else None
            self._ahead.append(last if last and last.kind == "end" else next(self._tokens))
        return self._ahead[ahead]

    def next(self) -> Token:
        token = self.peek()
        if token.kind != "end":
            self._ahead.pop(0)
        return token

    def at_end(self) -> bool:
        return self.peek().kind == "end"

    def call(self) -> Action:
        name = self.next()
        if name.kind != "name":
            raise ActionSyntaxError(f"expected the name of an action, found {name.value!r}")
        if name.value not in SIGNATURES:
            raise ActionSyntaxError(f"unknown action {name.value!r}; the actions are {', '.join(SIGNATURES)}")
        action = str(name.value)
        self._expect("(", f"after {action}")
        positional: list[Value] = []
        named: dict[str, Value] = {}
        while self.peek().kind != ")":
            if self.peek().kind == "name" and self.peek(1).kind == "=":
                key = str(self.next().value)
                self.next()
                if key in named:
                    raise ActionSyntaxError(f"{action} was given {key!r} twice")
                named[key] = self._value(action)
            elif named:
                raise ActionSyntaxError(f"{action}: a positional argument stands after a named one")
            else:
                positional.append(self._value(action))
            if self.peek().kind != ",":
                break
            self.next()
        self._expect(")", f"to close {action}(...)")
        return Action(action, _bound(action, positional, named))

    def _value(self, action: str) -> Value:
        token = self.next()
        if token.kind == "string":
            parts = [str(token.value)]
            while self.peek().kind == "string":  # adjacent literals are one, as in Python
                parts.append(str(self.next().value))
            return "".join(parts)
        if token.kind == "number":
            assert not isinstance(token.value, str)
            return token.value
        if token.kind == "name" and token.value in ("True", "False", "true", "false"):
            return str(token.value).lower() == "true"
        if token.kind in "[(":
            return self._list(action, "]" if token.kind == "[" else ")")
        if token.kind == "name":
            raise ActionSyntaxError(f"{action}: {token.value!r} is not a value; write texts in quotes")
        raise ActionSyntaxError(f"{action}: expected a value, found {token.value or 'the end'!r}")

    def _list(self, action: str, closing: str) -> tuple[str, ...]:
        values: list[str] = []
        while self.peek().kind != closing:
            value = self._value(action) if self.peek().kind == "string" else None
            if not isinstance(value, str):
                raise ActionSyntaxError(f"{action}: a list may hold texts in quotes only")
            values.append(value)
            if self.peek().kind != ",":
                break
            self.next()
        self._expect(closing, f"to close the list in {action}(...)")
        return tuple(values)

    def _expect(self, kind: str, where: str) -> None:
        token = self.next()
        if token.kind != kind:
            hint = "; a quote inside a text is written \\' or \\\"" if token.kind == "name" and kind == ")" else ""
            raise ActionSyntaxError(f"expected {kind!r} {where}, found {token.value or 'the end'!r}{hint}")


def _bound(action: str, positional: list[Value], named: dict[str, Value]) -> tuple[Value, ...]:
    """The arguments in the order of the parameters, checked, without defaults at the end."""
    parameters = SIGNATURES[action]
    if len(positional) > len(parameters):
        raise ActionSyntaxError(f"{signature(action)} was given {len(positional)} arguments")
    values: list[Value] = []
    for index, parameter in enumerate(parameters):
        given = [positional[index]] if index < len(positional) else []
        given += [named.pop(name) for name in parameter.names if name in named]
        if len(given) > 1:
            raise ActionSyntaxError(f"{signature(action)} was given {parameter.names[0]!r} twice")
        if given:
            values.append(_checked(action, parameter, given[0]))
        elif parameter.default is None:
            raise ActionSyntaxError(f"{signature(action)} needs the argument {parameter.names[0]!r}")
        else:
            values.append(parameter.default)
    if named:
        raise ActionSyntaxError(f"{signature(action)} has no argument {next(iter(named))!r}")
    while values and parameters[len(values) - 1].default == values[-1]:
        values.pop()
    return tuple(values)


def _checked(action: str, parameter: Parameter, value: Value) -> Value:
    name = parameter.names[0]
    if parameter.kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if parameter.kind == "flag" and isinstance(value, bool):
        return value
    if parameter.kind == "bid" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # a bid without its quotes can mean one thing only
    if parameter.kind in ("bid", "text") and isinstance(value, str):
        if parameter.choices and value not in parameter.choices:
            raise ActionSyntaxError(f"{action}: {name} is one of {', '.join(parameter.choices)}, not {value!r}")
        return value
    if parameter.kind == "options" and isinstance(value, str | tuple):
        wrong = [part for part in _as_tuple(value) if parameter.choices and part not in parameter.choices]
        if wrong:
            raise ActionSyntaxError(f"{action}: {name} are among {', '.join(parameter.choices)}, not {wrong[0]!r}")
        return _as_tuple(value) if parameter.choices else value
    wanted = {
        "bid": "the bid of an element in quotes",
        "text": "a text in quotes",
        "number": "a number",
        "options": "a text in quotes or a list of them",
        "flag": "True or False",
    }[parameter.kind]
    raise ActionSyntaxError(f"{signature(action)}: {name} must be {wanted}, not {_literal(value)}")


def _as_tuple(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
