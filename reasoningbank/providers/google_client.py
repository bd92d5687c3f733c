"""Google's own client library for Gemini: the Gemini API with a key, and Vertex AI with a login or an express key."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
from reasoningbank.providers.checks import fit_for_address
from reasoningbank.providers.connection import Wire
from reasoningbank.providers.endpoint import imported
from reasoningbank.providers.google_login import ANYWHERE, VertexConnection

if TYPE_CHECKING:
    from google.genai import Client

GEMINI = "https://generativelanguage.googleapis.com"
GEMINI_KEY = "GEMINI_API_KEY"
OTHER_KEY = "GOOGLE_API_KEY"
VERSIONS = {False: "v1", True: "v1beta1"}
"""Of the API, on Vertex AI or not; else the environment's."""


class GoogleConnection(VertexConnection["Client"]):
    """Where a Gemini model or embedder is.

    - The Gemini API, with the key of GEMINI_API_KEY or GOOGLE_API_KEY. Another `base_url` is sent no key unless
      `key_env` says so.
    - `vertex`: Vertex AI, with the login of this machine, in `project` and `location` (else those of
      GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, else the login's project and `global`); with `key_env` it is an
      express key instead, which knows its project. The login's token is sent to `base_url` where that is given.
    """

    library = "google.genai"

    def __init__(self, wire: Wire) -> None:
        """SetupError for a model's name that cannot stand in an address, and for a place beside an express key."""
        fit_for_address(wire.where, model=wire.model)
        if wire.vertex and wire.key_env is not None:
            for key in ("project", "location"):
                if getattr(wire, key) is not None:
                    raise SetupError(
                        f"{wire.where}.{key}: the express key of {wire.where}.key_env knows its place: set {key}=null"
                    )
            wire = replace(wire, location=ANYWHERE)  # an express key knows its place
        super().__init__(wire, own=GEMINI, own_key=GEMINI_KEY, other_key=OTHER_KEY)

    def _make(self) -> Client:
        key = None if self._logs_in else self.endpoint.key
        genai = imported(self.library, self.extra)
        login = self._entered()
        http = self._pool()
        from google.genai.client import DebugConfig

        from reasoningbank.providers.pool import authorities

        # it looks for keys of its own, which are not sent, and tells which of them it would take
        logging.getLogger("google_genai._api_client").addFilter(_not_of_keys)
        options = genai.types.HttpOptions(
            base_url=self.endpoint.url,
            api_version=VERSIONS[self._wire.vertex],
            timeout=int(self._wire.timeout * 1000),
            headers=self._headers,
            httpx_client=http,
            async_client_args=dict.fromkeys(("verify", "ssl"), authorities()),  # else read twice, for what nobody calls
        )
        made: Client = genai.Client(
            vertexai=self._wire.vertex,  # else the environment's
            api_key=key,
            credentials=login and login.credentials,
            project=login and login.project,
            location=self._location if login else None,
            http_options=options,
            # else the environment may name a folder of recorded replies
            debug_config=DebugConfig(client_mode=None, replays_directory=None, replay_id=None),
        )
        return made

    def _listed(self, client: Client) -> Iterable[object]:
        return (str(model.name).rpartition("/")[2] for model in client.models.list())

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        from google.genai.errors import APIError

        return (APIError, *super().faults)


def _not_of_keys(record: logging.LogRecord) -> bool:
    return OTHER_KEY not in record.getMessage()
