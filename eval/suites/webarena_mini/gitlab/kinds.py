"""Issues and merge requests: what is different about them. All else they have in common."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of item. `tabs` are the choices of a list, state and label; the first one is what a list begins with."""

    key: str
    folder: str
    title: str
    noun: str
    sign: str
    tabs: tuple[tuple[str, str], ...]
    any_label: bool
    """Of several labels in a filter one is enough; otherwise an item needs all of them."""
    reviewed: bool
    """Comments wait until the review is submitted; and there are a reviewer and approvals."""

    @property
    def first_tab(self) -> str:
        """The state that a list shows unless another one is asked for."""
        return self.tabs[0][0]


ISSUE = Kind(
    key="issue",
    folder="issues",
    title="Issues",
    noun="issue",
    sign="#",
    tabs=(("opened", "Open"), ("closed", "Closed"), ("all", "All")),
    any_label=True,
    reviewed=False,
)
REQUEST = Kind(
    key="merge_request",
    folder="merge_requests",
    title="Merge requests",
    noun="merge request",
    sign="!",
    tabs=(("all", "All"), ("opened", "Open"), ("merged", "Merged"), ("closed", "Closed")),
    any_label=False,
    reviewed=True,
)
KINDS = (ISSUE, REQUEST)
STATES = {"opened": "Open", "closed": "Closed", "merged": "Merged"}
