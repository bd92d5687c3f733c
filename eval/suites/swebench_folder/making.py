"""Makes a suite of a library's source distribution: defects by operators, each found by tests, one a function at most.

Everything of the distribution runs in the sandbox. A candidate is run on the tests that enter its function; what is
kept is run on all of them, so that what its tests tell is known and not supposed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Literal, get_args

from eval.suites.code.instance import Instance, made_on
from eval.suites.code.repository import Repository
from eval.suites.swebench_folder.content import KIND, FolderTree, taken_back
from eval.suites.swebench_folder.forks import Change, Forks, RanTree
from eval.suites.swebench_folder.hiding import without_tests
from eval.suites.swebench_folder.ready import Ready, reached
from eval.suites.swebench_mini.draws import shuffled
from eval.suites.swebench_mini.operators import OPERATORS, candidates, sound, sources_of
from eval.suites.swebench_mini.operators.base import Defect
from eval.suites.swebench_mini.patches import diff
from eval.suites.swebench_mini.runs import Told
from eval.suites.swebench_mini.search import EXAMPLES, stands_out
from eval.suites.swebench_mini.source import Source
from eval.suites.swebench_mini.statements import can_be_told, statement
from eval.suites.swebench_mini.symptoms import Example, example_of
from reasoningbank.errors import InfraError, SetupError

Reason = Literal[
    "no test runs it",
    "no test fails",
    "the tests do not end",
    "it cannot be imported",
    "too many tests fail",
    "its tests cannot be hidden",
    "it cannot be told as a symptom",
    "its function has one already",
    "its report is that of another",
    "the tests say now this, now that",
    "its patches do not apply",
    "there were enough by then",
]
"""Why a candidate is no instance."""
REASONS: tuple[Reason, ...] = get_args(Reason)
ROUND = 24
"""Candidates that are run together. It does not depend on the machine, as what is kept must not."""
MOST_FAILING, FEW, MOST_SHARE = 20, 3, 4
"""Tests that may fail: so many, or fewer where there are few tests, of which a few may and else one in four."""
AGAIN = "-again"
"""Ends the name of an example that is run a second time."""


@dataclass
class Draft:
    """A candidate on its way."""

    defect: Defect
    source: Source
    select: Sequence[str]
    """The tests that may find it."""
    failing: list[str] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    told: str = ""
    hidden: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        """One of a kind."""
        return self.defect.path, self.defect.function

    @property
    def broken(self) -> dict[str, str]:
        return {self.defect.path: self.defect.applied(self.source.text)}


@dataclass
class Search:
    """Looks for `number` instances, and counts why others are none."""

    ready: Ready
    number: int
    seed: int
    tried: int = 0
    fell: Counter[Reason] = field(default_factory=Counter)
    lines: list[dict[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        sdist = self.ready.sdist
        self.forks: Forks = self.ready.forks
        self.sources = sources_of({path: sdist.text(path) for path in sdist.modules})
        self.tests = {path: sdist.text(path) for path in {test.partition("::")[0] for test in self.ready.stable}}
        self.most = min(MOST_FAILING, max(FEW, len(self.ready.stable) // MOST_SHARE))
        self.every = tuple(sorted(self.ready.stable))
        self.reached = reached(self.sources, self.ready.clean.entered)
        self.taken: set[tuple[str, str]] = set()
        self.reports: set[str] = set()
        self.functions = sum(1 for place in self.reached if self.selected(place))
        """How many there can be at most."""

    def run(self, show: Callable[[int, str], None]) -> None:
        """Until there are as many as are wanted, or no candidates any more."""
        waiting = self.drafts()
        while len(self.lines) < self.number and (drafts := list(islice(waiting, ROUND))):
            self.round(drafts)
            show(len(self.lines), f"of {self.tried} tried")

    def drafts(self) -> Iterator[Draft]:
        """All candidates, an operator after the other, those that are not even run counted."""
        kinds = []
        for kind in shuffled(OPERATORS, self.seed, "kinds"):
            found = [(source, defect) for source in self.sources for defect in candidates(source, (kind,))]
            kinds.append(shuffled(found, self.seed, kind))
        for source, defect in filter(None, chain.from_iterable(zip_longest(*kinds))):
            if stands_out(defect, source) or not sound(defect, source):
                continue
            select = self.selected((defect.path, defect.function))
            draft = Draft(defect, source, select)
            self.tried += 1
            if draft.place in self.taken:
                self.fell["its function has one already"] += 1
            elif not select:
                self.fell["no test runs it"] += 1
            else:
                yield draft

    def selected(self, place: tuple[str, str]) -> tuple[str, ...]:
        """The tests that enter a function; all where it runs before them, or is none."""
        tests = self.reached.get(place, {""})
        return self.every if "" in tests else tuple(sorted(tests & self.ready.stable))

    def round(self, drafts: Sequence[Draft]) -> None:
        """Takes those of the candidates that make instances."""
        changes = [Change(draft.broken, draft.select, self.ready.cpu_seconds(draft.select)) for draft in drafts]
        found = self.forks.run_tests(changes, most=self.most + 1)
        if not any(ran.ended for ran in found) and not self.forks.run_tests([Change()])[0].ended:
            raise InfraError(f"the clean tree's tests no longer end: {' '.join(self.forks.said.split())[-300:]}")
        left = [draft for draft, ran in zip(drafts, found, strict=True) if self.is_found(draft, ran, draft.select)]
        left = [draft for draft in self.with_reports(left) if self.is_hidden(draft)]
        again = self.forks.run_tests([Change(draft.broken, self.every) for draft in left], most=self.most + 1)
        for draft, ran in zip(left, again, strict=True):
            before = set(draft.failing)
            if len(self.lines) == self.number:
                self.fell["there were enough by then"] += 1
            elif draft.place in self.taken:
                self.fell["its function has one already"] += 1
            elif draft.told in self.reports:
                self.fell["its report is that of another"] += 1
            elif not self.is_found(draft, ran, self.every):
                continue
            elif not before <= set(draft.failing):
                self.fell["the tests say now this, now that"] += 1
            elif self.is_hidden(draft):
                self.put(draft)

    def is_found(self, draft: Draft, ran: RanTree, select: Sequence[str]) -> bool:
        """Whether a few of the tests fail that pass without it. Counts why not."""
        draft.failing = sorted(set(select) - ran.passed) if ran.statuses else []
        reason: Reason | None = None
        if not ran.ended:
            reason = "the tests do not end"
        elif not ran.statuses or any("::" not in test and test not in self.ready.clean.errors for test in ran.statuses):
            reason = "it cannot be imported"
        elif not draft.failing:
            reason = "no test fails"
        elif len(draft.failing) > self.most:
            reason = "too many tests fail"
        else:
            draft.examples = draft.examples or self.examples(draft, ran)
        if reason is not None:
            self.fell[reason] += 1
        return reason is None

    def examples(self, draft: Draft, ran: RanTree) -> list[Example]:
        """The shortest that the failing tests give."""
        made: dict[str, Example] = {}
        for test in draft.failing:
            failure = ran.failures.get(test)
            if failure is not None:
                text = self.tests[test.partition("::")[0]]
                example = example_of(text, failure.line, failure.parameters, local=failure.local)
                if example is not None:
                    made[example.program] = example
        return [made[program] for program in sorted(made, key=lambda program: (len(program), program))[:EXAMPLES]]

    def with_reports(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Those whose defect an example shows, with what a user writes of it."""
        programs = [
            {f"{place}{again}": each.program for place, each in enumerate(draft.examples) for again in ("", AGAIN)}
            for draft in drafts
        ]
        changes = [Change(draft.broken, programs=each) for draft, each in zip(drafts, programs, strict=True)]
        both = self.forks.run_programs([*changes, *(Change(programs=each) for each in programs)])
        for draft, got, wanted in zip(drafts, both[: len(drafts)], both[len(drafts) :], strict=True):
            draft.told = self.report(draft, got, wanted)
            if not draft.told:
                self.fell["it cannot be told as a symptom"] += 1
        return [draft for draft in drafts if draft.told]

    def report(self, draft: Draft, got: Mapping[str, Told], wanted: Mapping[str, Told]) -> str:
        """By the first example that shows the defect; "" where none does."""
        for number, example in enumerate(draft.examples):
            one, other = (said_twice(said, str(number)) for said in (got, wanted))
            if one is not None and other is not None and can_be_told(one, other, ()):
                about = (self.seed, *draft.place)
                return statement(example, one, other, library=self.ready.sdist.name, about=about)
        return ""

    def is_hidden(self, draft: Draft) -> bool:
        """Whether the tests that find it can be taken out of their files. Counts it where not."""
        hidden = without_tests(self.tests, draft.failing)
        draft.hidden = hidden or {}
        if hidden is None:
            self.fell["its tests cannot be hidden"] += 1
        return hidden is not None

    def put(self, draft: Draft) -> None:
        """Its instance, if its patches lead from the agent's files to the clean ones. Counts it where not."""
        made = self.instance(draft)
        files = {path: text.encode() for path, text in {**draft.broken, **draft.hidden}.items()}
        try:
            fits = taken_back(self.ready.sdist.folder, made) == files
        except SetupError:
            fits = False
        if not fits:
            self.fell["its patches do not apply"] += 1
            return
        self.taken.add(draft.place)
        self.reports.add(draft.told)
        self.lines.append({**made.line(), KIND: draft.defect.operator})

    def instance(self, draft: Draft) -> Instance:
        sdist, number = self.ready.sdist, len(self.lines)
        files = {**draft.broken, **draft.hidden}
        clean = {path: self.tests.get(path, draft.source.text) for path in files}
        with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
            work = Path(name, "work")
            work.mkdir()
            FolderTree(sdist.folder, {path: text.encode() for path, text in files.items()})(work)
            base = Repository.begin(work, Path(name, "git")).base
        return Instance(
            instance_id=f"sdist__{sdist.name}-{101 + number}",
            repo=f"sdist/{sdist.name}",
            base_commit=base,
            problem_statement=draft.told,
            patch=diff(draft.broken, {draft.defect.path: clean[draft.defect.path]}),
            test_patch=diff(draft.hidden, {path: clean[path] for path in draft.hidden}),
            FAIL_TO_PASS=tuple(draft.failing),
            PASS_TO_PASS=tuple(sorted(self.ready.stable - set(draft.failing))),
            version=sdist.version,
            created_at=made_on(number),
        )


def said_twice(said: Mapping[str, Told], name: str) -> Told | None:
    """What a program told, if it told it both times."""
    first = said.get(name)
    return first if first == said.get(f"{name}{AGAIN}") else None
