"""The sites of the suite: what an environment needs of each, its pages and its data.

A new one is a package of its own, its tasks and solutions (`site_tasks.py` finds them) and a line in SITES.
"""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import cast

from eval.suites.web.transport import Site, WsgiApp
from eval.suites.webarena_mini import homepage
from eval.suites.webarena_mini.labels import Words

PACKAGE = "eval.suites.webarena_mini"


@dataclass(frozen=True)
class MiniSite:
    """A site by its name, which is also that of its package.

    `<name>/world.py` builds the data, `<name>/app.py` the application, `<name>/redesign.py` has the labels of the
    second design. All are loaded when they are first needed.
    """

    name: str

    @property
    def placeholder(self) -> str:
        """What stands for its address in task files."""
        return f"__{self.name.upper()}__"

    @property
    def base_url(self) -> str:
        """Its address."""
        return f"http://{self.name.replace('_', '-')}.test"

    @property
    def words(self) -> Words:
        """Its labels and what they are called in its second design."""
        return Words(self._module("redesign").WORDS)

    def world(self, seed: int) -> bytes:
        """Its data, as a serialized database."""
        build = cast(Callable[[int], bytes], self._module("world").build)
        return build(seed)

    def database(self, seed: int) -> sqlite3.Connection:
        """A copy of its data, to be closed by whom it was made for."""
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.deserialize(self.world(seed))
        return connection

    def open(self, seed: int, *, redesigned: bool = False) -> Site:
        """A copy of its own for one attempt, in its first or its second design."""
        connection = self.database(seed)
        return Site(_app(self, redesigned), {"site.db": connection}, connection.close)

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{PACKAGE}.{self.name}.{name}")


@cache
def _app(site: MiniSite, redesigned: bool) -> WsgiApp:
    """The application, made once per process: it keeps no state between requests."""
    module = importlib.import_module(f"{PACKAGE}.{site.name}.app")
    return cast(WsgiApp, module.create_app(site.words if redesigned else None).wsgi_app)


SITES = {
    site.name: site
    for site in (MiniSite("shopping"), MiniSite("shopping_admin"), MiniSite("gitlab"), MiniSite("reddit"))
}


MULTI = "multi"
"""Stands for the tasks of several sites where sites are named."""


def open_sites(names: Sequence[str], seed: int, redesigned: bool = False) -> dict[str, Site]:
    """Copies of sites for one attempt, by their addresses. With several of them comes the page that links them."""
    found = {SITES[name].base_url: SITES[name].open(seed, redesigned=redesigned) for name in names}
    if len(names) > 1:
        found[homepage.BASE_URL] = homepage.home_page({name: SITES[name].base_url for name in names})
    return found


def placeholders(names: Sequence[str]) -> dict[str, str]:
    """What stands for the addresses of sites in task files, as they are opened together."""
    found = {SITES[name].placeholder: SITES[name].base_url for name in names}
    return found if len(names) < 2 else {**found, homepage.PLACEHOLDER: homepage.BASE_URL}
