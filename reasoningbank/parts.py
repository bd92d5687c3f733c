"""The parts of a `ReasoningBank` from what its caller gives: a model, an embedder, a memory method by name."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from reasoningbank.errors import SetupError
from reasoningbank.interfaces import LLM, Embedder, MemoryMethod
from reasoningbank.memory.base import Learning, Retrieval
from reasoningbank.modules import one_class
from reasoningbank.names import nearest
from reasoningbank.prompts import PromptPack
from reasoningbank.retry import RetryPolicy
from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import Message, Reply, Usage

Ask = Callable[[list[dict[str, str]]], str]
"""A model as a plain function from chat messages to the reply."""

DEFAULT_MIN_SCORE = 0.2
"""The least cosine similarity, with the default embedder, of what a recall takes.

Measured on 30 pairs of related short tasks of many kinds (shopping, code, mail, travel, music) and all pairs across
them: related ones have a median of 0.38 and unrelated ones of 0.02; 0.2 keeps 90 % of the related and lets 3 % of the
unrelated pass, most of which are neighbours (a flight and a hotel). For titles and descriptions of items the figures
are alike. It is low on purpose: a lesson that is missed costs more than one that the agent can ignore.
Long texts of one field (bug reports) resemble each other by 0.3 to 0.6 whatever they are about.
"""

_log = logging.getLogger("reasoningbank")


class CallableLLM:
    """A plain function as a model. It is not told temperature, seed and length; its tokens are estimated.

    What it raises is taken for a fault of the network and tried again, but for SetupError and what is plainly a mistake
    in it (`boundary.MISTAKES`).
    """

    simulated = False

    def __init__(self, *, ask: Ask) -> None:
        self.id = f"function {getattr(ask, '__name__', type(ask).__name__)}"
        self._ask = ask

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """The function's reply. SetupError when it is no text."""
        text = self._ask([{"role": message.role, "content": message.content} for message in messages])
        if not isinstance(text, str):
            raise SetupError(f"{self.id} returned a {type(text).__name__}; it must return the reply's text")
        given = sum(estimate_tokens(message.content) for message in messages)
        return Reply(text=text, usage=Usage(calls=1, input_tokens=given, output_tokens=estimate_tokens(text)))


def check_given(*, path: object, embedder: object, method: object, seed: object, retry: object) -> None:
    """SetupError for an argument of `ReasoningBank` that cannot be used, and that fails at the first `learn`."""
    wrong = ""
    if path is not None and not isinstance(path, (str, Path)):
        wrong = f"path is a {type(path).__name__}; give the bank's file, or None for a bank in memory"
    elif str(path) == ":memory:":
        wrong = "path is ':memory:', which would be a file of that name; give None for a bank in memory"
    elif embedder is not None and not isinstance(embedder, Embedder):
        wrong = f"embedder is a {type(embedder).__name__}; give an object with {_needs(Embedder)}, or None"
    elif not isinstance(method, (str, MemoryMethod)):
        wrong = f"method is a {type(method).__name__}; give a name, or an object with {_needs(MemoryMethod)}"
    elif isinstance(seed, bool) or not isinstance(seed, int):
        wrong = f"seed is {seed!r}; give a whole number"
    elif retry is not None and not isinstance(retry, RetryPolicy):
        wrong = f"retry is a {type(retry).__name__}; give a reasoningbank.retry.RetryPolicy, or None"
    if wrong:
        raise SetupError(wrong)


def _needs(protocol: type) -> str:
    """The attributes and methods that a Protocol's objects have."""
    methods = [name for name in vars(protocol) if not name.startswith("_")]
    return ", ".join([*protocol.__annotations__, *methods])


def make_model(llm: LLM | Ask | None) -> LLM:
    """The model to ask; None stands for the simulated one."""
    if llm is None:
        from reasoningbank.llm.offline.simulated import SimulatedLLM

        _log.warning("no llm was given: a simulated model judges and extracts; its lessons are no advice")
        return SimulatedLLM()
    if isinstance(llm, LLM):
        return llm
    if callable(llm):
        return CallableLLM(ask=llm)
    raise SetupError(f"llm is a {type(llm).__name__}; give an LLM or a function from messages to text")


def make_embedder(embedder: Embedder | None, retry: RetryPolicy | None) -> Embedder:
    """The embedder, asked for each text once; None stands for the default one. `retry` is for remote ones."""
    from reasoningbank.embed.cache import CachedEmbedder
    from reasoningbank.embed.wordllama import WordLlamaEmbedder

    return CachedEmbedder(embedder=embedder or WordLlamaEmbedder(), retry=retry)


def make_method(name: str, prompts: PromptPack, retrieval: Retrieval, observation_chars: int) -> MemoryMethod:
    """The class of `reasoningbank/memory/<name>.py`, given those of the collaborators and settings that it asks for."""
    import reasoningbank.memory

    known = [found.name for found in pkgutil.iter_modules(reasoningbank.memory.__path__) if found.name != "base"]
    if name not in known:
        raise SetupError(f"no memory method is named {name!r}; {nearest(name, known)}")
    module = importlib.import_module(f"reasoningbank.memory.{name}")
    found = one_class(module, MemoryMethod, f"method={name}")
    offered: dict[str, object] = {
        "prompts": prompts,
        "retrieval": retrieval,
        "observation_chars": observation_chars,
        "learning": Learning(aggregate=False),
    }
    asked = inspect.signature(found).parameters
    if missing := [key for key, each in asked.items() if each.default is each.empty and key not in offered]:
        raise SetupError(f"the memory method {name!r} needs {', '.join(missing)}, which only a run of `eval` gives it")
    return cast(MemoryMethod, found(**{key: value for key, value in offered.items() if key in asked}))
