"""The user messages of an attempt, as its agent sent them.

A trajectory keeps what they were made from, not the messages: each holds the whole history again. They are rendered
anew by the agent's own code, with the run's settings and prompts. Where code or prompts have changed since the run,
that is said, for then they may differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from eval.analysis.records import RunRecord
    from eval.config.settings import Settings
    from reasoningbank.agents.react import Kind
    from reasoningbank.types import Trajectory

NOT_AGAIN = "the user messages cannot be rendered again"


@dataclass(frozen=True)
class SentMessages:
    """Renders them for all attempts of a run. `doubt` says why they may not be literal, and is empty otherwise."""

    kind: Kind | None
    doubt: str = ""

    def user_message(self, trajectory: Trajectory, index: int) -> str:
        """What the agent was sent at step `index`."""
        from reasoningbank.interfaces import Observation

        assert self.kind is not None
        step = trajectory.steps[index]
        error = trajectory.steps[index - 1].error if index else ""
        seen = Observation(text=step.observation, url=step.url)
        return self.kind.user_prompt(trajectory.task, trajectory.steps[:index], seen, error)


def sent_messages(run: RunRecord) -> SentMessages:
    """The run's agent, built as the run built it."""
    from eval.build import build, build_suite
    from eval.config.settings import stored_settings
    from reasoningbank.prompts import PromptPack

    try:
        settings = stored_settings(run.folder / "meta.json", run.meta)
        pack = PromptPack(Path(settings.prompts.pack) if settings.prompts.pack else None)
        part = {"type": build_suite(settings).agent, **settings.agent}
        agent = build("agent", part, settings.plugins, {"prompts": pack, "k": settings.k})
        doubt = _doubt(run, settings)
    except SetupError as error:
        return SentMessages(None, f"{NOT_AGAIN}: {error}")
    if not callable(getattr(agent, "user_prompt", None)):
        return SentMessages(None, f"{NOT_AGAIN}: {type(agent).__name__} has no method `user_prompt` that renders them")
    return SentMessages(cast("Kind", agent), doubt)


def _doubt(run: RunRecord, settings: Settings) -> str:
    """What the messages come from and is no longer as it was, or cannot be compared; empty where all is equal."""
    from eval.runs.identity import identity
    from eval.workbench import build_workbench

    try:
        now = identity(build_workbench(settings, asked=False))
    except SetupError as error:
        return f"whether code changed since the run, and its user messages with it, cannot be told: {error}"
    then = run.meta.get("identity") or {}
    changed = " and ".join(name for name in ("code", "prompts", "plugins") if then.get(name) != now[name])
    return f"{changed} changed since the run, so its user messages may have been others" if changed else ""
