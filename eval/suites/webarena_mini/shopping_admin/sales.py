"""What can be done with an order, and which state it is in afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from eval.suites.webarena_mini.shopping_admin.vocabulary import TOLD
from eval.suites.webarena_mini.site import db

COMMENT = "INSERT INTO order_comments (order_id, written_on, state, text, notified) VALUES (?, ?, ?, ?, ?)"
PAST = {"cancel": "cancelled", "hold": "put on hold", "unhold": "released from hold", "print": "printed"}
"""Actions on whole orders."""
OPEN_UNITS = "SELECT coalesce(sum(quantity - {done}), 0) FROM order_items WHERE order_id = ?"


def find(order_id: int) -> sqlite3.Row | None:
    """An order by its id."""
    return db.row("SELECT * FROM orders WHERE id = ?", order_id)


def allowed(order: sqlite3.Row, action: str) -> bool:
    """Whether an order's state allows an action: cancel, hold, unhold, print, invoice or ship."""
    state, order_id = order["state"], order["id"]
    if action == "print":
        return True
    if action == "hold":
        return state in ("New", "Pending")
    if action == "unhold":
        return bool(state == "On Hold")
    if action == "cancel":
        touched = "SELECT sum(invoiced + shipped) FROM order_items WHERE order_id = ?"
        return state in ("New", "On Hold") and not db.value(touched, order_id)
    done = "invoiced" if action == "invoice" else "shipped"
    return state in ("New", "Pending") and bool(db.value(OPEN_UNITS.format(done=done), order_id))


def act(order: sqlite3.Row, action: str) -> bool:
    """Cancels, holds, releases or prints an order; False when its state does not allow it."""
    if not allowed(order, action):
        return False
    if action == "print":
        comment(order["id"], "The order was printed.")
    elif action == "cancel":
        _enter(order["id"], "Cancelled")
        comment(order["id"], f"Your order is now {TOLD['Cancelled']}.", notified=True)
    elif action == "hold":
        _enter(order["id"], "On Hold", held_from=order["state"])
        comment(order["id"], "The order was put on hold.")
    else:
        _enter(order["id"], order["held_from"])
        comment(order["id"], "The order was released from hold.")
    return True


def act_on_all(action: str, ids: list[int]) -> str:
    """A mass action; says for how many orders it was possible."""
    done = [act(order, action) for order in map(find, ids) if order is not None]
    count, refused = sum(done), len(done) - sum(done)
    text = f"{count} order(s) were {PAST[action]}." if count else ""
    return f"{text} {refused} order(s) cannot be {PAST[action]}.".strip() if refused else text


def comment(order_id: int, text: str, *, notified: bool = False) -> None:
    """A line of the order's history, under its present state."""
    state = db.value("SELECT state FROM orders WHERE id = ?", order_id)
    with db.connection() as connection:
        connection.execute(COMMENT, (order_id, db.today(), state, text, int(notified)))


def invoice(order: sqlite3.Row, units: Mapping[int, int]) -> int:
    """Invoices units of items (by id); gives the invoice's id."""
    sql = "SELECT sum(price_cents * ?) FROM order_items WHERE id = ?"
    total = sum(int(db.value(sql, count, item)) for item, count in units.items())
    if not db.value("SELECT count(*) FROM invoices WHERE order_id = ?", order["id"]):
        total += order["shipping_cents"] - order["discount_cents"]
    number = _next_number("invoices")
    insert = "INSERT INTO invoices (number, order_id, created_on, total_cents) VALUES (?, ?, ?, ?)"
    with db.connection() as connection:
        made = connection.execute(insert, (number, order["id"], db.today(), max(0, total))).lastrowid
    assert made is not None
    _count("invoice", made, units)
    _settle(order)
    return made


def ship(order: sqlite3.Row, units: Mapping[int, int], carrier: str, tracking: str) -> int:
    """Ships units of items (by id); gives the shipment's id."""
    values = (_next_number("shipments"), order["id"], db.today(), carrier, tracking)
    insert = "INSERT INTO shipments (number, order_id, created_on, carrier, tracking) VALUES (?, ?, ?, ?, ?)"
    with db.connection() as connection:
        made = connection.execute(insert, values).lastrowid
    assert made is not None
    _count("shipment", made, units)
    _settle(order)
    return made


def _next_number(table: str) -> str:
    return f"{int(db.value(f'SELECT coalesce(max(CAST(number AS INTEGER)), 999) FROM {table}')) + 1:09d}"


def _count(kind: str, parcel: int, units: Mapping[int, int]) -> None:
    done = "invoiced" if kind == "invoice" else "shipped"
    with db.connection() as connection:
        for item, count in units.items():
            connection.execute(f"INSERT INTO {kind}_items VALUES (?, ?, ?)", (parcel, item, count))
            connection.execute(f"UPDATE order_items SET {done} = {done} + ? WHERE id = ?", (count, item))


def _settle(order: sqlite3.Row) -> None:
    """The state that follows from what is invoiced and shipped; the customer is told."""
    left = sum(int(db.value(OPEN_UNITS.format(done=done), order["id"])) for done in ("invoiced", "shipped"))
    state = "Pending" if left else "Closed"
    if state != order["state"]:
        _enter(order["id"], state)
        comment(order["id"], f"Your order is now {TOLD[state]}.", notified=True)


def _enter(order_id: int, state: str, held_from: str = "") -> None:
    with db.connection() as connection:
        connection.execute("UPDATE orders SET state = ?, held_from = ? WHERE id = ?", (state, held_from, order_id))
