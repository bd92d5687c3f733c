"""Fills branches, commits and files."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.gitlab import vocabulary as words
from eval.suites.webarena_mini.gitlab.world_projects import BUSY, FIRST_DAY

COMMIT = (
    "INSERT INTO commits (project_id, branch_id, sha, title, author_id, email, committed_on)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
BRANCHES = ("develop", "staging", "legacy", "nightly", "beta")


def fill_code(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """Busy projects have 126 to 170 commits by people of whom some use two addresses; the others a few."""
    rows = connection.execute("SELECT id, name, slug, description, default_branch FROM projects ORDER BY id").fetchall()
    for project, name, slug, description, branch in rows:
        family = next(family for family in words.FAMILIES if description.startswith(family.purpose))
        files = _files(rng, family, name, slug, description)
        main = _branch(connection, project, branch, "", files)
        authors = _authors(connection, rng, project)
        count = rng.randint(126, 170) if project <= BUSY else rng.randint(4, 20)
        days = sorted(rng.choices(range((now - FIRST_DAY).days - 1), k=count))
        _commits(connection, rng, project, main, authors, list(files), [FIRST_DAY + _days(day) for day in days])
        for other in rng.sample(BRANCHES, rng.randint(2, 3) if project <= BUSY else 1):
            left = rng.randint(300, 700)
            settings = next(path for path in files if path.startswith("config/"))
            own = {settings: _settings(rng, slug)}
            branch_id = _branch(connection, project, other, (FIRST_DAY + _days(left)).isoformat(), own)
            days = sorted(rng.choices(range(left, (now - FIRST_DAY).days - 1), k=rng.randint(3, 9)))
            _commits(
                connection, rng, project, branch_id, authors, list(files), [FIRST_DAY + _days(day) for day in days]
            )


def _days(count: int) -> datetime.timedelta:
    return datetime.timedelta(days=count)


def _branch(connection: sqlite3.Connection, project: int, name: str, left: str, files: dict[str, str]) -> int:
    sql = "INSERT INTO branches (project_id, name, left_on) VALUES (?, ?, ?)"
    found = connection.execute(sql, (project, name, left)).lastrowid
    assert found is not None
    connection.executemany("INSERT INTO files VALUES (?, ?, ?)", [(found, path, text) for path, text in files.items()])
    return found


def _authors(connection: sqlite3.Connection, rng: random.Random, project: int) -> list[tuple[int, list[str], float]]:
    """Members with their addresses and how much they do.

    The two that do most have two addresses, and so have a few others, so that no line alone tells who does most.
    """
    sql = "SELECT u.id, u.email, u.username FROM members m JOIN users u ON u.id = m.user_id WHERE project_id = ?"
    people = connection.execute(sql, (project,)).fetchall()
    rng.shuffle(people)
    found = []
    for at, (user, email, username) in enumerate(people):
        emails = [email, f"{username}@home.example"] if at in (1, 2) or rng.random() < 0.25 else [email]
        weight = (1.0, 1.35, 1.05)[at] if at < 3 else rng.uniform(0.1, 0.5)
        found.append((user, emails if at else [email], weight))
    return found


def _commits(
    connection: sqlite3.Connection,
    rng: random.Random,
    project: int,
    branch: int,
    authors: list[tuple[int, list[str], float]],
    paths: list[str],
    days: list[datetime.date],
) -> None:
    weights = [weight for _, _, weight in authors]
    for day in days:
        [(author, emails, _)] = rng.choices(authors, weights)
        title = f"{rng.choice(words.EDITS)} the {rng.choice(words.COMPONENTS).lower()}"
        row = (project, branch, f"{rng.getrandbits(160):040x}", title, author, rng.choice(emails), day.isoformat())
        commit = connection.execute(COMMIT, row).lastrowid
        for path in sorted(rng.sample(paths, rng.randint(1, 4))):
            lines = (commit, path, rng.randint(0, 90), rng.randint(0, 60))
            connection.execute("INSERT INTO commit_files VALUES (?, ?, ?, ?)", lines)


def _settings(rng: random.Random, slug: str) -> str:
    """A configuration file, other numbers on every branch."""
    return "\n".join(
        (
            f'name = "{slug}"',
            f"port = {rng.randint(2000, 9999)}",
            f"workers = {rng.randint(2, 48)}",
            f"timeout_seconds = {rng.choice(range(15, 300, 5))}",
            f"cache_megabytes = {rng.choice(range(32, 900, 16))}",
            f'log_level = "{rng.choice(words.LEVELS)}"',
            f"keep_backups = {rng.randint(3, 60)}",
        )
    )


def _files(rng: random.Random, family: words.Family, name: str, slug: str, description: str) -> dict[str, str]:
    """The files of a project by path."""
    license_name, version = rng.choice(words.LICENSES), f"{rng.randint(1, 21)}.{rng.randint(0, 12)}"
    modules = [component.lower().replace(" ", "_") for component in rng.sample(words.COMPONENTS, 6)]
    readme = (
        f"# {name}\n\n{description}\n\n## Requirements\n\n{family.language} {version} or newer.\n\n## Install\n\n"
        f"See docs/install.md.\n\n## Settings\n\nThey are in config/settings.toml.\n\n## License\n\n{license_name}"
    )
    found = {
        "README.md": readme,
        "LICENSE": f"{license_name} license. The text is that of the license's publisher.",
        "CONTRIBUTING.md": "Open an issue first. Keep merge requests small. Write a test.",
        "config/settings.toml": _settings(rng, slug),
        "docs/install.md": (
            f"# Installing {name}\n\nIt needs {rng.randint(2, 30) * 64} MB of memory and "
            f"{rng.randint(2, 90)} GB on the disk.\n\n1. Install {family.language} {version}.\n2. Unpack the archive.\n"
            "3. Change the settings.\n4. Start the service."
        ),
        "docs/usage.md": f"# Using {name}\n\nStart it, open the address that it prints, and follow the links.",
    }
    for module in modules:
        lines = "\n".join(
            f"// step {step}: {rng.choice(words.EDITS).lower()} the {rng.choice(words.COMPONENTS).lower()}"
            for step in range(1, rng.randint(6, 30))
        )
        found[f"{family.folder}/{module}.{family.ending}"] = lines
    found["tests/README.md"] = "Run all of them before you open a merge request."
    return dict(sorted(found.items()))
