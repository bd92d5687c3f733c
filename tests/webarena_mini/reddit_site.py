"""The forum's pages for tests."""

from __future__ import annotations

import re

from site_pages import SitePages


class Site(SitePages):
    """One attempt's copy of the forum."""

    name = "reddit"

    def titles(self) -> list[str]:
        """The posts on the page of a list."""
        return self.texts("//section[@id='submissions']//tbody/tr/td[1]")

    def all_titles(self) -> list[str]:
        """The posts of this page and of those behind it."""
        found = self.titles()
        while self.page.xpath("//main//a[text()='More']"):
            found += self.follow("More").titles()
        return found

    def buttons(self) -> list[str]:
        """What can be done with the post or comment whose page is open."""
        return self.texts("//section[@id='submission' or @id='said']//button")

    @property
    def points(self) -> int:
        """Of the post whose page is open."""
        return int(self.texts("//span[@id='score']")[0].split()[0])

    @property
    def counted(self) -> int:
        """The number above the comments of a post."""
        found = re.match(r"\d+", self.texts("//section[@id='comments']/h2")[0])
        assert found
        return int(found[0])

    def path(self, where: str) -> str:
        """The address of a post that can be seen."""
        return str(self.value(f"SELECT path FROM shown_posts WHERE {where} ORDER BY id"))
