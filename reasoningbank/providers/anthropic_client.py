"""Anthropic's own client library, at Anthropic and on Vertex AI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
from reasoningbank.providers.connection import Wire
from reasoningbank.providers.endpoint import imported
from reasoningbank.providers.google_login import VertexConnection

if TYPE_CHECKING:
    from anthropic import Anthropic, AnthropicVertex

ANTHROPIC = "https://api.anthropic.com"
ANTHROPIC_KEY = "ANTHROPIC_API_KEY"


class AnthropicConnection(VertexConnection["Anthropic | AnthropicVertex"]):
    """Where a Claude model is.

    - Anthropic, with the key of ANTHROPIC_API_KEY. Another `base_url` is sent no key unless `key_env` says so.
    - `vertex`: Vertex AI, with the login of this machine, in `project` and `location` (else those of
      GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, else the login's project and `global`). The login's token is sent
      to `base_url` where that is given.
    """

    library = "anthropic"
    extra = "claude"

    def __init__(self, wire: Wire) -> None:
        """SetupError for a key on Vertex AI: it takes a login alone."""
        if wire.vertex and wire.key_env is not None:
            raise SetupError(f"{wire.where}.key_env: Claude on Vertex AI takes a login and no key: set it to null")
        super().__init__(wire, own=ANTHROPIC, own_key=ANTHROPIC_KEY)

    def _make(self) -> Anthropic | AnthropicVertex:
        key = None if self._logs_in else self.endpoint.key
        anthropic = imported(self.library, self.extra)
        login = self._entered()
        http = self._pool()
        shared = {
            "timeout": http.timeout,
            "max_retries": 0,  # there is one retry policy, and it is not the library's
            "default_headers": self._headers,
            "http_client": http,
            "open_telemetry": False,
        }
        made: Anthropic | AnthropicVertex
        if login is not None:
            made = anthropic.AnthropicVertex(
                base_url=f"{self.endpoint.url}/v1",
                region=self._location,
                project_id=login.project,
                credentials=login.credentials,
                **shared,
            )
        else:
            made = anthropic.Anthropic(api_key=key, base_url=self.endpoint.url, **shared)
        # the library adds those of ANTHROPIC_CUSTOM_HEADERS, and would send them to any server
        made._custom_headers = self._headers
        return made

    def _listed(self, client: Anthropic | AnthropicVertex) -> Iterable[object]:
        if self._wire.vertex:
            raise NotImplementedError("Vertex AI does not list Anthropic's models")
        return (model.id for model in client.models.list())  # type: ignore[union-attr]

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        import anthropic

        return (anthropic.AnthropicError, *super().faults)
