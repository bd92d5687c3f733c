"""A browser's ways for tests of the back office: follow links and press buttons by what is written on them."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import lxml.html
from flask import Flask

from eval.suites.webarena_mini.shopping_admin.app import create_app
from eval.suites.webarena_mini.shopping_admin.world import build


@lru_cache(maxsize=1)
def the_app() -> Flask:
    """One application for all attempts, as in a run."""
    return create_app()


class Site:
    """One attempt's copy of the back office, and the page it is on."""

    def __init__(self, seed: int = 0) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.deserialize(build(seed))
        self.client = the_app().test_client()
        self.url = ""
        self.status = 0
        self.page: Any = None

    def send(self, method: str, path: str, data: object = None) -> Site:
        """One request, and where it redirects to."""
        response = self.client.open(
            path,
            method=method,
            data=data,
            environ_overrides={"site.db": self.db},
            base_url="http://shopping-admin.test",
        )
        self.status, self.url = response.status_code, path
        if response.status_code == 303:
            return self.send("GET", response.headers["Location"])
        self.page = lxml.html.fromstring(response.get_data(as_text=True))
        return self

    def go(self, path: str) -> Site:
        """Opens an address."""
        return self.send("GET", path)

    def follow(self, text: str, within: str = "//main") -> Site:
        """Follows the first link with this text."""
        links = [link for link in self.page.xpath(f"{within}//a") if " ".join(link.text_content().split()) == text]
        assert links, f"no link {text!r} on {self.url}"
        return self.go(links[0].get("href"))

    def tick(self, *rows: int) -> Site:
        """Ticks the boxes of these rows of a grid."""
        for row in rows:
            self.page.xpath(f"//input[@name='row'][@value='{row}']")[0].checked = True
        return self

    def press(self, text: str, within: str = "//body", **fields: str) -> Site:
        """Presses the first button with this text; `fields` are typed or chosen before."""
        buttons = [button for button in self.page.xpath(f"{within}//button") if button.text_content().strip() == text]
        assert buttons, f"no button {text!r} on {self.url}"
        form = next(element for element in buttons[0].iterancestors("form"))
        for name, value in fields.items():
            form.fields[name] = value
        values = form.form_values()
        if buttons[0].get("name"):
            values.append((buttons[0].get("name"), buttons[0].get("value")))
        if form.get("method") == "get":
            return self.go(f"{form.get('action')}?{urlencode(values)}")
        posted: dict[str, list[str]] = {}
        for name, value in values:
            posted.setdefault(name, []).append(value)
        return self.send("POST", form.get("action"), posted)

    def texts(self, xpath: str) -> list[str]:
        """The texts of elements, blanks collapsed."""
        return [" ".join(found.text_content().split()) for found in self.page.xpath(xpath)]

    @property
    def main(self) -> str:
        """The text of the page's main part."""
        return " ".join(self.page.xpath("//main")[0].text_content().split())

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
        return [
            dict(zip(heads, [" ".join(cell.text_content().split()) for cell in row.xpath("./td")]))
            for row in self.page.xpath(f"//table[@id='{table}']/tbody/tr")
        ]

    def all_rows(self, table: str) -> list[dict[str, str]]:
        """The rows of all pages from here on."""
        found = self.rows(table)
        while self.page.xpath("//a[text()='Next page']"):
            found += self.follow("Next page").rows(table)
        return found

    def value(self, sql: str, *values: object) -> Any:
        """The first column of the first row of the attempt's database."""
        return self.db.execute(sql, values).fetchone()[0]

    def all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of the attempt's database."""
        return self.db.execute(sql, values).fetchall()

    def dump(self) -> list[str]:
        """The whole state as text."""
        return list(self.db.iterdump())
