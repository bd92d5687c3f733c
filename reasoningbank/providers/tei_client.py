"""Text-embeddings-inference by its own HTTP interface, which has no client library: bare lists of lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reasoningbank.providers.connection import Connection, Wire
from reasoningbank.providers.endpoint import PLACEHOLDER
from reasoningbank.providers.faults import status_error

if TYPE_CHECKING:
    import httpx2


class TEIConnection(Connection["httpx2.Client"]):
    """One server with one model."""

    library = "httpx2"

    def __init__(self, wire: Wire) -> None:
        """`wire.base_url` is given: there is no address that everybody's server has."""
        super().__init__(wire, own="")

    def _make(self) -> httpx2.Client:
        key = self.endpoint.key
        made = self._pool()
        made.headers.update({**({} if key == PLACEHOLDER else {"authorization": f"Bearer {key}"}), **self._headers})
        return made

    def embed(self, texts: list[str]) -> list[Any]:
        """The vectors as they came. ValueError for a reply that is no list."""
        made = self._json("POST", "/embed", {"inputs": texts, "normalize": True, "truncate": True})
        if not isinstance(made, list):
            raise ValueError("a reply that is no list of vectors")
        return made

    def _listed(self, client: httpx2.Client) -> Iterable[object]:
        """The one model that the server has."""
        return [self._json("GET", "/info").get("model_id")]

    def _json(self, method: str, path: str, body: object = None) -> Any:
        """What the server says. Raises its error, or what the library or the parser raises."""
        answer = self.client.request(method, f"{self.endpoint.url}{path}", json=body)
        if answer.status_code != 200:
            raise status_error(self.endpoint, answer.status_code, _said(answer), answer.headers)
        return answer.json()


def _said(answer: Any) -> object:
    try:
        return answer.json()
    except ValueError:
        return answer.text
