"""Fixed lessons: files in, the group's items out, the nearest first, and nothing learnt."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from attempt_makers import make_attempt, make_episode, make_scopes, written
from numpy.typing import NDArray

from eval.config.load import load_config
from reasoningbank import ReasoningBank
from reasoningbank.bank.bank import Bank
from reasoningbank.distill.parse import ParsedItem
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import GivesLessons, Side
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.memory.fixed import FixedLessons
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, Recall, Task

APPLES = ParsedItem(title="Count apples", description="When apples are counted.", content="Leave pears out.")
PEARS = ParsedItem(title="Weigh pears", description="When pears are weighed.", content="Take off the lid.")
BREAD = ParsedItem(title="Slice bread", description="When bread is sliced.", content="Begin at the end.")


def folder(path: Path, **groups: list[ParsedItem]) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, items in groups.items():
        (path / f"{name}.md").write_text(written(items), encoding="utf-8")
    return path


def method(lessons: Path | str, max_items: int | None = None) -> FixedLessons:
    return FixedLessons(prompts=PromptPack(), embedder=HashingEmbedder(), lessons=str(lessons), max_items=max_items)


def recall(lessons: FixedLessons, intent: str = "any", group: str = "fruit") -> Recall:
    with Bank.open(None, HashingEmbedder()) as bank:
        return lessons.recall(Task(id="1", suite="s", group=group, intent=intent), bank)


def test_all_of_the_groups_items_are_recalled_the_nearest_first(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path / "good", fruit=[APPLES, PEARS], bakery=[BREAD]))
    for intent, wanted in (("weigh the pears", ["Weigh pears", "Count apples"]), ("apples", ["Count apples"])):
        found = recall(lessons, intent)
        [hit] = found.hits
        assert [item.title for item in hit.items][: len(wanted)] == wanted
        assert len(hit.items) == 2
        assert hit.experience.id == "good/fruit"
        assert {item.id for item in hit.items} == {"good/fruit.0", "good/fruit.1"}
        assert 0 < hit.score <= 1
        assert found.text == PromptPack().render("memory_items", items=hit.items)


class Counting(HashingEmbedder):
    """Counts the documents that it embeds."""

    documents = 0

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        if side == "document":
            self.documents += len(texts)
        return super().embed(texts, side)


def test_lessons_are_embedded_once_whichever_thread_recalls_first(tmp_path: Path) -> None:
    embedder = Counting()
    lessons = FixedLessons(
        prompts=PromptPack(), embedder=embedder, lessons=str(folder(tmp_path, fruit=[APPLES, PEARS], bakery=[BREAD]))
    )
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: recall(lessons, f"{number} pears to weigh"), range(12)))
    assert {hit.items[0].title for each in found for hit in each.hits} == {"Weigh pears"}
    assert embedder.documents == 2
    assert len(recall(lessons, group="multi").hits[0].items) == 3
    assert embedder.documents == 5


def test_the_lessons_have_the_name_of_their_folder(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path / "wise", fruit=[APPLES]))
    assert isinstance(lessons, GivesLessons)
    assert lessons.given_lessons == "wise"


def test_an_intent_that_says_nothing_gets_all_items_too(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path, fruit=[APPLES, PEARS]))
    [hit] = recall(lessons, "…").hits
    assert [item.title for item in hit.items] == ["Count apples", "Weigh pears"]
    assert hit.score == 0


def test_max_items_keeps_the_nearest(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path, fruit=[APPLES, PEARS]), max_items=1)
    found = recall(lessons, "weigh pears")
    assert [item.title for item in found.hits[0].items] == ["Weigh pears"]
    assert "apples" not in found.text


def test_tasks_of_several_groups_get_the_lessons_of_all_or_their_own(tmp_path: Path) -> None:
    files = folder(tmp_path, fruit=[APPLES, PEARS], bakery=[BREAD])
    assert len(recall(method(files), group="multi").hits[0].items) == 3
    folder(tmp_path, multi=[BREAD])
    assert [item.title for item in recall(method(files), group="multi").hits[0].items] == ["Slice bread"]


def test_a_repository_is_a_group_too(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path, psf__requests=[APPLES]))
    assert len(recall(lessons, group="psf/requests").hits[0].items) == 1


def test_nothing_is_learnt_and_no_verdict_asked_for(tmp_path: Path) -> None:
    lessons = method(folder(tmp_path, fruit=[APPLES]))
    assert not lessons.needs_verdicts
    assert lessons.distill(make_episode(make_attempt(0, "success")), make_scopes(ScriptedLLM([]))) == Distilled()


@pytest.mark.parametrize("group", ["garden", "multi"])
def test_a_group_without_a_file_is_refused_by_the_files_name(group: str, tmp_path: Path) -> None:
    lessons = method(folder(tmp_path) if group == "multi" else folder(tmp_path, fruit=[APPLES]))
    with pytest.raises(SetupError, match=f"{group}.md"):
        recall(lessons, group=group)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no item"),
        (b"Here are my lessons.\n\n# Memory Item 1", "text before"),
        (b"# Memory Item 1\n## Title\nt\n## Content\nc", "must have title, description, content"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_file_that_holds_no_lessons_is_refused_at_the_start(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "fruit.md").write_bytes(content)
    with pytest.raises(SetupError, match=rf"fruit\.md.*{said}"):
        method(tmp_path)


def test_a_relative_folder_is_one_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path / "mine", fruit=[APPLES])
    monkeypatch.chdir(tmp_path)
    assert recall(method("mine")).hits[0].experience.id == "mine/fruit"
    with pytest.raises(SetupError, match=r"memory\.lessons=nowhere: there is no folder .*nowhere"):
        method("nowhere")


@pytest.mark.parametrize("kind", ["oracle", "adversarial"])
def test_the_suites_own_lessons_are_found_from_any_folder(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    part = load_config([f"memory={kind}"]).memory
    assert part["type"] == "fixed"
    assert len(recall(method(part["lessons"]), group="shopping").hits[0].items) > 2


def test_the_digest_is_of_what_is_read_and_not_of_where_it_lies(tmp_path: Path) -> None:
    one, two = (method(folder(tmp_path / name, fruit=[APPLES])) for name in ("one", "two"))
    assert one.digests() == two.digests()
    changed = method(folder(tmp_path / "two", fruit=[APPLES.model_copy(update={"content": "Leave pears in."})]))
    assert changed.digests() != one.digests()
    assert method(folder(tmp_path / "two", more=[BREAD])).digests() != changed.digests()


def test_the_library_says_that_it_has_no_lessons_to_give() -> None:
    with pytest.raises(SetupError, match=r"'fixed' needs .*lessons"):
        ReasoningBank(method="fixed", llm=ScriptedLLM([]), embedder=HashingEmbedder())
