"""Whether a folder's prompts can stand in for the default ones: names, syntax, variables, and that they render.

Everything is told with the file, and before a run begins: a prompt that fails at its first use fails hours later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
from reasoningbank.names import nearest
from reasoningbank.prompts.samples import SAMPLES

if TYPE_CHECKING:
    import jinja2

SUFFIX = ".j2"
BESIDE = {".md", ".txt", ".json"}
"""Files of these kinds may lie beside prompts, unless they have a prompt's name."""


def check_names(folder: Path, found: Mapping[str, str], known: set[str]) -> None:
    """SetupError for a file that replaces no prompt, and for one that only seems to."""
    prompts = {name for name in known if not name.startswith("_")}
    for name in found:
        if name not in known and not name.startswith("_"):
            where = folder / f"{name}{SUFFIX}"
            raise SetupError(f"{where} replaces no prompt: there is none named {name!r}; {nearest(name, prompts)}")
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or (path.suffix == SUFFIX and path.is_file()):
            continue
        if path.is_dir() or path.suffix.lower() not in BESIDE or path.stem in known:
            raise SetupError(
                f"{path} replaces no prompt: a pack holds files <prompt>{SUFFIX}, beside them .md or .json"
            )


def check_pack(folder: Path, found: Mapping[str, str], default: Mapping[str, str], env: jinja2.Environment) -> None:
    """SetupError where a prompt of the pack is not Jinja, asks for a value that it is not given, or cannot be rendered.

    `found` are the folder's own files, `env` renders them with the default ones behind them.
    """
    import jinja2

    whole = {**default, **found}
    for name in found:
        where = folder / f"{name}{SUFFIX}"
        try:
            values_of(whole[name], env)
        except jinja2.TemplateSyntaxError as error:
            raise SetupError(f"{where}, line {error.lineno}: {error.message}") from None
        except RecursionError:
            raise SetupError(f"{where}: what it holds is nested too deeply") from None
    used: set[str] = set()
    for prompt in (name for name in default if not name.startswith("_")):
        reached = set(_reached(prompt, whole, env, folder))
        used |= reached
        if not reached & set(found):
            continue
        given = {value for name in _reached(prompt, default, env, folder) for value in values_of(default[name], env)}
        for name in sorted(reached & set(found)):
            if unknown := values_of(whole[name], env) - given - _set_around(reached, whole, env):
                value = min(unknown)
                line = _line_of(value, whole[name], env)
                raise SetupError(
                    f"{folder / f'{name}{SUFFIX}'}, line {line}: no value {value!r} is given to the prompt {prompt!r}; "
                    f"{nearest(value, given)}"
                )
        _try(prompt, folder, env)
    if unused := set(found) - used:
        raise SetupError(f"{folder / f'{min(unused)}{SUFFIX}'} replaces no prompt, and none includes it")


def left_out(found: Mapping[str, str], default: Mapping[str, str], env: jinja2.Environment) -> dict[str, list[str]]:
    """By prompt, the values that the default one shows and the pack's does not: mistakes, or what was meant."""
    whole = {**default, **found}
    missing = {}
    for prompt in (name for name in default if not name.startswith("_")):
        before, now = (
            {value for name in _reached(prompt, sources, env, Path()) for value in values_of(sources[name], env)}
            for sources in (default, whole)
        )
        if lost := before - now - {"heading", "medium", "sentences"}:
            missing[prompt] = sorted(lost)
    return missing


def values_of(source: str, env: jinja2.Environment) -> set[str]:
    """The values that a template asks for."""
    from jinja2 import meta

    return set(meta.find_undeclared_variables(env.parse(source)))


def _reached(prompt: str, sources: Mapping[str, str], env: jinja2.Environment, folder: Path) -> Iterator[str]:
    """The prompt and all it includes, at any depth."""
    from jinja2 import meta

    seen: set[str] = set()
    waiting = [prompt]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        for other in meta.find_referenced_templates(env.parse(sources[name])):
            if other not in sources:
                where = folder / f"{name}{SUFFIX}"
                raise SetupError(f"{where} includes {other!r}: there is no such prompt; {nearest(str(other), sources)}")
            waiting.append(str(other))


def _set_around(reached: set[str], sources: Mapping[str, str], env: jinja2.Environment) -> set[str]:
    """What templates on the way set themselves, which those that they include can see."""
    from jinja2 import nodes

    trees = [env.parse(sources[name]) for name in reached]
    return {node.name for tree in trees for node in tree.find_all(nodes.Name) if node.ctx in ("store", "param")}


def _line_of(value: str, source: str, env: jinja2.Environment) -> int:
    from jinja2 import nodes

    return min((node.lineno for node in env.parse(source).find_all(nodes.Name) if node.name == value), default=1)


def _try(prompt: str, folder: Path, env: jinja2.Environment) -> None:
    import jinja2

    for values in SAMPLES.get(prompt, []):
        try:
            text = env.get_template(prompt).render(**values)
        except RecursionError:
            raise SetupError(
                f"the prompt {prompt!r} of the pack {folder} cannot be rendered: it includes itself, or calls itself, "
                "without an end"
            ) from None
        # whatever a template's expression raises
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            said = " ".join(str(error).split())
            raise SetupError(f"the prompt {prompt!r} of the pack {folder} cannot be rendered: {said}") from None
        if not text.strip():
            raise SetupError(f"the prompt {prompt!r} of the pack {folder} has no text")
