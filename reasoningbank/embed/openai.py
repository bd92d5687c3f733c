"""`embedder=openai`: OpenAI's embeddings, at OpenAI or at any server that speaks them, by the official client."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from reasoningbank.embed.dims import dims_of
from reasoningbank.embed.remote import BatchLimits, RemoteEmbeddings, matrix, shortened
from reasoningbank.interfaces import Side
from reasoningbank.providers.connection import OTHER_FORM, WIRE_KEYS, Wire
from reasoningbank.providers.faults import bad_reply
from reasoningbank.providers.openai_client import OpenAIConnection

DIMS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
FIXED = {"text-embedding-ada-002"}
"""Models that know no shorter vectors."""
MOST_TEXTS = 2048
MOST_TOKENS = 300_000
"""OpenAI's limits of one call: texts, and tokens of them all."""

REMEDIES = {
    "dimensions": "send_dims=false",
    "encoding_format": "encoding=float",
    "input": "max_tokens to fewer than the model takes of a text, and batch_tokens to fewer than of a call",
}


class OpenAIEmbedder(RemoteEmbeddings):
    """Embeddings of OpenAI's protocol, the same for queries and documents. Keys: configs/embedder/openai.yaml."""

    asymmetric = False

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | {"batch_texts", "batch_tokens", "encoding"}

    def __init__(
        self,
        *,
        model: str = "text-embedding-3-small",
        dims: Annotated[int, Field(ge=1)] | None = None,
        send_dims: bool | None = None,
        max_tokens: Annotated[int, Field(ge=1)] | None = 8191,
        encoding: Literal["base64", "float"] = "base64",
        batch_texts: Annotated[int, Field(ge=1, le=MOST_TEXTS)] = 256,
        batch_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] = MOST_TOKENS,
        base_url: str | None = None,
        key_env: str | None = None,
        timeout: Annotated[float, Field(gt=0)] = 60.0,
        connect_timeout: Annotated[float, Field(gt=0)] = 10.0,
        max_connections: Annotated[int, Field(ge=1)] = 32,
        extra_headers: dict[str, str] | None = None,
    ) -> None:
        """`dims`: of the vectors; None: all that the model has. `send_dims`: whether the server is asked for as many;
        None: where they are fewer than all. `max_tokens`: what is left of a longer text, its middle cut out. SetupError
        for a model whose dims are not known and not given."""
        whole = DIMS.get(model)
        self.dims = dims_of(model, dims, whole, fewest=whole if whole and model in FIXED else 1)
        self.connection = OpenAIConnection(
            Wire(
                where="embedder",
                model=model,
                base_url=base_url,
                key_env=key_env,
                timeout=timeout,
                connect_timeout=connect_timeout,
                max_connections=max_connections,
                remedies=REMEDIES,
                extra_headers=extra_headers,
            )
        )
        cut = "" if max_tokens is None else f":cut={max_tokens}"
        self.id = f"{self.connection.id('openai')}:{self.dims}{cut}"
        self._max_tokens = max_tokens
        super().__init__(BatchLimits(texts=batch_texts, tokens=batch_tokens, of_each=max_tokens))
        self._fixed: dict[str, Any] = {"model": model, "encoding_format": encoding}
        if (whole is not None and self.dims != whole) if send_dims is None else send_dims:
            self._fixed["dimensions"] = self.dims

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """One call, without a retry. InfraError for what a retry may mend, SetupError for what the user must."""
        client, faults = self.connection.client, self.connection.faults + OTHER_FORM
        given = [shortened(text, self._max_tokens) for text in texts]
        try:
            answer = client.embeddings.create(input=given, **self._fixed)
            rows = in_order(getattr(answer, "data", None), len(given))
        except faults as error:
            raise self.connection.typed(error) from None
        if isinstance(rows, str):
            raise bad_reply(self.connection.endpoint, rows)
        return rows


def in_order(data: object, count: int) -> NDArray[np.float32] | str:
    """The vectors by their index, whatever order they came in; or what is wrong with them. ValueError for what are no
    numbers."""
    if not isinstance(data, list):
        return "a reply without a list of vectors"
    by_index = {getattr(each, "index", None): getattr(each, "embedding", None) for each in data}
    if len(data) != count or set(by_index) != set(range(count)):
        return f"{len(data)} vectors for {count} texts, or an index that is no text's"
    return matrix([_numbers(by_index[number]) for number in range(count)])


def _numbers(vector: object) -> object:
    """A vector as it is sent: as base64 of its bytes, or, by servers that know no other way, as a list."""
    if not isinstance(vector, str):
        return vector
    try:
        return np.frombuffer(base64.b64decode(vector, validate=True), dtype="<f4")
    except binascii.Error as error:
        raise ValueError(f"a vector that is no base64: {error}") from None
