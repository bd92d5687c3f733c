"""Lists with column filters, sorting, paging and mass actions: what a grid is, and which rows it shows.

Applied filters are rows of `grid_filters`, so they are still there at the next visit; only a grid whose filters are
not `kept` has them in its address.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask import request

from eval.suites.webarena_mini.shopping_admin.fields import cents
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields, month_first_date
from eval.suites.webarena_mini.site.words import say

PAGE_SIZE = 20
LONGEST = 120


@dataclass(frozen=True)
class Column:
    """A column and, unless `filtered` is off, its filter: a choice, part of a text, or a range of anything else."""

    key: str
    label: str
    sql: str
    kind: str = "text"
    """text, date, money, number or percent."""
    options: tuple[str, ...] = ()
    filtered: bool = True

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """(name, label) of the filter's fields."""
        if not self.filtered:
            return ()
        if self.options or self.kind == "text":
            return ((self.key, self.label),)
        return ((f"{self.key}-from", f"{self.label} from"), (f"{self.key}-to", f"{self.label} to"))

    def parse(self, text: str) -> str | int | None:
        """A filter's value as it is compared; None if it is none."""
        if self.options:
            return text if text in self.options else None
        if self.kind == "date":
            return month_first_date(text)
        if self.kind == "money":
            return cents(text)
        return text if self.kind == "text" else db.whole_number(text, 999_999_999)


def _no_action(action: str, rows: list[int]) -> str:
    raise LookupError(action)


@dataclass(frozen=True)
class Grid:
    """A list of things of one kind."""

    name: str
    """The id of its table, and its key in `grid_filters`."""
    path: str
    title: str
    noun: str
    source: str
    """SQL from FROM on, with the rows' id as `{row_id}`."""
    row_id: str
    columns: tuple[Column, ...]
    order: str
    """Default order, as SQL."""
    label: str
    """Key of the column that names a row at its box."""
    open_label: str = "View"
    actions: Mapping[str, str] = field(default_factory=dict)
    """Mass actions: key and what is written on them."""
    apply: Callable[[str, list[int]], str] = _no_action
    """Carries a mass action out; gives the notice."""
    add: tuple[str, str] | None = None
    """Label and address of the form for a new one."""
    kept: bool = True

    def column(self, key: str) -> Column:
        """A column by its key."""
        return next(column for column in self.columns if column.key == key)

    def field_names(self) -> list[str]:
        """The names of all filter fields."""
        return [name for column in self.columns for name, _ in column.fields]


@dataclass(frozen=True)
class View:
    """Where in a grid somebody is."""

    filters: dict[str, str]
    sort: str
    direction: str
    page: int

    def parameters(self, grid: Grid) -> dict[str, object]:
        """What stands in the address beside the page."""
        return {**({} if grid.kept else self.filters), "sort": self.sort, "dir": self.direction}


def typed(grid: Grid, form: Mapping[str, str]) -> dict[str, str]:
    """What a form's filter fields hold."""
    fields = Fields(form)
    found = {name: fields.text(name, "", longest=LONGEST, required=False) for name in grid.field_names()}
    return {name: text for name, text in found.items() if text}


def complaints(grid: Grid, values: Mapping[str, str]) -> list[str]:
    """What is wrong with typed filters."""
    return [
        f"{say(label)}: '{values[name]}' is not a valid {'date' if column.kind == 'date' else 'value'}."
        for column in grid.columns
        for name, label in column.fields
        if name in values and column.parse(values[name]) is None
    ]


def applied(grid: Grid) -> dict[str, str]:
    """The filters that are applied now."""
    if not grid.kept:
        found = typed(grid, request.args)
        return {name: text for name, text in found.items() if not complaints(grid, {name: text})}
    sql = "SELECT field, value FROM grid_filters WHERE grid = ? ORDER BY field"
    return {line["field"]: line["value"] for line in db.rows(sql, grid.name)}


def keep(grid: Grid, values: Mapping[str, str]) -> None:
    """Applies these filters and no others."""
    with db.connection() as connection:
        connection.execute("DELETE FROM grid_filters WHERE grid = ?", (grid.name,))
        rows = [(grid.name, name, text) for name, text in values.items()]
        connection.executemany("INSERT INTO grid_filters VALUES (?, ?, ?)", rows)


def conditions(grid: Grid, values: Mapping[str, str]) -> tuple[str, list[object]]:
    """The WHERE clause of filters and its values. Ranges hold both their ends."""
    parts: list[str] = []
    found: list[object] = []
    for column in grid.columns:
        for name, _ in column.fields:
            value = column.parse(values[name]) if name in values else None
            if value is None:
                continue
            if column.options:
                parts.append(f"{column.sql} = ?")
            elif column.kind == "text":
                parts.append(f"instr(lower({column.sql}), lower(?)) > 0")
            else:
                parts.append(f"{column.sql} {'>=' if name.endswith('-from') else '<='} ?")
            found.append(value)
    return (f"WHERE {' AND '.join(parts)}" if parts else ""), found


def look(grid: Grid) -> tuple[View, list[sqlite3.Row], int]:
    """Where the request is in a grid, the rows of that page, and how many rows there are on all pages."""
    filters = applied(grid)
    where, values = conditions(grid, filters)
    total = int(db.value(f"SELECT count(*) {grid.source} {where}", *values))
    sort = request.args.get("sort", "")
    sort = sort if sort in {column.key for column in grid.columns} else ""
    direction = "desc" if sort and request.args.get("dir") == "desc" else "asc" if sort else ""
    number = db.page_number("page", max(1, -(-total // PAGE_SIZE)))
    order = f"{grid.column(sort).sql} {direction}, {grid.row_id} {direction}" if sort else grid.order
    shown = db.rows(
        f"SELECT {_columns(grid)} {grid.source} {where} ORDER BY {order} LIMIT ? OFFSET ?",
        *values,
        PAGE_SIZE,
        (number - 1) * PAGE_SIZE,
    )
    return View(filters, sort, direction, number), shown, total


def chosen(grid: Grid, ids: list[int]) -> list[sqlite3.Row]:
    """Those of these rows that exist, in the default order."""
    marks = ",".join("?" * len(ids))
    sql = f"SELECT {_columns(grid)} {grid.source} WHERE {grid.row_id} IN ({marks}) ORDER BY {grid.order}"
    return db.rows(sql, *ids)


def _columns(grid: Grid) -> str:
    """What is selected of a row."""
    return ", ".join([f"{grid.row_id} AS row_id", *(f'{column.sql} AS "{column.key}"' for column in grid.columns)])
