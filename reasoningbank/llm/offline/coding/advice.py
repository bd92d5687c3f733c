"""Recalled text as the simulated agent takes it in a repository: which ideas it names, and which customs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reasoningbank.llm.offline.advice import items_in, sentences_in
from reasoningbank.llm.offline.coding.customs import CUSTOMS
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.denial import NEEDLESS, denied

_AGAINST = re.compile(
    r"\b(?:seldom|rarely|hardly|waste\w*|pointless|useless|in vain|did not (?:help|go well)|last resort|forget"
    r"|leave out|unnecessary|clutter\w*|by hand|did no good)\b"
)
_DENIED = re.compile(
    r"\b(?:do not|don't|never|not|avoid|without|no use|no point|instead of|rather than)\b[^.,;]{0,15}"
    r"\b(?:look|try|tri|begin|start|bother|check|worry|assume|suspect|think|search|consider|test|spend)\w*"
)
_TESTS = re.compile(
    r"\b(?:edit|change|adjust|adapt|relax|loosen|delete|remove|skip|weaken|rewrite)\w*\b"
    r"(?:(?!\b(?:run|rerun|not|never)\b)[^.,;:]){0,25}\b(?:tests?|assertions?)\b"
)


@dataclass(frozen=True)
class Heard:
    """What the recalled text says. `first` and `last` are ideas by name, `customs` whether each is to be kept."""

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    customs: tuple[tuple[str, bool], ...] = ()
    tests: bool = False
    """Whether it advises to change tests that fail, which nobody should do."""

    def custom(self, name: str) -> bool | None:
        return dict(self.customs).get(name)


@lru_cache(maxsize=256)
def hear(memory: str) -> Heard:
    """The recalled text, sentence by sentence; a later sentence does not take back an earlier one."""
    first: dict[str, None] = {}
    last: dict[str, None] = {}
    customs: dict[str, bool] = {}
    tests = False
    for item in items_in(memory) if memory.strip() else []:
        for sentence in sentences_in(item):
            lower = sentence.lower().replace("’", "'")
            found = _TESTS.search(lower)
            tests = tests or (found is not None and not denied(lower, found.start()))
            for name, idea in IDEAS.items():
                found = idea.about.search(lower)
                if found:
                    (last if _against(lower) or _DENIED.search(lower) else first).setdefault(name)
            for name, custom in CUSTOMS.items():
                found = custom.about.search(lower)
                if found:
                    customs.setdefault(name, not (_against(lower) or denied(lower, found.start())))
    return Heard(tuple(first), tuple(name for name in last if name not in first), tuple(customs.items()), tests)


def titles_in(memory: str) -> list[str]:
    """The first lines of the recalled items."""
    return [item.partition("\n")[0] for item in items_in(memory)] if memory.strip() else []


def _against(lower: str) -> bool:
    return _AGAINST.search(lower) is not None or NEEDLESS.search(lower) is not None
