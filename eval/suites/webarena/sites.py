"""WebArena's sites: what stands for their addresses, where these come from, and how one signs in.

Accounts and the labels of the sign-in pages are those that WebArena publishes with its servers' images.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from eval.names import nearest
from reasoningbank.errors import SetupError
from reasoningbank.types import Record


class Account(Record):
    """Who signs in."""

    username: str
    password: str


@dataclass(frozen=True)
class SignIn:
    """A site's way in: addresses below its own, and labels of the form. `asks` is a page that sends who is not signed
    in to a form with a password."""

    page: str
    asks: str
    user_label: str
    password_label: str
    button: str
    account: Account


@dataclass(frozen=True)
class RealSite:
    """A site by its name in task files."""

    name: str
    sign_in: SignIn | None = None

    @property
    def placeholder(self) -> str:
        """What stands for its address in task files."""
        return f"__{self.name.upper()}__"

    @property
    def variable(self) -> str:
        """The environment variable that has its address."""
        return f"WA_{self.name.upper()}"


_SHOPPER = Account(username="emma.lopez@gmail.com", password="Password.123")
_ADMIN = Account(username="admin", password="admin1234")
_DEVELOPER = Account(username="byteblaze", password="hello1234")
_READER = Account(username="MarvelsGrantMan136", password="test1234")
SITES = {
    site.name: site
    for site in (
        RealSite(
            "shopping",
            SignIn("/customer/account/login/", "/customer/account/", "Email", "Password", "Sign In", _SHOPPER),
        ),
        RealSite("shopping_admin", SignIn("", "", "Username", "Password", "Sign in", _ADMIN)),
        RealSite(
            "gitlab",
            SignIn(
                *("/users/sign_in", "/-/profile/preferences", "Username or email", "Password", "Sign in", _DEVELOPER)
            ),
        ),
        RealSite("reddit", SignIn("/login", "/submit", "Username", "Password", "Log in", _READER)),
        RealSite("map"),
        RealSite("wikipedia"),
    )
}
API_ACCOUNT = _ADMIN
"""Of the shop's interface for programs, which some evaluators ask for its latest order or review."""
PAPER = ("shopping", "shopping_admin", "gitlab", "reddit", "multi")
"""The paper's subsets: one a site, and the tasks of several sites without the map."""
GROUPS = (*PAPER, "map")
NOT_GIVEN: Mapping[str, None] = dict.fromkeys(SITES)
"""Of settings by site: none."""
NOBODY: Mapping[str, None] = dict.fromkeys(name for name, site in SITES.items() if site.sign_in is not None)
"""Of accounts: none. Sites that are not in it let everybody in."""


def check_groups(chosen: Sequence[str]) -> None:
    """SetupError for what is no group of tasks."""
    if isinstance(chosen, str) or not chosen:
        raise SetupError(f"suite.sites={chosen!r}: a list of names is needed, such as [{', '.join(PAPER)}]")
    for name in chosen:
        if name not in GROUPS:
            raise SetupError(f"suite.sites: no site {name!r}; {nearest(name, GROUPS)}")


def addresses(
    given: Mapping[str, str | Sequence[str] | None], environ: Mapping[str, str] = os.environ
) -> dict[str, list[str]]:
    """The addresses of each site's servers: those given, else that of its variable. SetupError for what is none."""
    for name in given:
        if name not in SITES:
            raise SetupError(f"suite.urls.{name}: no such site; {nearest(name, list(SITES))}")
    found = {}
    for site in SITES.values():
        if given.get(site.name) in ([], ""):
            raise SetupError(f"suite.urls.{site.name} names no server; write its address, or leave it null")
        value = given.get(site.name) or environ.get(site.variable, "").strip()
        if not value:
            continue
        where = f"suite.urls.{site.name}" if given.get(site.name) else site.variable
        urls = [checked_address(url, where) for url in ([value] if isinstance(value, str) else value)]
        if len(set(urls)) < len(urls):
            raise SetupError(f"{where}: one address is there twice; each server is named once")
        found[site.name] = urls
    return found


def checked_address(url: str, where: str) -> str:
    """Without a slash at its end. SetupError where it is no address of a server."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or parts.query or parts.fragment:
        raise SetupError(f"{where}: no address of a server; write one such as http://localhost:7770")
    if parts.username is not None or parts.password is not None:
        raise SetupError(f"{where}: an address must hold no name and no password; use suite.accounts for them")
    return url.rstrip("/")


def server_of(url: str) -> str:
    """Host and port, alike for all ways to write them; what a browser's own page has in their place."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url
    return f"{parts.hostname}:{port}" if parts.hostname and port else parts.netloc


def accounts_of(given: Mapping[str, Account | Mapping[str, str] | None]) -> dict[str, Account]:
    """The accounts that are given. SetupError for what is none; no password is told."""
    found = {}
    for name, account in given.items():
        if name not in SITES:
            raise SetupError(f"suite.accounts.{name}: no such site; {nearest(name, list(NOBODY))}")
        if account is None:
            continue
        if name not in NOBODY:
            raise SetupError(f"suite.accounts.{name}: nobody signs in at {name}; leave it out")
        words = account.model_dump() if isinstance(account, Account) else dict(account)
        if words.keys() != Account.model_fields.keys():
            raise SetupError(
                f"suite.accounts.{name} has {', '.join(map(str, words)) or 'nothing'}; it needs "
                "{username: NAME, password: WORD}"
            )
        found[name] = Account(**{key: str(value) for key, value in words.items()})
    return found


def account_of(name: str, given: Mapping[str, Account]) -> Account | None:
    """Who signs in at a site; None where nobody does."""
    sign_in = SITES[name].sign_in
    return None if sign_in is None else given.get(name, sign_in.account)


def resolved(text: str, here: Mapping[str, str]) -> str:
    """A text with addresses in the place of what stands for them. `here`: by the site's name."""
    for name, address in here.items():
        text = text.replace(SITES[name].placeholder, address)
    return text
