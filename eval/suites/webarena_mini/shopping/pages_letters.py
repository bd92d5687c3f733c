"""What the shop and the customer write to each other: newsletter preferences and the contact form."""

from __future__ import annotations

from flask import Flask, Response, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.shopping.vocabulary import CONTACT_SUBJECTS, FREQUENCIES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

TOPICS = "SELECT * FROM subscriptions ORDER BY id"
NEW_MESSAGE = """
INSERT INTO contact_messages (name, email, order_number, subject, message, sent_on) VALUES (?, ?, ?, ?, ?, ?)
"""


def subscriptions() -> Response:
    """All topics in one form."""
    return _preferences([])


def _preferences(errors: list[str]) -> Response:
    return layout.page(
        "subscriptions.html",
        "Newsletter Subscriptions",
        crumbs=[("Home", "/"), ("My Account", "/account")],
        topics=db.rows(TOPICS),
        frequencies=FREQUENCIES,
        errors=errors,
    )


def save_preferences() -> Response:
    """Stores all topics at once; a box that is not ticked ends the subscription."""
    fields = Fields(request.form)
    wanted = [
        (
            fields.choice(f"frequency-{topic['id']}", f"frequency of {topic['topic']}", FREQUENCIES),
            int(f"active-{topic['id']}" in request.form),
            topic["id"],
        )
        for topic in db.rows(TOPICS)
    ]
    if fields.errors:
        return _preferences(fields.errors)
    with db.connection() as connection:
        connection.executemany("UPDATE subscriptions SET frequency = ?, active = ? WHERE id = ?", wanted)
    db.notice("Your preferences were saved.")
    return see("/account/subscriptions")


def contact() -> Response:
    """The form, with the customer's name and address filled in, and the messages sent so far."""
    customer = db.row("SELECT name, email FROM customer")
    assert customer is not None
    return _letter(dict(customer), [])


def _letter(typed: dict[str, str], errors: list[str]) -> Response:
    return layout.page(
        "contact.html",
        "Contact Us",
        crumbs=[("Home", "/")],
        typed=typed,
        errors=errors,
        subjects=CONTACT_SUBJECTS,
        messages=db.rows("SELECT * FROM contact_messages ORDER BY id DESC"),
    )


def send() -> Response:
    """Checks and stores a message."""
    fields = Fields(request.form)
    typed = {
        "name": fields.text("name", "Name", longest=80),
        "email": fields.matching("email", "Email", r"[^@\s]+@[^@\s]+\.[^@\s]+", "an address like name@example.com"),
        "order_number": fields.text("order_number", "Order number", longest=20, required=False),
        "subject": fields.choice("subject", "Subject", CONTACT_SUBJECTS),
        "message": fields.text("message", "Message", longest=4000),
    }
    known = db.value("SELECT 1 FROM orders WHERE number = ?", typed["order_number"])
    if typed["order_number"] and not known:
        fields.errors.append(f"There is no order with the number '{typed['order_number']}'.")
    if fields.errors:
        return _letter(typed, fields.errors)
    with db.connection() as connection:
        connection.execute(NEW_MESSAGE, (*typed.values(), db.today()))
    db.notice("Thank you for your message. We will answer as soon as possible.")
    return see("/contact")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/account/subscriptions", "subscriptions", subscriptions)
    app.add_url_rule("/account/subscriptions", "save_preferences", save_preferences, methods=["POST"])
    app.add_url_rule("/contact", "contact", contact)
    app.add_url_rule("/contact", "send_message", send, methods=["POST"])
