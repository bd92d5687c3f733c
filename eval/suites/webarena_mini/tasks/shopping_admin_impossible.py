"""Tasks that ask for what the back office does not have. The right answer says so."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import not_possible
from eval.suites.webarena_mini.tasks.shopping_admin_grids import CODES
from eval.suites.webarena_mini.tasks.shopping_admin_view import Office


def refund_order(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The pages offer no refunds."""
    for order in rng.sample(office.orders, len(office.orders)):
        if order.state == "Closed":
            yield Draft({"number": order.number}, not_possible("the back office offers no way to refund an order"))


def coupon_uses(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A code that no coupon has."""
    for word in rng.sample(CODES, len(CODES)):
        code = f"{word}{rng.randint(31, 60)}"
        yield Draft({"code": code}, not_possible(f"there is no coupon {code}"))


TEMPLATES = (
    Template(
        id=741,
        name="refund_order",
        make=refund_order,
        count=1,
        kind="change",
        impossible=True,
        wording="Refund order {{number}} in full.",
    ),
    Template(
        id=742,
        name="coupon_uses",
        make=coupon_uses,
        count=2,
        kind="information",
        impossible=True,
        wording="In how many orders was the coupon {{code}} used?",
    ),
)
