"""Whether a replayed run came to what the run did that it answers from (`llm.replay`)."""

from __future__ import annotations

from pathlib import Path

from eval.analysis.records import StreamRecord, is_run, load_run
from reasoningbank.types import canonical_json


def compared(folder: Path, source: Path) -> str:
    """One line for a person: how many episodes are equal, and which is the first that is not.

    Empty where the source has no journals to compare with.
    """
    if not is_run(source):
        return ""
    there = {stream.name: _results(stream) for stream in load_run(source).streams}
    here = {stream.name: _results(stream) for stream in load_run(folder).streams}
    pairs = [(stream, task, result) for stream, results in here.items() for task, result in results.items()]
    pairs = [each for each in pairs if each[1] in there.get(each[0], {})]
    if not pairs:
        return ""
    other = [(stream, task) for stream, task, result in pairs if there[stream][task] != result]
    if not other:
        return f"replayed: all {len(pairs)} episodes are equal to those of {source}"
    stream, task = other[0]
    equal = len(pairs) - len(other)
    return f"replayed: {equal} of {len(pairs)} episodes are equal to those of {source}; not so {stream} task {task}"


def _results(stream: StreamRecord) -> dict[str, str]:
    """By task, all that two equal runs have equal."""
    return {line.result.task_id: canonical_json(line.result.model_dump(mode="json")) for line in stream.lines}
