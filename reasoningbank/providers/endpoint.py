"""Where a remote model is: its address, the name of its key's variable, and what of this an error may say.

    endpoint = Endpoint.of(where="llm", model="gpt-5-mini", url="https://api.openai.com/v1", key_env="OPENAI_API_KEY")
    endpoint.key                      # from the environment; SetupError names the variable where it is missing

A key is held to be sent and to be struck out of whatever a server says; no message, no `repr` has it.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

from reasoningbank.errors import SetupError
from reasoningbank.providers.secrets import HIDDEN, held_keys, holds_key, scrub

VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,79}")
"""Upper case alone, as variables of keys are named everywhere: a key that was written in its place is none."""

PLACEHOLDER = "none"
"""Sent where a server takes no key and the client library insists on one."""


def wire_seed(seed: int) -> int:
    """The seed as every provider takes it: 31 bits, never negative. Equal seeds stay equal."""
    return seed & 0x7FFFFFFF


def checked_url(url: str, where: str) -> str:
    """The address without its last slash. SetupError where it is none, or holds what belongs into a variable."""
    key = f"{where}.base_url"
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  # raises where it is no number
    except ValueError:
        raise SetupError(f"{key} is no address: give one such as http://localhost:8000/v1") from None
    if parts.scheme not in ("http", "https") or not _is_host(parts.hostname or "") or not _PATH.fullmatch(parts.path):
        raise SetupError(f"{key} is no address: give one such as http://localhost:8000/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise SetupError(
            f"{key} for {parts.hostname} holds a user, a password, a query or a fragment: give the bare address, and "
            f"the key in the environment variable that {where}.key_env names"
        )
    return url.rstrip("/")


_PATH = re.compile(r"[!-~]*")


def _is_host(host: str) -> bool:
    """Whether it can be looked up. Letters that are not ASCII have a form for that, most signs have none."""
    try:
        return bool(host) and re.search(r"[\s<>\"'`^{|}\\]", host) is None and bool(host.encode("idna"))
    except UnicodeError:
        return False


def host_of(url: str) -> str:
    """The host without its port: it names a server in a model's id."""
    return urlsplit(url).hostname or ""


def without_port(url: str) -> str:
    """The address without its port and its last slash: a server that is started again may listen on another."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return urlunsplit(parts._replace(netloc=host)).rstrip("/")


def imported(module: str, extra: str | None) -> ModuleType:
    """A provider's own library, loaded where it is used. SetupError says how to install it: by the extra, or itself."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = error.name or module
        wanted = module if extra is None else f'"reasoningbank[{extra}]"'
        raise SetupError(f"{name} is not installed: pip install {wanted}") from None


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A model at an address. `where` is the key of the settings that made it: `llm`, `roles.judge`, `embedder`."""

    where: str
    model: str
    url: str
    key_env: str | None
    other_env: str | None = None
    """Another variable for the same key, which the provider's library prefers where both are set."""
    login: str = ""
    """How one is let in where it is not by a key: what to do, in the imperative."""
    remedies: Mapping[str, str] = field(default_factory=dict)
    """By a parameter's name on the wire, which key of the settings leaves it out or sends another."""
    hidden: tuple[str, ...] = field(default=(), repr=False)
    """What else is sent that no message may hold."""

    @classmethod
    def of(
        cls,
        *,
        where: str,
        model: str,
        url: str,
        key_env: str | None,
        other_env: str | None = None,
        login: str = "",
        remedies: Mapping[str, str] | None = None,
        hidden: tuple[str, ...] = (),
    ) -> Endpoint:
        """SetupError where the model has no name, the address is none, or `key_env` names no variable."""
        if not model.strip():
            raise SetupError(f"{where}.model is empty: give the model's name as its server lists it")
        if key_env is not None and not VARIABLE.fullmatch(key_env):
            raise SetupError(
                f"{where}.key_env is no variable's name: write the name of the environment variable that holds the "
                "key, such as MY_API_KEY, and never the key itself"
            )
        for name in (key_env, other_env):
            if name is not None:
                holds_key(name)
        return cls(
            where=where,
            model=model,
            url=checked_url(url, where),
            key_env=key_env,
            other_env=other_env,
            login=login,
            remedies=dict(remedies or {}),
            hidden=hidden,
        )

    @property
    def variable(self) -> str | None:
        """The variable that holds the key, or that is to hold it."""
        names = [name for name in (self.other_env, self.key_env) if name]
        return next((name for name in names if os.environ.get(name, "").strip()), self.key_env)

    @property
    def key(self) -> str:
        """The key. SetupError, before anything is sent, where there is none or it cannot stand in a header."""
        name = self.variable
        if name is None:
            return PLACEHOLDER
        key = os.environ.get(name, "").strip()
        if not key:
            other = f" (or {self.other_env})" if self.other_env else ""
            raise SetupError(
                f"{self.where}: no key for {self.url}: set the environment variable {name}{other}, or give it a line "
                "in a file .env"
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise SetupError(
                f"{self.where}: the environment variable {name} holds no key: it has blanks, line ends or "
                "letters that no key has"
            )
        return key

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may hold."""
        names = [name for name in (self.key_env, self.other_env) if name]
        return (*(key for name in names if (key := os.environ.get(name, "").strip())), *self.hidden)

    def keyless(self, text: str) -> str:
        """A reply's text without the keys that settings name. What else is secret may be a word that a reply needs."""
        for key in held_keys():
            text = text.replace(key, HIDDEN)
        return text

    def say(self, text: str) -> str:
        """What a server said, fit for a message."""
        return scrub(text, self.secrets)

    def __str__(self) -> str:
        return f"{self.where}.model={self.model} at {self.url}"
