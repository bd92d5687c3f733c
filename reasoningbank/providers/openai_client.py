"""OpenAI's own client library, at OpenAI or at any server that speaks its protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from reasoningbank.providers.connection import Connection
from reasoningbank.providers.endpoint import Endpoint, imported
from reasoningbank.providers.secrets import secrets_in

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"


class OpenAIConnection(Connection["OpenAI"]):
    """Without `base_url` it is OpenAI's, and the key that of OPENAI_API_KEY. No other server is sent that key unless
    `key_env` says so: one that takes no key needs none here."""

    library = "openai"

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
        super().__init__(
            endpoint=Endpoint.of(
                where=where,
                model=model,
                url=base_url or OPENAI,
                key_env=named,
                remedies=remedies,
                hidden=(*secrets_in(extra_body), *secrets_in({"authorization": extra_headers})),
            ),
            own=OPENAI,
            timeout=timeout,
            connect_timeout=connect_timeout,
            max_connections=max_connections,
        )
        self._headers = dict(extra_headers or {})

    def _make(self) -> OpenAI:
        key = self.endpoint.key
        openai = imported(self.library, self.extra)
        http = self._pool()
        made: OpenAI = openai.OpenAI(
            api_key=key,
            base_url=self.endpoint.url,
            timeout=http.timeout,
            max_retries=0,  # there is one retry policy, and it is not the library's
            default_headers=self._headers,
            http_client=http,
        )
        return made

    def _listed(self, client: OpenAI) -> Iterable[object]:
        return (model.id for model in client.models.list())

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        import openai

        return (openai.OpenAIError, *super().faults)
