"""What is known of a site's tasks, found by the site's name. It is apart from the sites, for it leads to gold.

`tasks/<name>.py` has the templates, how they see the data, the number of the first task and what the site does without
saying so; `solutions/<name>.py` has the known solutions. All are loaded when they are first needed.
"""

from __future__ import annotations

import importlib
from contextlib import ExitStack, closing
from functools import cache
from typing import TYPE_CHECKING, cast

from eval.suites.webarena_mini import homepage
from eval.suites.webarena_mini.sites import MULTI, PACKAGE, SITES, MiniSite
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


def multi_tasks(seed: int) -> list[SuiteTask]:
    """The tasks of several sites in one world, which begin at the page that links their sites; the caller's own."""
    return [entry.model_copy(deep=True) for entry in _made_multi(seed)]


@cache
def _made_multi(seed: int) -> list[SuiteTask]:
    module = importlib.import_module(f"{PACKAGE}.tasks.{MULTI}")
    with ExitStack() as stack:
        databases = {name: stack.enter_context(closing(site.database(seed))) for name, site in SITES.items()}
        world = module.World(databases)
        return make_tasks(
            module.BATCHES, world, seed, site=MULTI, start_url=homepage.PLACEHOLDER, first_id=module.FIRST_ID
        )


def multi_sites() -> set[str]:
    """The sites that tasks of several sites are about."""
    batches = importlib.import_module(f"{PACKAGE}.tasks.{MULTI}").BATCHES
    return {name for batch in batches for template in batch for name in template.sites}


def solution_of(entry: SuiteTask) -> Solution:
    """The known solution of a task."""
    sites = entry.task.sites
    module = importlib.import_module(f"{PACKAGE}.solutions.{sites[0] if len(sites) == 1 else MULTI}")
    return cast("Solution", module.SOLUTIONS[entry.template])


def conventions_of(site: MiniSite) -> dict[str, str]:
    """What it does without saying so, by the code that templates name as their need."""
    return cast(dict[str, str], importlib.import_module(f"{PACKAGE}.tasks.{site.name}").CONVENTIONS)


def solutions_of(site: MiniSite) -> dict[str, Solution]:
    """Its known solutions by template name."""
    return cast("dict[str, Solution]", importlib.import_module(f"{PACKAGE}.solutions.{site.name}").SOLUTIONS)
