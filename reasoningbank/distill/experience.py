"""Making experiences: ids, kinds and sources, in one place for every extractor."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.distill.parse import ParsedItem
from reasoningbank.interfaces import Episode
from reasoningbank.types import Experience, ExperienceKind, JudgedAttempt, MemoryItem, Verdict


def verdict_of(attempt: JudgedAttempt) -> Verdict:
    """The verdict of an attempt that is learnt from."""
    if attempt.verdict is None:
        raise ValueError(f"attempt {attempt.trajectory.attempt_id} has no verdict, so nothing can be learnt from it")
    return attempt.verdict


def kind_of(attempts: Sequence[JudgedAttempt]) -> ExperienceKind:
    """Success or failure when the attempts agree, else mixed."""
    labels = {verdict_of(attempt).label for attempt in attempts}
    if labels == {"success"}:
        return "success"
    return "failure" if labels == {"failure"} else "mixed"


def make_experience(
    episode: Episode, attempts: Sequence[JudgedAttempt], items: Sequence[ParsedItem], *, number: int = 0
) -> Experience:
    """The episode's experience `number`, from `attempts`, each item with all of them as its sources."""
    id = f"{episode.id}#{number}"
    kind = kind_of(attempts)
    sources = tuple(attempt.trajectory.attempt_id for attempt in attempts)
    return Experience(
        id=id,
        query=episode.task.intent,
        task_id=episode.task.id,
        template_id=episode.task.template_id,
        group=episode.task.group,
        kind=kind,
        verdicts=tuple(verdict_of(attempt) for attempt in attempts),
        items=tuple(
            MemoryItem(
                id=f"{id}.{place}",
                title=item.title,
                description=item.description,
                content=item.content,
                polarity=kind,
                source_attempts=sources,
            )
            for place, item in enumerate(items)
        ),
        source_attempts=sources,
        position=episode.position,
        attempt=min(attempt.index for attempt in attempts),
        date=episode.task.date,
    )


def number_experiences(experiences: Sequence[Experience], episode: Episode) -> tuple[Experience, ...]:
    """The same experiences, numbered from 0 within the episode."""
    return tuple(_renamed(experience, f"{episode.id}#{number}") for number, experience in enumerate(experiences))


def merge_experiences(experiences: Sequence[Experience], episode: Episode) -> Experience:
    """One experience with all their items; each item keeps its polarity and its sources."""
    kinds = {experience.kind for experience in experiences}
    merged = experiences[0].model_copy(
        update={
            "kind": kinds.pop() if len(kinds) == 1 else "mixed",
            "verdicts": tuple(verdict for experience in experiences for verdict in experience.verdicts),
            "items": tuple(item for experience in experiences for item in experience.items),
            "source_attempts": tuple(source for experience in experiences for source in experience.source_attempts),
            "attempt": min(experience.attempt for experience in experiences),
        }
    )
    return _renamed(merged, f"{episode.id}#0")


def _renamed(experience: Experience, id: str) -> Experience:
    items = tuple(item.model_copy(update={"id": f"{id}.{place}"}) for place, item in enumerate(experience.items))
    return experience.model_copy(update={"id": id, "items": items})
