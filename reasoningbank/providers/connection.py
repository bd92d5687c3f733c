"""What every provider's connection is: one client library's client a process and settings, made when first called,
thread-safe, with kept connections and no retries of its own."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from reasoningbank.errors import ReasoningBankError
from reasoningbank.providers.endpoint import PLACEHOLDER, Endpoint, host_of, imported
from reasoningbank.providers.faults import bad_reply, body_of, declined, status_of, typed_error

if TYPE_CHECKING:
    import httpx2

C = TypeVar("C")


class Connection(Generic[C]):
    """One address with one key. The library is loaded, and the key looked for, when a call is made."""

    library: ClassVar[str]
    extra: ClassVar[str | None] = None
    """The extra of this package that installs the library; None where it comes with the package."""

    def __init__(
        self, *, endpoint: Endpoint, own: str, timeout: float, connect_timeout: float, max_connections: int
    ) -> None:
        """`own` is the provider's own address, which no id tells."""
        self.endpoint = endpoint
        self._own = own
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._max_connections = max_connections
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
                    self._client = self._make()
        return self._client

    def _make(self) -> C:
        """The client, with `_pool` for its connections and without retries."""
        raise NotImplementedError

    def _pool(self) -> httpx2.Client:
        """Connections of its own, closed with it."""
        from reasoningbank.providers.pool import pooled_client

        self._http = pooled_client(
            timeout=self._timeout, connect_timeout=self._connect_timeout, connections=self._max_connections
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

    def declines(self, error: Exception) -> bool:
        """Whether an error says that the prompt itself is refused: a reply with stop reason "safety", no fault."""
        return status_of(error) == 400 and declined(body_of(error))

    def typed(self, error: Exception) -> ReasoningBankError:
        """The error to raise instead, `from None`: the original may quote headers."""
        return typed_error(self.endpoint, error)


def whole_number(value: Any) -> int:
    """A count of tokens as servers send it; 0 for none."""
    return value if type(value) is int and value > 0 else 0
