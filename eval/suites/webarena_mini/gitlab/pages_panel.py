"""The buttons of the side panel of an issue or a merge request."""

from __future__ import annotations

from flask import Flask, Response, request

from eval.suites.webarena_mini.gitlab import item_list, layout, pages_items, panel
from eval.suites.webarena_mini.gitlab.kinds import KINDS, Kind
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see


def choose(kind: Kind, field: str, namespace: str, slug: str, number: str) -> Response:
    """A field's button: the choice is shown in the panel, but not stored yet."""
    project, item = item_list.find(kind, namespace, slug, number)
    layout.demand(project, "Developer")
    fields = Fields(request.form)
    value = panel.read_choice(fields, project, field)
    if fields.errors:
        return pages_items.show_item(kind, project, item, fields.errors)
    with db.connection() as connection:
        connection.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?)", (item["id"], field, value))
    return see(item_list.address(kind, item))


def save(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """Stores all that was chosen."""
    project, item = item_list.find(kind, namespace, slug, number)
    layout.demand(project, "Developer")
    with db.connection() as connection:
        for draft in db.rows("SELECT * FROM drafts WHERE item_id = ?", item["id"]):
            field, value = draft["field"], draft["value"]
            if field == "labels":
                connection.execute("DELETE FROM item_labels WHERE item_id = ?", (item["id"],))
                for label in value.split(",") if value else ():
                    connection.execute("INSERT INTO item_labels VALUES (?, ?)", (item["id"], int(label)))
            else:
                new = int(value) if value else None
                connection.execute(f"UPDATE items SET {field}_id = ? WHERE id = ?", (new, item["id"]))
        connection.execute("DELETE FROM drafts WHERE item_id = ?", (item["id"],))
        connection.execute("UPDATE items SET updated_on = ? WHERE id = ?", (db.today(), item["id"]))
        layout.happened(connection, project, f"changed {kind.noun}", item["title"], item_list.address(kind, item))
    db.notice("The changes were saved.")
    return see(item_list.address(kind, item))


def register(app: Flask) -> None:
    """Adds the pages."""
    for kind in KINDS:
        rule = f"/<namespace>/<slug>/-/{kind.folder}/<number>"
        app.add_url_rule(f"{rule}/save", f"save_panel_{kind.key}", save, defaults={"kind": kind}, methods=["POST"])
        for field in panel.fields_of(kind):
            app.add_url_rule(
                f"{rule}/{field}", f"{field}_{kind.key}", choose, defaults={"kind": kind, "field": field},
                methods=["POST"],
            )  # fmt: skip
