"""Google's application default credentials: what Vertex AI is asked with, for every publisher's models there.

They come from `gcloud auth application-default login`, from the file that GOOGLE_APPLICATION_CREDENTIALS names, or from
the machine itself on Google's cloud.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
from reasoningbank.providers.checks import fit_for_address
from reasoningbank.providers.connection import C, Connection, Wire
from reasoningbank.providers.endpoint import Endpoint, imported
from reasoningbank.providers.faults import typed_error

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
LOGIN = (
    "log in by `gcloud auth application-default login`, or name a file of credentials in the environment variable "
    "GOOGLE_APPLICATION_CREDENTIALS"
)
ANYWHERE = "global"
"""The location that lets Google choose where a model runs."""


def vertex_url(location: str) -> str:
    """The address of Vertex AI for a location such as `us-central1`."""
    if location == ANYWHERE:
        return "https://aiplatform.googleapis.com"
    if location in ("us", "eu"):
        return f"https://aiplatform.{location}.rep.googleapis.com"
    return f"https://{location}-aiplatform.googleapis.com"


def vertex_location(location: str | None) -> str:
    """The given one, else that of GOOGLE_CLOUD_LOCATION, else the global one."""
    return location or os.environ.get("GOOGLE_CLOUD_LOCATION", "").strip() or ANYWHERE


class GoogleLogin:
    """The credentials of this process for one project, refreshed by one thread at a time."""

    def __init__(self, *, endpoint: Endpoint, project: str | None) -> None:
        """Looks for them. SetupError where there are none, or no project is told."""
        auth = imported("google.auth", None)
        self._endpoint = endpoint
        try:
            found: tuple[Credentials, str | None] = auth.default(scopes=SCOPES)
        except auth.exceptions.GoogleAuthError as error:
            raise typed_error(endpoint, error) from None
        self.credentials, told = found
        self.project = project or os.environ.get("GOOGLE_CLOUD_PROJECT", "").strip() or told or ""
        if not self.project:
            raise SetupError(
                f"{endpoint}: Vertex AI asks for a project: set {endpoint.where}.project, or the environment variable "
                "GOOGLE_CLOUD_PROJECT"
            )
        self._lock = threading.Lock()

    def fresh(self) -> None:
        """Get a token where there is none, or it is about to end. Client libraries would ask once a thread."""
        if self.credentials.token and not self.credentials.expired:
            return
        from google.auth.exceptions import GoogleAuthError
        from google.auth.transport.requests import Request

        with self._lock:
            if self.credentials.token and not self.credentials.expired:
                return
            try:
                self.credentials.refresh(Request())  # type: ignore[no-untyped-call]
            except GoogleAuthError as error:
                raise typed_error(self._endpoint, error) from None


class VertexConnection(Connection[C]):
    """A connection that may lead to Vertex AI, where one is let in by a login; or by `key_env`, without a project."""

    def __init__(self, wire: Wire, *, own: str, own_key: str, other_key: str | None = None) -> None:
        """`own` is the provider's address with `vertex` unset, and `own_key` the variable of its key. SetupError for a
        project or a location that nobody would be told, and for what cannot stand in an address."""
        given = {key: text for key in ("project", "location") if (text := getattr(wire, key)) is not None}
        for key in given if not wire.vertex else ():
            raise SetupError(f"{wire.where}.{key} is for Vertex AI alone: set {wire.where}.vertex=true, or {key}=null")
        fit_for_address(wire.where, **given)
        if wire.vertex:
            fit_for_address(wire.where, model=wire.model)
        self._logs_in = wire.vertex and wire.key_env is None
        self._location = vertex_location(wire.location)
        self._login: GoogleLogin | None = None
        super().__init__(
            wire,
            own=vertex_url(self._location) if wire.vertex else own,
            own_key=own_key,
            other_key=other_key,
            login=LOGIN if self._logs_in else "",
        )

    @property
    def client(self) -> C:
        """The library's client, let in. SetupError where Google does not."""
        client = super().client
        if self._login is not None:
            self._login.fresh()
            token = str(self._login.credentials.token)
            if token not in self.endpoint.hidden:  # an error may repeat it
                self.endpoint = replace(self.endpoint, hidden=(*self._wire.hidden, token))
        return client

    def _entered(self) -> GoogleLogin | None:
        """The login; None where it goes by a key. SetupError where there is none."""
        self._login = GoogleLogin(endpoint=self.endpoint, project=self._wire.project) if self._logs_in else None
        return self._login

    def check(self) -> str:
        """What calls go by. SetupError where there is no key or login, or no client library."""
        if not self._logs_in:
            return super().check()
        imported(self.library, self.extra)
        return f"login, project {GoogleLogin(endpoint=self.endpoint, project=self._wire.project).project}"
