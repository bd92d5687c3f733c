"""The argument parser of all commands: what cannot be read is a SetupError, told in one line as all others are."""

from __future__ import annotations

import argparse
from typing import NoReturn

from reasoningbank.errors import SetupError


class Arguments(argparse.ArgumentParser):
    """An ArgumentParser that neither prints its usage over an error nor ends the process by itself."""

    def error(self, message: str) -> NoReturn:
        raise SetupError(f"{message}; `{self.prog} --help` says more")
