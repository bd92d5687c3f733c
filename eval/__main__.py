"""The command line: `python -m eval COMMAND ...`. Each module of `eval/commands` is a command.

Exit codes: 0 done; 1 a fault in code, a method's or this program's (with its traceback); 2 something the user can mend,
told in one line; 3 a run that stopped early because something around it failed, and that the same command continues;
130 Ctrl-C.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

COMMANDS = Path(__file__).parent / "commands"


def command_names() -> list[str]:
    return sorted(path.stem for path in COMMANDS.glob("*.py") if not path.stem.startswith("_"))


def help_line(name: str) -> str:
    """The command's HELP, read from its source: listing the commands imports none of them."""
    for node in ast.parse((COMMANDS / f"{name}.py").read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="HELP")], value=ast.Constant(value=str(text))):
                return text
    return ""


def usage() -> str:
    names = command_names()
    width = max(map(len, names))
    lines = [f"  {name:<{width}}  {help_line(name)}" for name in names]
    return "\n".join(
        [
            "usage: python -m eval COMMAND ...",
            "",
            "commands:",
            *lines,
            "",
            "`python -m eval COMMAND --help` says more.",
        ]
    )


def main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if argv else 2
    name, rest = argv[0], argv[1:]
    names = command_names()
    if name not in names:
        from eval.names import nearest

        print(f"error: no command {name!r}; {nearest(name, names)}", file=sys.stderr)
        return 2
    return dispatch(name, rest)


def dispatch(name: str, argv: list[str]) -> int:
    """Run one command of this package."""
    import importlib

    return guarded(lambda: int(importlib.import_module(f"eval.commands.{name}").main(argv)))


def guarded(command: Callable[[], int]) -> int:
    """Run a command and turn the project's errors into a line and an exit code."""
    from reasoningbank.errors import InfraError, SetupError

    try:
        return command()
    except SetupError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except InfraError as error:
        print(f"stopped: {' '.join(str(error).split())}", file=sys.stderr)
        return 3
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "eval", "reasoningbank"):
            raise
        print(
            f"error: {sys.executable} has no package {missing!r}: run ./scripts/demo.sh once, which makes .venv; then "
            "source .venv/bin/activate",
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:
        # the reader of our output (`| head`) has gone: nothing more can be said to it
        os._exit(141)


def leave(code: int) -> NoReturn:
    """End the process now, whatever threads or children still hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_program(command: Callable[[], int], *, interrupted: str = "interrupted") -> NoReturn:
    """Run a command to the end of the process, which Ctrl-C brings about at once."""
    try:
        status = command()
    except KeyboardInterrupt:
        print(f"\n{interrupted}", file=sys.stderr)
        leave(130)
    leave(status)


if __name__ == "__main__":
    run_program(lambda: main(sys.argv[1:]))
