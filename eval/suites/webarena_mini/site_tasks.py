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


@cache
def tasks_of(site: MiniSite, seed: int) -> tuple[SuiteTask, ...]:
    """Its tasks in one world, made once per process. Their ids are the site's own, whatever other sites there are."""
    module = importlib.import_module(f"{PACKAGE}.tasks.{site.name}")
    with closing(site.database(seed)) as connection:
        world = module.World(connection)
        made = make_tasks(
            module.BATCHES, world, seed, site=site.name, start_url=site.placeholder, first_id=module.FIRST_ID
        )
        return tuple(made)


def conventions_of(site: MiniSite) -> dict[str, str]:
    """What it does without saying so, by the code that templates name as their need."""
    return cast(dict[str, str], importlib.import_module(f"{PACKAGE}.tasks.{site.name}").CONVENTIONS)


def solutions_of(site: MiniSite) -> dict[str, Solution]:
    """Its known solutions by template name."""
    return cast("dict[str, Solution]", importlib.import_module(f"{PACKAGE}.solutions.{site.name}").SOLUTIONS)
