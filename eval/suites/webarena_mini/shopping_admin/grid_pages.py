"""The pages of a grid: the list, its filter form, and mass actions with their confirmation."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

from eval.suites.webarena_mini.shopping_admin import grid as grids
from eval.suites.webarena_mini.shopping_admin import layout
from eval.suites.webarena_mini.shopping_admin.grid import PAGE_SIZE, Grid
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

HOME = [("Dashboard", "/")]


def show(grid: Grid, *, values: Mapping[str, str] | None = None, errors: list[str] | None = None) -> Response:
    """The list. `values` are what the filter fields show, where that is not what is applied."""
    view, rows, total = grids.look(grid)
    kept = view.parameters(grid)

    def at(number: int) -> str:
        return db.link(grid.path, **kept, page=number if number > 1 else None)

    def sorted_by(key: str) -> str:
        turned = "desc" if key == view.sort and view.direction == "asc" else "asc"
        return db.link(grid.path, **{**kept, "sort": key, "dir": turned})

    pages = max(1, -(-total // PAGE_SIZE))
    return layout.page(
        "grid.html" if grid.kept else "grid_links.html",
        grid.title,
        crumbs=HOME,
        grid=grid,
        view=view,
        rows=rows,
        total=total,
        first=(view.page - 1) * PAGE_SIZE + 1,
        values=view.filters if values is None else values,
        errors=errors or [],
        sorts=[(column, sorted_by(column.key)) for column in grid.columns],
        page_links=[(number, at(number)) for number in range(1, pages + 1)],
        ticked=request.args.get("select") == "all",
        action=request.args.get("action", ""),
    )


def search(grid: Grid) -> Response:
    """Applies the typed filters, or says what is wrong with them and leaves those that are applied."""
    values = grids.typed(grid, request.form)
    errors = grids.complaints(grid, values)
    if errors:
        return show(grid, values=values, errors=errors)
    grids.keep(grid, values)
    return see(_here(grid))


def clear(grid: Grid) -> Response:
    """Takes all filters away."""
    grids.keep(grid, {})
    return see(grid.path)


def _here(grid: Grid, **more: object) -> str:
    """The grid's address with the sort that a form carries along."""
    sort, direction = request.form.get("sort", ""), request.form.get("dir", "")
    known = sort in {column.key for column in grid.columns}
    kept = {"sort": sort, "dir": "desc" if direction == "desc" else "asc"} if known else {}
    filters = {} if grid.kept else grids.typed(grid, request.form)
    return db.link(grid.path, **filters, **kept, **more)


def mass(grid: Grid) -> Response:
    """Ticks the rows of the visible page, or asks whether to act on those that are ticked."""
    number = db.whole_number(request.form.get("page"), 999_999)
    page = number if number and number > 1 else None
    action = request.form.get("action", "")
    if request.form.get("do") == "all":
        return see(_here(grid, page=page, action=action[:40], select="all"))
    if request.form.get("do") == "none":
        return see(_here(grid, page=page, action=action[:40]))
    ids = [db.whole_number(text, 10**9) for text in request.form.getlist("row")[:PAGE_SIZE]]
    rows = grids.chosen(grid, [row for row in ids if row is not None])
    if action not in grid.actions or not rows:
        db.notice("Please select an action." if action not in grid.actions else "Please select items.")
        return see(_here(grid, page=page))
    with db.connection() as connection:
        text = ",".join(str(row["row_id"]) for row in rows)
        connection.execute("INSERT OR REPLACE INTO mass_draft VALUES (1, ?, ?, ?)", (grid.name, action, text))
    return see(f"{grid.path}/confirm")


def confirmation(grid: Grid) -> Response:
    """What would be done."""
    draft = db.row("SELECT action, rows FROM mass_draft WHERE grid = ?", grid.name)
    if draft is None:
        return see(grid.path)
    rows = grids.chosen(grid, [int(row) for row in draft["rows"].split(",")])
    title = f"Confirm: {grid.actions[draft['action']]}"
    crumbs = [*HOME, (grid.title, grid.path)]
    return layout.page("confirm.html", title, crumbs=crumbs, grid=grid, rows=rows)


def confirm(grid: Grid) -> Response:
    """Carries the mass action out on those rows that are still there."""
    draft = db.row("SELECT action, rows FROM mass_draft WHERE grid = ?", grid.name)
    if draft is not None:
        rows = grids.chosen(grid, [int(row) for row in draft["rows"].split(",")])
        with db.connection() as connection:
            connection.execute("DELETE FROM mass_draft")
        db.notice(
            grid.apply(draft["action"], [row["row_id"] for row in rows]) if rows else "There was nothing left to do."
        )
    return see(grid.path)


def register(app: Flask, grid: Grid) -> None:
    """Adds the pages of a grid."""
    app.add_url_rule(grid.path, grid.name, show, defaults={"grid": grid})
    if grid.kept:
        for name, view in (("search", search), ("clear", clear)):
            rule = f"{grid.path}/{name}"
            app.add_url_rule(rule, f"{grid.name}_{name}", view, defaults={"grid": grid}, methods=["POST"])
            app.add_url_rule(rule, f"{grid.name}_{name}_seen", _back, defaults={"grid": grid})
    if grid.actions:
        app.add_url_rule(f"{grid.path}/mass", f"{grid.name}_mass", mass, defaults={"grid": grid}, methods=["POST"])
        rule = f"{grid.path}/confirm"
        app.add_url_rule(rule, f"{grid.name}_confirmation", confirmation, defaults={"grid": grid})
        app.add_url_rule(rule, f"{grid.name}_confirm", confirm, defaults={"grid": grid}, methods=["POST"])


def _back(grid: Grid) -> Response:
    """Somebody opens a form's address by hand."""
    return see(grid.path)
