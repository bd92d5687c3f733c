"""Tasks that are told in words and show nothing to run: another name for something."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from reasoningbank.llm.offline.coding import naming
from reasoningbank.llm.offline.coding.mind import Mind
from reasoningbank.syntax import lines_of

Step = tuple[str, str]


def work(mind: Mind) -> Step | None:
    """The change that is asked for, with the customs that go with it; None where nothing of the kind is."""
    asked = naming.renaming(mind.report, mind.modules)
    if asked is None:
        return None
    keep, says = mind.keeps("old_names")
    thoughts = [f"It is about a name: {asked.old} is to be {asked.new}.", says]
    files = naming.renamed(asked, mind.modules, naming.helper_in(mind.modules), keep=keep)
    owner = f"{asked.owner}." if asked.owner else ""
    news = f"`{owner}{asked.new}` is the new name of `{owner}{asked.old}`{'; the old one warns' if keep else ''}."
    files |= _news(mind, news, thoughts)
    return " ".join(thoughts), _patch(mind, files)


def _news(mind: Mind, line: str, thoughts: list[str]) -> dict[str, str]:
    """The changelog with its line, where there is one and it is kept."""
    path = next((path for path in mind.files if path.rpartition("/")[2].lower().startswith("change")), "")
    text = naming.with_news(mind.files[path], line) if path else None
    if text is None:
        return {}
    keep, says = mind.keeps("changelog")
    thoughts.append(says)
    return {path: text} if keep else {}


def _patch(mind: Mind, files: Mapping[str, str]) -> str:
    """The command that makes the files so."""
    lines: list[str] = []
    for path, text in files.items():
        before, after = lines_of(mind.files[path]), lines_of(text)
        lines += difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    return f"git apply - <<'FILES_END'\n{''.join(lines)}FILES_END"
