"""A browser's place in tests of what is around it: a session that shows what it is told and notes what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eval.suites.webarena.backends import Backends, Throttle
from eval.suites.webarena.environment import Surroundings
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.session import Entrance, Looked, Opened, Place
from eval.suites.webarena.sites import API_ACCOUNT
from reasoningbank.interfaces import Observation

PAGE = "RootWebArea 'Shop'\n\t[1] link 'Milk'\n\t[2] link 'Coffee'\n\t[3] link 'Home'"
URLS = {
    "shopping": ["http://shop-a.test", "http://shop-b.test"],
    "shopping_admin": ["http://admin.test/admin"],
    "reddit": ["http://forum.test"],
    "gitlab": ["http://git.test"],
}


class ScriptedSession:
    """Implements `Session`. Its pages are at `url`, and what a script says is its own text, or that of `said`."""

    def __init__(self, *, url: str = "http://shop-a.test/", said: dict[str, str] | None = None) -> None:
        self.url = url
        self.said = said or {}
        self.tabs: tuple[str, ...] = ()
        self.entrances: list[Entrance] = []
        self.started: list[str] = []
        self.places: list[Place] = []
        self.steps: list[str] = []
        self.opened = 0
        self.closed = 0
        self.at_step: Callable[[], None] = lambda: None

    def open(self, *, entrances: Sequence[Entrance], start: Sequence[str], image: str | None) -> Opened:
        self.entrances, self.started = list(entrances), list(start)
        self.opened += 1
        cookies = {each.site: ({"name": "session", "value": str(self.opened)},) for each in entrances}
        return Opened(observation=Observation(text=PAGE, url=start[-1]), cookies=cookies)

    def step(self, text: str, *, image: str | None) -> Observation:
        self.steps.append(text)
        self.at_step()
        return Observation(text=PAGE, url=self.url)

    def look(self, places: Sequence[Place], *, trace: bool) -> Looked:
        self.places += places
        texts = tuple(tuple(self.said.get(script, f"<{script}>") for script in place.scripts) for place in places)
        return Looked(url=self.url, status=200, tabs=self.tabs or (self.url,), texts=texts)

    def close(self) -> None:
        self.closed += 1


def surroundings(folder: Path, **changes: Any) -> Surroundings:
    """Four sites, of which the shop has two servers; locks in a folder of the test's."""
    given: dict[str, Any] = {
        "backends": Backends(URLS, folder=folder),
        "throttle": Throttle({}, folder=folder),
        "accounts": {},
        "api_account": API_ACCOUNT,
        "signed_in": SignedIn(),
        "known": (),
        **changes,
    }
    return Surroundings(**given)
