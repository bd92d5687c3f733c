"""Run folders made from the journal's own models, for tests of what reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.analysis.stats import Cluster
from eval.journal import (
    AttemptResult,
    EpisodeResult,
    JournalLine,
    Outcome,
    RecalledExperience,
    RoleTokens,
    Telemetry,
    episode_id,
)
from eval.runs.journal_file import JournalFile
from reasoningbank.types import Exit, Experience, Label, MemoryItem, Refused, Step, Task, Trajectory, Verdict, digest

OUTCOMES = {"+": "solved", "-": "unsolved"}
VERDICTS: dict[str, Label] = {"y": "success", "n": "failure", "?": "unparseable"}


def cluster(group: str, values: Sequence[float]) -> Cluster:
    """The values of a stream over the tasks 0, 1, 2 ..."""
    return Cluster(group, dict(enumerate(values)))


def attempt(episode: str, index: int, code: str, steps: int = 5) -> AttemptResult:
    """`code` is outcome and verdict: `+y` solved and judged a success, `-y` a false positive, `!` an infra error."""
    infra = code == "!"
    verdict = None if infra or len(code) < 2 else Verdict(label=VERDICTS[code[1]], reasons=f"reasons of {index}")
    outcome = None if infra else Outcome(status=OUTCOMES[code[0]], reward=float(code[0] == "+"))
    kind: Exit = "infra_error" if infra else "answered"
    return AttemptResult(
        attempt_id=f"{episode}/{index}",
        index=index,
        exit=kind,
        answer=None if infra else f"answer {index}",
        steps=steps,
        errors=0,
        trajectory_hash="0" * 64,
        verdict=verdict,
        outcome=outcome,
    )


def experience(episode: str, task_id: str, template_id: str, position: int, items: int) -> Experience:
    """An experience of `items` items."""
    made = tuple(
        MemoryItem(
            id=f"{episode}#0.{i}",
            title=f"Lesson {i} of task {task_id}",
            description="What it is about",
            content="Sort first, then filter",
            polarity="failure",
        )
        for i in range(items)
    )
    return Experience(
        id=f"{episode}#0",
        query=f"intent of {task_id}",
        task_id=task_id,
        template_id=template_id,
        kind="failure",
        verdicts=(Verdict(label="failure", reasons="no"),),
        items=made,
        source_attempts=(f"{episode}/0",),
        position=position,
    )


def line(
    stream: str,
    position: int,
    codes: Sequence[str],
    *,
    task_id: str | None = None,
    template_id: str = "",
    steps: Sequence[int] | None = None,
    selected: int | None = None,
    items: int = 1,
    refused: int = 0,
    recalled: Sequence[RecalledExperience] = (),
    teaches: bool = True,
    **telemetry: Any,
) -> JournalLine:
    """One episode; an attempt for each code."""
    task = task_id or str(100 + position)
    episode = episode_id(stream, position, task)
    attempts = tuple(attempt(episode, index, code, steps[index] if steps else 5) for index, code in enumerate(codes))
    result = EpisodeResult(
        stream=stream,
        position=position,
        task_id=task,
        template_id=template_id,
        group=stream.partition(".")[0],
        recalled=tuple(recalled),
        injected_tokens=100 * position,
        attempts=attempts,
        selected=selected,
        teaches=teaches,
        learnt=(experience(episode, task, template_id, position, items),) if items else (),
        refused=tuple(Refused(role="extractor", reason="no items", text="...") for _ in range(refused)),
        tokens={
            "agent": RoleTokens(calls=5, input_tokens=1000, output_tokens=50),
            "judge": RoleTokens(calls=1, input_tokens=200, output_tokens=10),
        },
    )
    return JournalLine(result=result, telemetry=Telemetry(started="2026-01-01T00:00:00Z", seconds=1.0, **telemetry))


def write_run(folder: Path, lines: Sequence[JournalLine], **meta: Any) -> Path:
    """A run folder with these journal lines, each in its stream's journal."""
    streams: dict[str, list[JournalLine]] = {}
    for each in lines:
        streams.setdefault(each.result.stream, []).append(each)
    folder.mkdir(parents=True, exist_ok=True)
    planned = {name: len(members) for name, members in streams.items()}
    content = {"schema_version": 1, "run_name": folder.name, "simulated": True, "streams": planned, **meta}
    (folder / "meta.json").write_text(json.dumps(content), encoding="utf-8")
    for name, members in streams.items():
        write_journal(folder / "streams" / name / "journal.jsonl", members)
    return folder


def write_journal(path: Path, lines: Sequence[JournalLine]) -> None:
    """A journal of these lines alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    journal = JournalFile(path)
    for each in lines:
        journal.append(each)
    journal.close()


def trajectory(of: AttemptResult, task_id: str, intent: str, *, observation: str = "RootWebArea 'Shop'") -> Trajectory:
    """A trajectory of two steps that belongs to an attempt."""
    task = Task(id=task_id, suite="webarena_mini", group="shopping", intent=intent)
    steps = (
        Step(index=0, observation=observation, url="http://shopping.test/", thought="Look first", action="click('12')"),
        Step(index=1, observation="page two", thought="Try again", action="click('x')", error="no element 'x'"),
    )
    return Trajectory(
        attempt_id=of.attempt_id,
        task=task,
        steps=steps,
        exit=of.exit,
        answer=of.answer,
        final_observation="the last page",
        final_url="http://shopping.test/cart",
        system_prompt="You act on web pages.\n\n# Memory\nTitle: Sort first",
    )


def write_attempts(run: Path, episode: EpisodeResult, trajectories: Sequence[Trajectory]) -> None:
    """The attempts' files, beside the journal."""
    folder = run / "streams" / episode.stream / "attempts" / f"{episode.position:04d}-{episode.task_id}"
    folder.mkdir(parents=True)
    for index, each in enumerate(trajectories):
        data = {"trajectory": each.model_dump(mode="json"), "evidence": {"answer": each.answer}}
        (folder / f"{index}.json").write_text(json.dumps({"sha256": digest(data), "attempt": data}), encoding="utf-8")
