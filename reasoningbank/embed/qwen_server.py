"""`embedder=qwen_server`: a Qwen3-Embedding model behind vLLM, or behind text-embeddings-inference (TEI).

The server embeds what it is sent; the instruction is put before queries here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from reasoningbank.embed.dims import dims_of
from reasoningbank.embed.openai import in_order
from reasoningbank.embed.qwen_model import FEWEST, INSTRUCTION, id_of, instructed, whole_dims
from reasoningbank.embed.remote import BatchLimits, RemoteEmbeddings, matrix, shortened, unit
from reasoningbank.interfaces import Side
from reasoningbank.providers.connection import OTHER_FORM, WIRE_KEYS, Wire
from reasoningbank.providers.faults import bad_reply
from reasoningbank.providers.openai_client import OpenAIConnection
from reasoningbank.providers.tei_client import TEIConnection

Protocol = Literal["openai", "tei"]
PLACES: dict[Protocol, str] = {"openai": "http://localhost:8000/v1", "tei": "http://localhost:8080"}
"""Where the servers listen unless they are told otherwise."""
REMEDIES = {"input": "batch_texts and embedder.batch_tokens to fewer, or embedder.max_tokens"}


class QwenServerEmbedder(RemoteEmbeddings):
    """Rows of unit length. Keys: configs/embedder/qwen_server.yaml."""

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | {"batch_texts", "batch_tokens"}

    def __init__(
        self,
        *,
        model: str = "Qwen/Qwen3-Embedding-0.6B",
        protocol: Protocol = "openai",
        base_url: str | None = None,
        dims: Annotated[int, Field(ge=FEWEST)] | None = None,
        instruction: str = INSTRUCTION,
        max_tokens: Annotated[int, Field(ge=1)] | None = 32_000,
        batch_texts: Annotated[int, Field(ge=1)] = 32,
        batch_tokens: Annotated[int, Field(ge=1)] = 65_536,
        key_env: str | None = None,
        timeout: Annotated[float, Field(gt=0)] = 120.0,
        connect_timeout: Annotated[float, Field(gt=0)] = 10.0,
        max_connections: Annotated[int, Field(ge=1)] = 32,
        extra_headers: dict[str, str] | None = None,
    ) -> None:
        """`dims`: fewer than the model has are the first of them. SetupError where they are not known, or too many."""
        self._whole = whole_dims(model)
        self.dims = dims_of(model, dims, self._whole, fewest=FEWEST)
        self.asymmetric = bool(instruction)
        cut = "none" if max_tokens is None else str(max_tokens)
        self.id = id_of("qwen_server", model, self.dims, f"cut={cut}", instruction=instruction)
        wire = Wire(
            where="embedder",
            model=model,
            base_url=PLACES[protocol] if base_url is None else base_url,
            key_env=key_env,
            timeout=timeout,
            connect_timeout=connect_timeout,
            max_connections=max_connections,
            remedies=REMEDIES,
            extra_headers=extra_headers,
        )
        self.connection: OpenAIConnection | TEIConnection
        self.connection = OpenAIConnection(wire) if protocol == "openai" else TEIConnection(wire)
        self._instruction = instruction
        self._max_tokens = max_tokens
        super().__init__(BatchLimits(texts=batch_texts, tokens=batch_tokens, of_each=max_tokens))

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """One call, without a retry. InfraError for what a retry may mend, SetupError for what the user must."""
        given = [instructed(shortened(text, self._max_tokens), side, self._instruction) for text in texts]
        rows = self._asked(given)
        if rows.shape[1] == self._whole:
            rows = rows[:, : self.dims]
        return unit(rows)

    def _asked(self, texts: list[str]) -> NDArray[np.float32]:
        """The vectors as they came."""
        connection = self.connection
        faults = connection.faults + OTHER_FORM
        try:
            if isinstance(connection, TEIConnection):
                rows: NDArray[np.float32] | str = matrix(connection.embed(texts))
                if len(rows) != len(texts):
                    rows = f"{len(rows)} vectors for {len(texts)} texts"
            else:
                answer = connection.client.embeddings.create(
                    input=texts, model=connection.endpoint.model, encoding_format="float"
                )
                rows = in_order(getattr(answer, "data", None), len(texts))
        except faults as error:
            raise connection.typed(error) from None
        if isinstance(rows, str):
            raise bad_reply(connection.endpoint, rows)
        return rows
