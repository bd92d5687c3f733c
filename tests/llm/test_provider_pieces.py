"""Replies of which a piece has another form: what is left of one is never taken for the whole, and no error is raw."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from fakes.base import App, Request, Response, plain
from provider_models import TEXT, Way, ask, each_way, serving

from reasoningbank.errors import ReasoningBankError
from reasoningbank.types import Reply

ODD = (5, True, 1e308, ["x"], [None], [["x"]], [{"type": None}], {"a": 1}, {"a": None})
MARK = b"data: "


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The whole, and each of its parts at whatever depth."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], odd)
    return copy


class Odd:
    """An app of which one part of one piece, by their numbers, is something else."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.piece = self.part = 0
        self.odd: Any = None
        self.sent: Any = None

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        response = self.app.respond(request, given)
        assert response is not None
        bodies = [number for number, piece in enumerate(response.pieces) if b"{" in piece]
        chosen = bodies[self.piece % len(bodies)]
        head, mark, body = response.pieces[chosen].rpartition(MARK)
        value = json.loads(body)
        found = list(places(value))
        self.sent = changed(value, found[self.part % len(found)], self.odd)
        end = b"\r\n\r\n" if body.endswith(b"\r\n\r\n") else b"\n\n" if mark else b""
        pieces = list(response.pieces)
        pieces[chosen] = head + mark + json.dumps(self.sent).encode() + end
        return Response(tuple(pieces), response.content_type)

    def empty(self, request: Request) -> Response:
        return self.app.empty(request)

    def error(self, status: int, message: str, code: str) -> object:
        return self.app.error(status, message, code)


def check(way: Way, tries: list[tuple[int, int, Any]]) -> None:
    with serving(way, answer=lambda asked: plain(TEXT)) as (model, server):
        app = Odd(server.app)
        server.app = app
        for app.piece, app.part, app.odd in tries:
            try:
                text = ask(model).text
            except ReasoningBankError:
                continue
            whole = not way.settings.get("stream")
            assert text == TEXT or (whole and not text), app.sent


@each_way
def test_a_text_of_another_form_in_any_piece(way: Way) -> None:
    """Every part of the first pieces, which bring the text, is once a list."""
    check(way, [(piece, part, ["x"]) for piece in (1, 2) for part in range(14)])


@each_way
def test_a_part_is_never_taken_for_the_whole(way: Way) -> None:
    rng = random.Random(5)
    check(way, [(rng.randrange(40), rng.randrange(80), rng.choice(ODD)) for _ in range(60)])
