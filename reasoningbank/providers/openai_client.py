"""OpenAI's own client library, at OpenAI or at any server that speaks its protocol: made once, thread-safe, ours to
retry."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reasoningbank.errors import ReasoningBankError
from reasoningbank.providers.endpoint import PLACEHOLDER, Endpoint, host_of, imported
from reasoningbank.providers.faults import bad_reply, typed_error
from reasoningbank.providers.secrets import secrets_in

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"


class OpenAIConnection:
    """One address with one key. The library is loaded, and the key looked for, when a call is made.

    Without `base_url` it is OpenAI's, and the key that of OPENAI_API_KEY. No other server is sent that key unless
    `key_env` says so: one that takes no key needs none here.
    """

    def __init__(
        self,
        *,
        where: str,
        model: str,
        base_url: str | None,
        key_env: str | None,
        timeout: float,
        connect_timeout: float,
        max_connections: int,
        remedies: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        named = key_env or (OPENAI_KEY if base_url is None else None)
        self.endpoint = Endpoint.of(
            where=where,
            model=model,
            url=base_url or OPENAI,
            key_env=named,
            remedies=remedies,
            hidden=(*secrets_in(extra_body), *secrets_in({"authorization": extra_headers})),
        )
        self._headers = dict(extra_headers or {})
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._max_connections = max_connections
        self._client: OpenAI | None = None
        self._lock = threading.Lock()

    def id(self, kind: str) -> str:
        """What results call the model: its host is told where it is not OpenAI's."""
        place = "" if self.endpoint.url == OPENAI else f"@{host_of(self.endpoint.url)}"
        return f"{kind}:{self.endpoint.model}{place}"

    @property
    def client(self) -> OpenAI:
        """The library's client, the same for all threads."""
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = self._make()
        return self._client

    def _make(self) -> OpenAI:
        key = self.endpoint.key
        openai = imported("openai", None)
        from reasoningbank.providers.pool import pooled_client

        http = pooled_client(
            timeout=self._timeout, connect_timeout=self._connect_timeout, connections=self._max_connections
        )
        weakref.finalize(self, http.close)
        made: OpenAI = openai.OpenAI(
            api_key=key,
            base_url=self.endpoint.url,
            timeout=http.timeout,
            max_retries=0,  # there is one retry policy, and it is not the library's
            default_headers=self._headers,
            http_client=http,
        )
        return made

    def check(self) -> str:
        """What calls go by. SetupError where there is no key, or no client library."""
        key = self.endpoint.key
        imported("openai", None)
        return "no key is sent" if key == PLACEHOLDER else f"key: {self.endpoint.key_env}"

    def models(self) -> list[str]:
        """The names that the server lists, which costs nothing."""
        client = self.client
        try:
            return sorted(str(model.id) for model in client.models.list())
        except self.faults as error:
            raise self.typed(error) from None
        except (AttributeError, TypeError):
            raise bad_reply(self.endpoint, "a list of models that is none") from None

    def close(self) -> None:
        """Close the connections. A later call opens others."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        """What the library raises where a call fails, and where a reply cannot be read."""
        import httpx2
        import openai

        return (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError)

    def typed(self, error: Exception) -> ReasoningBankError:
        """The error to raise instead, `from None`: the original may quote headers."""
        return typed_error(self.endpoint, error)


def whole_number(value: Any) -> int:
    """A count of tokens as servers send it; 0 for none."""
    return value if type(value) is int and value > 0 else 0
