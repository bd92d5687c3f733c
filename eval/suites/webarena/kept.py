"""What is kept of having signed in, so that the next attempt need not fill in the form again."""

from __future__ import annotations

import threading
from collections.abc import Iterable

Cookies = tuple[dict[str, object], ...]


class SignedIn:
    """Cookies by the server's address, in memory alone. They are tried before each task, and renewed where they do not
    hold."""

    def __init__(self) -> None:
        self._kept: dict[str, Cookies] = {}
        self._turn = threading.Lock()

    def cookies(self, address: str) -> Cookies:
        """None yet: empty."""
        with self._turn:
            return self._kept.get(address, ())

    def keep(self, address: str, cookies: Cookies) -> None:
        with self._turn:
            self._kept[address] = cookies

    def forget(self, addresses: Iterable[str]) -> None:
        """Servers that were put back know nobody any more."""
        with self._turn:
            for address in addresses:
                self._kept.pop(address, None)
