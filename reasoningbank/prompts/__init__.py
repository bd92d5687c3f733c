"""Every prompt, one Jinja file each (`default/<name>.j2`), and the pack that renders them.

A pack is a folder. `PromptPack(folder)` takes a prompt from `folder` where it has a file of that name and from
`default/` where it has not; what cannot stand in for a default prompt is refused there and then. A file may hold a
system and a user message, parted by the line `<<< user >>>`; `messages` splits there. Files whose name begins with `_`
are pieces that others include.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError
from reasoningbank.names import nearest
from reasoningbank.prompts.packs import SUFFIX, check_names, check_pack, left_out
from reasoningbank.types import Message, digest

if TYPE_CHECKING:
    import jinja2

DEFAULT_FOLDER = Path(__file__).parent / "default"
USER_MARK = "<<< user >>>"


class PromptPack:
    """The prompts of a run: the default ones, some of them replaced by a folder's."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        default = _sources(DEFAULT_FOLDER)
        found = {} if folder is None else _overrides(folder, known=set(default))
        self._default, self._found = default, found
        self._sources = default | found
        self._environment = _environment(self._sources)
        if folder is not None:
            check_pack(folder, found, default, self._environment)

    def names(self) -> list[str]:
        """The prompts that can be rendered."""
        return sorted(name for name in self._sources if not name.startswith("_"))

    def replaced(self) -> list[str]:
        """The files of the folder."""
        return sorted(self._found)

    def left_out(self) -> dict[str, list[str]]:
        """By prompt, the values that the default one shows and the folder's does not."""
        return left_out(self._found, self._default, self._environment)

    def render(self, name: str, **values: object) -> str:
        """The prompt's text, without line breaks around it. A value the template asks for must be given."""
        import jinja2

        if name not in self._sources:
            raise SetupError(f"no prompt is named {name!r}; {nearest(name, self.names())}")
        try:
            return self._environment.get_template(name).render(**values).strip("\n")
        except jinja2.TemplateError as error:
            raise SetupError(f"prompt {self._where(name)} cannot be rendered: {error.message}") from error

    def messages(self, name: str, **values: object) -> tuple[Message, ...]:
        """The prompt as chat messages: what stands before the first `<<< user >>>` line is the system message."""
        lines = self.render(name, **values).split("\n")
        if USER_MARK not in lines:
            return (Message(role="user", content="\n".join(lines)),)
        cut = lines.index(USER_MARK)
        return (
            Message(role="system", content="\n".join(lines[:cut]).strip("\n")),
            Message(role="user", content="\n".join(lines[cut + 1 :]).strip("\n")),
        )

    def digest(self) -> str:
        """SHA-256 over all prompts as this pack has them: part of what makes two runs the same."""
        return digest(self._sources)

    def _where(self, name: str) -> Path:
        file = f"{name}{SUFFIX}"
        if self.folder is not None and (self.folder / file).is_file():
            return self.folder / file
        return DEFAULT_FOLDER / file


def _sources(folder: Path) -> dict[str, str]:
    sources = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            sources[path.stem] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"prompt file {path} cannot be read: {error}") from error
    return sources


def _overrides(folder: Path, *, known: set[str]) -> dict[str, str]:
    if not folder.is_dir():
        raise SetupError(f"the prompt pack {folder} is not a folder; name one that holds <prompt>{SUFFIX} files")
    sources = _sources(folder)
    if not sources:
        raise SetupError(f"the prompt pack {folder} holds no {SUFFIX} file")
    check_names(folder, sources, known)
    return sources


def _environment(sources: dict[str, str]) -> jinja2.Environment:
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # a pack may be somebody else's: it renders values, and reaches nothing behind them.
    # prompts are plain text for a model: nothing may be escaped
    return ImmutableSandboxedEnvironment(
        loader=jinja2.DictLoader(sources),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
