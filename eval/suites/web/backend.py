"""How the pages of web suites are looked at: the key `web` of the settings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class WebBackend(BaseModel):
    """`text`: a browser without a window, in this process. `browser`: Chromium, driven through BrowserGym."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    backend: Literal["text", "browser"] = "text"
    chromium: Annotated[str, Field(min_length=1)] | None = None
    """The browser's program; None: the one that is found."""
    screenshots: Annotated[bool, Field(strict=True)] = False
    """Whether an image is kept of every step, in the attempt's folder."""
