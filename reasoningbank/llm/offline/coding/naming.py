"""Requests for another name: what is to be called how, and the files as they are then."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from dataclasses import dataclass

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.report import Report
from reasoningbank.syntax import Edit, Function, lines_of

_ASKS = re.compile(
    r"\brenam\w*|\bname (?:the|it)\b|\b(?:be|is|are) called\b|\bcalls? (?:it|this|that)\b|\bcall it\b"
    r"|\bnaming\b|\bbetter name\b",
    re.IGNORECASE,
)
_TEXTS = re.compile(r"\"[^\"]*\"|'[^']*'")
_BUILT_IN = {name for kind in (list, dict, set, str, tuple) for name in dir(kind)}


@dataclass(frozen=True)
class Renaming:
    """A function or method, and its new name. `owner` is its class, empty for a function."""

    module: Module
    node: Function
    owner: str
    new: str

    @property
    def old(self) -> str:
        return self.node.name


@dataclass(frozen=True)
class Helper:
    """A function that makes an old name of a new one."""

    module: Module
    name: str


def renaming(report: Report, modules: list[Module]) -> Renaming | None:
    """What a report wants to have called otherwise; None where it wants nothing of the kind."""
    if report.example is not None or not _ASKS.search(report.text):
        return None
    names = [name for text in report.quoted for name in re.findall(r"[A-Za-z_]\w*", _TEXTS.sub("", text))]
    known = {name for module in modules for node in module.nodes for name in _named(node)}
    packages = {part for module in modules for part in module.path.removesuffix(".py").split("/")}
    new = [
        name
        for name in dict.fromkeys(names)
        if name not in known | packages
        and not keyword.iskeyword(name)
        and not hasattr(builtins, name)
        and len(name) > 2
    ]
    if len(new) != 1:
        return None
    for name in dict.fromkeys(names):
        for module in modules:
            for node in module.nodes:
                if isinstance(node, Function) and node.name == name and not name.startswith("_"):
                    above = module.parents[node]
                    if isinstance(above, ast.Module | ast.ClassDef):
                        owner = above.name if isinstance(above, ast.ClassDef) else ""
                        return Renaming(module, node, owner, new[0])
    return None


def _named(node: ast.AST) -> list[str]:
    """The identifiers of a node itself."""
    return [str(value) for field in ("id", "name", "attr", "arg") if (value := getattr(node, field, None))]


def helper_in(modules: list[Module]) -> Helper | None:
    """The package's own way to keep an old name: a function that warns of it."""
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, Function) and "DeprecationWarning" in module.code(node) and len(node.args.args) == 2:
                return Helper(module, node.name)
    return None


def renamed(asked: Renaming, modules: list[Module], helper: Helper | None, *, keep: bool) -> dict[str, str]:
    """The files that change, by their paths. `keep`: the old name stays, made by the helper or as a plain alias."""
    out: dict[str, str] = {}
    for module in modules:
        edits = _uses(asked, module, keep=keep)
        if module is asked.module and keep:
            made = f'{helper.name}("{asked.old}", {asked.new})' if helper else asked.new
            indent = " " * asked.node.col_offset
            gap = "\n\n" if asked.owner else "\n\n\n"
            edits.append(module.after(asked.node, f"{gap}{indent}{asked.old} = {made}"))
        text = _edited(module.text, edits)
        if module is asked.module and keep and helper and helper.module is not module:
            text = _with_import(text, helper)
        if text != module.text:
            out[module.path] = text
    return out


def _uses(asked: Renaming, module: Module, *, keep: bool) -> list[Edit]:
    """The definition and what refers to it."""
    edits: list[Edit] = []
    for node in module.nodes:
        if node is asked.node:
            start = module.text.index(asked.old, module.start(node))
            edits.append(Edit(start, start + len(asked.old), asked.new))
        elif isinstance(node, ast.Attribute) and node.attr == asked.old and asked.owner:
            mine = isinstance(node.value, ast.Name) and node.value.id == "self" and module is asked.module
            if mine or asked.old not in _BUILT_IN:
                edits.append(Edit(module.end(node) - len(asked.old), module.end(node), asked.new))
        elif asked.owner:
            continue
        elif isinstance(node, ast.Name) and node.id == asked.old:
            edits.append(module.replaced(node, asked.new))
        elif isinstance(node, ast.alias) and node.name == asked.old:
            both = keep and module.path.endswith("__init__.py")
            edits.append(module.replaced(node, f"{asked.old}, {asked.new}" if both else asked.new))
        elif isinstance(node, ast.Constant) and node.value == asked.old and module.path.endswith("__init__.py"):
            listed = f'"{asked.old}", "{asked.new}"' if keep else f'"{asked.new}"'
            edits.append(module.replaced(node, listed))
    return edits


def _edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda each: -each.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _with_import(text: str, helper: Helper) -> str:
    """The helper imported behind the last import of the module's head, unless it is."""
    tree = ast.parse(text)
    found = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    if any(alias.name == helper.name for node in found for alias in node.names):
        return text
    told = ast.get_docstring(tree) is not None
    last = found[-1] if found else tree.body[0] if told else None
    lines = lines_of(text)
    place = last.end_lineno or 0 if last is not None else 0
    lines.insert(place, f"from {_dotted(helper.module.path)} import {helper.name}\n")
    return "".join(lines)


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def with_news(text: str, line: str) -> str | None:
    """A changelog with one more line under what is not released; None where it has no such part."""
    found = re.search(r"^#+ *\[?Unreleased\]?.*\n\s*", text, re.MULTILINE | re.IGNORECASE)
    return f"{text[: found.end()]}- {line}\n{text[found.end() :]}" if found else None
