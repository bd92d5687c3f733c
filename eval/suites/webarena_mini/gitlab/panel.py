"""The side panel of an issue or a merge request: what is chosen there is a draft until it is saved."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from eval.suites.webarena_mini.gitlab import item_list, layout
from eval.suites.webarena_mini.gitlab.kinds import Kind
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.words import say

BUTTONS = {"assignee": "Assign", "reviewer": "Request review", "milestone": "Set milestone", "labels": "Set labels"}
MEMBER = "SELECT 1 FROM members WHERE project_id = ? AND user_id = ?"


@dataclass(frozen=True)
class Entry:
    """One field of the panel: what is stored, or what is chosen and not saved yet."""

    name: str
    label: str
    button: str
    text: str
    draft: bool


@dataclass(frozen=True)
class Panel:
    """The fields; whether they can be changed, and whether there is something to save."""

    entries: list[Entry]
    open: bool
    milestones: list[str]

    @property
    def drafts(self) -> bool:
        """Whether something is chosen and not saved."""
        return any(entry.draft for entry in self.entries)


def fields_of(kind: Kind) -> tuple[str, ...]:
    """The names of a panel's fields."""
    return tuple(name for name in BUTTONS if kind.reviewed or name != "reviewer")


def read(kind: Kind, project: sqlite3.Row, item: sqlite3.Row) -> Panel:
    """The panel of an item."""
    drafts = {row["field"]: row["value"] for row in db.rows("SELECT * FROM drafts WHERE item_id = ?", item["id"])}
    entries = []
    for name in fields_of(kind):
        text = _text(name, drafts[name]) if name in drafts else item[name] or ""
        entries.append(Entry(name, name.title(), BUTTONS[name], text, name in drafts))
    return Panel(entries, layout.may(project, "Developer"), milestone_titles(project))


def milestone_titles(project: sqlite3.Row) -> list[str]:
    """What can be chosen as milestone."""
    return [row["title"] for row in db.rows("SELECT title FROM milestones WHERE project_id = ?", project["id"])]


def _text(name: str, value: str) -> str:
    """What a stored choice is called."""
    if name in ("assignee", "reviewer"):
        return str(db.value("SELECT name FROM users WHERE id = ?", value) or "")
    if name == "milestone":
        return str(db.value("SELECT title FROM milestones WHERE id = ?", value) or "")
    return ", ".join(
        str(db.value("SELECT name FROM labels WHERE id = ?", label)) for label in value.split(",") if label
    )


def read_choice(fields: Fields, project: sqlite3.Row, name: str) -> str:
    """What was typed or chosen for a field, as ids with commas between; empty for nothing."""
    typed = fields.text(name, name.title(), required=False, longest=300)
    if not typed:
        return ""
    if name == "labels":
        found = {}
        for label in item_list.split_labels(typed):
            sql = "SELECT id FROM labels WHERE project_id = ? AND lower(name) = lower(?)"
            if (key := db.value(sql, project["id"], label)) is None:
                fields.errors.append(f"There is no label '{label[:40]}' in this project.")
            found[key] = str(key)
        return ",".join(found.values())
    if name == "milestone":
        key = db.value("SELECT id FROM milestones WHERE project_id = ? AND title = ?", project["id"], typed)
        if key is None:
            fields.errors.append(f"There is no milestone '{typed[:40]}' in this project.")
        return str(key or "")
    user = layout.find_user(typed)
    if user is None or not db.value(MEMBER, project["id"], user["id"]):
        fields.errors.append(f"{say(name.title())}: '{typed[:40]}' is not a member of this project.")
        return ""
    return str(user["id"])
