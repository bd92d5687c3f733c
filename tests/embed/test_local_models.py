"""Embedders with models of their own: what is said where the package or the model's files are missing."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from reasoningbank.embed.fastembed import FastEmbedEmbedder
from reasoningbank.embed.minilm import MiniLMEmbedder
from reasoningbank.embed.qwen import QwenEmbedder
from reasoningbank.errors import SetupError


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """As if these packages were not installed."""
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name in packages else real(name))


def test_qwen_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "torch")
    with pytest.raises(SetupError, match=r'torch is not installed: pip install "reasoningbank\[qwen\]"'):
        QwenEmbedder().check()


@pytest.mark.parametrize("model", ["./nowhere", "nowhere", "/no/where/at/all", "a/b/c"])
def test_qwen_at_no_folder(model: str) -> None:
    with pytest.raises(SetupError, match=r"no such folder, and no name such as"):
        QwenEmbedder(model=model)


def test_qwen_in_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"config.json is missing"):
        QwenEmbedder(model=str(tmp_path))
    (tmp_path / "config.json").write_text('{"hidden_size": "many"}')
    with pytest.raises(SetupError, match=r"its files cannot be read"):
        QwenEmbedder(model=str(tmp_path))


def test_qwen_by_a_name_that_nobody_knows() -> None:
    with pytest.raises(SetupError, match=r"embedder.dims is not set"):
        QwenEmbedder(model="some/model")
    assert [QwenEmbedder(model=f"Qwen/Qwen3-Embedding-{size}").dims for size in ("0.6B", "4B", "8B")] == [
        *(1024, 2560, 4096)
    ]


def test_a_model_that_is_not_here_is_told_and_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers", reason="needs the extra qwen")
    monkeypatch.setattr("reasoningbank.embed.qwen.downloaded", lambda model, file: False)
    for act in (QwenEmbedder().check, lambda: QwenEmbedder().embed(["a"], "query")):
        with pytest.raises(SetupError, match=r"is not on this machine: .*embedder.download=true"):
            act()
    assert QwenEmbedder(download=True).check().endswith("to be downloaded")


def test_the_others_without_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "onnxruntime", "fastembed")
    with pytest.raises(SetupError, match=r'onnxruntime is not installed: pip install "reasoningbank\[minilm\]"'):
        MiniLMEmbedder().check()
    with pytest.raises(SetupError, match=r'fastembed is not installed: pip install "reasoningbank\[fastembed\]"'):
        FastEmbedEmbedder().check()
