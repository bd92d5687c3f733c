"""`embedder=gemini`: Google's embeddings, by the Gemini API or Vertex AI, with Google's own client library.

Which method a call is (batchEmbedContents, embedContent, predict) is the library's choice, by the model and the side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from reasoningbank.embed.dims import dims_of
from reasoningbank.embed.remote import BatchLimits, RemoteEmbeddings, matrix, unit
from reasoningbank.interfaces import Side
from reasoningbank.providers.connection import OTHER_FORM, VERTEX_KEYS, WIRE_KEYS, Wire
from reasoningbank.providers.google_client import GoogleConnection

TaskType = Literal[
    "RETRIEVAL_QUERY",
    "RETRIEVAL_DOCUMENT",
    "SEMANTIC_SIMILARITY",
    "CLASSIFICATION",
    "CLUSTERING",
    "QUESTION_ANSWERING",
    "FACT_VERIFICATION",
    "CODE_RETRIEVAL_QUERY",
]
DIMS = {"gemini-embedding-001": 3072}
MOST_TEXTS = 100
"""The Gemini API's limit of one call. Vertex AI takes 250 of some models, and promises but one of Gemini's."""
OF_EACH = 2048
"""Tokens of a text that the model reads; Google leaves out the rest."""

REMEDIES = {
    **dict.fromkeys(("output_dimensionality", "outputDimensionality"), "dims to as many as the model has"),
    **dict.fromkeys(("task_type", "taskType"), "query_task and embedder.document_task to ones that the model knows"),
    "input": "batch_texts and embedder.batch_tokens to fewer",
}


class GeminiEmbedder(RemoteEmbeddings):
    """Rows of unit length, also where they are shortened. Keys: configs/embedder/gemini.yaml."""

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | VERTEX_KEYS | {"batch_texts", "batch_tokens"}

    def __init__(
        self,
        *,
        model: str = "gemini-embedding-001",
        dims: Annotated[int, Field(ge=1)] | None = None,
        query_task: TaskType | None = "RETRIEVAL_QUERY",
        document_task: TaskType | None = "RETRIEVAL_DOCUMENT",
        query_instruction: str = "",
        batch_texts: Annotated[int, Field(ge=1, le=250)] | None = None,
        batch_tokens: Annotated[int, Field(ge=1)] = 20_000,
        base_url: str | None = None,
        key_env: str | None = None,
        vertex: bool = False,
        project: str | None = None,
        location: str | None = None,
        timeout: Annotated[float, Field(gt=0)] = 60.0,
        connect_timeout: Annotated[float, Field(gt=0)] = 10.0,
        max_connections: Annotated[int, Field(ge=1)] = 32,
        extra_headers: dict[str, str] | None = None,
    ) -> None:
        """`dims`: of the vectors; None: all that the model has. `query_instruction` is put before queries as it is.
        SetupError where they are not known, or too many."""
        whole = DIMS.get(model)
        self.dims = dims_of(model, dims, whole)
        self.connection = GoogleConnection(
            Wire(
                where="embedder",
                model=model,
                base_url=base_url,
                key_env=key_env,
                vertex=vertex,
                project=project,
                location=location,
                timeout=timeout,
                connect_timeout=connect_timeout,
                max_connections=max_connections,
                remedies=REMEDIES,
                extra_headers=extra_headers,
            )
        )
        tasks = f"{query_task or 'none'}+{document_task or 'none'}"
        said = f":query={query_instruction!r}" if query_instruction else ""
        self.id = f"{self.connection.id('gemini')}:{self.dims}:{tasks}{said}"
        self.asymmetric = query_task != document_task or bool(query_instruction)
        self._model = model
        self._instruction = query_instruction
        super().__init__(
            BatchLimits(texts=batch_texts or (1 if vertex else MOST_TEXTS), tokens=batch_tokens, of_each=OF_EACH)
        )
        shorter = {"output_dimensionality": self.dims} if self.dims != whole else {}
        tasked: dict[Side, TaskType | None] = {"query": query_task, "document": document_task}
        self._config: dict[Side, dict[str, Any]] = {
            side: {**shorter, **({"task_type": task} if task else {})} for side, task in tasked.items()
        }

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """One call, without a retry. InfraError for what a retry may mend, SetupError for what the user must."""
        prefix = self._instruction if side == "query" else ""
        given = [f"{prefix}{text}" for text in texts]
        client = self.connection.client
        faults = self.connection.faults + OTHER_FORM
        from google.genai.types import Content, EmbedContentConfig, Part

        try:
            answer = client.models.embed_content(
                model=self._model,
                # each a content of its own: bare texts are parts of a single one for some models
                contents=[Content(parts=[Part(text=text)]) for text in given],
                config=EmbedContentConfig(**self._config[side]),
            )
            found = answer.embeddings or []
            rows = matrix([each.values for each in found])
        except faults as error:
            raise self.connection.typed(error) from None
        # only whole vectors come at unit length
        return unit(rows)
