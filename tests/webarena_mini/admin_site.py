"""The back office's pages for tests."""

from __future__ import annotations

from typing import Self

from site_pages import SitePages


class Site(SitePages):
    """One attempt's copy of the back office."""

    name = "shopping_admin"

    def tick(self, *rows: int) -> Self:
        """Ticks the boxes of these rows of a grid."""
        for row in rows:
            self.page.xpath(f"//input[@name='row'][@value='{row}']")[0].checked = True
        return self

    @property
    def found(self) -> int:
        """How many records a grid says that there are."""
        first = self.texts("//p[@id='amount']")[0].split()[0]
        return int(first) if first.isdigit() else 0

    def boxes(self) -> list[int]:
        """The rows of a grid's page whose boxes are ticked."""
        return [int(box.get("value")) for box in self.page.xpath("//input[@name='row']") if box.checked]

    def rows(self, table: str) -> list[dict[str, str]]:
        """The body rows of a table, by the heads of its columns."""
        heads = self.texts(f"//table[@id='{table}']/thead//th")
        return [dict(zip(heads, row)) for row in self.cells(table)]

    def all_rows(self, table: str) -> list[dict[str, str]]:
        """The rows of all pages from here on."""
        found = self.rows(table)
        while self.page.xpath("//a[text()='Next page']"):
            found += self.follow("Next page").rows(table)
        return found
