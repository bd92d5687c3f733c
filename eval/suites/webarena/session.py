"""What an attempt on real sites asks of a browser. It is Chromium's in `chromium.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import Field

from eval.suites.webarena.sites import Account, SignIn
from reasoningbank.interfaces import Observation
from reasoningbank.types import Record


class Entrance(Record):
    """A site to be signed in at: by cookies that were kept of another time as far as they still hold, else by its form.
    Addresses are whole ones."""

    site: str
    page: str
    asks: str
    user_label: str
    password_label: str
    button: str
    username: str
    password: str = Field(repr=False)
    cookies: tuple[dict[str, object], ...] = ()

    @classmethod
    def at(cls, site: str, address: str, sign_in: SignIn, account: Account) -> Entrance:
        """The form of a site's server."""
        return cls(
            site=site,
            page=address + sign_in.page,
            asks=address + sign_in.asks,
            user_label=sign_in.user_label,
            password_label=sign_in.password_label,
            button=sign_in.button,
            username=account.username,
            password=account.password,
        )


class Opened(Record):
    """The first page, and by site what is to be kept of having signed in."""

    observation: Observation
    cookies: dict[str, tuple[dict[str, object], ...]]


class Trouble(Record):
    """What is wrong with a page: it is broken (5xx), does not come, or cannot be reached."""

    url: str
    said: str


class Stepped(Record):
    """What is seen after action calls, and the troubles with pages that they led to. `seconds` is what they took, with
    the wait for pages and without that for a turn."""

    observation: Observation
    troubles: tuple[Trouble, ...] = ()
    seconds: float


class Place(Record):
    """A page to be looked at: its address, empty for where the attempt is; what is done there first, and the scripts
    whose results are wanted, an empty one for the page's HTML."""

    url: str
    prepare: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


class Looked(Record):
    """Where the attempt is, the addresses of all its tabs, and for each place a text for each script, or None where the
    page has not come, which `troubles` tells of."""

    url: str
    status: int
    tabs: tuple[str, ...]
    texts: tuple[tuple[str, ...] | None, ...]
    troubles: tuple[Trouble, ...] = ()
    trace: tuple[dict[str, Any], ...] = ()


class Session(Protocol):
    """A browser for one attempt. Whatever fails around its pages is InfraError, and so is a page that is broken before
    the agent does anything; a refused account is SetupError."""

    def open(self, *, entrances: Sequence[Entrance], start: Sequence[str], image: str | None) -> Opened:
        """A fresh browser, signed in, with a tab for each address; the last one is shown. `image`: the file for one of
        what is shown, if one is wanted."""
        ...

    def step(self, text: str, *, image: str | None) -> Stepped:
        """Carries out action calls. A page that they lead to is what is seen, whatever it is."""
        ...

    def look(self, places: Sequence[Place], *, trace: bool) -> Looked:
        """Looks at pages in tabs of its own; those of the attempt stay as they are. With `trace` it tells what the
        attempt's own tabs have sent since they are signed in, without cookies and keys."""
        ...

    def close(self) -> None: ...
