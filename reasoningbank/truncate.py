"""The one way a long text is shortened: its middle goes, both ends stay, and the gap is said."""

from __future__ import annotations


def keep_ends(text: str, budget: int) -> str:
    """`text` in at most about `budget` characters, cut at line ends where there are any.

    The head keeps two fifths and the tail three: how something ended says more than how it went on. The marker that
    states how much was left out comes on top of the budget.
    """
    if budget < 0:
        raise ValueError(f"a character budget cannot be negative, found {budget}")
    if len(text) <= budget:
        return text
    head_end = budget * 2 // 5
    tail_start = len(text) - (budget - head_end)
    line_end = text.rfind("\n", 0, head_end + 1)
    if line_end > head_end // 2:
        head_end = line_end
    line_start = text.find("\n", tail_start)
    if line_start != -1 and line_start - tail_start < (len(text) - tail_start) // 2:
        tail_start = line_start + 1
    left_out = tail_start - head_end
    return f"{text[:head_end].rstrip()}\n[... {left_out} characters left out ...]\n{text[tail_start:].lstrip()}"
