"""The scripted model: order, functions, the end of a script, threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import LLM
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Message, Reply

ASK = (Message(role="user", content="12345"),)


def ask(model: LLM, seed: int = 0) -> Reply:
    return model.complete(ASK, temperature=0.0, seed=seed, max_tokens=100)


def test_replies_come_in_order_and_are_counted() -> None:
    model = ScriptedLLM(["one", "two"])
    assert [ask(model).text, ask(model).text] == ["one", "two"]
    assert model.requests == [ASK, ASK]
    usage = ScriptedLLM(["12345678"]).complete(ASK, temperature=0, seed=0, max_tokens=9).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 2, 2)


def test_the_end_of_a_script_is_a_clear_error() -> None:
    model = ScriptedLLM(["one"], id="mine")
    ask(model)
    with pytest.raises(SetupError, match=r"'mine' has ended: call 2 .* 1 replies"):
        ask(model)


def test_a_function_sees_messages_temperature_and_seed() -> None:
    model = ScriptedLLM(lambda messages, temperature, seed: f"{messages[0].content} {temperature} {seed}")
    assert ask(model, seed=7).text == "12345 0.0 7"


def test_an_exception_in_the_script_is_raised() -> None:
    model = ScriptedLLM([InfraError("down"), "up"])
    with pytest.raises(InfraError, match="down"):
        ask(model)
    assert ask(model).text == "up"


def test_threads_share_a_script_without_losing_replies() -> None:
    model = ScriptedLLM([str(number) for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: ask(model).text, range(200)))
    assert sorted(replies, key=int) == [str(number) for number in range(200)]


def test_it_is_an_llm() -> None:
    assert isinstance(ScriptedLLM([]), LLM)
    assert ScriptedLLM([]).simulated


@pytest.mark.parametrize("budget", [0, 10, 100, 999])
def test_keep_ends_keeps_both_ends_within_the_budget(budget: int) -> None:
    text = "\n".join(f"line {number}" for number in range(300))
    short = keep_ends(text, budget)
    head, _, tail = short.partition("\n[... ")
    tail = tail.partition(" ...]\n")[2]
    assert len(head) + len(tail) <= budget
    assert text.startswith(head)
    assert text.endswith(tail)
    assert f"{len(text) - len(head) - len(tail)} " not in head
    assert keep_ends("short", 5) == "short"
