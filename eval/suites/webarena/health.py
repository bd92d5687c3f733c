"""Whether the sites' servers answer, and the command that puts them back to where they began."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from typing import IO

from reasoningbank.errors import InfraError, SetupError

ANSWERS_WITHIN = 20.0
"""Seconds."""


def check_sites(urls: Mapping[str, Sequence[str]], *, within: float = ANSWERS_WITHIN) -> None:
    """InfraError, naming the first server that is not reached, does not answer or answers 5xx. No Outage: nobody has
    waited one out, and the episode is tried again."""
    for name, addresses in urls.items():
        for url in addresses:
            check_server(name, url, within=within)


def check_server(name: str, url: str, *, within: float = ANSWERS_WITHIN) -> None:
    """As `check_sites`, for one."""
    request = urllib.request.Request(url, headers={"Accept": "text/html"})
    try:
        with urllib.request.urlopen(request, timeout=within):
            return
    except urllib.error.HTTPError as error:
        with error:
            if error.code >= 500:
                raise InfraError(f"{name} at {url} answers {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise InfraError(f"{name} at {url} cannot be reached: {_short(error.reason)}; is it running?") from error
    except (OSError, HTTPException) as error:
        raise InfraError(f"{name} at {url} gives no answer within {within:g} s: {_short(error)}") from error


def run_reset(command: str, servers: Mapping[str, str], *, within: float) -> None:
    """Runs a command for each server, then waits until it answers. `{site}` and `{url}` in it are replaced, and it has
    both in its environment as SITE and SITE_URL. InfraError where it fails or takes longer than `within` seconds: then
    it ends with all that it has started."""
    for name, url in servers.items():
        words = [each.replace("{site}", name).replace("{url}", url) for each in split_command(command)]
        said = f"suite.reset_command for {name} at {url}"
        environ = {**os.environ, "SITE": name, "SITE_URL": url}
        with tempfile.TemporaryFile() as output:  # a pipe would be waited for as long as what it has started holds it
            code = _run(words, environ, output, said, within)
            output.seek(0)
            told = output.read().decode("utf-8", "replace").strip().splitlines()
        if code:
            raise InfraError(f"{said} failed with exit code {code}: {told[-1] if told else 'it said nothing'}")
    await_sites(servers, within=within)


def _run(words: Sequence[str], environ: Mapping[str, str], output: IO[bytes], said: str, within: float) -> int:
    """Its exit code. It is a session of its own, so that it can be ended whole, and is asked for nothing."""
    try:
        process = subprocess.Popen(
            words,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise SetupError(f"{said} cannot be started: {error.strerror}: {words[0]}") from error
    try:
        return process.wait(timeout=within)
    except subprocess.TimeoutExpired as error:
        raise InfraError(f"{said} took longer than {within:g} s") from error
    finally:
        if process.returncode is None:  # too long, or this program is to end
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def await_sites(
    servers: Mapping[str, str],
    *,
    within: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Waits until all answer. InfraError where one does not within so many seconds."""
    until = clock() + within
    for name, url in servers.items():
        while True:
            try:
                check_server(name, url)
                break
            except InfraError:
                if clock() > until:
                    raise
            sleep(1.0)


def split_command(command: str) -> list[str]:
    """Its words as a shell has them. SetupError where they are none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SetupError(f"suite.reset_command: {error}") from error
    if not words:
        raise SetupError("suite.reset_command is empty: write a program and its arguments")
    return words


def _short(reason: object) -> str:
    text = getattr(reason, "strerror", None) or str(reason)
    return " ".join(str(text).split())
