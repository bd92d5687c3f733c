"""The code host's pages for tests."""

from __future__ import annotations

from site_pages import SitePages


class Site(SitePages):
    """One attempt's copy of the code host."""

    name = "gitlab"

    @property
    def me(self) -> int:
        """The id of the user who is signed in."""
        return int(self.value("SELECT value FROM world WHERE key = 'me'"))

    @property
    def amount(self) -> int:
        """How many things a list says that there are."""
        return int(self.texts("//p[@id='amount']")[0].split()[0])

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

    def project(self, *, role: str = "Owner") -> str:
        """The address of a project in which one has a role and in which much is going on; `''`: none."""
        if not role:
            where = "p.id NOT IN (SELECT project_id FROM members WHERE user_id = ?)"
        else:
            where = f"p.id IN (SELECT project_id FROM members WHERE user_id = ? AND role = '{role}')"
        sql = f"SELECT '/' || namespace || '/' || slug FROM projects p WHERE {where} ORDER BY id"
        return str(self.value(sql, self.me))

    def id_of(self, path: str) -> int:
        """The id of the project at an address."""
        return int(self.value("SELECT id FROM projects WHERE '/' || namespace || '/' || slug = ?", path))

    def number(self, path: str, kind: str = "issue", state: str = "opened") -> int:
        """The highest number of an issue or merge request in some state."""
        sql = "SELECT max(number) FROM items WHERE project_id = ? AND kind = ? AND state = ?"
        return int(self.value(sql, self.id_of(path), kind, state))
