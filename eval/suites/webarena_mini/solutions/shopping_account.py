"""Known solutions of tasks about addresses, newsletters and letters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.shopping_steps import address, confirm

RHYTHMS = {"every day": "Daily", "once a week": "Weekly", "once a month": "Monthly", "four times a year": "Quarterly"}
FACTS = {
    r"damage in transit": r"must be reported within (\d+) days",
    r"pickup order": r"pickup order is kept for (\d+) days",
    r"parcel weigh": r"parcel weighs at most (\d+) pounds",
    r"gift card": r"gift card is valid for (\d+) months",
    r"repair take": r"at most (\d+) days for a repair",
    r"restocking fee": r"restocking fee of (\d+)%",
    r"warranty on (.+)": r"Warranty on {}: (\d+) months",
}
"""What a question names, and how the shop's terms say it."""
PAGES = {
    "shipping information": "Shipping",
    "returns": "Returns",
    "privacy policy": "Privacy policy",
    "about us": "About us",
}


def address_add(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("My Account")
    d.follow("Address Book")
    d.follow("Add new address")
    fields = {"Street address": "street", "City": "city", "State": "state", "Zip code": "zip", "Phone number": "phone"}
    for label, slot in fields.items():
        d.fill(label, values[slot])
    d.click("button", "Save Address")
    confirm(d, "Confirm Address")


def change(d: Driver, city: str, label: str, text: str) -> None:
    """One field of an address."""
    d.click("link", "Edit address", inside=address(d, city))
    d.fill(label, text)
    d.click("button", "Save Address")
    confirm(d, "Confirm Address")


def address_phone(d: Driver, values: Mapping[str, str]) -> None:
    change(d, values["city"], "Phone number", values["phone"])


def open_address(d: Driver, values: Mapping[str, str]) -> None:
    d.click("link", "Edit address", inside=address(d, values["city"]))
    d.say("Here it is.")


def set_frequency(d: Driver, topic: str, frequency: str) -> None:
    """One newsletter's list box."""
    d.follow("My Account")
    d.follow("Newsletter Subscriptions")
    d.select(f"Frequency of {topic}", frequency)
    confirm(d, "Save Preferences")


def newsletter(d: Driver, values: Mapping[str, str]) -> None:
    set_frequency(d, values["topic"], values["frequency"].capitalize())


def vague_newsletter(d: Driver, values: Mapping[str, str]) -> None:
    set_frequency(d, values["topic"].title(), RHYTHMS[values["rhythm"]])


def contact(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("Contact Us")
    d.fill("Order number (optional)", values["number"])
    d.select("Subject", values["subject"])
    d.fill("Message", values["message"])
    d.click("button", "Send Message")
    d.say("Done.")


def shop_fact(d: Driver, values: Mapping[str, str]) -> None:
    asked, said = next(
        (asked, said) for named, said in FACTS.items() if (asked := re.search(named, values["question"]))
    )
    d.follow("Terms and Conditions")
    found = re.search(said.format(*map(re.escape, asked.groups())), " ".join(d.read().texts))
    if not found:
        raise LostError(f"nothing about it on {d.url}")
    d.say(found[1])


def phone_of_address(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("My Account")
    d.follow("Address Book")
    if not any(values["city"] in text for text in d.read().texts):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        address_add,
        address_phone,
        open_address,
        newsletter,
        vague_newsletter,
        contact,
        shop_fact,
        phone_of_address,
    )
}
