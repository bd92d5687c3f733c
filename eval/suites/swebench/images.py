"""The names under which SWE-bench publishes the containers of its instances.

The rule is that of `swebench.image_builder.image_spec` in swebench 5: `sweb.eval.<arch>.<instance>:<tag>`, in lower
case; below a namespace each `__` is `_1776_`, since a registry takes no doubled underscores.
"""

from __future__ import annotations

from typing import Literal, get_args

from eval.names import nearest
from reasoningbank.errors import SetupError

Arch = Literal["x86_64", "arm64"]
ARCHES: tuple[Arch, ...] = get_args(Arch)
NAMESPACE = "swebench"


def image_name(
    instance_id: str, *, namespace: str | None = NAMESPACE, arch: str = "x86_64", tag: str = "latest"
) -> str:
    """The image of an instance. `namespace` is the registry's account, None for images that were built here.

    SetupError for an architecture that no image is of.
    """
    if arch not in ARCHES:
        raise SetupError(f"suite.arch={arch}: there are no images for it; {nearest(arch, ARCHES)}")
    name = f"sweb.eval.{arch}.{instance_id}:{tag}"
    return (name if namespace is None else f"{namespace}/{name}".replace("__", "_1776_")).lower()
