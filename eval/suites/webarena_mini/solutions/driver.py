"""Works an environment as an agent would, by roles and names of what its pages show, and keeps account of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.solutions.tree import Node, parse
from reasoningbank.agents.actions import Action
from reasoningbank.interfaces import Environment, Observation

Solution = Callable[["Driver", Mapping[str, str]], None]
"""Carries out a task, given the values of its wording's slots."""


class LostError(Exception):
    """What a solution looks for is not there: it gives up."""


class Driver:
    """One attempt. `without` names the conventions that this solver has not learnt yet.

    Where a site comes in other words, which are given by its address, the solver reads them as the first ones, in
    which solutions are written.
    """

    def __init__(
        self,
        env: Environment,
        first: Observation,
        without: frozenset[str] = frozenset(),
        words: Mapping[str, Words] | None = None,
    ) -> None:
        self.without = without
        self.start = first.url
        self._words = dict(words or {})
        self.answer: str | None = None
        self.actions: list[str] = []
        self.observations: list[str] = []
        self.pages_read: set[str] = set()
        self.consulted: set[str] = set()
        self._env = env
        self._see(first)

    def knows(self, convention: str) -> bool:
        """Whether the solver acts by a convention or does the naive thing."""
        self.consulted.add(convention)
        return convention not in self.without

    def _see(self, observation: Observation) -> None:
        self.url = observation.url
        self.page = parse(observation.text)
        if self._words:
            old = self._new.back()
            for node in self.page.walk():
                node.name = old.text(node.name)
        self.observations.append(observation.text)

    @property
    def _new(self) -> Words:
        """The words of the site that is open."""
        return next((words for base, words in self._words.items() if self.url.startswith(f"{base}/")), Words({}))

    @property
    def main(self) -> Node:
        """The page without header, navigation and footer."""
        return self.page.all("main")[0]

    def read(self) -> Node:
        """The page's main part, noted as one that the result is made from."""
        self.pages_read.add(self.observations[-1])
        return self.main

    def act(self, name: str, *args: str) -> None:
        """One action."""
        self.actions.append(name)
        observation = self._env.step(Action(name, args).text)
        self._see(observation)
        if observation.error:
            raise LostError(observation.error)

    def find(self, role: str, name: str, *, inside: Node | None = None) -> Node:
        """The first node of a role and name, in the main part if it is there."""
        places = [inside] if inside else [self.main, self.page]
        for place in places:
            if found := place.first(role, name):
                return found
        raise LostError(f"no {role} {name!r} on {self.url}")

    def has(self, role: str, name: str) -> bool:
        """Whether the page shows such a node."""
        return self.page.first(role, name) is not None

    def click(self, role: str, name: str, *, inside: Node | None = None) -> None:
        """Clicks on what has this role and name."""
        self.act("click", self.find(role, name, inside=inside).bid)

    def follow(self, name: str) -> None:
        """Clicks on a link."""
        self.click("link", name)

    def fill(self, label: str, text: str, *, inside: Node | None = None) -> None:
        """Types into a text field."""
        self.act("fill", self.find("textbox", label, inside=inside).bid, text)

    def select(self, label: str, option: str) -> None:
        """Chooses from a list box."""
        self.act("select_option", self.find("combobox", label).bid, self._new.label(option))

    def back(self) -> None:
        """To the page before."""
        self.act("go_back")

    def say(self, text: str) -> None:
        """Ends with an answer."""
        self.actions.append("send_msg_to_user")
        self.answer = text

    def refuse(self) -> None:
        """Ends by saying that it cannot be done."""
        self.actions.append("report_infeasible")
        self.answer = "N/A"
