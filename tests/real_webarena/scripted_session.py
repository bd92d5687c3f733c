"""A browser's place in tests of what is around it: a session that shows what it is told and notes what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eval.suites.webarena.backends import Backends, Throttle
from eval.suites.webarena.environment import Surroundings
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.session import Entrance, Looked, Opened, Place, Stepped, Trouble
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
        self.seconds = 0.0
        """What a step takes."""
        self.troubles: tuple[Trouble, ...] = ()
        """Of every step."""
        self.gone: dict[str, Trouble] = {}
        """Pages that do not come when they are looked at."""
        self.at_step: Callable[[], None] = lambda: None

    def open(self, *, entrances: Sequence[Entrance], start: Sequence[str], image: str | None) -> Opened:
        self.entrances, self.started = list(entrances), list(start)
        self.opened += 1
        cookies = {each.site: ({"name": "session", "value": str(self.opened)},) for each in entrances}
        return Opened(observation=Observation(text=PAGE, url=start[-1]), cookies=cookies)

    def step(self, text: str, *, image: str | None) -> Stepped:
        self.steps.append(text)
        self.at_step()
        return Stepped(observation=Observation(text=PAGE, url=self.url), troubles=self.troubles, seconds=self.seconds)

    def look(self, places: Sequence[Place], *, trace: bool) -> Looked:
        self.places += places
        texts = tuple(
            None if place.url in self.gone else tuple(self.said.get(script, f"<{script}>") for script in place.scripts)
            for place in places
        )
        troubles = tuple(self.gone[place.url] for place in places if place.url in self.gone)
        return Looked(url=self.url, status=200, tabs=self.tabs or (self.url,), texts=texts, troubles=troubles)

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
