"""How the pages of web suites are looked at: the key `web` of the settings."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field


class WebBackend(BaseModel):
    """`text`: a browser without a window, in this process. `browser`: Chromium, driven through BrowserGym."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    backend: Literal["text", "browser"] = "text"
    chromium: Annotated[str, Field(min_length=1)] | None = None
    """The browser's program; None: the one that is found."""
    screenshots: Annotated[bool, Field(strict=True)] = False
    """Whether an image is kept of every step, in the attempt's folder."""


@runtime_checkable
class BrowserAlone(Protocol):
    """A suite whose pages need their scripts, so that there is no way in but a real browser."""

    browser_alone: bool


def in_use(suite: object, web: WebBackend) -> WebBackend:
    """How a suite's pages are looked at, whatever is set."""
    alone = isinstance(suite, BrowserAlone) and suite.browser_alone
    return web.model_copy(update={"backend": "browser"}) if alone else web
