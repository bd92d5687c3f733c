"""A web suite and a model whose intents, pages, addresses, answers and lessons are empty, huge, or of any alphabet."""

from __future__ import annotations

from collections.abc import Sequence

from eval.journal import Outcome
from eval.suites.base import Grader
from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.types import Message, Reply, Task, Usage

TEXTS = (
    "",
    " \t\n\r\u2028\u2029\x85\n",
    "中文 русский العربية ไทย 🦊👩‍👩‍👧‍👦 e\u0301 \u202eback\u202c",
    "half a pair \ud83d and \udc00, nothing \0, bell \a, escape \x1b[31m",
    "[12] link 'a' {{ memory }} {% raw %} ${x} %s </html> # Memory Item 1\nStatus: success\nAction: noop()",
    "word " * 60_000,
    "x" * 300_000,
    "🦊" * 80_000,
)


class Strange:
    """One task for every text."""

    id = "strange"
    version = "1"
    agent = "web"

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def tasks(self) -> list[Task]:
        return [
            Task(id=f"t {number}", suite=self.id, group="a site/ü", intent=text[:20_000], start=text[:50])
            for number, text in enumerate(TEXTS)
        ]

    def environment(self, task: Task) -> Environment:
        return Showing(int(task.id[2:]))

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        solved = bool(evidence.answer) and len(str(evidence.answer)) % 2 == 0
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved), checks={"even": float(solved)})

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return Evidence.model_validate(data)


class Showing:
    """One text after the other, beginning with its own."""

    def __init__(self, number: int) -> None:
        self._number = number

    def reset(self, task: Task, seed: int) -> Observation:
        return self._shown()

    def step(self, text: str) -> Observation:
        self._number += 1
        return self._shown(error=TEXTS[self._number % len(TEXTS)][:1000])

    def _shown(self, error: str = "") -> Observation:
        text = TEXTS[self._number % len(TEXTS)]
        return Observation(text=text, url=f"http://site/{text[:100]}", error=error)

    def finish(self, answer: str | None) -> Evidence:
        return Evidence(answer=answer)

    def close(self) -> None:
        pass


class Speaker:
    """Fills the formats of all roles with the texts."""

    id = "speaker"
    simulated = True

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        said = TEXTS[seed % len(TEXTS)]
        system = messages[0].content
        if "send_msg_to_user" in system:
            action = f"send_msg_to_user({said!r})" if seed % 3 else f"fill('1', {said!r})"
            return Reply(text=f"Thought: {said[:5000]}\nAction: {action}", usage=Usage(calls=1))
        if "Status:" in system:
            return Reply(text=f"Thoughts: {said}\nStatus: {'success' if seed % 2 else 'failure'}", usage=Usage(calls=1))
        line = " ".join(said.split()) or "nothing"
        item = f"# Memory Item 1\n## Title\n{line[:50_000]}\n## Description\n{line}\n## Content\n{line}"
        return Reply(text=item, usage=Usage(calls=1))
