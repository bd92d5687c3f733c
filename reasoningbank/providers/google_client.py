"""Google's own client library for Gemini: the Gemini API with a key, and Vertex AI with a login or an express key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from reasoningbank.providers.connection import Connection
from reasoningbank.providers.endpoint import Endpoint, imported
from reasoningbank.providers.google_login import LOGIN, GoogleLogin, vertex_location, vertex_url
from reasoningbank.providers.secrets import secrets_in

if TYPE_CHECKING:
    from google.genai import Client

GEMINI = "https://generativelanguage.googleapis.com"
GEMINI_KEY = "GEMINI_API_KEY"
OTHER_KEY = "GOOGLE_API_KEY"


class GoogleConnection(Connection["Client"]):
    """Where a Gemini model or embedder is.

    - The Gemini API, with the key of GEMINI_API_KEY or GOOGLE_API_KEY. Another `base_url` is sent no key unless
      `key_env` says so.
    - `vertex`: Vertex AI, with the login of this machine, in `project` and `location` (else those of
      GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, else the login's project and `global`); with `key_env` it is an
      express key instead, which knows its project. The login's token is sent to `base_url` where that is given.
    """

    def __init__(
        self,
        *,
        where: str,
        model: str,
        base_url: str | None,
        key_env: str | None,
        vertex: bool,
        project: str | None,
        location: str | None,
        timeout: float,
        connect_timeout: float,
        max_connections: int,
        remedies: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        self._vertex = vertex
        self._headers = dict(extra_headers or {})
        self._logs_in = vertex and key_env is None
        self._project = project
        self._location = vertex_location(location)
        self._login: GoogleLogin | None = None
        own = vertex_url(self._location if self._logs_in else "global") if vertex else GEMINI
        named = key_env or (GEMINI_KEY if base_url is None and not vertex else None)
        super().__init__(
            endpoint=Endpoint.of(
                where=where,
                model=model,
                url=base_url or own,
                key_env=named,
                other_env=OTHER_KEY if named == GEMINI_KEY else None,
                login=LOGIN if self._logs_in else "",
                remedies=remedies,
                hidden=(*secrets_in(extra_body), *secrets_in({"authorization": extra_headers})),
            ),
            own=own,
            timeout=timeout,
            connect_timeout=connect_timeout,
            max_connections=max_connections,
        )

    library = "google.genai"

    @property
    def client(self) -> Client:
        """Google's client, let in. SetupError where Google does not."""
        client = super().client
        if self._login is not None:
            self._login.fresh()
        return client

    def _make(self) -> Client:
        key = None if self._logs_in else self.endpoint.key
        genai = imported(self.library, self.extra)
        if self._logs_in:
            self._login = GoogleLogin(endpoint=self.endpoint, project=self._project)
        options = genai.types.HttpOptions(
            base_url=self.endpoint.url,
            timeout=int(self._timeout * 1000),
            headers=self._headers,
            httpx_client=self._pool(),
        )
        made: Client = genai.Client(
            vertexai=self._vertex,  # else the environment's
            api_key=key,
            credentials=self._login and self._login.credentials,
            project=self._login and self._login.project,
            location=self._location if self._login else None,
            http_options=options,
        )
        return made

    def check(self) -> str:
        """What calls go by. SetupError where there is no key or login, or no client library."""
        if not self._logs_in:
            return super().check()
        imported(self.library, self.extra)
        return f"login, project {GoogleLogin(endpoint=self.endpoint, project=self._project).project}"

    def _listed(self, client: Client) -> Iterable[object]:
        return (str(model.name).rpartition("/")[2] for model in client.models.list())

    @property
    def faults(self) -> tuple[type[Exception], ...]:
        from google.genai.errors import APIError

        return (APIError, *super().faults)
