"""What is recalled through a snapshot is of earlier positions, whatever the bank has by then."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from bank_makers import make_experience as make

from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.memory.base import Learning
from reasoningbank.memory.reasoningbank import ReasoningBankMemory
from reasoningbank.memory.synapse import Synapse
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Task


@pytest.mark.parametrize("key", ["query", "item"])
@pytest.mark.parametrize("method", [ReasoningBankMemory, Synapse])
def test_recall_through_a_snapshot_never_sees_later_positions(
    method: type[ReasoningBankMemory] | type[Synapse], key: Literal["query", "item"], tmp_path: Path
) -> None:
    """The later, the more like the query: without the snapshot the last would be recalled first."""
    words = [f"word{number}" for number in range(8)]
    query = " ".join(words)
    memory = method(
        prompts=PromptPack(),
        retrieval={"k": 3, "key": key},
        learning=Learning(),
        learn_from="both",
    )
    learnt = [make(number, " ".join(words[: number + 1]), items=2, title=words[number]) for number in range(8)]
    task = Task(id="own", suite="shop", group="shop", intent=query)
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder(), key=key) as bank:
        before = []
        for experience in learnt:
            before.append(memory.recall(task, bank.snapshot(experience.position)))
            bank.add(experience)
        assert memory.recall(task, bank).hits[0].experience == learnt[-1]
        past = [memory.recall(task, bank.snapshot(position)) for position in range(8)]
    assert past == before
    assert [max((hit.experience.position for hit in each.hits), default=-1) for each in past] == [*range(-1, 7)]
    with Bank.open(path, HashingEmbedder(), key=key) as again:
        assert [memory.recall(task, again.snapshot(position)) for position in range(8)] == before
