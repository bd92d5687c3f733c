"""What no file, log or message may hold: keys, headers, credentials in addresses. The one place that knows them.

scrub(text, secrets)              # a server's words, fit for a message
struck(text)                      # any text, without the values of the environment's secrets
is_secret("x-api-key")            # whether the value under a name is one
holds_key("JUDGE_LOGIN")          # a variable that settings name: from now on its value is struck out too
"""

from __future__ import annotations

import base64
import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

LONGEST = 400
"""Characters of a server's own words that an error repeats."""

SHORTEST = 8
"""Characters that a secret must have to be struck out wherever it stands: shorter ones only where they are a word."""

SHORTEST_WORD = 4
"""And what has fewer is none that could be kept: without it a message would lose its own words."""

HIDDEN = "***"

_NAMES = re.compile(
    r"(^|[._-])(x[_-])?(api[_-]?key|secret([_-]?(key|access[_-]?key))?|password|passwd|pwd|(access|auth|id|bearer)[_-]?token"
    r"|token|(proxy[_-])?authorization|cookie|credentials?|private[_-]?key)$|(^|\.)extra_headers(\.|$)",
    re.IGNORECASE,
)
_VARIABLES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
_URL = re.compile(r"(?<=://)[^/\s@\"']+(?=@)")
_QUERY = re.compile(r"(?i)(?<=[?&])((?:api[_-]?)?key|(?:access_)?token|password|secret|sig(?:nature)?)=[^\s&#\"']+")
_FORM = re.compile(
    r"(?<![\w.-])(?:(?:sk|pk|rk|xai|gsk|hf|ya29|ghp|glpat)[-_.](?=[\w.-]*\d)[\w.-]{16,}|AIza[\w-]{30,})(?![\w-])"
)
"""What is nothing but a key: it is struck out of settings, too, where a mere resemblance would hide a name."""
_PAIR = re.compile(r"([\w.-]+)([\"']?\s*[:=]\s*)(\"[^\"]*\"|'[^']*'|[^,{}\[\]]+)")
_NO_WORD = re.compile(r"(?=.*\d).{16,}")
_NAME = re.compile(r"[\w.-]+[\"']?\s*:(?!//)\s*")
_PIECE = re.compile(r"[^\s,{}\[\]\"']+")
_NO_SECRETS = {"null", "true", "false", "Bearer", "Basic"}
_KEYS = re.compile(r"\b(sk|pk|rk|xai|gsk|hf|AIza|ya29)[-_.]?[A-Za-z0-9*_.-]{12,}")
_SAID = (
    re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+"),
    re.compile(r"(?i)\b(api[-_]?key|key|token|access_token|password|secret)([\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;}]+"),
    _KEYS,
    _URL,
)


def is_secret(name: str) -> bool:
    """Whether what stands under this name (of a setting, a header, a key of a request) is for nobody to read."""
    return bool(_NAMES.search(name))


_held: set[str] = set()
"""Variables of this process's settings. A server of several roles may tell one of them another's key."""


def holds_key(variable: str) -> None:
    """Settings say that the environment variable holds a key, whatever its name."""
    _held.add(variable)


def held_keys() -> list[str]:
    """The keys that settings name, the longest first; but for those that are words, as servers without a key take."""
    found = {os.environ.get(name, "").strip() for name in tuple(_held)}
    return sorted((key for key in found if _NO_WORD.fullmatch(key)), key=lambda key: (-len(key), key))


def environment_secrets() -> tuple[str, ...]:
    """The values of the environment's variables that are named as keys, tokens and passwords are, or that settings name
    for a key; the longest first."""
    held = tuple(_held)
    found = {value.strip() for name, value in os.environ.items() if name in held or _VARIABLES.search(name)}
    return tuple(sorted((value for value in found if len(value) >= SHORTEST), key=lambda value: (-len(value), value)))


def secrets_in(data: object) -> tuple[str, ...]:
    """The texts that stand under secret names, at whatever depth."""
    return tuple(_under_secret_names(data, secret=False))


def _under_secret_names(data: object, *, secret: bool) -> Iterator[str]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _under_secret_names(value, secret=secret or is_secret(str(name)))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _under_secret_names(value, secret=secret)
    elif isinstance(data, str) and secret and data:
        # a header's value is a scheme and what must be kept
        yield from {data, data.rpartition(" ")[2]} - {""}


def struck(text: str, secrets: tuple[str, ...] = ()) -> str:
    """The text without `secrets`, the environment's secrets, credentials in addresses and what has a key's form."""
    for secret in (*sorted(secrets, key=len, reverse=True), *environment_secrets()):
        if len(secret) >= SHORTEST:
            text = _forms(secret).sub(HIDDEN, text)
        elif len(secret) >= SHORTEST_WORD:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    text = _QUERY.sub(rf"\1={HIDDEN}", _URL.sub(HIDDEN, text))
    return _FORM.sub(HIDDEN, text)


@functools.lru_cache(maxsize=256)
def _forms(secret: str) -> re.Pattern[str]:
    """A secret as it may be repeated: in any case, with line ends in it, as an address has it, and within base64."""
    broken = r"(?:\s|\\[nrt])*".join(map(re.escape, secret))
    exact = {quote(secret, safe="")} - {secret}
    for before in range(3):  # bytes before it, up to a whole group: they change the letters of its first and last byte
        data = b"\0" * before + secret.encode("utf-8", "surrogateescape")
        whole = slice((0, 2, 3)[before], len(data) * 4 // 3)
        exact |= {encode(data).decode()[whole] for encode in (base64.b64encode, base64.urlsafe_b64encode)}
    return re.compile("|".join([f"(?i:{broken})", *(f"{re.escape(each)}=*" for each in sorted(exact))]))


def typed_secrets(words: Iterable[str]) -> tuple[str, ...]:
    """What `KEY=VALUE` words, as they were typed, hold under secret names, and in addresses."""
    found: set[str] = set()
    for word in words:
        key, _, value = word.partition("=")
        pairs = [(name, text) for name, _, text in _PAIR.findall(word)] + [(key, value)]
        for name, text in pairs:
            if is_secret(name.lstrip("+~-")):
                found |= set(_PIECE.findall(_NAME.sub("", text)))
            elif name.endswith("key_env"):  # a key that was written in the place of a variable's name
                found |= {piece for piece in _PIECE.findall(text) if piece != piece.upper()}
        found |= {piece for login in _URL.findall(word) for piece in login.split(":")}
    return tuple(sorted(found - _NO_SECRETS))


def hidden_line(word: str) -> str:
    """`KEY=VALUE` as it was typed, `struck`, and without what stands in it under secret names: `x={api_key: ...}`."""

    def pair(found: re.Match[str]) -> str:
        name, between, value = found.groups()
        if is_secret(name):
            return f"{name}{between}{HIDDEN}"
        return f"{name}{between}{_PAIR.sub(pair, value)}"

    key, equals, _ = word.partition("=")
    return f"{key}={HIDDEN}" if equals and is_secret(key) else struck(_PAIR.sub(pair, word))


def hidden(data: object) -> object:
    """Plain data without what stands under secret names, and with its texts `struck`."""
    if isinstance(data, Mapping):
        return {
            name: HIDDEN if value and not isinstance(value, bool) and is_secret(str(name)) else hidden(value)
            for name, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [hidden(value) for value in data]
    return struck(data) if isinstance(data, str) else data


def scrub(text: str, secrets: tuple[str, ...] = ()) -> str:
    """One line of a server's words, without `secrets` and without what looks like a key, a header or a credential."""
    text = struck(text, secrets)
    for pattern in _SAID:
        text = pattern.sub(HIDDEN, text)
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
