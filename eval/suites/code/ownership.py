"""Whose the folders of an attempt are, where this process is root: commands of a model run as a user of no rights."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

TRANSIENT = range(61184, 65520)
"""Numbers of users that exist for as long as a service runs, by systemd's division of them."""
_next_user = itertools.count(os.getpid() * 37)


def owner(folder: Path, scratch: Path | None) -> int:
    """The user to whom the folders belong. Where they are root's own they are given to one; each folder to another, so
    that what one user may start at most is bounded for each attempt by itself."""
    user = folder.stat().st_uid
    if user not in TRANSIENT:
        user = TRANSIENT[next(_next_user) % len(TRANSIENT)]
    for given in (folder, scratch):
        if given is not None and given.stat().st_uid != user:
            _give(given, user)
    return user


def _give(folder: Path, user: int) -> None:
    for place, folders, files in os.walk(folder):
        for name in (".", *folders, *files):
            os.chown(os.path.join(place, name), user, user, follow_symlinks=False)
