"""Tasks about the customer's addresses, newsletters and letters to the shop."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, exact, page, pages
from eval.suites.webarena_mini.tasks.shopping_view import Shop

ADDRESSES = "__SHOPPING__/account/addresses"
CONTACT = "__SHOPPING__/contact"
PLACES = (
    ("Bangor", "ME", "044"),
    ("Fresno", "CA", "937"),
    ("Laredo", "TX", "780"),
    ("Mobile", "AL", "366"),
    ("Peoria", "IL", "616"),
    ("Spokane", "WA", "992"),
    ("Tulsa", "OK", "741"),
    ("Utica", "NY", "135"),
)
STREETS = ("Aspen Terrace", "Bridge Street", "Canal Row", "Elder Path", "Granite Avenue", "Highfield Road")
LETTERS = (
    ("Return or refund", "The parcel came opened and I would like my money back."),
    ("Order status", "Please tell me when the rest of it will be delivered."),
    ("Damaged item", "One of the items arrived with a broken corner."),
    ("General question", "May I still change the name on the invoice?"),
)
RHYTHMS = {"every day": "Daily", "once a week": "Weekly", "once a month": "Monthly", "four times a year": "Quarterly"}
FACTS = {
    "within how many days must damage in transit be reported": "damage_days",
    "for how many days is a pickup order kept": "pickup_days",
    "how many pounds does a parcel weigh at most": "parcel_pounds",
    "for how many months is a gift card valid": "gift_card_months",
    "how many days does a repair take at most": "repair_days",
    "what restocking fee, in percent, is kept back for opened boxes": "restocking_fee_percent",
}


def phone(rng: random.Random) -> str:
    """A number that nobody has."""
    return f"555-{rng.randint(100, 999)}-{rng.randint(1000, 9999)}"


def address_add(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """An address in a city that the book does not have."""
    while True:
        city, state, prefix = rng.choice(PLACES)
        street, zip_code = f"{rng.randint(2, 990)} {rng.choice(STREETS)}", f"{prefix}{rng.randint(10, 99)}"
        number = phone(rng)
        values = {"street": street, "city": city, "state": state, "zip": zip_code, "phone": number}
        yield Draft(values, pages([page(ADDRESSES, "main", street, city, zip_code, number)]))


def address_phone(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A new telephone number for an address."""
    for address in rng.sample(shop.addresses, len(shop.addresses)):
        number = phone(rng)
        yield Draft({"city": address.city, "phone": number}, pages([page(ADDRESSES, "main", number, address.street)]))


def open_address(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The form of one address."""
    for address in rng.sample(shop.addresses, len(shop.addresses)):
        yield Draft({"city": address.city}, at_url(f"{ADDRESSES}/{address.id}"))


def frequencies(shop: Shop, rng: random.Random) -> Iterator[tuple[int, str, str]]:
    """(row, topic, new frequency) of newsletters, those that the customer gets first."""
    topics = rng.sample(shop.subscriptions, len(shop.subscriptions))
    for row, topic, now, _ in sorted(topics, key=lambda line: not line[3]):
        yield row, topic, rng.choice([other for other in RHYTHMS.values() if other != now])


def chosen(row: int, frequency: str) -> dict[str, object]:
    """A check of the chosen option of a newsletter's list box."""
    return page("__SHOPPING__/account/subscriptions", f"select[name='frequency-{row}']", frequency)


def newsletter(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Another frequency than now."""
    for row, topic, frequency in frequencies(shop, rng):
        yield Draft({"topic": topic, "frequency": frequency.lower()}, pages([chosen(row, frequency)]))


def vague_newsletter(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """As `newsletter`, in other words."""
    for row, topic, frequency in frequencies(shop, rng):
        rhythm = next(words for words, name in RHYTHMS.items() if name == frequency)
        yield Draft({"topic": topic.lower(), "rhythm": rhythm}, pages([chosen(row, frequency)]))


def contact(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The page lists what was sent."""
    for order in rng.sample(shop.orders, len(shop.orders)):
        subject, message = rng.choice(LETTERS)
        values = {"number": order.number, "subject": subject, "message": message}
        yield Draft(values, pages([page(CONTACT, "#messages", order.number, subject, message)]))


def shop_fact(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A number in the shop's terms: in the general part, of one category, and in the general part again."""
    first, *others = rng.sample(sorted(FACTS), len(FACTS))
    category = rng.choice(shop.leaves())
    yield Draft({"question": first}, exact(shop.facts[FACTS[first]]))
    question = f"for how many months is there a warranty on {category.name}"
    yield Draft({"question": question}, exact(str(shop.warranties[category.id])))
    for question in others:
        yield Draft({"question": question}, exact(shop.facts[FACTS[question]]))


TEMPLATES = (
    Template(
        id=501,
        name="address_add",
        make=address_add,
        count=2,
        kind="change",
        needs=("C5",),
        wording="Add a new address to my address book: {{street}}, {{city}}, {{state}} {{zip}}, phone {{phone}}.",
    ),
    Template(
        id=502,
        name="address_phone",
        make=address_phone,
        count=2,
        kind="change",
        needs=("C5",),
        wording="Change the phone number of my address in {{city}} to {{phone}}.",
    ),
    Template(
        id=506,
        name="open_address",
        make=open_address,
        count=1,
        kind="navigation",
        difficulty="easy",
        wording="Open the form in which I can edit my address in {{city}}.",
    ),
    Template(
        id=507,
        name="newsletter",
        make=newsletter,
        count=2,
        kind="change",
        needs=("C5",),
        wording="Set the frequency of the {{topic}} newsletter to {{frequency}}.",
    ),
    Template(
        id=508,
        name="vague_newsletter",
        make=vague_newsletter,
        count=1,
        kind="change",
        needs=("C5",),
        vague=True,
        wording="i want the {{topic}} mails {{rhythm}} from now on",
    ),
    Template(
        id=509,
        name="contact",
        make=contact,
        count=2,
        kind="change",
        difficulty="easy",
        wording=(
            'Write to the shop about order {{number}} with the contact form: subject "{{subject}}", message '
            '"{{message}}"'
        ),
    ),
    Template(
        id=510,
        name="shop_fact",
        make=shop_fact,
        count=3,
        kind="information",
        difficulty="easy",
        wording="According to the shop's own pages, {{question}}? Reply with the number only.",
    ),
)
