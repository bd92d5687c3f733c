"""Fixed lessons: what is recalled was written before the run, and the run learns nothing.

Arms of this kind say what memory can do on a suite: the true lessons (`memory=oracle`) how much it can help, plausible
wrong ones (`memory=adversarial`) how much it can hurt.

`lessons` is a folder with a file for each group of tasks, `<group>.md` (a `/` in the group's name is `__` there), in
the format in which an extractor writes its items. Tasks of several groups at once get the lessons of `multi.md`, or
without it those of all files.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path

from reasoningbank.bank.bank import Bank
from reasoningbank.distill.parse import parse_items
from reasoningbank.errors import SetupError, UnusableReply
from reasoningbank.interfaces import BankReader, Embedder, Episode, EpisodeCalls
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, Distilled, Experience, Hit, MemoryItem, Recall, Role, Task, digest

SEVERAL = "multi"
"""The group of tasks that belong to several."""
_MOST = 1000


class FixedLessons:
    """Recalls the lessons of the task's group, those nearest to its intent first: all of them, or `max_items`.

    All is the default, since a lesson that retrieval missed would count against the suite. To compare with a method
    that injects three items, set `max_items: 3`.
    """

    needs_verdicts = False
    roles: tuple[Role, ...] = ()

    def __init__(
        self, *, prompts: PromptPack, embedder: Embedder, lessons: str, max_items: AtLeastOne | None = None
    ) -> None:
        self._prompts = prompts
        self._embedder = embedder
        self._max_items = max_items
        self._folder = _found(lessons)
        self._texts = {path.stem: _read(path) for path in sorted(self._folder.glob("*.md"))}
        self._groups = {stem: self._items(stem, text) for stem, text in self._texts.items()}
        self.given_lessons = self._folder.name
        self._rankings: dict[str, Bank] = {}
        self._lock = threading.Lock()

    def digests(self) -> Mapping[str, str]:
        """The lessons, and not where they lie, are what a result depends on."""
        return {"lessons": digest(self._texts)}

    def recall(self, task: Task, bank: BankReader) -> Recall:
        """The group's lessons as one hit, whose score is that of the nearest. SetupError for a group without a file."""
        given = self._of(task.group)
        found = self._ranking(given).search(task.intent, len(given.items))
        ranked = [item for hit in found for item in hit.items]
        ranked += [item for item in given.items if item not in ranked]
        items = tuple(ranked[: self._max_items])
        hit = Hit(experience=given, items=items, score=found[0].score if found else 0.0)
        return Recall(hits=(hit,), text=self._prompts.render("memory_items", items=items))

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return Distilled()

    def _ranking(self, given: Experience) -> Bank:
        """A bank of the group's lessons alone, made once: to rank by title and description is a bank's business."""
        with self._lock:
            if given.id not in self._rankings:
                bank = Bank.open(None, self._embedder, key="item")
                weakref.finalize(self, bank.close)
                bank.add(given)
                self._rankings[given.id] = bank
            return self._rankings[given.id]

    def _of(self, group: str) -> Experience:
        """All the lessons for a group, in the shape of an experience."""
        stem = group.replace("/", "__")
        if stem in self._groups:
            return self._experience(stem, self._groups[stem])
        if group == SEVERAL and self._groups:
            return self._experience(SEVERAL, (item for items in self._groups.values() for item in items))
        raise SetupError(
            f"no lessons for the group {group!r}: there is no file {self._folder / f'{stem}.md'}; write it, with "
            "items as an extractor writes them, or name another folder with memory.lessons"
        )

    def _experience(self, stem: str, items: Iterable[MemoryItem]) -> Experience:
        name = self._name(stem)
        return Experience(
            id=name,
            query="",
            task_id=name,
            kind="mixed",
            verdicts=(),
            items=tuple(items),
            source_attempts=(),
            position=0,
        )

    def _items(self, stem: str, text: str) -> tuple[MemoryItem, ...]:
        try:
            parsed = parse_items(text, max_items=_MOST)
        except UnusableReply as error:
            raise SetupError(f"lessons {self._folder / f'{stem}.md'} cannot be read: {error.reason}") from error
        return tuple(
            MemoryItem(id=f"{self._name(stem)}.{number}", polarity="mixed", **item.model_dump())
            for number, item in enumerate(parsed)
        )

    def _name(self, stem: str) -> str:
        return f"{self._folder.name}/{stem}"


def _found(lessons: str) -> Path:
    folder = Path(lessons).resolve()
    if not folder.is_dir():
        raise SetupError(
            f"memory.lessons={lessons}: there is no folder {folder}; name one that has a file GROUP.md for every group "
            "of the suite's tasks"
        )
    return folder


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"lessons {path} cannot be read: {error}") from error
