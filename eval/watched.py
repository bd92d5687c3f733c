"""The environment as the agent of an attempt sees it."""

from __future__ import annotations

from pathlib import Path

from eval.suites.base import KeepsImages
from reasoningbank.boundary import attempt_edge, expect
from reasoningbank.failpoints import failpoint
from reasoningbank.interfaces import Environment, Evidence, Observation, ShowsChanges
from reasoningbank.types import Step, Task


class Watched:
    """Its faults are none of the agent's, and what was done in it is noted."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self.seen = Observation(text="")
        self.steps: list[Step] = []
        """What there is of an attempt whose agent crashes; thoughts and tokens died with it."""

    def reset(self, task: Task, seed: int) -> Observation:
        shown = attempt_edge(lambda: self._env.reset(task, seed), source="environment")
        self.seen = expect(shown, Observation, self._env, "reset")
        return self.seen

    def step(self, text: str) -> Observation:
        failpoint("attempt")
        shown = self.seen
        after = attempt_edge(lambda: self._env.step(text), source="environment")
        self.seen = expect(after, Observation, self._env, "step")
        self.steps.append(
            Step(
                index=len(self.steps),
                observation=shown.text,
                url=shown.url,
                thought="",
                action=text,
                error=self.seen.error,
            )
        )
        return self.seen

    def finish(self, answer: str | None) -> Evidence:
        raise RuntimeError("an agent must not finish its environment")

    def close(self) -> None:
        raise RuntimeError("an agent must not close its environment")


class WatchedShell(Watched):
    """The same where the environment tells what was changed in it."""

    def __init__(self, env: Environment, changes: ShowsChanges) -> None:
        super().__init__(env)
        self._changes = changes

    def changes(self) -> str:
        return expect(attempt_edge(self._changes.changes, source="environment"), str, self._changes, "changes")


def watch(env: Environment, images: Path | None) -> Watched:
    """The environment, watched; told of the folder for its images if it keeps any."""
    if images is not None and isinstance(env, KeepsImages):
        env.keep_images(images)
    return WatchedShell(env, env) if isinstance(env, ShowsChanges) else Watched(env)
