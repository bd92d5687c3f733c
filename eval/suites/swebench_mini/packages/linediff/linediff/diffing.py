"""Two texts to a diff."""

from collections.abc import Iterator, Sequence

from linediff.ops import Kind, Op, joined


def plain(line: str) -> str:
    """A line without blanks at its ends, and with one blank where there are several."""
    return " ".join(line.split())


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines are equal at the beginning, and how many of the others at the end."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def lengths(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """For each pair of positions the length of the longest common subsequence of what follows them."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            below = max(table[i + 1][j], table[i][j + 1])
            table[i][j] = table[i + 1][j + 1] + 1 if old[i] == new[j] else below
    return table


def moves(old: Sequence[str], new: Sequence[str]) -> Iterator[Kind]:
    """The shortest way from one text to the other, one line after the other."""
    head, tail = common_ends(old, new)
    for _ in range(head):
        yield "keep"
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    table = lengths(old, new)
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            yield "keep"
            i, j = i + 1, j + 1
        elif j == len(new) or (i < len(old) and table[i + 1][j] >= table[i][j + 1]):
            yield "drop"
            i += 1
        else:
            yield "add"
            j += 1
    for _ in range(tail):
        yield "keep"


def diff(old: Sequence[str], new: Sequence[str], *, ignore_blanks: bool = False) -> list[Op]:
    """What leads from one text to the other. With `ignore_blanks`, lines that differ in blanks only are kept, as they
    are in the new text."""
    ways = moves([plain(line) for line in old], [plain(line) for line in new]) if ignore_blanks else moves(old, new)
    left, right = iter(old), iter(new)
    steps: list[tuple[Kind, str]] = []
    for kind in ways:
        line = next(left) if kind != "add" else ""
        steps.append((kind, line if kind == "drop" else next(right)))
    return joined(steps)


def reverse(ops: Sequence[Op]) -> list[Op]:
    """The diff that leads back."""
    turned: dict[Kind, Kind] = {"keep": "keep", "drop": "add", "add": "drop"}
    return joined((turned[op.kind], line) for op in ops for line in op.lines)


def ratio(old: Sequence[str], new: Sequence[str]) -> float:
    """How alike two texts are: from 0, no line in common, to 1, equal."""
    if not old and not new:
        return 1.0
    kept = sum(1 for kind in moves(old, new) if kind == "keep")
    return 2 * kept / (len(old) + len(new))
