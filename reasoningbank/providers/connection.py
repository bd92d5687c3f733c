"""What every provider's connection is: one client library's client a process and settings, made when first called,
thread-safe, with kept connections and no retries of its own."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar
from urllib.parse import urlsplit

from reasoningbank.errors import ReasoningBankError, SetupError
from reasoningbank.providers.checks import fit_for_headers, fit_for_json, no_empty_texts
from reasoningbank.providers.endpoint import PLACEHOLDER, Endpoint, host_of, imported
from reasoningbank.providers.faults import bad_reply, body_of, declined, status_of, typed_error
from reasoningbank.providers.secrets import secrets_in
from reasoningbank.types import Reply, Usage

if TYPE_CHECKING:
    import httpx2

C = TypeVar("C")
P = TypeVar("P")

OTHER_FORM: tuple[type[Exception], ...] = (TypeError, AttributeError, LookupError)
"""What a client library raises, beside its own errors, that walks through a reply of another form."""

WIRE_KEYS = frozenset({"key_env", "timeout", "connect_timeout", "max_connections", "extra_headers"})
"""Of what a `Wire` holds, the keys of settings that say how calls travel and nothing of what they are."""
MOST_TOKENS = 10**9
"""A server that counts more for one call has miscounted."""
VERTEX_KEYS = frozenset({"vertex", "project", "location"})


@dataclass(frozen=True, kw_only=True)
class Wire:
    """Where a model is and how its calls travel, by the keys of its settings, which stand at `where`. Seconds."""

    where: str
    model: str
    base_url: str | None
    key_env: str | None
    timeout: float
    connect_timeout: float
    max_connections: int
    vertex: bool = False
    project: str | None = None
    location: str | None = None
    remedies: Mapping[str, str] = field(default_factory=dict)
    extra_body: Mapping[str, Any] | None = field(default=None, repr=False)
    extra_headers: Mapping[str, str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """SetupError for what can be no address, name, header or JSON."""
        no_empty_texts(
            self.where, base_url=self.base_url, key_env=self.key_env, project=self.project, location=self.location
        )
        fit_for_headers(self.where, self.extra_headers)
        fit_for_json(self.where, self.extra_body)

    @property
    def hidden(self) -> tuple[str, ...]:
        """What of it no message may hold."""
        return (*secrets_in(self.extra_body), *secrets_in({"authorization": self.extra_headers}))


class Paid:
    """The tokens of a call, as far as the server has told them. An error that ends it takes them along.

    with Paid() as paid:
        paid.usage = usage_of(answer)      # as soon as it is told, and before anything is refused
        raise bad_reply(endpoint, "...")   # has them as its `usage`
    """

    def __init__(self) -> None:
        self.usage = Usage(calls=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, ReasoningBankError) and self.usage.total:
            error.usage = self.usage


class Connection(Generic[C]):
    """One address with one key. The library is loaded, and the key looked for, when a call is made."""

    library: ClassVar[str]
    extra: ClassVar[str | None] = None
    """The extra of this package that installs the library; None where it comes with the package."""

    def __init__(
        self, wire: Wire, *, own: str, own_key: str | None = None, other_key: str | None = None, login: str = ""
    ) -> None:
        """`own` is the provider's own address, which no id tells, and `own_key` the variable of its key, or `other_key`
        that its library prefers; no other address is sent that key unless the settings say so. `login`: how one is let
        in where it is not by a key."""
        named = wire.key_env or (own_key if wire.base_url is None and not wire.vertex else None)
        self.endpoint = Endpoint.of(
            where=wire.where,
            model=wire.model,
            url=own if wire.base_url is None else wire.base_url,
            key_env=named,
            other_env=other_key if named == own_key else None,
            login=login,
            remedies=wire.remedies,
            hidden=wire.hidden,
        )
        self._wire = wire
        self._own = own
        self._headers = dict(wire.extra_headers or {})
        self._http: httpx2.Client | None = None
        self._client: C | None = None
        self._lock = threading.Lock()

    def id(self, kind: str) -> str:
        """What results call the model: its host is told where it is not the provider's own."""
        place = "" if self.endpoint.url == self._own else f"@{host_of(self.endpoint.url)}"
        return f"{kind}:{self.endpoint.model}{place}"

    @property
    def client(self) -> C:
        """The library's client, the same for all threads."""
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = self._made()
        return self._client

    def _made(self) -> C:
        """The client. SetupError for what its library refuses before anything is sent."""
        import httpx2

        try:
            return self._make()
        except (ValueError, ImportError, httpx2.InvalidURL) as error:
            said = self.endpoint.say(f"{type(error).__name__} {error}")
            where = self.endpoint.where
            raise SetupError(f"{self.endpoint} cannot be asked ({said}): compare {where}.base_url") from None

    def _make(self) -> C:
        """The client, with `_pool` for its connections and without retries."""
        raise NotImplementedError

    def _pool(self) -> httpx2.Client:
        """Connections of its own, closed with it."""
        from reasoningbank.providers.pool import pooled_client

        self._http = pooled_client(
            timeout=self._wire.timeout,
            connect_timeout=self._wire.connect_timeout,
            connections=self._wire.max_connections,
        )
        weakref.finalize(self, self._http.close)
        return self._http

    def check(self) -> str:
        """What calls go by. SetupError where there is no key, or no client library."""
        key = self.endpoint.key
        imported(self.library, self.extra)
        return "no key is sent" if key == PLACEHOLDER else f"key: {self.endpoint.variable}"

    def models(self) -> list[str]:
        """The names that the server lists, which costs nothing."""
        client = self.client
        try:
            return sorted(str(name) for name in self._listed(client))
        except self.faults as error:
            raise self.typed(error) from None
        except (AttributeError, TypeError):
            raise bad_reply(self.endpoint, "a list of models that is none") from None

    def _listed(self, client: C) -> Iterable[object]:
        """The names as the library reads them."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the connections. A later call opens others."""
        with self._lock:
            self._client, http, self._http = None, self._http, None
        if http is not None:
            http.close()

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What the library raises where a call fails, and where a reply cannot be read."""
        import httpx2

        return (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError)

    def read(self, made: Iterable[P]) -> Iterator[P]:
        """What a stream brings. InfraError also for pieces of a form that the library cannot walk through."""
        try:
            yield from made
        except OTHER_FORM as error:
            raise bad_reply(self.endpoint, f"a piece of a stream in another form ({type(error).__name__})") from None

    def kept(self, reply: Reply) -> Reply:
        """The reply as it is used, recorded and shown: without the key, which a server may have put into it."""
        text = self.endpoint.keyless(reply.text)
        return reply if text == reply.text else reply.model_copy(update={"text": text})

    def text(self, value: object) -> str:
        """A text as a reply has it, "" for null. InfraError for what is neither: the rest would pass for the whole."""
        if value is not None and not isinstance(value, str):
            raise bad_reply(self.endpoint, f"{type(value).__name__} in the place of a text")
        return value or ""

    def declined_or_raise(self, error: Exception) -> Reply:
        """The reply, of stop reason "safety", where the prompt itself is refused; else raises the `typed` error."""
        if status_of(error) == 400 and declined(body_of(error)):
            return Reply(text="", usage=Usage(calls=1), stop_reason="safety")
        raise self.typed(error) from None

    def typed(self, error: Exception) -> ReasoningBankError:
        """The error to raise instead, `from None`: the original may quote headers."""
        return typed_error(self.endpoint, error)


class Remote:
    """What a model or an embedder at a provider says and does by its connection."""

    connection: Connection[Any]

    @property
    def provider(self) -> str:
        """Whose limits its calls use up: the address, without what a protocol puts behind it."""
        return urlsplit(self.connection.endpoint.url).netloc

    def check(self) -> str:
        """What calls go by. SetupError where none can be made."""
        return self.connection.check()

    def models(self) -> list[str]:
        """The names that the server lists, which may be of other kinds of models too."""
        return self.connection.models()

    def close(self) -> None:
        """Close the connections."""
        self.connection.close()


def whole_number(value: Any) -> int:
    """A count of tokens as servers send it; 0 for none, and for what no call can take."""
    return value if type(value) is int and 0 < value <= MOST_TOKENS else 0
