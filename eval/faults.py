"""Faults in replaceable code (a method, a suite, a model ... somebody wrote): whose they are, and how they are told.

The person who reads this wrote the file that failed: it gets its own part of the traceback, and one closing line.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, TracebackType

from reasoningbank.boundary import capture, file_of, foreign
from reasoningbank.errors import CodeError, InfraError, ReasoningBankError, SetupError
from reasoningbank.files import SHORTAGES

OURS = tuple(f"{Path(__file__).parents[1] / package}/" for package in ("reasoningbank", "eval"))


def load(source: str, call: Callable[[], ModuleType]) -> ModuleType:
    """A module of somebody's, imported by `call`. SetupError in one line, with file and line, where that fails."""
    done = capture(call)
    if isinstance(done.error, SystemExit):
        raise SetupError(f"{source} cannot be imported: {ends_python(done.error)}") from done.error
    if isinstance(done.error, Exception) and not isinstance(done.error, ReasoningBankError):
        raise SetupError(f"{source} cannot be imported: {in_one_line(done.error)}") from done.error
    return done.unwrap()


def ends_python(error: SystemExit) -> str:
    """What to say of code that would end the program, and with its exit code pass for a success."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not foreign(frame.filename)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: calls exit({'' if error.code is None else error.code})"


def in_one_line(error: Exception) -> str:
    """`FILE, line N: Type: message`, the place being the innermost that is neither a library's nor Python's."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not foreign(frame.filename)]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}: " if frames else ""
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}"


class Told(CodeError):
    """One of a worker's, which has told all of it: its message is what to print."""


def told(error: BaseException, parts: Mapping[str, object]) -> str:
    """What to print: the traceback, and a closing line that names the file it comes from, and the part in it.

    A plugin's file goes before a module of this project, through which its mistake may only have passed. Of a
    CodeError it is what it was raised from; one that has no such cause says it all.
    """
    if isinstance(error, Told):
        return str(error)
    if isinstance(error, CodeError):
        if error.__cause__ is None:
            return f"error: {error}"
        error = error.__cause__
    files = {file: name for name, part in parts.items() if (file := file_of(part))}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not foreign(frame.filename)]
    plugins = [frame for frame in frames if not frame.filename.startswith(OURS)]
    at = plugins[-1:] or [frame for frame in frames[-1:] if frame.filename in files]
    trace = since(error.__traceback__, at[0].filename) if at else error.__traceback__
    text = "".join(traceback.format_exception(type(error), error, trace))
    if not at:
        return f"{text}error: a fault of this program, not of the settings; what is finished is kept"
    part = f" in {files[at[0].filename]}" if at[0].filename in files else ""
    return (
        f"{text}error: {type(error).__name__}{part}: {at[0].filename}, line {at[0].lineno}, is at fault: mend it "
        "there, and run again"
    )


def surroundings(error: OSError | MemoryError) -> SetupError | InfraError:
    """The same in one line: InfraError for a shortage, SetupError for a path that is not what it should be."""
    if isinstance(error, MemoryError):
        detail = f" ({' '.join(str(error).split())})" if str(error) else ""
        return InfraError(f"out of memory{detail}: {SHORTAGES[errno.ENOMEM]}; what is finished is kept")
    where = f"{error.filename}: " if error.filename is not None else ""
    what = error.strerror or f"{type(error).__name__} {error}".strip()
    if error.errno in SHORTAGES:
        return InfraError(f"{where}{what}: {SHORTAGES[error.errno]}; what is finished is kept")
    return SetupError(f"{where}{what}; mend that (move away what is in the way), and run again")


def since(trace: TracebackType | None, file: str) -> TracebackType | None:
    """The traceback from the first frame in `file` on."""
    while trace is not None and trace.tb_frame.f_code.co_filename != file:
        trace = trace.tb_next
    return trace
