"""The sites of the suite. A new one is a package of its own and a line in SITES."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import cast

from eval.suites.web.transport import Site, WsgiApp
from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.solutions.driver import Solution
from eval.suites.webarena_mini.tasks.base import SuiteTask, make_tasks

PACKAGE = "eval.suites.webarena_mini"


@dataclass(frozen=True)
class MiniSite:
    """A site by its name, which is also that of its package, its tasks and its solutions.

    `<name>/world.py` builds the data, `<name>/app.py` the application, `<name>/redesign.py` has the labels of the
    second design, `tasks/<name>.py` the templates and how they see the data, `solutions/<name>.py` the known solutions.
    All are loaded when they are first needed.
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

    def world(self, seed: int) -> bytes:
        """Its data, as a serialized database."""
        build = cast(Callable[[int], bytes], self._module("world").build)
        return build(seed)

    @property
    def words(self) -> Words:
        """Its labels and what they are called in its second design."""
        return Words(self._module("redesign").WORDS)

    def open(self, seed: int, *, redesigned: bool = False) -> Site:
        """A copy of its own for one attempt, in its first or its second design."""
        connection = self._database(seed)
        return Site(_app(self, redesigned), {"site.db": connection}, connection.close)

    def _database(self, seed: int) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.deserialize(self.world(seed))
        return connection

    def tasks(self, seed: int, first_id: int) -> list[SuiteTask]:
        """Its tasks in one world."""
        module = importlib.import_module(f"{PACKAGE}.tasks.{self.name}")
        with closing(self._database(seed)) as connection:
            return make_tasks(module.BATCHES, module.World(connection), seed, first_id)

    def solutions(self) -> dict[str, Solution]:
        """Its known solutions by template name."""
        return cast(dict[str, Solution], importlib.import_module(f"{PACKAGE}.solutions.{self.name}").SOLUTIONS)

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{PACKAGE}.{self.name}.{name}")


@cache
def _app(site: MiniSite, redesigned: bool) -> WsgiApp:
    """The application, made once per process: it keeps no state between requests."""
    module = importlib.import_module(f"{PACKAGE}.{site.name}.app")
    return cast(WsgiApp, module.create_app(site.words if redesigned else None).wsgi_app)


def open_sites(sites: Sequence[MiniSite], seed: int, redesigned: bool = False) -> dict[str, Site]:
    """Copies of sites for one attempt, by their addresses."""
    return {site.base_url: site.open(seed, redesigned=redesigned) for site in sites}


SITES = {site.name: site for site in (MiniSite("shopping"), MiniSite("shopping_admin"))}
