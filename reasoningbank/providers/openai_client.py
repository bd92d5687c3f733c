"""OpenAI's own client library, at OpenAI or at any server that speaks its protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from reasoningbank.providers.connection import Connection, Wire
from reasoningbank.providers.endpoint import imported

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
THINKS = re.compile(r"(^|/)(o\d|gpt-5(?![.\d]|-chat))")
"""Models that think where no effort is named; GPT-5.1 and later do not."""


def thinks(model: str, effort: str | None) -> bool:
    """Whether a model thinks before it answers, asked for this `reasoning_effort`."""
    return bool(THINKS.search(model)) if effort is None else effort != "none"


class OpenAIConnection(Connection["OpenAI"]):
    """Without `base_url` it is OpenAI's, and the key that of OPENAI_API_KEY. No other server is sent that key unless
    `key_env` says so: one that takes no key needs none here."""

    library = "openai"

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire, own=OPENAI, own_key=OPENAI_KEY)

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
        # the library takes from the environment what nobody has set here, and would send it to any server
        made.organization = made.project = made.admin_api_key = None
        made._custom_headers = self._headers
        return made

    def _listed(self, client: OpenAI) -> Iterable[object]:
        return (model.id for model in client.models.list())

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        import openai

        return (openai.OpenAIError, *super().faults)
