"""The bank against a model of it that is too simple to be wrong."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from bank_makers import make_experience
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasoningbank.bank.bank import Bank
from reasoningbank.interfaces import Side
from reasoningbank.types import Experience


class Numbers:
    """Texts that are lists of numbers, embedded as those numbers: the test chooses the vectors, ties and zeros too."""

    id = "numbers"
    dims = 3
    asymmetric = False

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        return np.array([[float(part) for part in text.split()] for text in texts], dtype=np.float32)


class Add(NamedTuple):
    """One addition."""

    query: str
    task: str
    template: str
    position: int
    items: int
    date: str = ""

    def experience(self, number: int) -> Experience:
        return make_experience(
            number,
            self.query,
            task=self.task,
            template=self.template,
            position=self.position,
            attempt=number % 2,
            items=self.items,
            date=self.date,
        )


class Search(NamedTuple):
    """One search; `before` is the position of a snapshot."""

    query: str
    k: int
    task: str | None = None
    template: str | None = None
    before: int | None = None
    not_after: str | None = None


_QUERY = st.lists(st.integers(-2, 2), min_size=3, max_size=3).map(lambda numbers: " ".join(map(str, numbers)))
DATES = ["2021-03-01T08:00:00+00:00", "2021-03-01T08:00:01+00:00", "2022-01-01T00:00:00+00:00"]
_ADD = st.builds(
    Add,
    _QUERY,
    st.sampled_from("abcd"),
    st.sampled_from(["", "T", "U"]),
    st.integers(0, 5),
    st.integers(0, 2),
    st.sampled_from(["", *DATES]),
)
_SEARCH = st.builds(
    Search,
    _QUERY,
    st.integers(0, 6),
    st.sampled_from([None, "a", "b", "nobody"]),
    st.sampled_from([None, "", "T", "V"]),
    st.sampled_from([None, 0, 2, 4]),
    st.sampled_from([None, None, *DATES]),
)


def unit(text: str) -> list[float] | None:
    numbers = [float(part) for part in text.split()]
    norm = math.sqrt(sum(number * number for number in numbers))
    return [float(np.float32(number / norm)) for number in numbers] if norm else None


def best(added: list[Experience], search: Search) -> list[tuple[str, float]]:
    wanted = unit(search.query)
    if wanted is None:
        return []
    scored = []
    for number, experience in enumerate(added):
        vector = unit(experience.query)
        hidden = (
            experience.task_id == search.task
            or (search.template and experience.template_id == search.template)
            or (search.before is not None and experience.position >= search.before)
            or (search.not_after is not None and not experience.date)
            or (search.not_after is not None and experience.date > search.not_after)
        )
        if vector is None or hidden or not experience.items:
            continue
        score = round(math.fsum(a * b for a, b in zip(wanted, vector)), 6)
        scored.append((-score, experience.position, experience.attempt, number, experience.id, score))
    return [(row[4], row[5]) for row in sorted(scored)[: search.k]]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(_ADD, _ADD, _SEARCH), max_size=40))
def test_any_sequence_of_additions_and_searches_agrees_with_brute_force(steps: list[Add | Search]) -> None:
    added: list[Experience] = []
    with Bank.open(None, Numbers()) as bank:
        for step in steps:
            if isinstance(step, Add):
                added.append(step.experience(len(added)))
                assert bank.add(added[-1])
                continue
            reader = bank if step.before is None else bank.snapshot(step.before)
            found = reader.search(
                step.query,
                step.k,
                exclude_task=step.task,
                exclude_template=step.template,
                not_after=step.not_after,
            )
            assert [(hit.experience.id, hit.score) for hit in found] == best(added, step)
        assert bank.all() == added


@settings(deadline=None, max_examples=25)
@given(st.lists(_ADD, min_size=1, max_size=12), st.integers(0, 12))
def test_a_bank_opened_again_answers_as_before(steps: list[Add], cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.sqlite"
        added = [step.experience(number) for number, step in enumerate(steps)]
        for part in (added[:cut], added[cut:]):
            with Bank.open(path, Numbers()) as bank:
                for experience in part:
                    bank.add(experience)
        with Bank.open(path, Numbers()) as again, Bank.open(None, Numbers()) as fresh:
            for experience in added:
                fresh.add(experience)
            assert again.all() == added
            assert again.search("1 2 0", 5, exclude_task=None) == fresh.search("1 2 0", 5, exclude_task=None)


def test_many_equal_scores_and_large_k_agree_with_brute_force() -> None:
    with Bank.open(None, Numbers()) as bank:
        added = [
            make_experience(number, f"{number % 3} 1 0", task=str(number % 7), position=number * 37 % 101)
            for number in range(101)
        ]
        for experience in added:
            bank.add(experience)
        for k in (1, 9, 30, 34, 35, 100, 500):
            for task in (None, "3"):
                found = bank.search("0 1 0", k, exclude_task=task)
                wanted = best(added, Search("0 1 0", k, task))
                assert [(hit.experience.id, hit.score) for hit in found] == wanted
