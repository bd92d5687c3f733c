"""A file of tasks in WebArena's schema, written for tests, and the package's own where it is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest

ORDERS = {"url": "__SHOPPING__/sales/order/history/", "locator": "", "required_contents": {"must_include": ["Tea"]}}
POST = {
    "url": "func:reddit_get_post_url('__last_url__')",
    "locator": "document.querySelector('.submission').outerText",
    "required_contents": {"exact_match": "Hello"},
}


def entry(task_id: int, *sites: str, **gold: Any) -> dict[str, Any]:
    """A task of some sites; its gold as keyword arguments, by default an answer."""
    asked = gold or {"eval_types": ["string_match"], "reference_answers": {"exact_match": "tea"}}
    return {
        "sites": list(sites),
        "task_id": task_id,
        "require_login": True,
        "storage_state": None,
        "start_url": f"__{sites[0].upper()}__",
        "geolocation": None,
        "intent_template": "What do I drink?",
        "instantiation_dict": {},
        "intent": f"What do I drink, for the {task_id}th time?",
        "require_reset": False,
        "eval": {"reference_answers": None, "reference_url": "", "program_html": None, **asked},
        "intent_template_id": 100 + task_id,
    }


def mixed() -> list[dict[str, Any]]:
    """A task of each group and of each way to be evaluated, not in the order of their ids."""
    return [
        entry(7, "reddit", "gitlab"),
        entry(0, "shopping", eval_types=["program_html"], program_html=[ORDERS]),
        entry(1, "shopping_admin", eval_types=["url_match"], reference_url="__SHOPPING_ADMIN__/sales"),
        entry(2, "gitlab"),
        entry(3, "reddit", eval_types=["program_html"], program_html=[POST]),
        entry(4, "map"),
        entry(5, "map", "shopping_admin"),
        entry(6, "shopping", eval_types=["string_match"], reference_answers={"fuzzy_match": ["tea"]}),
    ]


def written(folder: Path, entries: list[dict[str, Any]] | None = None) -> str:
    """A file of them."""
    path = folder / "tasks.json"
    path.write_text(json.dumps(mixed() if entries is None else entries), encoding="utf-8")
    return str(path)


@cache
def python() -> str:
    """The interpreter that has libwebarena; the test is skipped where none has."""
    named = os.environ.get("LIBWEBARENA_PYTHON", "")
    if not named and not any(distributions(name="libwebarena")):
        pytest.skip("libwebarena is not installed; LIBWEBARENA_PYTHON names an interpreter that has it")
    return named or sys.executable


@cache
def packaged() -> Path:
    """The task file of the installed package."""
    where = "distribution('libwebarena').locate_file('webarena/test.raw.json')"
    code = f"from importlib.metadata import distribution; print({where})"
    return Path(subprocess.run([python(), "-c", code], capture_output=True, text=True, check=True).stdout.strip())
