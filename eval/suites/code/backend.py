"""How commands of code suites are run: the key `code` of the settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eval.suites.code.sandbox import CONTAINERS, Limits, SandboxName

Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]


class CodeBackend(BaseModel):
    """`bubblewrap`: a sandbox of the kernel's; `docker` and `singularity`: a container of that program's; `local`: no
    sandbox at all, see `sandbox.LOCAL_RISK`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sandbox: SandboxName = "bubblewrap"
    image: Annotated[str, Field(min_length=1)] | None = None
    """A container's, for suites whose tasks name none."""
    command_seconds: Seconds = 30.0
    """After which a command of the agent is stopped."""
    tests_seconds: Seconds = 120.0
    """After which the tests of an evaluation are stopped."""
    limits: Limits = Limits()

    @model_validator(mode="after")
    def has_a_container(self) -> CodeBackend:
        if self.image is not None and self.sandbox not in CONTAINERS:
            raise ValueError(
                f"code.image={self.image}: code.sandbox={self.sandbox} runs no image; choose {' or '.join(CONTAINERS)}"
            )
        return self
