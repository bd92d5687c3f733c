"""Which of a suite's tasks there are: chosen by template, by id, by difficulty, or the small stratified subset.

A choice depends on what the templates say and never on a world, so the same ids are chosen in every world.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from eval.names import known_ids, nearest
from eval.suites.webarena_mini.tasks.base import Difficulty, SuiteTask
from reasoningbank.errors import SetupError
from reasoningbank.types import derive_seed

DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)
SUBSETS = {"pocket": 60}
"""How many tasks a subset has, where the sites have as many."""


@dataclass(frozen=True)
class Selection:
    """What tasks must fulfil, all of it. None leaves the choice open."""

    templates: Sequence[str] | None = None
    task_ids: Sequence[int | str] | None = None
    difficulty: str | None = None
    subset: str | None = None

    def __post_init__(self) -> None:
        for name in ("templates", "task_ids"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, str) or not value):
                raise SetupError(f"suite.{name}={value!r}: a list is needed; leave it out for all tasks")
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            raise SetupError(f"suite.difficulty: no {self.difficulty!r}; {nearest(self.difficulty, DIFFICULTIES)}")
        if self.subset is not None and self.subset not in SUBSETS:
            raise SetupError(f"suite.subset: no {self.subset!r}; {nearest(self.subset, SUBSETS)}")

    def of(self, entries: dict[str, SuiteTask]) -> dict[str, SuiteTask]:
        """The chosen ones, in the same order and under the same ids."""
        self._check(entries)
        wanted = None if self.task_ids is None else {str(task_id) for task_id in self.task_ids}
        pocket = None if self.subset is None else stratified(entries, SUBSETS[self.subset])
        found = {
            task_id: entry
            for task_id, entry in entries.items()
            if (self.templates is None or entry.template in self.templates)
            and (wanted is None or task_id in wanted)
            and self.difficulty in (None, entry.difficulty)
            and (pocket is None or task_id in pocket)
        }
        if not found:
            keys = [f"suite.{name}={value}" for name, value in vars(self).items() if value is not None]
            raise SetupError(f"no task fulfils all of {', '.join(keys)}; leave one of them out")
        return found

    def _check(self, entries: dict[str, SuiteTask]) -> None:
        """SetupError for a template or an id that no task has."""
        known = {entry.template for entry in entries.values()}
        for name in self.templates or ():
            if name not in known:
                raise SetupError(f"suite.templates: no template {name!r}; {nearest(name, known)}")
        for task_id in self.task_ids or ():
            if str(task_id) not in entries:
                raise SetupError(f"suite.task_ids: no task {task_id}; {known_ids(str(task_id), entries)}")


def stratified(entries: dict[str, SuiteTask], number: int) -> set[str]:
    """Ids of so many tasks: of each sort the share that it has among all, spread over as many templates as it goes.

    Sorts are told apart by site, kind, difficulty, need of a convention, and possibility.
    """
    if len(entries) <= number:
        return set(entries)
    sorts: dict[tuple[object, ...], list[str]] = {}
    for task_id, entry in entries.items():
        sort: tuple[object, ...] = (entry.task.sites, entry.kind, entry.difficulty, bool(entry.needs), entry.impossible)
        sorts.setdefault(sort, []).append(task_id)
    exact = {sort: number * len(ids) / len(entries) for sort, ids in sorts.items()}
    shares = {sort: int(share) for sort, share in exact.items()}
    # the largest remainders take what whole numbers leave
    by_remainder = sorted(exact, key=lambda sort: (shares[sort] - exact[sort], str(sort)))
    for sort in by_remainder[: number - sum(shares.values())]:
        shares[sort] += 1
    return {task_id for sort, ids in sorts.items() for task_id in _spread(entries, ids)[: shares[sort]]}


def _spread(entries: dict[str, SuiteTask], ids: list[str]) -> list[str]:
    """First one task of each template, then the second ones, and so on. Templates come in a drawn order, before others
    those that need a convention which few templates need."""
    needs = {entry.template: entry.needs for entry in entries.values()}
    needing = Counter(code for codes in needs.values() for code in codes)

    def rareness(task_id: str) -> int:
        return min((needing[code] for code in entries[task_id].needs), default=0)

    rounds: dict[str, int] = {}
    drawn = random.Random(derive_seed("webarena_mini", "subset")).sample(ids, len(ids))
    turns = []
    for task_id in drawn:
        template = entries[task_id].template
        rounds[template] = rounds.get(template, 0) + 1
        turns.append((rounds[template], task_id))
    return [task_id for _, task_id in sorted(turns, key=lambda turn: (turn[0], rareness(turn[1])))]
