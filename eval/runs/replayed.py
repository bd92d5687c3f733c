"""A run whose calls another one's records answer (`llm.replay`): its models are that one's, and so may its end be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from eval.analysis.records import StreamRecord, find_run, is_run, load_run, meta_or_none
from eval.config.load import Job, load_config
from eval.config.settings import LIMIT_KEYS, Part, Settings
from eval.runs.identity import RUNNER_KEYS, asked_of, causes, difference, redacted, without
from reasoningbank.errors import SetupError
from reasoningbank.text import counted
from reasoningbank.types import ROLES, canonical_json

OWN_KEYS = RUNNER_KEYS | {"replay"}
"""Keys of `llm` that are a command's own, whatever model answers."""


def as_recorded(job: Job) -> Job:
    """The job with the recorded run's models in its settings, where the command says nothing of models.

    The run is named by its path from here on. SetupError where it is not there or has no records, or where the command
    says something else than it was recorded with: records answer under the name of the model that gave them, and no
    other's results may be made of them. What a recording does not tell (one of a plugin that is not here, one of an
    older version) is left as it is.
    """
    settings = located(job.settings)
    if settings.calls.replay is None:
        return job
    job = replace(job, settings=settings)
    check_records(settings)
    if not _silent(settings):
        check_models(settings)
        return job
    meta = meta_or_none(Path(settings.calls.replay)) or {}
    parts = _parts(meta)
    if parts is None:
        return job
    llm, roles = parts
    own = {key: value for key, value in settings.llm.items() if key in OWN_KEYS}
    models = {
        "llm": {**without(OWN_KEYS, llm), **own},
        "roles": {role: without(LIMIT_KEYS, part) for role, part in roles.items()},
    }
    recorded = settings.model_copy(update=models)
    try:
        _models(recorded)
    except SetupError:
        return job
    choices = meta.get("choices")
    named = choices.items() if isinstance(choices, dict) else ()
    chosen = {key: str(name) for key, name in named if key.partition("@")[0] == "llm"}
    kept = {key: name for key, name in job.choices.items() if key.partition("@")[0] != "llm"}
    return replace(job, settings=recorded, choices={**kept, **chosen})


def located(settings: Settings, root: Path | None = None) -> Settings:
    """With the path of the run that is replayed in the place of its name below `root`, which is else `results_dir`. A
    path stays as it is written. SetupError where no run is there."""
    name = settings.calls.replay
    if name is None or is_run(Path(name)):
        return settings
    try:
        found = find_run(name, root or Path(settings.results_dir))
    except SetupError as error:
        raise SetupError(f"llm.replay={name}: {error}") from None
    return settings.model_copy(update={"llm": {**settings.llm, "replay": str(found)}})


def check_records(settings: Settings) -> None:
    """SetupError where the run that is to be replayed has attempts, and no record of any call."""
    if settings.calls.replay is None:
        return
    run = Path(settings.calls.replay)
    journals = [path for path in run.glob("streams/*/journal.jsonl") if path.stat().st_size]
    if journals and next(run.rglob("*.calls.jsonl"), None) is None:
        raise SetupError(
            f"llm.replay={settings.calls.replay}: the run has no records of its calls, which would answer; those of "
            "offline models are kept with llm.record=true alone: make it again with that"
        )


def _parts(meta: Mapping[str, Any]) -> tuple[Part, dict[str, Part]] | None:
    """The recorded settings of models, for all roles and by role; None where they are not told."""
    told = meta.get("settings")
    llm, roles = (told.get("llm"), told.get("roles")) if isinstance(told, dict) else (None, None)
    if not isinstance(llm, dict) or not isinstance(roles, dict) or not set(roles) <= set(ROLES):
        return None
    whole = all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in (llm, *roles.values()))
    return (llm, roles) if whole else None


@cache
def _default() -> Settings:
    return load_config([])


def _silent(settings: Settings) -> bool:
    """Whether models are as they are where nothing is said of them."""
    return not settings.roles and without(OWN_KEYS, settings.llm) == without(OWN_KEYS, _default().llm)


def _models(settings: Settings) -> dict[str, Any]:
    """What makes the models, as an identity holds it."""
    roles: dict[str, Part] = {
        role: asked_of("llm", without(LIMIT_KEYS, part), settings.plugins, f"roles.{role}")
        for role, part in settings.roles.items()
    }
    llm = asked_of("llm", without(OWN_KEYS, settings.llm), settings.plugins)
    return {"llm": redacted(llm), "roles": redacted(roles)}


def check_models(settings: Settings) -> None:
    """SetupError where a run that is replayed is not there, has no records, or was recorded with other models than
    these settings name."""
    settings = located(settings)
    check_records(settings)
    if settings.calls.replay is None or _silent(settings):
        return
    identity = (meta_or_none(Path(settings.calls.replay)) or {}).get("identity")
    if not isinstance(identity, dict) or not isinstance(identity.get("llm"), dict):
        return
    old = {"llm": without(OWN_KEYS, identity["llm"]), "roles": identity.get("roles") or {}}
    changed = [
        each
        for each in difference(old, _models(settings))
        # a key that came with a newer version, and is not set
        if not (": not set -> None" in each or each.endswith(": {} -> not set") or each.endswith(": not set -> {}"))
    ]
    if changed:
        raise SetupError(
            f"llm.replay={settings.calls.replay} was recorded with other models ({'; '.join(causes(changed))}): say "
            "nothing of models, or what it was recorded with"
        )


@dataclass(frozen=True)
class Comparison:
    """What a replay came to: a line for a person, and whether any episode ended otherwise than the recorded one."""

    said: str
    equal: bool


def compared(folder: Path, source: Path) -> Comparison:
    """How many episodes are equal, and which is the first that is not."""
    there = {stream.name: _results(stream) for stream in load_run(source).streams}
    here = {stream.name: _results(stream) for stream in load_run(folder).streams}
    pairs = [(stream, task, result) for stream, results in here.items() for task, result in results.items()]
    pairs = [each for each in pairs if each[1] in there.get(each[0], {})]
    if not pairs:
        return Comparison(f"replayed: nothing was compared, since {source} has no journal of these episodes", True)
    other = [(stream, task) for stream, task, result in pairs if there[stream][task] != result]
    if not other:
        every = (
            "the one episode is equal to that" if len(pairs) == 1 else f"all {len(pairs)} episodes are equal to those"
        )
        return Comparison(f"replayed: {every} of {source}", True)
    stream, task = other[0]
    equal = len(pairs) - len(other)
    every = f"{counted(len(pairs), 'episode')} {'is' if len(pairs) == 1 else 'are'} equal"
    said = f"replayed: {equal} of {every} to those of {source}; not so {stream} task {task}"
    return Comparison(said, False)


def _results(stream: StreamRecord) -> dict[str, str]:
    """By task, all that two equal runs have equal."""
    return {line.result.task_id: canonical_json(line.result.model_dump(mode="json")) for line in stream.lines}
