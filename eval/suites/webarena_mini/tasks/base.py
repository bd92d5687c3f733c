"""What a task is: WebArena's record with its gold, our own description of it, and the template that makes both.

A template turns a world into instances: `make` yields drafts in an order drawn from the given generator, the most
telling ones first, and the first `count` become tasks. Task ids depend on the site's list of templates alone: task 17
is of the same template in every world and whatever other sites there are, so that its lessons and seeds are its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from reasoningbank.errors import SetupError
from reasoningbank.types import Record, derive_seed

Kind = Literal["information", "navigation", "change"]
Difficulty = Literal["easy", "standard", "hard"]
Gold = dict[str, Any]
"""WebArena's `eval` block."""
W = TypeVar("W")


class WebArenaTask(Record):
    """A task in WebArena's JSON schema, gold included."""

    sites: tuple[str, ...]
    task_id: int
    require_login: bool = True
    storage_state: str | None = None
    start_url: str
    geolocation: None = None
    intent_template: str
    instantiation_dict: dict[str, str]
    intent: str
    require_reset: bool = False
    eval: Gold
    intent_template_id: int


class SuiteTask(Record):
    """A task with what the suite knows of it besides: nothing of this comes from WebArena's schema."""

    task: WebArenaTask
    template: str
    kind: Kind
    needs: tuple[str, ...]
    difficulty: Difficulty
    vague: bool
    impossible: bool


@dataclass(frozen=True)
class Draft:
    """One instance: the values of the wording's slots, and the gold."""

    values: dict[str, str]
    gold: Gold


@dataclass(frozen=True)
class Template(Generic[W]):
    """A wording with slots, and the maker of its instances. `W` is how a site's templates see the world."""

    id: int
    name: str
    wording: str
    make: Callable[[W, random.Random], Iterable[Draft]]
    count: int
    kind: Kind
    needs: tuple[str, ...] = ()
    """Site conventions without which the result is wrong."""
    difficulty: Difficulty = "standard"
    vague: bool = False
    impossible: bool = False
    sites: tuple[str, ...] = ()
    """The sites that it is about, where these are several."""

    def drafts(self, world: W, world_seed: int) -> list[Draft]:
        """The instances of one world, no two with the same values. Refuses a world too poor for `count` of them."""
        rng = random.Random(derive_seed("webarena_mini", world_seed, self.name))
        found: list[Draft] = []
        for draft in self.make(world, rng):
            if all(draft.values != other.values for other in found):
                found.append(draft)
            if len(found) == self.count:
                break
        if len(found) < self.count:
            raise SetupError(
                f"template {self.name} finds {len(found)} of {self.count} instances in world {world_seed}; "
                "choose another suite.seed"
            )
        return found


def make_tasks(
    batches: Sequence[Sequence[Template[W]]], world: W, world_seed: int, *, site: str, start_url: str, first_id: int
) -> list[SuiteTask]:
    """The tasks of one site, repeats of a template spread over those of its batch as they are in WebArena.

    All start at `start_url`. A further batch comes behind those that are there, so that no task gets another id.
    """
    slots = []
    for batch in batches:
        more = [(template, number) for template in batch for number in range(template.count)]
        random.Random(derive_seed("webarena_mini", "task order")).shuffle(more)
        slots += more
    drafts = {template.name: template.drafts(world, world_seed) for batch in batches for template in batch}
    return [
        _task(template, drafts[template.name][number], site, start_url, task_id)
        for task_id, (template, number) in enumerate(slots, start=first_id)
    ]


def _task(template: Template[W], draft: Draft, site: str, start_url: str, task_id: int) -> SuiteTask:
    intent = template.wording
    for slot, value in draft.values.items():
        intent = intent.replace("{{" + slot + "}}", value)
    if "{{" in intent:
        raise AssertionError(f"template {template.name}: a slot of {intent!r} has no value")
    return SuiteTask(
        task=WebArenaTask(
            sites=template.sites or (site,),
            task_id=task_id,
            start_url=start_url,
            intent_template=template.wording,
            instantiation_dict=draft.values,
            intent=intent,
            eval=draft.gold,
            intent_template_id=template.id,
        ),
        template=template.name,
        kind=template.kind,
        needs=template.needs,
        difficulty=template.difficulty,
        vague=template.vague,
        impossible=template.impossible,
    )
