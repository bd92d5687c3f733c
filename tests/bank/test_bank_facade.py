"""What the bank promises: adding, searching, excluding, looking back, and refusing what it must."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from inspect import Parameter, signature
from pathlib import Path

import numpy as np
import pytest
from bank_makers import make_experience as make
from numpy.typing import NDArray

from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.embed.wordllama import WordLlamaEmbedder
from reasoningbank.errors import BankError, SetupError
from reasoningbank.interfaces import BankReader, Side


class Fixed:
    """An embedder that returns what the test says, whatever the text."""

    def __init__(self, rows: NDArray[np.float64], *, dims: int = 4) -> None:
        self.id = "fixed"
        self.asymmetric = False
        self.dims = dims
        self.rows = rows

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        return self.rows.astype(np.float32)


@pytest.fixture(params=["file", "memory"])
def bank(request: pytest.FixtureRequest, tmp_path: Path) -> Bank:
    return Bank.open(tmp_path / "bank.sqlite" if request.param == "file" else None, HashingEmbedder())


def test_whose_lessons_to_leave_out_must_be_said(bank: Bank) -> None:
    """A method that forgets it would recall the task's own lessons, and nobody would notice."""
    with pytest.raises(TypeError, match="exclude_task"):
        bank.snapshot(9).search("shoes", 1)  # type: ignore[call-arg]
    assert signature(BankReader.search).parameters["exclude_task"].default is Parameter.empty


def test_an_added_experience_is_found_got_and_listed(bank: Bank) -> None:
    first, second = make(0, "spent on shoes", items=3), make(1, "write a review")
    assert bank.add(first)
    assert bank.add(second)
    hits = bank.search("spent on shoes", 2, exclude_task=None)
    assert [hit.experience for hit in hits] == [first, second]
    assert hits[0].items == first.items
    assert hits[0].score == 1.0
    assert bank.get(second.id) == second
    assert bank.all() == [first, second]
    assert bank.ids() == [(0, first.id), (1, second.id)]
    assert len(bank) == 2


def test_adding_again_is_no_change_and_other_content_is_refused(bank: Bank) -> None:
    first = make(0, "spent on shoes")
    assert bank.add(first)
    assert not bank.add(first)
    assert len(bank.search("spent on shoes", 5, exclude_task=None)) == 1
    with pytest.raises(BankError, match=r"another query.*nothing was changed") as caught:
        bank.add(first.model_copy(update={"query": "something else"}))
    assert first.id in str(caught.value)
    assert bank.all() == [first]
    assert bank.add(make(1))


def test_exclusions_come_before_the_ranking(bank: Bank) -> None:
    for number in range(40):
        bank.add(make(number, "spent on shoes", task="own", template="T", position=number))
    bank.add(make(40, "something far away", task="other", template="T"))
    bank.add(make(41, "another thing entirely", task="third", template=""))
    assert [hit.experience.task_id for hit in bank.search("spent on shoes", 2, exclude_task="own")] == [
        "third",
        "other",
    ]
    hits = bank.search("spent on shoes", 9, exclude_task=None, exclude_template="T")
    assert [hit.experience.task_id for hit in hits] == ["third"]
    assert bank.search("spent on shoes", 1, exclude_task="third", exclude_template="T") == []
    assert len(bank.search("spent on shoes", 99, exclude_template="", exclude_task=None)) == 42


def test_equal_scores_come_earliest_first_whatever_the_order_of_addition(bank: Bank) -> None:
    order = [(5, 0), (2, 1), (9, 0), (2, 0), (0, 3)]
    for number, (position, attempt) in enumerate(order):
        bank.add(make(number, "shoes spent on", position=position, attempt=attempt))
    for k in range(1, 6):
        hits = bank.search("shoes spent on", k, exclude_task=None)
        assert [(hit.experience.position, hit.experience.attempt) for hit in hits] == sorted(order)[:k]


def test_ranking_by_item(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", HashingEmbedder(), key="item") as bank:
        bank.add(make(0, "alpha beta", items=3, title="Sort"))
        bank.add(make(1, "gamma delta", items=2, title="Filter"))
        hits = bank.search("Sort 1 alpha beta 1", 3, exclude_task=None)
        assert hits[0].items[0].id.rpartition("#")[2] == "0.1"
        assert all(len(hit.items) == 1 for hit in hits)
        assert len(bank.search("Sort", 99, exclude_task=None)) == 5
        assert len(bank.search("Sort", 99, exclude_task="0")) == 2


def test_what_has_no_items_or_no_words_takes_no_place(bank: Bank) -> None:
    bank.add(make(0, "spent on shoes", items=0))
    bank.add(make(1, "  !?  "))
    assert bank.search("spent on shoes", 3, exclude_task=None) == []
    kept = make(2, "something else")
    bank.add(kept)
    assert [hit.experience for hit in bank.search("spent on shoes", 1, exclude_task=None)] == [kept]
    assert bank.search("", 3, exclude_task=None) == []
    assert len(bank.all()) == 3


def test_a_snapshot_sees_earlier_positions_only(bank: Bank) -> None:
    added = [make(number, f"query number {number}") for number in range(5)]
    for experience in added[:4]:
        bank.add(experience)
    reader: BankReader = bank.snapshot(3)
    bank.add(added[4])
    assert [hit.experience for hit in reader.search("query number 3", 9, exclude_task=None)] == added[:3]
    assert reader.all() == added[:3]
    assert reader.get(added[2].id) == added[2]
    with pytest.raises(BankError, match="position 3"):
        reader.get(added[3].id)
    assert bank.snapshot(0).search("query", 3, exclude_task=None) == []


def test_searching_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder()) as bank:
        bank.add(make(0))
    before = path.read_bytes()
    with Bank.open(path, HashingEmbedder()) as bank:
        bank.search("spent on shoes", 3, exclude_task="1")
        bank.snapshot(1).all()
    assert path.read_bytes() == before


def test_the_missing_tail_of_a_journal(bank: Bank) -> None:
    learnt = [make(number) for number in range(4)]
    assert bank.pending(learnt) == learnt
    for experience in learnt[:3]:
        bank.add(experience)
    assert bank.pending(learnt) == learnt[3:]
    assert bank.pending(learnt[:3]) == []
    with pytest.raises(BankError, match="the journal ends before it"):
        bank.pending(learnt[:2])
    with pytest.raises(BankError, match="entry 1 is"):
        bank.pending([learnt[0], *learnt[2:]])


def test_several_threads_search_while_one_adds(tmp_path: Path) -> None:
    bank = Bank.open(tmp_path / "bank.sqlite", HashingEmbedder(dims=64))
    bank.add(make(0, "query number 0"))
    done = threading.Event()
    errors: list[str] = []

    def look() -> None:
        while not done.is_set():
            hits = bank.search("query number 0", 3, exclude_task="none")
            if hits[0].experience.position != 0:
                errors.append(hits[0].experience.id)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 60):
        bank.add(make(number, f"query number {number}"))
    done.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(bank.search("query", 100, exclude_task=None)) == 60
    bank.close()


def test_two_banks_on_one_file_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder()) as one, Bank.open(path, HashingEmbedder()) as two:
        one.add(make(0, "spent on shoes"))
        assert len(two.search("spent on shoes", 5, exclude_task=None)) == 1
        two.add(make(1, "spent on shoes"))
        assert len(one.search("spent on shoes", 5, exclude_task=None)) == 2


def test_closing_twice_is_no_error_and_use_afterwards_is(bank: Bank) -> None:
    bank.add(make(0))
    bank.close()
    bank.close()
    with pytest.raises(BankError, match="is closed"):
        bank.search("shoes", 1, exclude_task=None)
    with pytest.raises(BankError, match="is closed"):
        bank.add(make(1))


def test_bad_arguments(bank: Bank) -> None:
    with pytest.raises(ValueError, match="k is -1"):
        bank.search("shoes", -1, exclude_task=None)
    bank.add(make(0))
    assert bank.search("shoes", 0, exclude_task=None) == []
    with pytest.raises(BankError, match="no experience 'nowhere'"):
        bank.get("nowhere")
    with pytest.raises(BankError, match="retrieval key is 'items'"):
        Bank.open(None, HashingEmbedder(), key="items")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "found"),
    [(np.ones((1, 3)), "shape"), (np.ones((2, 4)), "shape"), (np.full((1, 4), np.nan), "not finite")],
)
def test_an_embedder_that_returns_nonsense_stores_nothing(rows: NDArray[np.float64], found: str) -> None:
    with Bank.open(None, Fixed(rows)) as bank:
        with pytest.raises(SetupError, match=found):
            bank.add(make(0))
        assert bank.all() == []


def test_vectors_are_normalised_by_the_bank() -> None:
    with Bank.open(None, Fixed(np.array([[300.0, 0, 0, 400.0]]))) as bank:
        bank.add(make(0))
        (row,) = bank.store.vectors_after(0)
        assert row.vector.tolist() == pytest.approx([0.6, 0, 0, 0.8])
        assert bank.search("anything", 1, exclude_task=None)[0].score == 1.0


def test_text_of_any_kind_comes_back_as_it_was(bank: Bank) -> None:
    for number, text in enumerate(
        ["naïve 買い物 🛒", "tab\there\nand there", "nul \x00 inside", "lone \ud800 surrogate"]
    ):
        experience = make(number, text)
        bank.add(experience)
        assert bank.get(experience.id) == experience
        assert bank.search(text, 1, exclude_task=None)[0].experience == experience


def test_faiss_uses_one_thread_in_whichever_thread_searches(bank: Bank) -> None:
    import faiss

    bank.add(make(0))
    seen: list[int] = []

    def search() -> None:
        faiss.omp_set_num_threads(3)
        bank.search("shoes", 1, exclude_task=None)
        seen.append(faiss.omp_get_max_threads())

    for _ in range(2):
        thread = threading.Thread(target=search)
        thread.start()
        thread.join()
    assert seen == [1, 1]


def test_equal_texts_score_equally_wherever_they_lie() -> None:
    embedder = WordLlamaEmbedder()
    with Bank.open(None, embedder) as bank:
        for number in range(60):
            text = "total price of my boots" if number % 3 else f"review number {number} of the lamp"
            bank.add(make(number, text, position=59 - number))
        hits = bank.search("how much did I pay for boots", 40, exclude_task=None)
    assert len({hit.score for hit in hits}) == 1
    assert [hit.experience.position for hit in hits] == sorted(59 - number for number in range(60) if number % 3)
