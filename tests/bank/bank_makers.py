"""Makers of experiences for the tests of the bank."""

from __future__ import annotations

from reasoningbank.types import Experience, MemoryItem, Verdict


def make_experience(
    number: int,
    query: str = "how much did I spend on shoes",
    *,
    task: str | None = None,
    template: str = "",
    position: int | None = None,
    attempt: int = 0,
    items: int = 1,
    title: str = "Sort first",
    date: str = "",
) -> Experience:
    """An experience whose id comes from `number`."""
    task = str(number) if task is None else task
    position = number if position is None else position
    key = f"shop.t0/{position:04d}/{task}#{number}"
    return Experience(
        id=key,
        query=query,
        task_id=task,
        template_id=template,
        group="shop",
        kind="success",
        verdicts=(Verdict(label="success", reasons="the answer fits the page"),),
        items=tuple(
            MemoryItem(
                id=f"{key}.{index}",
                title=f"{title} {index}",
                description=f"{query} {index}",
                content="Sort the list before setting a filter.",
                polarity="success",
                source_attempts=(f"shop.t0/{position:04d}/{task}/{attempt}",),
            )
            for index in range(items)
        ),
        source_attempts=(f"shop.t0/{position:04d}/{task}/{attempt}",),
        position=position,
        attempt=attempt,
        date=date,
    )
