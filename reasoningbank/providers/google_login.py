"""Google's application default credentials: what Vertex AI is asked with, for every publisher's models there.

They come from `gcloud auth application-default login`, from the file that GOOGLE_APPLICATION_CREDENTIALS names, or from
the machine itself on Google's cloud.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
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
