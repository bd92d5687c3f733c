"""The command line: `python -m eval COMMAND ...`. Each module of `eval/commands` is a command.

Exit codes: 0 done; 1 a fault in code, a method's or this program's (with its traceback), or no to what was checked (a
replay that ended otherwise, a suite that leaves no room); 2 something the user can mend, told in one line; 3 a run that
stopped early because something around it failed (also: output that could not be written), and that the same command
continues; 130 Ctrl-C; 141 the reader of the output has gone; 143 SIGTERM.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from eval.terminal.process import LEFT, OutputLost, Terminated, still_interrupted, take_signals, take_streams, watched

COMMANDS = Path(__file__).parent / "commands"
OURS = ("", "eval", "reasoningbank")
"""Names of packages that are missing by a fault of this program alone."""


def command_names() -> list[str]:
    return sorted(path.stem.replace("_", "-") for path in COMMANDS.glob("*.py") if not path.stem.startswith("_"))


def module_of(command: str) -> str:
    return command.replace("-", "_")


def source_of(command: str) -> str:
    """What the command's module says: listing the commands imports none of them."""
    return (COMMANDS / f"{module_of(command)}.py").read_text(encoding="utf-8")


def example(name: str) -> str:
    """The first example of the command's own help, without what is said of it."""
    lines = (line.strip() for line in source_of(name).splitlines() if line.startswith("  python -m eval "))
    return next((line.partition("   ")[0] for line in lines), "")


def help_line(name: str) -> str:
    """The command's HELP."""
    for node in ast.parse(source_of(name)).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="HELP")], value=ast.Constant(value=str(text))):
                return text
    return ""


def usage() -> str:
    names = command_names()
    width = max(map(len, names))
    lines = [f"  {name:<{width}}  {help_line(name)}\n  {'':<{width}}  {example(name)}".rstrip() for name in names]
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
    try:
        Path.cwd()
    except FileNotFoundError:
        print("error: the current folder has been removed: change to one that exists", file=sys.stderr)
        return 2
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

    return guarded(lambda: int(importlib.import_module(f"eval.commands.{module_of(name)}").main(argv)), argv)


def guarded(command: Callable[[], int], typed: Sequence[str] = ()) -> int:
    """Run a command and turn the project's errors into a line and an exit code. No line repeats what its words,
    `typed`, hold of secrets."""
    from eval.faults import surroundings, told
    from reasoningbank.boundary import capture
    from reasoningbank.errors import BudgetSpent, InfraError, SetupError
    from reasoningbank.providers.secrets import struck, typed_secrets

    done = capture(lambda: still_interrupted(command))
    match done.error:
        case SetupError() | InfraError() | BudgetSpent() as error:
            return say(error, typed)
        case OSError() | MemoryError() as error:
            return say(surroundings(error), typed)
        case ModuleNotFoundError() as error if (missing := (error.name or "").partition(".")[0]) not in OURS:
            print(
                f"error: {sys.executable} has no package {missing!r}: run ./scripts/demo.sh once, which makes .venv; "
                "then source .venv/bin/activate",
                file=sys.stderr,
            )
            return 2
        case Exception() as error if not isinstance(error, OutputLost):
            print(struck(told(error, {}), typed_secrets(typed)), file=sys.stderr)
            return 1
    return done.unwrap()


def say(error: Exception, typed: Sequence[str] = ()) -> int:
    """Tell it in a line, and return the exit code: 2 for what the user mends, 3 for the rest."""
    from reasoningbank.errors import SetupError
    from reasoningbank.providers.secrets import struck, typed_secrets

    word, code = ("error", 2) if isinstance(error, SetupError) else ("stopped", 3)
    print(f"{word}: {' '.join(struck(str(error), typed_secrets(typed)).split())}", file=sys.stderr)
    return code


def lost(error: OutputLost) -> int:
    """Nothing is said where the reader has gone on purpose (`| head`)."""
    if error.reader_gone:
        return 141
    print(f"stopped: {error}; what is finished is kept", file=sys.stderr)
    return 3


def leave(code: int) -> NoReturn:
    """End the process now, whatever threads or children still hang."""
    try:
        sys.stdout.flush()
    except OutputLost as error:
        code = code or lost(error)
    sys.stderr.flush()
    os._exit(code)


def run_program(command: Callable[[], int], *, interrupted: str = "interrupted") -> NoReturn:
    """Run a command to the end of the process, which Ctrl-C and SIGTERM bring about at once."""
    take_streams()
    said = watched(interrupted)
    try:
        take_signals(said)
        status = command()
    except KeyboardInterrupt as stop:
        said[0] = LEFT
        print("\n", "; ".join([interrupted, *map(str, stop.args)]), sep="", file=sys.stderr)
        status = 143 if isinstance(stop, Terminated) else 130
    except OutputLost as error:
        status = lost(error)
    finally:
        said[0] = LEFT
    leave(status)


if __name__ == "__main__":
    run_program(lambda: main(sys.argv[1:]))
