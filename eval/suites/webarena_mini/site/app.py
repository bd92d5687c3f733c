"""A site as a WSGI application. It keeps no state: the attempt's database is in `environ["site.db"]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Protocol

from flask import Flask, Response
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from werkzeug.exceptions import HTTPException

from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.site import db, layout
from eval.suites.webarena_mini.site.words import rewording

SHARED = Path(__file__).parent / "templates"


class Pages(Protocol):
    """A module of pages."""

    def register(self, app: Flask) -> None:
        """Adds the pages to the site."""


def site_app(
    folder: Path,
    *,
    pages: Iterable[Pages],
    page: Callable[..., Response],
    filters: Iterable[Callable[..., object]],
    words: Words | None = None,
) -> Flask:
    """The site of a folder. Every request needs `environ["site.db"]`, an open sqlite3 connection.

    `page` makes a whole page of the site. With `words` the site comes in its second design: these labels are others,
    and templates in `templates/redesign` come before those of the same name, which they find under `first/`.
    """
    app = Flask(folder.name, root_path=str(folder), static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    wording = words or Words({})
    app.extensions["words"] = wording
    _templates(app, folder / "templates", wording)
    for filter_ in (layout.money, layout.month_first, layout.plural, *filters):
        app.jinja_env.filters[filter_.__name__] = filter_
    app.jinja_env.filters["label"] = wording.label
    app.jinja_env.globals["link"] = db.link
    app.add_url_rule("/style.css", "style", partial(_style, folder))
    for module in pages:
        module.register(app)
    app.register_error_handler(HTTPException, partial(_failed, page))
    app.after_request(_without_nul)
    return app


def _templates(app: Flask, folder: Path, words: Words) -> None:
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    first = [FileSystemLoader(folder), FileSystemLoader(SHARED)]
    if words:
        again = PrefixLoader({"first": FileSystemLoader([folder, SHARED])})
        app.jinja_env.loader = ChoiceLoader([FileSystemLoader(folder / "redesign"), *first, again])
        app.jinja_env.add_extension(rewording(words))
    else:
        app.jinja_env.loader = ChoiceLoader(first)


def _style(folder: Path) -> Response:
    """The stylesheet: looks only, it hides and reorders nothing."""
    return Response((folder / "templates" / "style.css").read_text(encoding="utf-8"), mimetype="text/css")


def _without_nul(response: Response) -> Response:
    """HTML has no such character, and parsers differ in where they stop: an address may bring one."""
    if b"\0" in (data := response.get_data()):
        response.set_data(data.replace(b"\0", b""))
    return response


def _failed(page: Callable[..., Response], error: HTTPException) -> Response:
    """A page for what does not exist or is not allowed, with the way back."""
    code = error.code or 500
    if code == 404:
        return page("error.html", "Page not found", status=404, text="The page you requested was not found.")
    return page("error.html", error.name, status=code, text=error.description or error.name)
