"""A browser's ways for tests of the sites: follow links and press buttons by what is written on them."""

from __future__ import annotations

import sqlite3
from typing import Any, Self
from urllib.parse import urlencode

import lxml.html
from werkzeug.test import Client

from eval.suites.webarena_mini.sites import MiniSite


class SitePages:
    """One attempt's copy of a site, and the page it is on."""

    name: str

    def __init__(self, seed: int = 0, *, redesigned: bool = False) -> None:
        self.site = MiniSite(self.name).open(seed, redesigned=redesigned)
        found = self.site.environ["site.db"]
        assert isinstance(found, sqlite3.Connection)
        self.db = found
        self.client = Client(self.site.app)
        self.url = ""
        self.status = 0
        self.page: Any = None

    def send(self, method: str, path: str, data: object = None) -> Self:
        """One request, and where it redirects to."""
        response = self.client.open(
            path,
            method=method,
            data=data,
            environ_overrides=dict(self.site.environ),
            base_url=MiniSite(self.name).base_url,
        )
        self.status, self.url = response.status_code, path
        if response.status_code == 303:
            return self.send("GET", response.headers["Location"])
        self.page = lxml.html.fromstring(response.get_data(as_text=True))
        return self

    def go(self, path: str) -> Self:
        """Opens an address."""
        return self.send("GET", path)

    def follow(self, text: str, within: str = "//main") -> Self:
        """Follows the first link with this text."""
        links = [link for link in self.page.xpath(f"{within}//a") if " ".join(link.text_content().split()) == text]
        assert links, f"no link {text!r} on {self.url}"
        return self.go(links[0].get("href"))

    def press(self, text: str, within: str = "//body", **fields: str) -> Self:
        """Presses the first button with this text; `fields` are typed or chosen before (- written as _)."""
        buttons = [button for button in self.page.xpath(f"{within}//button") if button.text_content().strip() == text]
        assert buttons, f"no button {text!r} on {self.url}"
        form = next(element for element in buttons[0].iterancestors("form"))
        for name, value in fields.items():
            form.fields[name if name in form.fields else name.replace("_", "-")] = value
        values = list(form.form_values())
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

    def cells(self, table: str) -> list[list[str]]:
        """The body rows of a table."""
        return [
            [" ".join(cell.text_content().split()) for cell in row.xpath("./td")]
            for row in self.page.xpath(f"//table[@id='{table}']/tbody/tr")
        ]

    def value(self, sql: str, *values: object) -> Any:
        """The first column of the first row of the attempt's database."""
        return self.db.execute(sql, values).fetchone()[0]

    def all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of the attempt's database."""
        return self.db.execute(sql, values).fetchall()

    def dump(self) -> list[str]:
        """The whole state as text."""
        return list(self.db.iterdump())
