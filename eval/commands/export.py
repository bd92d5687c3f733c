"""`python -m eval export RUN [TASK] [--to FOLDER]`: attempts at code in mini-swe-agent's own format.

One file an attempt, `FOLDER/<task>/<task>.traj.json` (with several attempts `<task>.0.traj.json`, ...), as
`mini-swe-agent-1.1`: their inspector opens the folder by `mini-extra inspector FOLDER`. What their format has no place
for is in `info.reasoningbank`: the outcome, the verdict, whether the attempt was selected, and its patch.
`info.submission` stays what the agent handed in.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.terminal.program import Arguments
from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eval.analysis.records import RunRecord
    from eval.journal import EpisodeResult

HELP = "write attempts at code in mini-swe-agent's format"

EXAMPLES = """examples:
  python -m eval export RUN                             all attempts, into RUN/mini-swe-agent
  python -m eval export RUN TASK --to trajectories      those at one task
"""
FOLDER = "mini-swe-agent"
SPENT_BY = ("agent", "refiner")


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval export",
        description=HELP,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument("task", metavar="TASK", nargs="?", help="a task id or its end, or an episode id")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where the files go; by default into the run's folder"
    )
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)

    from eval.analysis.records import find_run, load_run
    from eval.commands._episode import matching
    from reasoningbank.files import write_atomic
    from reasoningbank.text import counted

    run = load_run(find_run(options.run, options.results))
    every = [line.result for stream in run.streams for line in stream.lines]
    episodes = every if options.task is None else matching(run, options.task)
    folder = options.to or run.folder / FOLDER
    several = len(run.streams) > 1
    written = 0
    for episode in episodes:
        for name, data in exported(run, episode):
            path = folder / (episode.stream if several else "") / episode.task_id / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, json.dumps(data, indent=2, ensure_ascii=False))
            written += 1
    if not written:
        raise SetupError(nothing(run, episodes))
    print(f"{counted(written, 'attempt')} written to {folder}")
    return 0


def nothing(run: RunRecord, episodes: Sequence[EpisodeResult]) -> str:
    """Why there was nothing to write."""
    if not episodes:
        return f"{run.folder} has no finished attempt yet: nothing is written"
    if (run.meta.get("choices") or {}).get("agent") == "web":
        return f"{run.folder} has no attempts at code, but on pages: nothing is written (`show` prints them)"
    return f"{run.folder} has none of its attempts' files (published runs may leave them out): nothing is written"


def exported(run: RunRecord, episode: EpisodeResult) -> Iterator[tuple[str, dict[str, Any]]]:
    """The episode's attempts by file name. Those whose file is missing, as in published runs, are left out. SetupError
    for one that was changed: what it says of costs is not to be believed either."""
    from eval.analysis.records import attempt_file
    from eval.attempt import attempt_of
    from eval.config.settings import stored_settings
    from reasoningbank.agents.mini_swe.export import as_mini_swe_agent
    from reasoningbank.prompts import PromptPack
    from reasoningbank.types import Spent

    settings = stored_settings(run.folder / "meta.json", run.meta)
    pack = PromptPack(Path(settings.prompts.pack) if settings.prompts.pack else None)
    for attempt in episode.attempts:
        path = attempt_file(run, episode, attempt.index)
        record = attempt_of(path)
        if record is None:
            if path.exists():
                raise SetupError(f"{path} is not an attempt's file, or was changed")
            continue
        trajectory = record.trajectory
        if trajectory.medium != "shell":
            raise SetupError(f"{run.folder} has no attempts at code: {episode.id} is a task on pages")
        own = sum((record.spent[role] for role in SPENT_BY if role in record.spent), Spent())
        selected = attempt.index == episode.selected or len(episode.attempts) == 1
        number = f".{attempt.index}" if len(episode.attempts) > 1 else ""
        data = as_mini_swe_agent(
            trajectory,
            prompts=pack,
            hand_in=settings.agent.get("hand_in", "summary"),
            tool_calls=bool(settings.agent.get("tool_calls")),
            model=str(run.meta["identity"]["models"]["agent"]),
            cost_usd=own.cost_usd,
            settings={"step_limit": settings.agent.get("max_steps"), "cost_limit": settings.agent.get("max_cost")},
        )
        data["info"]["reasoningbank"] = {
            "attempt_id": attempt.attempt_id,
            "outcome": None if attempt.outcome is None else attempt.outcome.model_dump(mode="json"),
            "verdict": None if attempt.verdict is None else attempt.verdict.label,
            "selected": selected,
            "patch": record.evidence.get("patch"),
            "simulated": run.simulated,
        }
        yield f"{episode.task_id}{number}.traj.json", data
