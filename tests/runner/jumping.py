"""A wall clock that is a year ahead and a year behind by turns, in the process that loads this plugin.

Beside it, every episode is shown with the time that is left.
"""

from __future__ import annotations

import datetime
import itertools
import time

from eval import episode, progress
from eval.runs import folders

YEAR = 365 * 24 * 3600
_turns = itertools.cycle((YEAR, -YEAR))
_time, _time_ns, _date = time.time, time.time_ns, datetime.datetime


class Jumping(datetime.datetime):
    """`now` is as wrong as `time.time`."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
        return _date.fromtimestamp(time.time(), tz)


time.time = lambda: _time() + next(_turns)
time.time_ns = lambda: _time_ns() + next(_turns) * 10**9
for module in (episode, folders):
    module.datetime = Jumping  # type: ignore[attr-defined]
progress.PLAIN_SECONDS = 0.0
