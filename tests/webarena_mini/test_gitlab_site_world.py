"""The code host's seeded world: the same everywhere for a seed, another one for another, and consistent in itself."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from gitlab_site import Site

from eval.suites.webarena_mini.gitlab.world import build
from eval.suites.webarena_mini.gitlab.world_projects import BUSY

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2, 100])


@pytest.mark.parametrize("hash_seed", ["1"])
def test_the_same_bytes_in_another_process(hash_seed: str) -> None:
    code = (
        "import hashlib; from eval.suites.webarena_mini.gitlab.world import build;"
        "print(hashlib.sha256(build(7)).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == hashlib.sha256(build(7)).hexdigest()


def test_worlds_share_few_names() -> None:
    first, second = Site(0), Site(1)
    for sql in (
        "SELECT name FROM users",
        "SELECT username FROM users",
        "SELECT slug FROM projects",
        "SELECT number, title FROM items",
        "SELECT sha FROM commits",
    ):
        shared = set(first.all(sql)) & set(second.all(sql))
        assert len(shared) <= 0.25 * len(first.all(sql)), (sql, shared)


@SEEDS
def test_sizes(seed: int) -> None:
    site = Site(seed)
    assert site.value("SELECT count(*) FROM users") == 26
    assert site.value("SELECT count(*) FROM projects") == 25
    for project in range(1, BUSY + 1):
        counts = "SELECT count(*) FROM items WHERE project_id = ? AND kind = ? AND state = ?"
        assert site.value(counts, project, "issue", "opened") >= 10
        assert site.value(counts, project, "issue", "closed") >= 8
        assert site.value(counts, project, "merge_request", "opened") >= 3
        assert site.value("SELECT count(*) FROM commits WHERE project_id = ?", project) >= 112
        assert site.value("SELECT count(*) FROM members WHERE project_id = ?", project) >= 7
    assert 4 <= site.value("SELECT count(*) FROM starred") <= 7
    assert site.value("SELECT count(*) FROM members WHERE user_id = ?", site.me) >= 6


@SEEDS
def test_nobody_is_told_apart_by_a_part_of_a_name_alone(seed: int) -> None:
    site = Site(seed)
    names = [name for (name,) in site.all("SELECT name FROM users")]
    parts = [part for name in names for part in name.split()]
    assert len(parts) == len(set(parts)) == 2 * len(names)
    slugs = [slug for (slug,) in site.all("SELECT slug FROM projects")]
    assert len({slug.split("-")[0] for slug in slugs}) == len(slugs)


@SEEDS
def test_what_belongs_together_is_of_one_project(seed: int) -> None:
    site = Site(seed)
    for sql in (
        "SELECT 1 FROM item_labels x JOIN items i ON i.id = item_id JOIN labels l ON l.id = label_id"
        " WHERE i.project_id <> l.project_id",
        "SELECT 1 FROM items i JOIN milestones m ON m.id = milestone_id WHERE i.project_id <> m.project_id",
        "SELECT 1 FROM items i WHERE assignee_id NOT IN"
        " (SELECT user_id FROM members m WHERE m.project_id = i.project_id)",
        "SELECT 1 FROM items WHERE reviewer_id = author_id OR (kind = 'issue' AND reviewer_id IS NOT NULL)",
        "SELECT 1 FROM comments c JOIN items i ON i.id = item_id"
        " WHERE written_on < created_on OR written_on > updated_on",
        "SELECT 1 FROM items WHERE (kind = 'issue' AND state = 'merged') OR created_on >= '2024-06-15'",
        "SELECT 1 FROM commits c JOIN branches b ON b.id = branch_id WHERE committed_on < left_on",
        "SELECT project_id FROM members WHERE role = 'Owner' GROUP BY project_id HAVING count(*) <> 1",
    ):
        assert site.all(sql) == [], sql
    assert site.all("SELECT * FROM drafts") == []
    assert site.all("SELECT * FROM comments WHERE pending") == []


@SEEDS
def test_those_who_do_most_have_two_addresses(seed: int) -> None:
    """So no line of the list of contributors tells by itself who did most."""
    site = Site(seed)
    for project in range(1, BUSY + 1):
        counts = "SELECT {}, count(*) FROM commits WHERE project_id = ? GROUP BY 1 ORDER BY 2 DESC"
        addresses = site.all(counts.format("email"), project)
        people = site.all(counts.format("author_id"), project)
        assert len(addresses) >= len(people) + 2
        assert len({email for email, _ in addresses}) == len(addresses)
