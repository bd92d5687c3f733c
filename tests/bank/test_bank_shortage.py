"""What the system is short of, while SQLite works: InfraError with what helps, and a bank that is whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bank_makers import make_experience

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.copy import examine
from reasoningbank.embed.hashing import HashingEmbedder

CHILD = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, 'tests/bank')
from bank_makers import make_experience
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import InfraError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
what, most, path = getattr(resource, sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
if what == resource.RLIMIT_NOFILE:
    most += max(int(each.name) for each in Path('/proc/self/fd').iterdir())
resource.setrlimit(what, (most, most))
added = 0
try:
    bank = Bank.open(path, HashingEmbedder())
    for number in range(3, 60):
        bank.add(make_experience(number, 'word ' * 400))
        added += 1
except InfraError as error:
    print(f'{added} {error}')
"""


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        *(("RLIMIT_FSIZE", size, "ulimit -f") for size in (0, 5_000, 36_000, 80_000, 150_000)),
        *(("RLIMIT_NOFILE", number, "Too many open files: allow more open files (ulimit -n)") for number in (0, 1, 2)),
    ],
)
def test_a_shortage_is_told_as_one_and_the_bank_is_whole(
    limit: str, most: int, said: str, there: bool, tmp_path: Path
) -> None:
    path = tmp_path / "bank.sqlite"
    if there:
        with Bank.open(path, HashingEmbedder()) as bank:
            for number in range(3):
                bank.add(make_experience(number, "word"))
    line = [sys.executable, "-c", CHILD, limit, str(most), str(path)]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    if not ended.stdout:
        assert limit == "RLIMIT_NOFILE", "a file or two less than it has is enough"
        return
    added, told = ended.stdout.split(" ", 1)
    assert str(path) in told
    assert said in told
    assert told.count("\n") == 1
    with Bank.open(path, HashingEmbedder()) as bank:
        assert len(bank) == int(added) + 3 * there
    assert examine(path) == []
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
