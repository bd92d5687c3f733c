"""One turn of the simulated agent: goal, page, past, advice, and its seeded moods."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import urlsplit

from reasoningbank.llm.offline.advice import Hint, fitting, read_advice
from reasoningbank.llm.offline.draws import draw
from reasoningbank.llm.offline.goal import read_goal
from reasoningbank.llm.offline.habits import HABITS
from reasoningbank.llm.offline.lessons import spoken_to
from reasoningbank.llm.offline.page import Page
from reasoningbank.llm.offline.reading import Situation
from reasoningbank.llm.offline.remembering import kept_in_mind
from reasoningbank.llm.offline.words import stems, widened

# How often the careful way is taken unadvised, at temperature 0.7. Habits not named here: `_RARELY`.
_UNADVISED = {"read_all": 0.8, "count_once": 0.2, "leave_out": 0.2}
_RARELY = 0.18
DOUBT = "I am guessing here."
"""What a thought says when the quick way is taken and nothing speaks for it."""
# What the agent is about to do belongs to the situation too.
_DOING = {
    "few_words": stems("search find results"),
    "confirm": stems("edit change form save submit action input"),
    "clear_first": stems("search filter fill"),
    "own_names": stems("state told customers"),
    "each_page": stems("action mass select rows"),
}


def done_with(name: str) -> str:
    """What a thought says when one of several things is done."""
    return f"That was '{name.replace(chr(39), '’')}'."


@dataclass(frozen=True)
class Move:
    """What the agent does next, and the reason it gives."""

    action: str
    saying: str


@dataclass
class Mind:
    """Everything a turn is decided from.

    `advice_effect` is the probability of following advice, or with a minus of inverting it.
    """

    asked: Situation
    temperature: float
    seed: int
    advice_effect: float
    care: float = 0.0
    """How likely the careful way is at least: more than usual when an answer is looked at again."""
    remarks: list[str] = field(default_factory=list)
    decided: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.goal = read_goal(self.asked.goal)
        self.page = Page(self.asked.tree, self.asked.url)
        self.past = self.asked.steps
        rest = [name for name in self.goal.things if not self.did(done_with(name))]
        if len(self.goal.things) > 1 and rest:
            self.goal = replace(self.goal, thing=rest[0])
        self.advice = read_advice(self.asked.memory)

    def draw(self, name: str) -> float:
        """A number in [0, 1) that belongs to this call's seed and to the question `name`."""
        return draw(self.seed, name)

    def likely(self, name: str, probability: float) -> bool:
        """A seeded coin whose bias grows with the temperature; at temperature 0 the likelier side falls."""
        heat = min(1.0, self.temperature / 0.7)
        if heat == 0.0:
            return probability > 0.5
        return self.draw(name) < probability

    @cached_property
    def thoughts(self) -> str:
        """All earlier thoughts."""
        return "\n".join(step.thought for step in self.past)

    @cached_property
    def path(self) -> str:
        return urlsplit(self.asked.url).path

    @cached_property
    def place(self) -> str:
        """How the agent calls this page: by its address, without what names one thing."""
        parts = [part for part in self.path.split("/") if part and not re.search(r"[-\d]", part)]
        return " ".join(parts[:2]) or "start"

    @cached_property
    def here(self) -> frozenset[str]:
        """The words of this situation that a lesson may be tied to."""
        captions = " ".join(one.caption + " " + " ".join(one.headers) for one in self.page.collections)
        return self.goal.stems | stems(
            f"{self.page.title} {self.page.heading} {self.path.replace('/', ' ')} {captions}"
        )

    def stated(self, habit: str) -> tuple[bool, str] | None:
        """How an earlier thought of this attempt decided."""
        for step in reversed(self.past):
            found = HABITS[habit].found(step.thought)
            if found:
                return found
        return None

    def choose(self, habit: str, word: str = "", *, place: str = "", usually: float = _RARELY) -> bool:
        """Whether to take the careful way: as decided before, else as advised, else by mood. The thought says it.

        `usually` is how often the careful way is taken unadvised.
        """
        decided = self.stated(habit)
        if decided is not None:
            return decided[0]
        if habit in self.decided:
            return self.decided[habit]
        careful = self.likely(habit, max(self.care, _UNADVISED.get(habit, usually)))
        hint = self.hint(habit, stems(place))
        if hint is not None and self.draw(f"advice {habit}") < abs(self.advice_effect):
            careful = hint.careful if self.advice_effect > 0 else not hint.careful
            if self.advice_effect > 0:
                self.remarks.append(f"Memory item {hint.item} applies here.")
        elif not careful:
            self.remarks.append(DOUBT)
        self.remarks.append(HABITS[habit].said(careful, word))
        self.decided[habit] = careful
        return careful

    def hint(self, habit: str, place: frozenset[str] = frozenset()) -> Hint | None:
        """The advice on a habit that fits this situation best, the first of equal ones; none where it goes unheard."""
        if self.advice_effect == 0.0:
            return None
        here = self.here | place | _DOING.get(habit, frozenset())
        best, score = None, 0.0
        for hint in self.advice.hints:
            if hint.habit == habit and hint.about(self.goal.aim):
                fit = fitting(hint.words, here) + (1.0 if hint.topic in self.goal.counted else 0.0)
                if fit > score:
                    best, score = hint, fit
        return best

    @cached_property
    def advised_words(self) -> frozenset[str]:
        """Words of the advice that fits the goal; links that hold them look better."""
        if self.advice_effect == 0.0:
            return frozenset()
        goal = widened(self.goal.stems)
        return frozenset(word for _, words in self.advice.items if len(words & goal) >= 2 for word in words)

    @property
    def kept_in_mind(self) -> str:
        """The recalled lessons, as the first thought names them for whoever distils the run."""
        titles = [title for title, _ in self.advice.items if spoken_to(title)]
        return "" if self.past or self.advice_effect <= 0.0 else kept_in_mind(titles)

    def did(self, saying: str) -> int:
        """How often an earlier thought said this."""
        return self.thoughts.count(saying)

    def thought(self, move: Move) -> str:
        """The whole thought."""
        parts = [f"On the {self.place} page.", *self.remarks, self.kept_in_mind, move.saying]
        return " ".join(part for part in parts if part)
