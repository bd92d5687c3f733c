"""What is known of a site's tasks, found by the site's name. It is apart from the sites, for it leads to gold.

`tasks/<name>.py` has the templates, how they see the data, the number of the first task and what the site does without
saying so; `solutions/<name>.py` has the known solutions. All are loaded when they are first needed.
"""

from __future__ import annotations

import importlib
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, cast

from eval.suites.webarena_mini.sites import PACKAGE, MiniSite
from eval.suites.webarena_mini.tasks.base import SuiteTask, make_tasks

if TYPE_CHECKING:
    from eval.suites.webarena_mini.solutions.driver import Solution


def tasks_of(site: MiniSite, seed: int) -> list[SuiteTask]:
    """Its tasks in one world, a copy that is the caller's own. Their ids are the site's, whatever other sites there
    are."""
    return [entry.model_copy(deep=True) for entry in _made(site, seed)]


@cache
def _made(site: MiniSite, seed: int) -> list[SuiteTask]:
    module = importlib.import_module(f"{PACKAGE}.tasks.{site.name}")
    with closing(site.database(seed)) as connection:
        world = module.World(connection)
        return make_tasks(
            module.BATCHES, world, seed, site=site.name, start_url=site.placeholder, first_id=module.FIRST_ID
        )


def conventions_of(site: MiniSite) -> dict[str, str]:
    """What it does without saying so, by the code that templates name as their need."""
    return cast(dict[str, str], importlib.import_module(f"{PACKAGE}.tasks.{site.name}").CONVENTIONS)


def solutions_of(site: MiniSite) -> dict[str, Solution]:
    """Its known solutions by template name."""
    return cast("dict[str, Solution]", importlib.import_module(f"{PACKAGE}.solutions.{site.name}").SOLUTIONS)
