"""The shop's pages for tests."""

from __future__ import annotations

from typing import Any

from site_pages import SitePages


class Site(SitePages):
    """One attempt's copy of the shop."""

    name = "shopping"

    def products(self) -> list[str]:
        """Names in the list of products."""
        return self.texts("//section[@id='products']//h3")

    def rows(self, table: str) -> list[list[str]]:
        """The body rows of a table."""
        return self.cells(table)

    def dump_of(self, table: str) -> list[tuple[Any, ...]]:
        """All rows of one table."""
        return self.all(f"SELECT * FROM {table}")
