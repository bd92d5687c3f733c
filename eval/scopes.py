"""What an episode's calls are made with, in a run and where a stored one is graded again: the same seeds and limits."""

from __future__ import annotations

from eval.config.settings import Settings
from eval.suites.base import Suite
from reasoningbank.llm.calls import RoleSettings, ScopeKey
from reasoningbank.types import Role


def scope_key(settings: Settings, suite: Suite, trial: int, task_id: str) -> ScopeKey:
    """What seeds follow from, but for the attempt, the role and the call."""
    return ScopeKey(seed=settings.seed, trial=trial, suite=suite.id, suite_seed=suite.seed, task=task_id, attempt=0)


def role_settings(settings: Settings, role: Role) -> RoleSettings:
    return RoleSettings(temperature=settings.temperature[role], max_tokens=settings.max_tokens[role])
