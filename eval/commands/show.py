"""`python -m eval show RUN [TASK] [--attempt I] [--full]`: a run's episodes, or one of them as a person reads it.

Without TASK: one row an episode. With it: the literal system prompt with the injected memory, every step, the
verdict with its reasons beside the outcome, what was recalled, and the items learnt.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from rich.console import Console

    from eval.analysis.records import RunRecord
    from eval.journal import AttemptResult, EpisodeResult
    from reasoningbank.types import Step

HELP = "print a run's episodes, or one of them in full"
CUT = 600
"""Characters of an observation without --full."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m eval show", description=HELP)
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument(
        "task", metavar="TASK", nargs="?", help="a task id, or an episode id such as shopping.t0/0003/17"
    )
    parser.add_argument("--attempt", type=int, metavar="I", help="this attempt only (from 0)")
    parser.add_argument("--full", action="store_true", help="print observations uncut")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)
    if options.attempt is not None and options.task is None:
        raise SetupError("--attempt needs a TASK before it")

    from rich.console import Console

    from eval.analysis.records import find_run, load_run

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True, tab_size=2)
    run = load_run(find_run(options.run, options.results))
    if options.task is None:
        overview(run, console)
        return 0
    for episode in matching(run, options.task):
        print_episode(run, episode, console, only=options.attempt, full=options.full)
    return 0


def matching(run: RunRecord, task: str) -> list[EpisodeResult]:
    """The episodes of a task, over all streams. SetupError tells the nearest task ids."""
    from eval.names import nearest

    episodes = [line.result for stream in run.streams for line in stream.lines]
    found = [episode for episode in episodes if task in (episode.task_id, episode_id(episode))]
    if not found:
        known = (episode.task_id for episode in episodes)
        raise SetupError(f"no task {task!r} among the {len(episodes)} episodes of {run.folder}; {nearest(task, known)}")
    return found


def episode_id(episode: EpisodeResult) -> str:
    return f"{episode.stream}/{episode.position:04d}/{episode.task_id}"


def overview(run: RunRecord, console: Console) -> None:
    """One row an episode; `+` and `-` are outcomes, the selected attempt is in brackets."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from eval.analysis.tables import run_title

    for stream in run.streams:
        title = safe(run_title(f"{run.name} / {stream.name}", run.simulated, stream.complete))
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for head in ("pos.", "task", "intent", "outcomes", "verdicts", "recalled", "learnt"):
            table.add_column(head, overflow="fold", ratio=1 if head == "intent" else None)
        for episode in (line.result for line in stream.lines):
            recalled = ", ".join(f"{each.task_id} ({each.score:.2f})" for each in episode.recalled)
            items = sum(len(experience.items) for experience in episode.learnt)
            table.add_row(
                *(str(episode.position), episode.task_id, safe(intent(run, episode)), outcomes(episode)),
                *("".join(verdict_mark(attempt) for attempt in episode.attempts), recalled or "-", f"{items} items"),
            )
        console.print(table, soft_wrap=False)
    console.print(
        "outcomes: + solved, - unsolved, ! infra_error, [ ] selected; verdicts: s success, f failure, ? unread"
    )


def outcomes(episode: EpisodeResult) -> str:
    def mark(attempt: AttemptResult) -> str:
        sign = "!" if attempt.outcome is None else "+" if attempt.outcome.status == "solved" else "-"
        return f"[{sign}]" if attempt.index == episode.selected and len(episode.attempts) > 1 else sign

    return "".join(map(mark, episode.attempts))


def verdict_mark(attempt: AttemptResult) -> str:
    return "." if attempt.verdict is None else {"success": "s", "failure": "f"}.get(attempt.verdict.label, "?")


def intent(run: RunRecord, episode: EpisodeResult) -> str:
    """From what was learnt, or from the first attempt's file."""
    from eval.analysis.records import load_trajectory

    if episode.learnt:
        return episode.learnt[0].query
    trajectories = (load_trajectory(run, episode, attempt) for attempt in episode.attempts)
    return next((trajectory.task.intent for trajectory in trajectories if trajectory), "-")


def print_episode(
    run: RunRecord, episode: EpisodeResult, console: Console, *, only: int | None = None, full: bool = False
) -> None:
    """An episode from what was recalled to what was learnt."""
    attempts = [attempt for attempt in episode.attempts if only is None or attempt.index == only]
    if not attempts:
        raise SetupError(f"{episode_id(episode)} has attempts 0 to {len(episode.attempts) - 1}, no attempt {only}")
    heading(console, f"Episode {episode_id(episode)}" + (" (simulated)" if run.simulated else ""))
    write(console, f"Intent: {intent(run, episode)}")
    write(
        console,
        f"Template: {episode.template_id or '-'}   Outcomes: {outcomes(episode)}   Selected: {episode.selected}",
    )
    heading(console, f"Recalled ({episode.injected_tokens} tokens injected)")
    for each in episode.recalled:
        write(console, f"{each.score:.4f}  {each.experience_id}  items: {', '.join(each.item_ids) or '-'}")
    if not episode.recalled:
        write(console, "nothing")
    for attempt in attempts:
        print_attempt(run, episode, attempt, console, full=full)
    heading(console, f"Learnt ({len(episode.learnt)} experiences, {len(episode.refused)} replies refused)")
    for experience in episode.learnt:
        write(console, f"{experience.id} ({experience.kind}, from {', '.join(experience.source_attempts)})")
        for item in experience.items:
            write(console, f"\n  {item.id} [{item.polarity}] {item.title}\n  {item.description}\n  {item.content}")
    for refused in episode.refused:
        write(console, f"\n  refused ({refused.role}): {refused.reason}\n  {cut(refused.text, full)}")


def print_attempt(
    run: RunRecord, episode: EpisodeResult, attempt: AttemptResult, console: Console, *, full: bool
) -> None:
    """One attempt: prompt, steps, answer, outcome beside verdict."""
    from eval.analysis.records import load_trajectory

    heading(console, f"Attempt {attempt.index}: {attempt.exit}, {attempt.steps} steps, {attempt.errors} errors")
    trajectory = load_trajectory(run, episode, attempt)
    if trajectory is None:
        write(console, "its trajectory file is not in the run's folder")
    else:
        if trajectory.digest() != attempt.trajectory_hash:
            write(
                console, "WARNING: this file is not the trajectory that the journal recorded (hash differs)", "bold red"
            )
        write(console, "System prompt, as sent:", "bold")
        write(console, trajectory.system_prompt)
        for step in trajectory.steps:
            print_step(step, console, full=full)
        write(console, f"\nLast page {trajectory.final_url}", "bold")
        write(console, cut(trajectory.final_observation, full), "dim")
        if trajectory.error:
            write(console, f"Ended by: {trajectory.error}", "red")
    write(console, f"\nAnswer:  {'-' if attempt.answer is None else attempt.answer}")
    if attempt.outcome is None:
        write(console, "Outcome: none (infra_error)")
    else:
        checks = ", ".join(f"{name} {score:g}" for name, score in attempt.outcome.checks.items())
        write(
            console, f"Outcome: {attempt.outcome.status}, reward {attempt.outcome.reward:g} ({checks or 'no checks'})"
        )
    verdict = attempt.verdict
    write(
        console, "Verdict: none" if verdict is None else f"Verdict: {verdict.label}\nReasons: {verdict.reasons or '-'}"
    )


def print_step(step: Step, console: Console, *, full: bool) -> None:
    write(console, f"\nStep {step.index}  {step.url}", "bold")
    write(console, cut(step.observation, full), "dim")
    write(console, f"Thought: {step.thought}")
    write(console, f"Action:  {step.action or '(none)'}")
    if step.error:
        write(console, f"Error:   {step.error}", "red")


def heading(console: Console, text: str) -> None:
    console.print()
    console.rule(safe(text), align="left")


def write(console: Console, text: str, style: str = "") -> None:
    console.print(safe(text), style=style)


def cut(text: str, full: bool) -> str:
    """The first characters, and how many follow."""
    if full or len(text) <= CUT:
        return text
    return f"{text[:CUT]}\n... {len(text) - CUT:,} more characters (--full)"


def safe(text: str) -> str:
    """Without what would steer a terminal or cannot be encoded: pages and models write anything."""
    shown = "".join(each if each in "\n\t" or each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    encoding = sys.stdout.encoding or "utf-8"
    return shown.encode(encoding, "replace").decode(encoding)
