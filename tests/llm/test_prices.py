"""Prices: found by a model's id, the user's before ours; an unknown price is no price of 0."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.config.files import group_names
from eval.config.load import load_config
from eval.workbench import build_workbench
from reasoningbank.errors import SetupError
from reasoningbank.llm.prices import OURS, LongRate, Price, PriceFile, Prices, read_prices, spent_on
from reasoningbank.types import Spent, Usage, together

PRICE = Price(input=2.0, cached=0.5, output=10.0)


def test_cached_tokens_cost_less_and_thinking_is_output() -> None:
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, thinking_tokens=90_000)
    assert PRICE.of_call(usage) == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.1 * 10.0)
    assert Price(input=2.0, output=10.0).of_call(usage) == pytest.approx(3.0), "no word of a discount: none"


def test_what_is_written_into_a_cache_costs_more() -> None:
    price = Price(input=2.0, cached=0.5, written=2.5, written_1h=4.0, output=10.0)
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, cache_written_tokens=300_000)
    assert price.of_call(usage) == pytest.approx(0.3 * 2.0 + 0.4 * 0.5 + 0.3 * 2.5)
    assert PRICE.of_call(usage) == pytest.approx(0.6 * 2.0 + 0.4 * 0.5), "no word of it: as input"
    hour = usage.model_copy(update={"cache_written_1h_tokens": 100_000})
    assert price.of_call(hour) == pytest.approx(0.3 * 2.0 + 0.4 * 0.5 + 0.2 * 2.5 + 0.1 * 4.0)
    assert price.model_copy(update={"written_1h": None}).of_call(hour) == pytest.approx(price.of_call(usage))


def test_long_calls_have_a_price_of_their_own_each_by_itself() -> None:
    price = PRICE.model_copy(update={"long": LongRate(over=1000, input=4.0, output=20.0)})
    short, long = Usage(input_tokens=1000, output_tokens=10), Usage(input_tokens=1001, output_tokens=10)
    assert price.of_call(short) == pytest.approx(PRICE.of_call(short))
    assert price.of_call(long) == pytest.approx(1001 * 4e-6 + 10 * 20e-6)


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    known, unknown = spent_on(Usage(calls=1), PRICE), spent_on(Usage(calls=1), None)
    assert (known + unknown).cost_usd is None
    assert (known + unknown).usage.calls == 2
    assert together({"judge": unknown}, {"agent": known, "judge": known}) == {
        "agent": known,
        "judge": Spent(usage=Usage(calls=2), cost_usd=None),
    }


USAGES = st.builds(Usage, input_tokens=st.integers(0, 10**6), output_tokens=st.integers(0, 10**5))


@given(st.lists(USAGES, max_size=20))
def test_sums_of_calls_are_calls_of_sums(usages: list[Usage]) -> None:
    total = sum((spent_on(usage, PRICE) for usage in usages), Spent())
    assert total.cost_usd == pytest.approx(PRICE.of_call(total.usage))


@pytest.mark.parametrize(
    ("model", "input_price"),
    [
        ("gemini:gemini-2.5-flash", 0.30),
        ("openai:gpt-5-mini", 0.25),
        ("openai_responses:gpt-5-mini", 0.25),
        ("openai:gpt-4.1-mini-2025-04-14", 0.40),
        ("anthropic:claude-sonnet-4-20250514", 3.00),
        ("anthropic:claude-sonnet-4-5@20250929", 3.00),
        ("anthropic:claude-sonnet-4-5@20250929@proxy.example", None),
        ("openai:gpt-4.1-mini@openrouter.ai", None),
        ("openai:gpt-4.1-mini@127.0.0.1", None),
        ("openai:gpt-5-mini-of-mine", None),
        ("anthropic:gpt-5-mini", None),
        ("offline", None),
    ],
)
def test_a_price_is_that_of_the_model_at_its_provider(model: str, input_price: float | None) -> None:
    found = read_prices().of(model)
    assert (found and found.input) == input_price


def test_the_models_of_our_configurations_have_prices_where_they_are_at_their_provider() -> None:
    prices = read_prices()
    for name in group_names("llm"):
        settings = load_config([f"llm={name}"])
        if name == "offline" or settings.llm.get("base_url"):
            continue
        model = build_workbench(settings, asked=False).llms["agent"].id
        assert prices.of(model) is not None, model


def test_our_file_is_dated_and_names_its_sources() -> None:
    [ours] = read_prices().files
    assert ours.dated is not None
    assert {model.partition(":")[0] for model in ours.models} == set(ours.sources)
    assert "check them before you rely on them" in OURS.read_text()
    for model, price in ours.models.items():
        assert price.cached is None or price.cached < price.input, model
        assert price.long is None or price.long.input > price.input, model
        if model.startswith("anthropic:"):  # it alone charges for writing
            for rate in filter(None, (price, price.long)):
                assert rate.written == pytest.approx(1.25 * rate.input), model
                assert rate.written_1h == pytest.approx(2 * rate.input), model


def test_the_users_prices_come_first(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(
        "models:\n  openai:gpt-5-mini: {input: 9, output: 9}\n  'openai:m@localhost': {input: 0, output: 0}\n"
    )
    prices = read_prices(own)
    assert prices.of("openai:gpt-5-mini") == Price(input=9, output=9)
    assert prices.of("openai:m@localhost") == Price(input=0, output=0)
    assert prices.of("openai:gpt-5-mini@localhost") is None
    assert prices.of("openai:gpt-5") == read_prices().of("openai:gpt-5")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("models: {a: {input: -1, output: 1}}", "models.a.input"),
        ("models: {a: {input: 1}}", "models.a.output"),
        ("models: {a: {input: 1, output: 1, outptu: 1}}", "models.a.outptu"),
        ("- 1", "yaml: must hold keys with values;"),
        ("models: [a]", "models: must hold keys with values;"),
        ("models: {a: 3}", "models.a: must hold keys with values;"),
        ("a: [", "no YAML"),
        ("prices: {}", "models"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_an_example(text: str, wrong: str, tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(text)
    with pytest.raises(SetupError) as caught:
        read_prices(own)
    assert wrong in str(caught.value)
    assert "models: {'openai:" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(SetupError, match="nowhere"):
        read_prices(tmp_path / "nowhere")


LEVELS = "\n".join(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]" for a, b in pairwise("abcdefghi"))
NO_PRICES = {
    "aliases of aliases": f"a: &a [x]\n{LEVELS}\nmodels: *i\n",
    "deep in a price": f"a: &a [x]\n{LEVELS}\nmodels: {{m: {{input: *i, output: 1}}}}\n",
    "an alias of what it is in": "models: &m {a: *m}\n",
    "large": "# " + "x" * 1_000_000,
}


@pytest.mark.parametrize("name", NO_PRICES)
def test_a_file_without_measure_is_refused_at_once(name: str, tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(NO_PRICES[name])
    with pytest.raises(SetupError, match="this is no file of prices") as caught:
        read_prices(own)
    assert len(str(caught.value)) < 300


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (Path("/dev/zero"), tmp_path / "pipe", tmp_path):
        with pytest.raises(SetupError, match=r"this is no file\Z"):
            read_prices(place)


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("models:\n  a:m: {input: 1, output: 1}\n  b:m: {input: 1, output: 1}\n  a:m: {input: 2, output: 2}\n", "a:m"),
        ("models: {}\nsame: {}\ndated: 1\nmodels: {}\n", "models"),
        ("models:\n  a:m:\n    input: 1\n    input: 1\n    output: 2\n", "input"),
    ],
)
def test_what_is_there_twice_is_told(text: str, twice: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(SetupError, match=f"line 4: {twice} is there twice"):
        read_prices(tmp_path / "mine.yaml")


def test_one_price_may_stand_for_several_models(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "models: {'a:m': &p {input: 1, output: 2}, 'a:n': *p, 'a:o': {<<: *p, input: 3}}"
    )
    prices = read_prices(tmp_path / "mine.yaml")
    assert prices.of("a:m") == prices.of("a:n") == Price(input=1, output=2)
    assert prices.of("a:o") == Price(input=3, output=2)


def test_the_longer_name_has_its_own_price() -> None:
    file = PriceFile(models={"a:m": PRICE, "a:m-001": Price(input=1, output=1)})
    assert Prices((file,)).of("a:m-001") == Price(input=1, output=1)
    assert Prices((file,)).of("a:m-002") == PRICE
