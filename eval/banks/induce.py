"""A run's stored attempts distilled again into a new bank, without an agent.

`induction_settings` gives the run's settings with what is to be different; `Induction` asks judge and extractor anew,
keeps every finished episode in `<bank>.partial.jsonl`, so that the same command continues, and makes the bank at the
end. With the run's own settings it comes to the run's own bank: each call has the seed it had there. Calls are recorded
as a run's are, in `<bank>.calls`, whose folders are named as a run's.
"""

from __future__ import annotations

import copy
import fcntl
import json
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Literal

from eval.analysis.origin import Origin, united
from eval.analysis.records import RunRecord, StreamRecord, load_trajectory
from eval.banks.induced import Induced, InducedCalls, budgeted
from eval.banks.opened import read_experiences
from eval.config.files import CONFIGS, group_names
from eval.config.load import compose, split_config_dirs
from eval.config.settings import BankSettings, Settings, stored_settings, validate
from eval.journal import AttemptResult, EpisodeResult
from eval.new_files import check_new, new_file
from eval.outcome_judges import door_of
from eval.runs.first_banks import as_given, scope_of, start_copy
from eval.runs.identity import causes, difference, identity
from eval.transport import carried
from eval.workbench import Workbench, roles_of
from reasoningbank.bank.bank import Bank
from reasoningbank.boundary import expect
from reasoningbank.errors import BudgetSpent, InfraError, SetupError
from reasoningbank.files import fsync_folder
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.llm.transport import nobody
from reasoningbank.retry import Waiting
from reasoningbank.types import (
    Distilled,
    JudgedAttempt,
    Role,
    Task,
    Trajectory,
    Verdict,
    canonical_json,
)

JudgeSource = Literal["stored", "llm"]

OPEN = frozenset(
    {
        *("memory", "llm", "roles", "embedder", "judge", "retrieval", "scaling", "profile"),
        *("temperature", "max_tokens", "prompts", "plugins", "seed", "budget", "prices"),
    }
)
"""The keys that may be others than the run's; all else made the attempts, which are there."""


def induction_settings(run: RunRecord, overrides: Sequence[str], *, judge: JudgeSource) -> Settings:
    """The run's settings, with those of `overrides` in their place. SetupError for a key that is not in OPEN."""
    own = stored_settings(run.folder / "meta.json", run.meta)
    given = list(overrides)
    if judge == "llm" and door_of(own.judge) is not None and not any(key_of(each) == "judge" for each in given):
        given.append("judge=llm")
    keys = [key_of(text) for text in given if not text.startswith("--")]
    for key in keys:
        if key.partition(".")[0] not in OPEN:
            there = ", ".join(sorted(OPEN))
            raise SetupError(f"{key} cannot be set here, since the attempts were made with it; there are: {there}")
        if key.partition(".")[0] == "judge" and judge == "stored":
            raise SetupError(f"{key}: no judge is asked where the stored verdicts are taken; add --judge llm")
    if not keys:
        return own
    # what the run's names and profile came to, and what they come to with the overrides: what was set by hand stays
    dirs = [text for text in given if text.startswith("--config-dir=")]
    places = [CONFIGS, *split_config_dirs(dirs)[0]]
    chosen = {
        group: name
        for group, name in (run.meta.get("choices") or {}).items()
        if group in OPEN and name in group_names(group, places)  # what the run was told by files elsewhere stays too
    }
    before, _ = compose([*dirs, *(f"{group}={name}" for group, name in chosen.items())])
    now, _ = compose([*(f"{group}={name}" for group, name in chosen.items() if group not in keys), *given])
    data = own.model_dump(mode="json")
    for key in sorted(OPEN):
        data[key] = followed(data.get(key), before.get(key), now.get(key))
    for key in keys:
        put(data, now, key.split("."))
    return validate(data)


def followed(own: Any, before: Any, now: Any) -> Any:
    """`now`, but for what in `own` is not as it was `before`."""
    if own == before:
        return copy.deepcopy(now)
    if not isinstance(own, dict) or not isinstance(before, dict) or not isinstance(now, dict):
        return own
    return {
        key: followed(own.get(key), before.get(key), now.get(key))
        for key in (*own, *(key for key in now if key not in own and key not in before))
        if key in now or own.get(key) != before.get(key)
    }


def key_of(text: str) -> str:
    """The key that an override sets: `llm@roles.judge=NAME` sets `roles.judge`."""
    name = text.lstrip("+~").partition("=")[0]
    return name.rpartition("@")[2]


def put(data: dict[str, Any], source: dict[str, Any], path: Sequence[str]) -> None:
    """Take what stands at `path` in `source` over into `data`; what is not there is taken away."""
    for part in path[:-1]:
        data, source = data.setdefault(part, {}), source.get(part) or {}
    if path[-1] in source:
        data[path[-1]] = copy.deepcopy(source[path[-1]])
    else:
        data.pop(path[-1], None)


@dataclass(frozen=True)
class Induction:
    """One stream of a run on its way to a bank at `out`."""

    run: RunRecord
    stream: StreamRecord
    bench: Workbench
    judge: JudgeSource
    out: Path

    def __post_init__(self) -> None:
        if self.judge == "llm" and self.bench.judge is None:
            raise SetupError(f"--judge llm with judge={self.bench.settings.judge['type']}: no model would judge")

    @property
    def roles(self) -> Collection[Role]:
        """Whose models are asked."""
        judge = [self.bench.judge] if self.judge == "llm" and self.bench.memory.needs_verdicts else []
        return {role for part in (self.bench.memory, *judge) for role in roles_of(part)}

    @property
    def calls(self) -> Path:
        """Where the records of its calls are kept, beside the bank."""
        return self.out.with_name(f"{self.out.name}.calls")

    @property
    def partial(self) -> Path:
        """Where finished episodes are kept until the bank is there."""
        return self.out.with_name(f"{self.out.name}.partial.jsonl")

    def episodes(self) -> list[EpisodeResult]:
        """What can teach: not an episode that failed for reasons around the agent, nor one that was done again
        afterwards, which taught nothing in the run. A run with a frozen bank learnt from none, and all can teach."""
        frozen = self.bench.settings.bank.frozen
        return [line.result for line in self.stream.lines if line.result.counted and (line.result.teaches or frozen)]

    @property
    def redone(self) -> int:
        """How many are left out that were done again afterwards."""
        if self.bench.settings.bank.frozen:
            return 0
        return sum(line.result.counted and not line.result.teaches for line in self.stream.lines)

    @property
    def origin(self) -> Origin:
        """What has a say in the bank. Where a judge is asked anew, the run's gold is in the attempts alone."""
        origin = self.run.origin
        if self.judge == "llm":
            doors = tuple(door if " of " in door else f"{door} of the attempts' run" for door in origin.gold_doors)
            origin = origin.model_copy(update={"gold_doors": doors})
        return united([origin, Origin(simulated=self.bench.simulated)])

    def make(self, report: Callable[[Induced, bool], None], waiting: Waiting = nobody) -> None:
        """Distil what is not distilled yet, then make the bank. `report` gets each episode, and whether it was there;
        `waiting` what is waited for.

        SetupError: `out` exists, another process works on it, or the partial file is of other settings.
        """
        check_new(self.out, "name another file with --out")
        try:
            self.partial.parent.mkdir(parents=True, exist_ok=True)
            with self.partial.open("a+b") as file:
                done = self._resume(file)
                for each in done:
                    report(each, True)
                left = self.episodes()[len(done) :]
                bench = self._carried(done, left, waiting)
                for episode in left:
                    induced = self._episode(bench, episode)
                    append(file, induced.model_dump(mode="json"))
                    done.append(induced)
                    report(induced, False)
                with new_file(self.out) as bank_file:
                    self._fill(bank_file, done)
                self.partial.unlink()
        except OSError as error:
            place = error.filename or self.out
            raise SetupError(f"cannot write {place}: {error.strerror}; name another --out") from error

    def _fill(self, path: Path, done: Sequence[Induced]) -> None:
        bench, scope = self.bench, scope_of(self.bench.suite)
        experiences = [experience for induced in done for experience in induced.learnt]
        if bench.settings.bank.init_from is not None:
            source, given = read_experiences(start_copy(self.run.folder, self.stream.name))
            experiences = [*(as_given(each, source, scope) for each in given), *experiences]
        notes = self.origin.notes()
        with Bank.open(path, bench.embedder, key=bench.retrieval.key, scope=scope, notes=notes) as bank:
            for experience in experiences:
                bank.add(experience)

    def _resume(self, file: IO[bytes]) -> list[Induced]:
        """The episodes that the partial file has; a torn last line is cut off. A new file gets its first line."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SetupError(f"{self.partial} is being written by another process; wait for it, or end it") from None
        file.seek(0)
        raw = file.read()
        whole = raw.rpartition(b"\n")[0]
        file.truncate(len(whole) + 1 if whole else 0)
        if b"\n" not in whole:  # nothing is done yet, whatever it was begun with
            file.truncate(0)
            append(file, self._header())
            fsync_folder(self.partial.parent)
            return []
        advice = "name another --out, or remove that file to start over"
        try:
            header, *lines = [json.loads(line) for line in whole.split(b"\n")]
            done = [Induced.model_validate_json(json.dumps(line)) for line in lines]
        except ValueError as error:
            raise SetupError(f"{self.partial} cannot be read ({error}): {advice}") from error
        if changed := difference(header, self._header()):
            raise SetupError(f"{self.partial} was begun otherwise ({'; '.join(causes(changed))}): {advice}")
        if [each.episode_id for each in done] != [each.id for each in self.episodes()][: len(done)]:
            raise SetupError(f"{self.partial} has other episodes than {self.run.folder}: {advice}")
        return done

    def _header(self) -> dict[str, Any]:
        run = {"folder": str(self.run.folder.resolve()), "identity": self.run.meta.get("identity_hash")}
        # the bank that the run started from is part of the run
        settings = self.bench.settings.model_copy(update={"bank": BankSettings()})
        data = identity(replace(self.bench, settings=settings))
        return {"run": run, "stream": self.stream.name, "judge": self.judge, "settings": data}

    def _carried(self, done: Sequence[Induced], left: Sequence[EpisodeResult], waiting: Waiting) -> Workbench:
        """The bench, whose calls are counted on from what the command has spent before."""
        bench = self.bench
        bench.embedder.waiting = waiting
        begun = InducedCalls(bench, self.calls, stream=self.stream.name, result=left[0]).folder if left else None
        ledger = budgeted(bench, done, begun, self.roles)
        transport = carried(bench.transport, bench.settings, waiting, ledger)
        return replace(bench, transport=transport)

    def _episode(self, bench: Workbench, result: EpisodeResult) -> Induced:
        calls = InducedCalls(bench, self.calls, stream=self.stream.name, result=result)
        try:
            return self._distilled(bench, result, calls)
        except (InfraError, BudgetSpent) as error:
            calls.lose(failed=isinstance(error, InfraError))
            raise

    def _distilled(self, bench: Workbench, result: EpisodeResult, calls: InducedCalls) -> Induced:
        judging = calls.scopes()
        attempts = tuple(
            JudgedAttempt(
                index=attempt.index,
                trajectory=(trajectory := self._trajectory(result, attempt)),
                verdict=self._verdict(attempt, trajectory, judging(attempt.index)),
            )
            for attempt in result.attempts
        )
        task: Task = attempts[0].trajectory.task
        episode = Episode(id=result.id, task=task, position=result.position, attempts=attempts)
        # scopes of their own, as in a run, so that call numbers and with them seeds are the same
        learnt = expect(bench.memory.distill(episode, calls.scopes()), Distilled, bench.memory, "distill")
        return calls.induced(result.id, tuple(attempt.verdict for attempt in attempts), learnt.experiences)

    def _trajectory(self, result: EpisodeResult, attempt: AttemptResult) -> Trajectory:
        found = load_trajectory(self.run, result, attempt)
        if found is None:
            raise SetupError(f"the file of attempt {attempt.attempt_id} is not in {self.run.folder}: bring it back")
        if found.digest() != attempt.trajectory_hash:
            raise SetupError(
                f"the file of attempt {attempt.attempt_id} in {self.run.folder} is not the trajectory that the journal "
                "recorded (hash differs): restore it from a copy"
            )
        return found

    def _verdict(self, attempt: AttemptResult, trajectory: Trajectory, calls: Calls) -> Verdict | None:
        bench = self.bench
        if not bench.memory.needs_verdicts:
            return None
        if self.judge == "stored":
            if attempt.verdict is None:
                raise SetupError(f"attempt {attempt.attempt_id} was not judged in {self.run.folder}: add --judge llm")
            return attempt.verdict
        assert bench.judge is not None
        return expect(bench.judge.judge(trajectory, calls), Verdict, bench.judge, "judge")


def append(file: IO[bytes], data: dict[str, Any]) -> None:
    file.write(canonical_json(data).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
