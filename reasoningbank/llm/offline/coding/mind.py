"""One turn of the simulated agent in a repository: what it knows by now, its moods, and what it decided before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from reasoningbank.llm.offline.coding import runner
from reasoningbank.llm.offline.coding.advice import Heard, hear, titles_in
from reasoningbank.llm.offline.coding.conversation import Work
from reasoningbank.llm.offline.coding.customs import CUSTOMS
from reasoningbank.llm.offline.coding.files import PART, Change, Module, files_in, module_of, parts_in, sizes_in
from reasoningbank.llm.offline.coding.ideas import IDEAS
from reasoningbank.llm.offline.coding.report import Report, read_report
from reasoningbank.llm.offline.coding.scope import Definitions
from reasoningbank.llm.offline.coding.symptoms import suggested
from reasoningbank.llm.offline.draws import draw
from reasoningbank.llm.offline.remembering import kept_in_mind

TAKES_BACK = "I take the change back."
_ORDER = re.compile(r"In this order: ([\w, ]+)\.")
_TESTS = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_|conftest)|_tmp\.py$")
_FAILED = re.compile(r"\b(\d+) (?:failed|errors?)\b")
_NEAREST, _LESS, _CARELESS = 0.8, 0.08, 0.75
"""By how much the idea comes to mind sooner that the symptom suggests first, how much less the next ones, and what is
left of that for who begins with whatever comes to mind."""


@dataclass
class Mind:
    """Everything a turn is decided from. `advice_effect`: how likely advice is followed, with a minus, inverted."""

    work: Work
    temperature: float
    seed: int
    advice_effect: float

    def draw(self, name: str) -> float:
        """A number in [0, 1) that belongs to this call's seed and to the question `name`; 0.5 at temperature 0."""
        return draw(self.seed, name) if self.temperature > 0.0 else 0.5

    @cached_property
    def report(self) -> Report:
        return read_report(self.work.task)

    @cached_property
    def heard(self) -> Heard:
        return hear(self.work.memory) if self.advice_effect else Heard()

    @cached_property
    def files(self) -> dict[str, str]:
        """What was shown, as it was before any change."""
        return files_in(self.work.turns)

    @cached_property
    def modules(self) -> list[Module]:
        """The sources that were shown, without tests."""
        found = [module_of(path, text) for path, text in self.files.items() if path.endswith(".py")]
        return [module for module in found if module is not None and not _TESTS.search(module.path)]

    @cached_property
    def defined(self) -> Definitions:
        """What all of them define."""
        return Definitions.of(self.modules)

    @cached_property
    def unread(self) -> list[tuple[str, int]]:
        """Sources that nothing has shown yet, with their sizes; those that say most of the task's names first."""
        asked = " ".join(turn.command for turn in self.work.turns if turn.command.startswith("tail -v"))
        told = [turn.output for turn in self.work.turns if turn.command.startswith("grep -rn")]
        said = {path: sum(text.count(f"{path}:") for text in told) for path in sizes_in(self.work.turns)}
        return sorted(
            (
                (path, size)
                for path, size in sizes_in(self.work.turns).items()
                if path.endswith((".py", ".txt", ".md")) and not _TESTS.search(path) and path not in asked.split()
            ),
            key=lambda each: (not each[0].endswith(".py"), -said[each[0]], each[0]),
        )

    def unread_part(self, paths: Iterable[str]) -> tuple[str, int] | None:
        """The next part of the first of these sources that nothing has shown whole."""
        parts = parts_in(self.work.turns)
        for path in paths:
            shown = parts.get(path, [])
            ended = bool(shown) and shown[-1].count("\n") < PART // 2
            if path in sizes_in(self.work.turns) and path not in self.files and not ended and not _TESTS.search(path):
                return path, len(shown)
        return None

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The ideas as an earlier thought has put them."""
        found = next((match for turn in self.work.turns if (match := _ORDER.search(turn.thought))), None)
        return tuple(name for name in found.group(1).split(", ") if name in IDEAS) if found else ()

    def new_order(self, most: int, *, plainest_first: bool) -> tuple[str, ...]:
        """So many ideas: those that advice names, then by what the report suggests, and in their order or by mood."""
        near = suggested(self.report.example)
        score = {}
        for place, name in enumerate(IDEAS):
            nearer = _NEAREST - _LESS * near.index(name) if name in near else 0.0
            mood = 1.0 - place / len(IDEAS) if plainest_first else self.draw(f"idea {name}")
            score[name] = mood + nearer * (1.0 if plainest_first else _CARELESS)
        follows = {name: self.draw(f"advice {name}") < abs(self.advice_effect) for name in IDEAS}
        for place, name in enumerate(self.heard.first):
            score[name] += (9.0 - 0.1 * place if self.advice_effect > 0 else -9.0) if follows[name] else 0.0
        for name in self.heard.last:
            score[name] -= (9.0 if self.advice_effect > 0 else -9.0) if follows[name] else 0.0
        return tuple(sorted(IDEAS, key=lambda name: -score[name])[:most])

    @cached_property
    def tried(self) -> dict[str, list[tuple[list[Change], Change | None]]]:
        """Of each idea that was tried, the changes of each of its commands, and the one that was kept for a while."""
        out: dict[str, list[tuple[list[Change], Change | None]]] = {}
        for turn in self.work.turns:
            name = next((name for name, idea in IDEAS.items() if f"I try whether {idea.said}." in turn.thought), "")
            if name:
                made = runner.tried(turn.command)
                at = runner.helped(turn.output)
                kept = next((each for each in made if at == (each.path, each.first)), None)
                out.setdefault(name, []).append((made, kept))
        return out

    @cached_property
    def standing(self) -> str:
        """The idea whose change is there now; empty without one."""
        name = ""
        for turn in self.work.turns:
            if TAKES_BACK in turn.thought:
                name = ""
            found = [idea.name for idea in IDEAS.values() if f"I try whether {idea.said}." in turn.thought]
            if found and runner.helped(turn.output):
                name = found[0]
        return name

    def since_change(self, part: str) -> str | None:
        """What the last command with this part printed, since the files were changed last; None where none did."""
        for turn in reversed(self.work.turns):
            if part in turn.command and "CHANGES_END" not in turn.command:
                return turn.output
            if runner.helped(turn.output) or "FILES_END" in turn.command:
                return None
        return None

    def failed(self, output: str) -> int:
        """How many tests failed."""
        return sum(int(number) for number in _FAILED.findall(output.strip().split("\n")[-1]))

    @cached_property
    def failed_before(self) -> int:
        """How many tests failed before anything was changed."""
        return self.failed(self.work.turns[0].output) if self.work.turns else 0

    def keeps(self, custom: str) -> tuple[bool, str]:
        """Whether a custom is kept to: as decided before, as advised, or by mood. With the sentence that says so."""
        for turn in self.work.turns:
            decided = CUSTOMS[custom].found(turn.thought)
            if decided is not None:
                return decided, ""
        careful = self.draw(f"custom {custom}") < CUSTOMS[custom].unadvised
        advised = self.heard.custom(custom)
        if advised is not None and self.draw(f"advice {custom}") < abs(self.advice_effect):
            careful = advised if self.advice_effect > 0 else not advised
        return careful, CUSTOMS[custom].said(careful)

    @property
    def kept_in_mind(self) -> str:
        """The recalled lessons on ways of working, as the first thought names them for whoever distils the run."""
        if self.work.turns or self.advice_effect <= 0.0:
            return ""
        return kept_in_mind([title for title in titles_in(self.work.memory) if hear(title).customs])
