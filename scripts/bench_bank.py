"""What the bank costs: adding durably, searching, adding then searching, opening. Beside it, the floor.

    python scripts/bench_bank.py                     # 1,000 and 10,000 experiences at 256 and 3072 dims
    python scripts/bench_bank.py --sizes 1000 --dims 256

Milliseconds, medians. The floors are the least that any such bank must do: a bare SQLite insert with the same commit,
a bare matrix product with a top-k by numpy, and a bare FAISS search on one thread. The banks lie in --folder, so that
the disk that is measured is the one that will be used.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reasoningbank.bank.bank import Bank
from reasoningbank.interfaces import Side
from reasoningbank.types import Experience, MemoryItem, Verdict

REPEATS = 50


class Drawn:
    """Vectors drawn in advance: text "i" is row i. Embedding costs nothing, so that the bank alone is measured."""

    asymmetric = False

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self.rows = rows
        self.dims = rows.shape[1]
        self.id = f"drawn-{self.dims}"

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        return self.rows[[int(text) for text in texts]]


def experience(number: int) -> Experience:
    key = f"bench.t0/{number:05d}/{number}#0"
    item = MemoryItem(
        id=f"{key}.0",
        title="Sort before setting a filter",
        description="Where a list is sorted and filtered.",
        content="Sorting forgets filters that were set before it. Sort first, then filter, then read the first row. "
        * 2,
        polarity="success",
        source_attempts=(f"bench.t0/{number:05d}/{number}/0",),
    )
    return Experience(
        id=key,
        query=str(number),
        task_id=str(number),
        template_id=str(number % 97),
        group="bench",
        kind="success",
        verdicts=(Verdict(label="success", reasons="the answer is on the last page"),),
        items=tuple(item.model_copy(update={"id": f"{key}.{place}"}) for place in range(3)),
        source_attempts=item.source_attempts,
        position=number,
    )


def median_ms(call: Callable[[int], object], repeats: int = REPEATS) -> float:
    times = []
    for number in range(repeats):
        start = time.perf_counter()
        call(number)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def fill(path: Path, embedder: Drawn, size: int) -> float:
    """A bank of `size` experiences; milliseconds of a durable addition, median over all of them."""
    experiences = [experience(number) for number in range(size)]
    with Bank.open(path, embedder) as bank:
        return median_ms(lambda number: bank.add(experiences[number]), size)


def bare_insert(path: Path, embedder: Drawn) -> float:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, body TEXT, vector BLOB)")
    body = experience(0).model_dump_json()

    def add(number: int) -> None:
        db.execute("INSERT INTO rows (body, vector) VALUES (?, ?)", (body, embedder.rows[number].tobytes()))

    cost = median_ms(add, 4 * REPEATS)
    db.close()
    return cost


def bare_search(rows: NDArray[np.float32], queries: NDArray[np.float32], k: int) -> tuple[float, float]:
    """Milliseconds of numpy and of FAISS."""
    import faiss

    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    faiss.omp_set_num_threads(1)

    def by_numpy(number: int) -> object:
        scores = rows @ queries[number]
        best = np.argpartition(-scores, k)[:k]
        return best[np.argsort(-scores[best], kind="stable")]

    return median_ms(by_numpy), median_ms(lambda number: index.search(queries[number : number + 1], k))


def measure(folder: Path, size: int, dims: int) -> list[tuple[str, float, str]]:
    """Rows of what, milliseconds, floor."""
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((size + 2 * REPEATS, dims), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    embedder, queries = Drawn(rows), rows[size:]
    path = folder / f"bank-{size}-{dims}.sqlite"

    insert = bare_insert(folder / f"bare-{size}-{dims}.sqlite", embedder)
    table = [("add, durable", fill(path, embedder, size), f"bare SQLite {insert:.3f}")]

    def cold_open(number: int) -> None:
        with Bank.open(path, embedder) as bank:
            bank.search(str(size), 1, exclude_task=None)

    table.append(("open, search once, close", median_ms(cold_open, 5), f"{path.stat().st_size / 1e6:.0f} MB"))
    with Bank.open(path, embedder) as bank:
        for k in (1, 10):
            by_numpy, by_faiss = bare_search(rows[:size], queries, k)
            found = median_ms(lambda number, k=k: bank.search(str(size + number), k, exclude_task=None))  # type: ignore[misc]
            table.append((f"search, top {k}", found, f"numpy {by_numpy:.3f}, FAISS {by_faiss:.3f}"))
        excluded = median_ms(lambda number: bank.search(str(size + number), 1, exclude_task="5", exclude_template="7"))
        table.append(("search, top 1, task and template excluded", excluded, ""))

        later = [experience(size + number) for number in range(REPEATS)]

        def add_and_search(number: int) -> None:
            bank.add(later[number])
            bank.search(str(size + number), 1, exclude_task=None)

        both = median_ms(add_and_search)
        table.append(("add, then search", both, f"bare SQLite + FAISS {insert + by_faiss:.3f}"))
    path.unlink()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000], help="experiences in the bank")
    parser.add_argument("--dims", type=int, nargs="+", default=[256, 3072], help="dims of a vector")
    parser.add_argument("--folder", type=Path, help="where the banks are made and removed (default: a temporary one)")
    arguments = parser.parse_args()
    for dims in arguments.dims:
        for size in arguments.sizes:
            with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
                print(f"\n{size:,} experiences, {dims} dims")
                for what, cost, floor in measure(Path(folder), size, dims):
                    print(f"  {what:<44}{cost:>9.3f} ms   {floor}", flush=True)


if __name__ == "__main__":
    main()
