"""How an episode is printed for a person: from what was recalled, through every attempt, to what was learnt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.terminal.program import safe
from reasoningbank.errors import SetupError
from reasoningbank.truncate import keep_ends

if TYPE_CHECKING:
    from rich.console import Console

    from eval.analysis.records import RunRecord
    from eval.commands._sent import SentMessages
    from eval.journal import AttemptResult, EpisodeResult, Outcome
    from reasoningbank.types import Step, Trajectory

CUT = 1000
"""Characters of what is new in an observation without --full."""
SAME = 3
"""So many lines that are as in the step before are shown all the same: where the new ones stand is seen by them."""
NUMBER = re.compile(r"\[\w+\]")


def matching(run: RunRecord, task: str) -> list[EpisodeResult]:
    """The episodes of a task, which may be named by the end of its id, over all streams. SetupError tells which there
    are."""
    from eval.names import FEW, ending, known_ids
    from reasoningbank.text import counted

    episodes = [line.result for stream in run.streams for line in stream.lines]
    if found := [episode for episode in episodes if task in (episode.task_id, episode.id)]:
        return found
    ends = ending(task, (episode.task_id for episode in episodes))
    if len(ends) == 1:
        return [episode for episode in episodes if episode.task_id == ends[0]]
    known = {episode.id if "/" in task else episode.task_id for episode in episodes}
    near = known_ids(task, known) if known else "none is finished yet"
    if ends:
        near = f"{len(ends)} end so, write more of one: {', '.join(ends[:FEW])}{' ...' * (len(ends) > FEW)}"
    what = "episode" if "/" in task else "task"
    raise SetupError(f"no {what} {task!r} among the {counted(len(episodes), 'episode')} of {run.folder}; {near}")


def outcomes(episode: EpisodeResult) -> str:
    """`+` and `-` for each attempt, the selected one in brackets."""

    def mark(attempt: AttemptResult) -> str:
        if attempt.outcome is None:
            sign = "!" if attempt.exit == "infra_error" else "?"
        else:
            sign = "+" if attempt.solved else "-"
        return f"[{sign}]" if attempt.index == episode.selected and len(episode.attempts) > 1 else sign

    return "".join(map(mark, episode.attempts))


def verdicts(episode: EpisodeResult) -> str:
    """A letter for each attempt."""
    letters = {"success": "s", "failure": "f"}
    return "".join(
        "." if attempt.verdict is None else letters.get(attempt.verdict.label, "?") for attempt in episode.attempts
    )


def intent(run: RunRecord, episode: EpisodeResult) -> str:
    """From what was learnt, or from the first attempt's file."""
    from eval.analysis.records import load_trajectory

    if episode.learnt:
        return episode.learnt[0].query
    trajectories = (load_trajectory(run, episode, attempt) for attempt in episode.attempts)
    return next((trajectory.task.intent for trajectory in trajectories if trajectory), "-")


def checks(outcome: Outcome) -> list[str]:
    """What an evaluator found: the state in which an attempt at code ended by its name, then each check with its
    score."""
    from eval.suites.code.evaluation import ENDINGS as AT_CODE
    from eval.suites.swebench.reports import ENDINGS as OF_REPORTS

    states = [name for name in outcome.checks if name in AT_CODE or name in OF_REPORTS]
    return [*states, *(f"{name} {score(value)}" for name, value in outcome.checks.items() if name not in states)]


def score(value: float) -> str:
    """With at most two decimals; what is nearly 0 or 1 is told as neither."""
    near = round(value, 2)
    if near in (0, 1) and 0 < value < 1:
        near = min(max(near, 0.01), 0.99)
    return f"{near:g}"


@dataclass
class EpisodePrinter:
    """Prints episodes of one run. `full`: observations uncut, and the message of every step."""

    run: RunRecord
    console: Console
    sent: SentMessages
    full: bool

    def episode(self, episode: EpisodeResult, *, only: int | None = None) -> None:
        """All of an episode, or of its attempts `only` one."""
        from reasoningbank.text import counted

        attempts = [attempt for attempt in episode.attempts if only is None or attempt.index == only]
        if not attempts:
            last = len(episode.attempts) - 1
            known = f"attempts 0 to {last}" if last > 0 else "attempt 0 alone" if last == 0 else "no attempts"
            raise SetupError(f"{episode.id} has {known}, no attempt {only}")
        self.heading(f"Episode {episode.id}" + (" (simulated)" if self.run.simulated else ""))
        self.write(f"Intent: {intent(self.run, episode)}")
        about = [f"Template: {episode.template_id or '-'}", f"Outcomes: {outcomes(episode)}"]
        if len(episode.attempts) > 1 and episode.selected is not None:
            about.append(f"Selected: {episode.selected}" + (" (by lot)" if episode.selected_by_lot else ""))
        self.write("   ".join(about))
        if not self.full:
            self.write("Pages are shown in part: what differs from the step before, and of that the ends (--full: all)")
        if self.sent.doubt:
            self.write(f"WARNING: {self.sent.doubt}", "bold red")
        self.heading(f"Recalled ({counted(episode.injected_tokens, 'token')} injected)")
        for each in episode.recalled:
            self.write(
                f"{each.score:.4f}  {each.experience_id}  items: {', '.join(each.item_ids) or '-'}"
                f"{'  (of a later date)' * each.later}"
            )
        if not episode.recalled:
            self.write("nothing")
        shown: dict[str, int] = {}
        for attempt in attempts:
            self.attempt(episode, attempt, shown)
        refused = counted(len(episode.refused), "reply refused", "replies refused")
        self.heading(f"Learnt ({counted(len(episode.learnt), 'experience')}, {refused})")
        for experience in episode.learnt:
            self.write(f"{experience.id} ({experience.kind}, from {', '.join(experience.source_attempts)})")
            for item in experience.items:
                self.write(f"\n  {item.id} [{item.polarity}] {item.title}\n  {item.description}\n  {item.content}")
        for reply in episode.refused:
            self.write(f"\n  refused ({reply.role}): {reply.reason}\n  {self.cut(reply.text)}")

    def attempt(self, episode: EpisodeResult, attempt: AttemptResult, shown: dict[str, int]) -> None:
        """One attempt: prompts, steps, answer, outcome beside verdict. `shown`: the prompts that stand above."""
        from eval.analysis.records import load_trajectory
        from reasoningbank.distill.render import answer_text
        from reasoningbank.text import counted

        counts = f"{counted(attempt.steps, 'step')}, {counted(attempt.errors, 'error')}"
        self.heading(f"Attempt {attempt.index}: {attempt.exit}, {counts}")
        trajectory = load_trajectory(self.run, episode, attempt)
        if trajectory is None:
            self.write("its trajectory file is not in the run's folder")
        else:
            self.trajectory(trajectory, attempt, shown)
        self.write(f"\nAnswer: {answer_text(attempt.exit, attempt.answer)}")
        for number, given in enumerate(attempt.rounds, 1):
            status = given.outcome.status if given.outcome else "not evaluated"
            self.write(f"Answer {number}: {answer_text(given.exit, given.answer)} (step {given.step}, {status})")
        if attempt.outcome is None:
            self.write(f"Outcome: none ({'infra_error' if attempt.exit == 'infra_error' else 'not evaluated yet'})")
        else:
            said = ", ".join(checks(attempt.outcome)) or "no checks"
            self.write(f"Outcome: {attempt.outcome.status}, reward {score(attempt.outcome.reward)} ({said})")
        verdict = attempt.verdict
        self.write(
            "Verdict: none" if verdict is None else f"Verdict: {verdict.label}\nReasons: {verdict.reasons or '-'}"
        )

    def trajectory(self, trajectory: Trajectory, attempt: AttemptResult, shown: dict[str, int]) -> None:
        """What was sent, seen, thought and done."""
        if trajectory.digest() != attempt.trajectory_hash:
            self.write("WARNING: this file is not the trajectory that the journal recorded (hash differs)", "bold red")
        if trajectory.system_prompt:
            self.prompt("System prompt", trajectory.system_prompt, attempt.index, shown)
        else:
            self.write("its prompts were lost with the agent", "bold red")
        before = ""
        for step in trajectory.steps:
            self.write(f"\nStep {step.index}  {step.url}", "bold")
            if trajectory.system_prompt and self.sent.kind is not None and (self.full or step.index == 0):
                message = self.sent.user_message(trajectory, step.index)
                self.prompt("User message", message, attempt.index, shown)
            else:
                self.observation(step.observation, before)
            before = step.observation
            self.step(step)
        self.write("\nAt the end" if trajectory.medium == "shell" else f"\nLast page {trajectory.final_url}", "bold")
        self.observation(trajectory.final_observation, before)
        if trajectory.error:
            self.write(f"Ended by: {trajectory.error}", "red")

    def prompt(self, what: str, text: str, attempt: int, shown: dict[str, int]) -> None:
        """A literal prompt, unless the same one stands above."""
        first = shown.setdefault(text, attempt)
        if first != attempt:
            self.write(f"{what}, as sent: the same as in attempt {first}", "bold")
            return
        self.write(f"{what}, as sent:", "bold")
        self.write(text)
        self.write(f"({what.lower()} ends)", "bold")

    def step(self, step: Step) -> None:
        self.write(f"Thought: {step.thought}")
        self.write(f"Action: {step.action or '(none)'}")
        if step.error:
            self.write(f"Error: {step.error}", "red")
        if step.check:
            self.write(f"Held back: {self.cut(step.check)}")

    def heading(self, text: str) -> None:
        self.console.print()
        self.console.rule(safe(text), align="left")

    def write(self, text: str, style: str = "") -> None:
        """As it is: a console would put blanks for tabs."""
        if style and self.console.is_terminal:
            self.console.print(safe(text), style=style)
        else:
            self.console.file.write(f"{safe(text)}\n")

    def observation(self, text: str, before: str) -> None:
        """Whole with --full; else what differs from the observation `before` it, with its middle cut out."""
        self.write(text if self.full else keep_ends(changed_part(text, before), CUT), "dim")

    def cut(self, text: str) -> str:
        """Its ends."""
        return text if self.full else keep_ends(text, CUT)


def changed_part(text: str, before: str) -> str:
    """The lines of a text that the one before it has not, in their order, with the count of those between.

    An element is the same one whatever number the page gives it.
    """
    from difflib import SequenceMatcher

    lines = text.splitlines()
    unnumbered, old = ([NUMBER.sub("", line) for line in each] for each in (lines, before.splitlines()))
    shown: list[str] = []
    for kind, _, _, start, end in SequenceMatcher(None, old, unnumbered).get_opcodes():
        if kind == "equal" and end - start > SAME:
            shown.append(f"[... {end - start} lines as in the step before ...]")
        else:
            shown += lines[start:end]
    return "\n".join(shown)
