"""Positions are given out once, whichever object or process asks."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from bank_makers import make_experience as make
from waiting import HANG

from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder

CHILD = (
    "import sys\n"
    "from pathlib import Path\n"
    "from reasoningbank.bank.bank import Bank\n"
    "from reasoningbank.embed.hashing import HashingEmbedder\n"
    "with Bank.open(Path(sys.argv[1]), HashingEmbedder()) as bank:\n"
    "    print(*[bank.next_position() for _ in range(10)])\n"
)


def test_positions_follow_what_is_stored_and_what_was_given(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, HashingEmbedder()) as bank:
        assert [bank.next_position(), bank.next_position()] == [0, 1]
        bank.add(make(0, position=7))
        assert bank.next_position() == 8
    with Bank.open(path, HashingEmbedder()) as bank:
        assert bank.next_position() == 9
        bank.add(make(1, position=-1))
        assert bank.next_position() == 10


def test_no_two_callers_get_the_same_position(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    Bank.open(path, HashingEmbedder()).close()
    children = [
        subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    given: list[int] = []

    def ask() -> None:
        with Bank.open(path, HashingEmbedder()) as bank:
            given.extend(bank.next_position() for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for child in children:
        given += [int(number) for number in child.communicate(timeout=HANG)[0].split()]
    assert sorted(given) == [*range(50)]
