"""What comes before what: journal before bank, earlier positions before later ones, a lost line's lessons again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from runner_helpers import TINY, kill_at
from watched_bench import bench_of, run_bench

from eval.journal import JournalLine
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import LLM, BankReader, Episode, EpisodeCalls, MemoryMethod
from reasoningbank.types import Distilled, Message, Recall, Reply, Task


def journal_lines(folder: Path) -> list[JournalLine]:
    return [JournalLine.model_validate_json(line) for line in (folder / "journal.jsonl").read_bytes().splitlines()]


def held(folder: Path) -> list[str]:
    with Bank.open(folder / "bank.sqlite", HashingEmbedder(), create=False) as bank:
        return [experience.id for experience in bank.all()]


def learnt(lines: Sequence[JournalLine]) -> list[str]:
    return [experience.id for line in lines for experience in line.result.learnt]


def lose_the_last_line(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize("passage", [1, 3])
def test_the_journal_is_written_before_the_bank(passage: int, tmp_path: Path) -> None:
    line = ["run", *TINY, "memory=reasoningbank", f"results_dir={tmp_path}", "run_name=job"]
    kill_at("journal.bank", passage, tmp_path / "here", *line)
    folder = tmp_path / "job" / "streams" / "sums.t0"
    lines = journal_lines(folder)
    assert len(lines) == passage
    assert learnt(lines[-1:]), "the line that was written last has something to add to the bank"
    assert held(folder) == learnt(lines[:-1])


class Onlooker:
    """A memory method that looks at all of the bank, its own task's experiences too, and otherwise does as another."""

    needs_verdicts = True

    def __init__(self, inner: MemoryMethod) -> None:
        self._inner = inner
        self.seen: list[tuple[set[int], set[int], int]] = []
        """For each recall, the positions in all of the bank and among the hits, and how many could be got by id."""
        self.wanted: list[str] = []

    def recall(self, task: Task, bank: BankReader) -> Recall:
        hits = bank.search(task.intent, 100, exclude_task=None)
        got = sum(can(lambda name=name: bank.get(name)) for name in self.wanted)  # type: ignore[misc]
        self.seen.append(
            ({each.position for each in bank.all()}, {hit.experience.position for hit in hits}, got),
        )
        return self._inner.recall(task, bank)

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return self._inner.distill(episode, calls)


def can(get: Callable[[], object]) -> bool:
    try:
        get()
    except SetupError:
        return False
    return True


def test_a_task_sees_what_was_learnt_before_it_and_no_more(tmp_path: Path) -> None:
    bench = bench_of("limit=4")
    onlooker = Onlooker(bench.memory)
    run_bench(replace(bench, memory=onlooker), tmp_path)
    assert [(everything, found) for everything, found, _ in onlooker.seen] == [
        (set(range(position)), set(range(position))) for position in range(4)
    ]


def test_a_task_that_runs_again_sees_nothing_of_what_it_taught(tmp_path: Path) -> None:
    """Its line was lost, so the bank is ahead of the journal while it runs."""
    bench = bench_of("limit=4")
    before = run_bench(bench, tmp_path)
    lose_the_last_line(tmp_path)
    assert held(tmp_path) == learnt(before)
    onlooker = Onlooker(bench.memory)
    onlooker.wanted = learnt(before)
    after = run_bench(replace(bench, memory=onlooker), tmp_path)
    assert onlooker.seen == [({0, 1, 2}, {0, 1, 2}, len(learnt(before[:3])))]
    assert [line.result for line in after] == [line.result for line in before]
    assert held(tmp_path) == learnt(before)


class Otherwise:
    """Another model in the place of the first, under its name: all its lessons are said differently."""

    def __init__(self, inner: LLM) -> None:
        self.id = inner.id
        self.simulated = inner.simulated
        self._inner = inner

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        reply = self._inner.complete(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)
        return reply.model_copy(update={"text": reply.text.replace("Check the sum", "Check it twice")})


@pytest.mark.parametrize("role", ["extractor", "all"])
def test_a_lost_line_whose_task_now_teaches_something_else_is_refused(role: str, tmp_path: Path) -> None:
    bench = bench_of("limit=3")
    before = run_bench(bench, tmp_path)
    lose_the_last_line(tmp_path)
    other = {name: Otherwise(llm) if role in (name, "all") else llm for name, llm in bench.llms.items()}
    with pytest.raises(SetupError, match="something else"):
        run_bench(replace(bench, llms=other), tmp_path)
    assert [line.result for line in journal_lines(tmp_path)] == [line.result for line in before[:2]]
    assert held(tmp_path) == learnt(before)


class Silent(Onlooker):
    """Learns nothing any more."""

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return Distilled()


def test_a_lost_line_whose_task_now_teaches_nothing_is_refused(tmp_path: Path) -> None:
    bench = bench_of("limit=3")
    before = run_bench(bench, tmp_path)
    lose_the_last_line(tmp_path)
    with pytest.raises(SetupError, match="something else"):
        run_bench(replace(bench, memory=Silent(bench.memory)), tmp_path)
    assert len(journal_lines(tmp_path)) == 2
    assert held(tmp_path) == learnt(before)
