"""The simulated model is a pure function of prompt, temperature, seed and knobs, and knows no suite."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from offline_pages import COMMENTS, HOME, ORDERS, SHELF, prompt, remembered

from eval.suites.webarena_mini.gitlab import vocabulary as host_vocabulary
from eval.suites.webarena_mini.reddit import vocabulary as town_vocabulary
from eval.suites.webarena_mini.shopping import vocabulary
from eval.suites.webarena_mini.shopping_admin import vocabulary as office_vocabulary
from eval.suites.webarena_mini.sites import MULTI, SITES
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import LLM
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message

CODE = Path(__file__).parent.parent.parent / "reasoningbank" / "llm" / "offline"
PROMPTS = [
    prompt("What is the price of the green road atlas by Merker?", HOME, "http://library.test/"),
    prompt("What is the name of the cheapest Merker book in Atlases?", SHELF, "http://library.test/shelf/atlases"),
    prompt(
        "How many reviewers gave the Merker Big Road Atlas at most 2 stars?", COMMENTS, "http://library.test/book/x"
    ),
    prompt(
        "How much did I spend on orders in 2023?",
        ORDERS,
        "http://library.test/account/orders",
        memory=remembered("For money spent, leave out the void orders."),
        past=(("On the start page. I click link 'My Orders'.", "click('6')"),),
    ),
]
IN_ANOTHER_PROCESS = """
import hashlib, json, sys
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message
prompts = [[Message(**message) for message in prompt] for prompt in json.load(sys.stdin)]
model = SimulatedLLM()
texts = [
    model.complete(prompt, temperature=t, seed=seed, max_tokens=9).model_dump_json()
    for prompt in prompts for t in (0.0, 0.7) for seed in range(5)
]
assert not [name for name in sys.modules if name == "eval" or name.startswith("eval.")]
print(hashlib.sha256("".join(texts).encode()).hexdigest())
"""


def digest(model: SimulatedLLM, prompts: list[tuple[Message, Message]]) -> str:
    texts = [
        model.complete(one, temperature=temperature, seed=seed, max_tokens=9).model_dump_json()
        for one in prompts
        for temperature in (0.0, 0.7)
        for seed in range(5)
    ]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def test_it_is_an_llm() -> None:
    assert isinstance(SimulatedLLM(), LLM)
    assert SimulatedLLM.simulated
    assert SimulatedLLM().id == "offline"


def test_equal_calls_give_equal_replies_in_any_order_of_calls() -> None:
    model = SimulatedLLM()
    first = digest(model, PROMPTS)
    digest(model, PROMPTS[::-1])
    assert digest(model, PROMPTS) == first == digest(SimulatedLLM(), PROMPTS)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_without_any_suite_replies_the_same(hash_seed: str) -> None:
    given = json.dumps([[message.model_dump() for message in one] for one in PROMPTS])
    done = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        input=given,
        env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
        cwd=CODE.parent.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest(SimulatedLLM(), PROMPTS)


def test_seeds_and_temperature_make_a_difference() -> None:
    model = SimulatedLLM()
    replies = {
        (temperature, seed): model.complete(PROMPTS[1], temperature=temperature, seed=seed, max_tokens=9).text
        for temperature in (0.0, 0.7)
        for seed in range(30)
    }
    assert len({text for (temperature, _), text in replies.items() if temperature == 0.0}) == 1
    assert len({text for (temperature, _), text in replies.items() if temperature == 0.7}) > 1


@pytest.mark.parametrize(
    ("knobs", "named"),
    [
        ({"advice_effect": 1.5}, "advice_effect=1.5"),
        ({"judge_error": -0.1}, "judge_error=-0.1"),
        ({"unusable": 2.0}, "unusable"),
    ],
)
def test_knobs_out_of_range_are_refused(knobs: dict[str, float], named: str) -> None:
    with pytest.raises(SetupError, match=named):
        SimulatedLLM(**knobs)  # type: ignore[arg-type]


def test_usage_is_estimated_from_what_is_read_and_written() -> None:
    reply = SimulatedLLM().complete(PROMPTS[0], temperature=0, seed=0, max_tokens=9)
    assert reply.usage.calls == 1
    assert reply.usage.input_tokens == sum(-(-len(message.content) // 4) for message in PROMPTS[0])
    assert reply.usage.output_tokens == -(-len(reply.text) // 4)


def names_of_the_suite() -> set[str]:
    """What only the suite's worlds and templates have: brands, kinds, categories, colours, people, places, topics."""
    names = {
        text
        for module in (vocabulary, office_vocabulary, host_vocabulary, town_vocabulary)
        for value in vars(module).values()
        for text in strings_in(value)
        if " " in text.strip() or text.istitle() or "-" in text
    }
    names = {name for name in names if len(name) > 3 and not name.endswith(".") and len(name.split()) <= 4}
    for world in (0, 100):
        suite = WebArenaMini(seed=world, sites=(*SITES, MULTI))
        for entry in suite.suite_tasks.values():
            names |= {entry.template} if "_" in entry.template else set()
            names |= {
                value for value in entry.task.instantiation_dict.values() if len(value) > 5 and not is_plain(value)
            }
    return names


def strings_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (tuple, list)):
        return [text for part in value for text in strings_in(part)]
    if is_dataclass(value) and not isinstance(value, type):
        return [text for one in fields(value) for text in strings_in(getattr(value, one.name))]
    return []


# What a general English vocabulary has to hold: a rhythm, a status, a delivery method, ordinary nouns of the web.
PLAIN = re.compile(r"[a-z ]+|Canceled|\$?[\d.,-]+|(?:under|from|over|above).*", re.IGNORECASE)


def is_plain(value: str) -> bool:
    return len(value.split()) == 1 and PLAIN.fullmatch(value) is not None and not value[0].isupper()


def test_its_code_names_nothing_of_the_suite() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CODE.glob("*.py")))
    names = names_of_the_suite() | {"Harbor", "Pine", "Townsquare", "webarena", "shopping", "reddit"}
    assert len(names) > 200
    assert "Kitchen & Dining" in names
    found = sorted(name for name in names if re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", code))
    assert found == []


def test_its_code_knows_no_answer_and_no_task_id() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CODE.glob("*.py")))
    assert "import eval" not in code
    assert "from eval" not in code
    assert "task_id" not in code
    assert not re.search(r"\$\d", code.replace(r"\$?", ""))
