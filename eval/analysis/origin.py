"""How a run or a bank came about, as far as whoever reads its figures must know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from pydantic import Field

from reasoningbank.types import Record


class Origin(Record):
    """It is stamped on a run, on every bank the run makes, and on what is made from that bank."""

    simulated: bool = Field(False, description="whether a simulated model had a say")
    gold_doors: tuple[str, ...] = Field((), description="settings through which outcomes reached what was learnt")
    given_lessons: tuple[str, ...] = Field((), description="names of lessons that were written before the run")
    origin_known: bool = Field(True, description="false where a bank had a say of which nobody knows what made it")

    def inherited(self, source: str) -> Origin:
        """The same for what was made from it, the names with their source."""

        def of(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(f"{name.partition(' of ')[0]} of {source}" for name in names))

        changed = {"gold_doors": of(self.gold_doors), "given_lessons": of(self.given_lessons)}
        return self.model_copy(update=changed)

    def notes(self) -> dict[str, str]:
        """What a bank's file says of itself: each field as JSON."""
        return {name: json.dumps(value) for name, value in self.model_dump(mode="json").items()}


UNKNOWN = Origin(origin_known=False)


def of_notes(meta: Mapping[str, str]) -> Origin:
    """The origin of a bank with that meta: UNKNOWN where it says nothing of it."""
    if not Origin.model_fields.keys() <= meta.keys():
        return UNKNOWN
    return Origin.model_validate_json(json.dumps({name: json.loads(meta[name]) for name in Origin.model_fields}))


def united(origins: Iterable[Origin]) -> Origin:
    """The origin of what all of these had a say in."""
    every = list(origins)
    return Origin(
        simulated=any(each.simulated for each in every),
        gold_doors=tuple(sorted({door for each in every for door in each.gold_doors})),
        given_lessons=tuple(sorted({name for each in every for name in each.given_lessons})),
        origin_known=all(each.origin_known for each in every),
    )
