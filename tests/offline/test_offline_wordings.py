"""The simulated model is not keyed to the suite's wordings: it shares no phrases with them, and others act alike."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from eval.suites.webarena_mini.suite import WebArenaMini
from eval.suites.webarena_mini.tasks import shopping, shopping_admin
from reasoningbank.llm.offline.goal import read_goal

TEMPLATES = [template for site in (shopping, shopping_admin) for batch in site.BATCHES for template in batch]
CODE = Path(__file__).parent.parent.parent / "reasoningbank" / "llm" / "offline"
# Three words in a row that any English text may have.
_COMMON = """
low to high|which of the|how many of|one of the|of the same|as well as|all of the|number of the|out of the|page of the
the list of|and how many|to the list|of at least|how many items|stand in the
"""
COMMON = frozenset(_COMMON.strip().replace("\n", "|").split("|"))
# Pairs of words, neither of them a function word, that are ordinary in any talk of buying and asking.
PAIRS = {
    "wish list",
    "such as",
    "mm dd",
    "dd mm",
    "can you",
    "could you",
    "will you",
    "then order",
    "so far",
    "add up",
}
_SMALL = """
a an the of in on at to for from by with my me i is are was were be do does did have has it its this that those these
and or not how what which who when where many much all every each more most least number price total
"""
FUNCTION_WORDS = frozenset(_SMALL.split())

# Other people's words for the same requests. The slots are those of the template.
PARAPHRASES: dict[str, tuple[str, ...]] = {
    "vague_keep": (
        "could you stash that {{color}} {{kind}} by {{brand}} for later? it ought to stay in my wish list",
        "would you mind parking the {{brand}} {{kind}} in {{color}} on my wishlist, I may want it some day",
        "hold on to that {{color}} {{kind}} of {{brand}} for me, on the wish list say",
    ),
    "vague_more": (
        "nearly used up the {{product}}, {{number}} more in my cart please",
        "we have hardly any {{product}} at home. Pop {{number}} in my basket",
        "the {{product}} is almost finished here; could you drop {{number}} into the cart for me",
    ),
    "vague_left": (
        "do you still have the {{color}} {{kind}} by {{brand}}, and what is the number of them in stock?",
        "how many of the {{color}} {{kind}} from {{brand}} can I still get?",
        "is the {{brand}} {{kind}} in {{color}} sold out or how many pieces are there",
    ),
    "vague_rating": (
        "how well liked is the {{product}}? I mean its average stars",
        "do buyers like the {{product}}, what rating does it have overall",
        "tell me how many stars the {{product}} gets",
    ),
    "vague_price_paid": (
        "how much was that {{color}} {{kind}} I bought in the {{when}}?",
        "the {{color}} {{kind}} from my order in the {{when}}: what did I pay for it",
        "what price was I charged for the {{color}} {{kind}} in the {{when}}",
    ),
    "vague_newsletter": (
        "I'd like to get the {{topic}} newsletter {{rhythm}}",
        "please send me {{topic}} {{rhythm}}",
        "the {{topic}} newsletter should come {{rhythm}}",
    ),
    "vague_billed": (
        "{{product}}, sold in {{month}}: how many did people get an invoice for so far",
        "how many of the {{product}} from orders of {{month}} are billed until today?",
    ),
    "vague_left_over": (
        "How many {{product}} are there on our shelves? Somebody would take a whole lot",
        "a caller asks for {{product}}, what number of pieces can we still give away?",
    ),
    "vague_email": (
        "which mail address does {{customer}} have? it is for a letter",
        "Could you look up the email of {{customer}} for me",
    ),
    "vague_moved": (
        "{{customer}} lives at {{street}} now, please change the street",
        "the new street of {{customer}} is {{street}}, could you enter it",
    ),
    "cart_add_loose": (
        "I need {{number}} {{color}} {{kind}}s by {{brand}} in my cart",
        "Kindly stick {{number}} of the {{brand}} {{kind}} in {{color}} into my basket",
    ),
    "cart_quantity": (
        "There should be {{number}} of the {{product}} in my cart",
        "Make it {{number}} pieces of the {{product}} in my cart, please",
    ),
    "spent_in_period": (
        "What did my orders from {{first}} to {{last}} come to altogether, with shipping?",
        "Between {{first}} and {{last}}, what were my total expenses here including shipping?",
    ),
    "orders_placed": (
        "What is the number of orders I made between {{first}} and {{last}}?",
        "Please count my orders from {{first}} to {{last}}: how many are there?",
    ),
    "low_star_count": ("Of the reviewers of the {{product}}, how many gave it 2 stars or fewer?",),
    "open_recent": (
        "Please bring up the latest {{status}} order of mine",
        "I'd like to see my newest {{status}} order",
        "Can you take me to my last {{status}} order?",
    ),
    "open_loose": (
        "Could you pull up the {{color}} {{kind}} by {{brand}}?",
        "I want to look at nothing but the page: open the {{brand}} {{kind}} in {{color}}",
    ),
    "open_category": ("Please go to {{category}}", "I would like to browse {{category}}"),
    "product_price": ("How much is the {{product}}?", "Give me the price of the {{product}}"),
    "checkout": (
        "Buy what is in my cart, have it sent to {{city}} with {{method}}",
        "Could you check out my cart with {{method}}, to the address in {{city}}?",
    ),
    "address_phone": (
        "My address in {{city}} needs to have {{phone}} as phone number",
        "The phone number of the {{city}} address is no longer right, make it {{phone}}",
    ),
    "write_review": ('Rate the {{product}} {{stars}} stars as {{nickname}}, summary "{{title}}", text "{{text}}"',),
}


def filled(wording: str, values: dict[str, str]) -> str:
    for slot, value in values.items():
        wording = wording.replace("{{" + slot + "}}", value)
    assert "{{" not in wording
    return wording


SUITE = WebArenaMini(seed=100, sites=["shopping", "shopping_admin"])
FIRST = {entry.template: entry.task for entry in reversed(SUITE.suite_tasks.values())}


def test_every_vague_template_has_paraphrases() -> None:
    vague = {template.name for template in TEMPLATES if template.vague}
    assert vague <= PARAPHRASES.keys()
    assert all(len(PARAPHRASES[name]) >= 2 for name in vague)


@pytest.mark.parametrize(
    ("template", "wording"), [(name, wording) for name, wordings in PARAPHRASES.items() for wording in wordings]
)
def test_a_paraphrase_has_the_aim_of_the_original(template: str, wording: str) -> None:
    task = FIRST[template]
    assert read_goal(filled(wording, task.instantiation_dict)).aim == read_goal(task.intent).aim


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())


def runs_of(text: str, length: int) -> set[str]:
    words = words_of(text)
    return {" ".join(words[at : at + length]) for at in range(len(words) - length + 1)}


def strings_of_the_code() -> list[tuple[str, str]]:
    """Every string constant of the model's code, a regular expression's marks taken for spaces."""
    return [
        (path.name, re.sub(r"\\b|\\s[+*]?|\(\?:|\?", " ", node.value))
        for path in sorted(CODE.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def shared(length: int) -> set[tuple[str, str]]:
    ours = [(name, phrase) for name, text in strings_of_the_code() for phrase in runs_of(text, length)]
    theirs = {
        phrase
        for template in TEMPLATES
        for part in re.split(r"\{\{\w+\}\}", template.wording)
        for phrase in runs_of(part, length)
    }
    return {(name, phrase) for name, phrase in ours if phrase in theirs}


def test_no_three_words_in_a_row_come_from_a_wording() -> None:
    assert {found for found in shared(3) if found[1] not in COMMON} == set()


def test_no_two_telling_words_in_a_row_come_from_a_wording() -> None:
    assert {
        found for found in shared(2) if not FUNCTION_WORDS & set(found[1].split()) and found[1] not in PAIRS
    } == set()
