"""`embedder=qwen` on a tiny Qwen3 model with random weights, made here: what it computes is held against a computation
by hand. Needs the extra `qwen`.

Tolerances are for float32: rows of unit length may differ by 1e-5 in any number, which is a hundred roundings.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reasoningbank.bank.bank import Bank
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.qwen import END, QwenEmbedder, batches, load
from reasoningbank.embed.qwen_model import INSTRUCTION
from reasoningbank.errors import BankError, SetupError
from reasoningbank.interfaces import ChecksSetup, Embedder

torch: Any = pytest.importorskip("torch", reason="needs the extra qwen (scripts/test_all.sh installs it)")
transformers: Any = pytest.importorskip("transformers", reason="needs the extra qwen (scripts/test_all.sh installs it)")

TOLERANCE = 1e-5
TEXTS = [
    *("how much did I spend on shoes in May", "x", "change my mailing address to the one of my parents"),
    *("naïve 買い物 🛒", "a b", "write a review " * 12, "lone \ud800 surrogate", "which orders were cancelled"),
]


def save_tokenizer(folder: Path, *, adds_end: bool) -> None:
    """Bytes and a few merged pairs of them. `adds_end`: it ends each text by itself, as newer ones do."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator([text for text in TEXTS if text.isascii()], trainer)
    if adds_end:
        made.post_processor = processors.TemplateProcessing(
            single=f"$A {END}", special_tokens=[(END, made.token_to_id(END))]
        )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, pad_token=END, eos_token=END)
    fast.save_pretrained(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tiny-qwen")
    save_tokenizer(made, adds_end=False)
    torch.manual_seed(7)
    config = transformers.Qwen3Config(
        **{"vocab_size": 300, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 3, "head_dim": 16},
        **{"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 1024},
        initializer_range=0.2,
    )
    transformers.Qwen3Model(config).save_pretrained(made, is_main_process=True)
    return made


@pytest.fixture(scope="module")
def embedder(folder: Path) -> QwenEmbedder:
    return QwenEmbedder(model=str(folder))


@functools.cache
def plain(folder: Path) -> tuple[Any, Any]:
    model = transformers.Qwen3Model.from_pretrained(folder).eval()
    return model, transformers.AutoTokenizer.from_pretrained(folder)


def by_hand(folder: Path, text: str, *, dims: int = 64, pad_right: int = 0) -> NDArray[np.float32]:
    """The state at the end-of-text mark, of one text alone; with `pad_right` marks behind it that nothing looks at."""
    model, tokenizer = plain(folder)
    end = tokenizer.convert_tokens_to_ids(END)
    ids = [*tokenizer(text)["input_ids"], end]
    mask = torch.tensor([[1] * len(ids) + [0] * pad_right])
    with torch.no_grad():
        states = model(torch.tensor([ids + [end] * pad_right]), attention_mask=mask).last_hidden_state
    vector = states[0, len(ids) - 1].numpy()[:dims]
    made: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return made


def furthest(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.abs(one - other).max())


def test_pooling_is_the_state_of_the_last_token(folder: Path, embedder: QwenEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, ChecksSetup)
    rows = embedder.embed(TEXTS, "document")
    assert rows.shape == (len(TEXTS), 64)
    for text, row in zip(TEXTS, rows, strict=True):
        clean = text.encode("utf-8", "replace").decode("utf-8")
        assert furthest(row, by_hand(folder, clean)) <= TOLERANCE
    assert furthest(rows[0], by_hand(folder, TEXTS[0], pad_right=9)) <= TOLERANCE
    # the test can fail: other texts, other tokens and the mean are far away
    distances = [furthest(rows[0], other) for other in rows[1:]]
    assert min(distances) > 100 * TOLERANCE


def test_a_batch_of_eight_equals_eight_of_one(embedder: QwenEmbedder) -> None:
    assert len(TEXTS) == 8
    together = embedder.embed(TEXTS, "query")
    assert max(furthest(embedder.embed([text], "query")[0], row) for text, row in zip(TEXTS, together)) <= TOLERANCE


def test_padding_changes_nothing(folder: Path, embedder: QwenEmbedder) -> None:
    alone = embedder.embed(["x"], "document")
    for words in (1, 30, 200):
        beside = embedder.embed(["x", "word " * words], "document")
        assert furthest(alone[0], beside[0]) <= TOLERANCE
    loaded = load(str(folder), "float32", None, False)
    ids = loaded.tokens(["x", "word " * 200], 8192)
    assert len(ids[1]) > 150 + len(ids[0])
    assert furthest(loaded.vectors(ids, 64)[:1], loaded.vectors(ids[:1], 64)) <= TOLERANCE


def test_the_instruction_is_on_the_query_side_alone(folder: Path, embedder: QwenEmbedder) -> None:
    assert embedder.asymmetric
    query, document = (embedder.embed([TEXTS[0]], side)[0] for side in ("query", "document"))
    assert furthest(document, by_hand(folder, TEXTS[0])) <= TOLERANCE
    assert furthest(query, by_hand(folder, f"Instruct: {INSTRUCTION}\nQuery:{TEXTS[0]}")) <= TOLERANCE
    assert furthest(query, document) > 100 * TOLERANCE
    bare = QwenEmbedder(model=str(folder), instruction="")
    assert not bare.asymmetric
    assert furthest(bare.embed([TEXTS[0]], "query")[0], document) <= TOLERANCE


def test_a_tokenizer_that_ends_texts_itself_ends_them_once(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    save_tokenizer(tmp_path, adds_end=True)
    both = [QwenEmbedder(model=str(each)).embed(TEXTS, "query") for each in (folder, tmp_path)]
    assert furthest(*both) <= TOLERANCE


def test_long_texts_are_cut_and_keep_their_mark(folder: Path) -> None:
    short = QwenEmbedder(model=str(folder), max_tokens=6, instruction="")
    loaded = load(str(folder), "float32", None, False)
    [ids] = loaded.tokens(["write a review of shoes"], 6)
    assert len(ids) == 6
    assert ids[-1] == loaded.end
    rows = short.embed(["write a review of shoes", "write a review of shoes and more of it"], "document")
    assert furthest(rows[0], rows[1]) <= TOLERANCE


def test_fewer_dims_are_the_first_ones_at_unit_length(folder: Path) -> None:
    fewer = QwenEmbedder(model=str(folder), dims=32)
    rows = fewer.embed(TEXTS, "document")
    assert rows.shape == (8, 32)
    assert furthest(rows[2], by_hand(folder, TEXTS[2], dims=32)) <= TOLERANCE
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() <= TOLERANCE
    with pytest.raises(SetupError, match=r"embedder.dims=65: .* has vectors of 64 dims"):
        QwenEmbedder(model=str(folder), dims=65)


def test_the_id_names_all_that_a_vector_depends_on(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    same = QwenEmbedder(model=str(folder), batch_tokens=7, device="cpu").id
    assert same == QwenEmbedder(model=str(folder)).id
    changes: list[dict[str, Any]] = [
        {"dims": 32},
        {"dtype": "bfloat16"},
        {"instruction": "another"},
        {"instruction": ""},
        {"max_tokens": 9},
    ]
    ids = {QwenEmbedder(**{"model": str(folder), **change}).id for change in changes}
    assert len(ids | {same}) == len(changes) + 1
    state = transformers.Qwen3Model.from_pretrained(folder)
    with torch.no_grad():
        state.norm.weight[0] += 1
    state.save_pretrained(tmp_path)
    assert QwenEmbedder(model=str(tmp_path)).id.partition("#")[2] != same.partition("#")[2]


def test_it_is_loaded_once_a_process(folder: Path, embedder: QwenEmbedder) -> None:
    embedder.embed(["a"], "query")
    before = load.cache_info()
    QwenEmbedder(model=str(folder), instruction="another", dims=32).embed(["a"], "query")
    assert load.cache_info().misses == before.misses


def test_half_precision_is_near(folder: Path, embedder: QwenEmbedder) -> None:
    half = QwenEmbedder(model=str(folder), dtype="bfloat16").embed(TEXTS, "document")
    cosines = (half * embedder.embed(TEXTS, "document")).sum(axis=1)
    assert cosines.min() > 0.98


def test_a_gpu_that_is_not_there_is_told(folder: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("a GPU is there")
    with pytest.raises(SetupError, match=r"embedder.device=cuda:3: torch finds no such GPU here"):
        QwenEmbedder(model=str(folder), device="cuda:3").embed(["a"], "query")


def test_what_cannot_be_loaded_is_one_line(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[: 200 if path.suffix == ".safetensors" else None])
    with pytest.raises(SetupError, match=r"cannot be loaded on cpu") as caught:
        QwenEmbedder(model=str(tmp_path)).embed(["a"], "query")
    assert "\n" not in str(caught.value)


def test_a_bank_of_another_embedder_is_refused_with_both_ids(
    folder: Path, embedder: QwenEmbedder, tmp_path: Path
) -> None:
    from reasoningbank.embed.openai import OpenAIEmbedder

    with Bank.open(tmp_path / "bank.sqlite", OpenAIEmbedder()):
        pass
    with pytest.raises(BankError) as caught:
        Bank.open(tmp_path / "bank.sqlite", CachedEmbedder(embedder=embedder))
    assert OpenAIEmbedder().id in str(caught.value)
    assert embedder.id in str(caught.value)


@pytest.mark.parametrize("most", [1, 10, 25, 1000])
def test_batches_hold_every_text_once_within_their_tokens(most: int) -> None:
    lengths: Sequence[int] = [3, 1, 9, 9, 2, 30, 4]
    made = list(batches(lengths, most))
    assert sorted(number for batch in made for number in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= most
