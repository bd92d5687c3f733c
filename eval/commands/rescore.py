"""`python -m eval rescore RUN`: outcomes computed again from stored evidence, and the numbers before and after.

python -m eval rescore RUN suite.task_file=FILE --grader NAME
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.analysis.records import RunRecord
    from eval.config.settings import Settings

HELP = "outcomes again from stored evidence, by another evaluator, task file or grader"

EXAMPLES = """examples:
  python -m eval rescore RUN                            with the evaluators as they are now
  python -m eval rescore RUN --grader offline           graded by a comparison; or a model, by a name of llm=NAME
  python -m eval rescore RUN temperature.grader=0.5 --json   other settings; all that is written, for other programs

Of WebArena: suite.task_file=FILE for another file of tasks, suite.evaluate=each_step for BrowserGym's way. Sites and
browsers are not needed. The journal stays as it is: what is found is written beside it, to RUN/rescored.
"""
KEYS = ("suite.", "roles.grader.", "temperature.grader", "max_tokens.grader", "prompts.pack", "prices")
"""What may be set: all that an evaluation depends on."""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval rescore",
        description="Compute a run's outcomes again from the evidence that its attempts have left.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="other settings than the run's")
    parser.add_argument("--grader", metavar="NAME", help="who grades: a name of llm=NAME")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_intermixed_args(argv)

    from eval.analysis.records import find_run, load_run
    from eval.commands._rescored import show
    from eval.config.keys import take_env_file
    from eval.grading.rescoring import read_rescored, rescore

    take_env_file()
    run = load_run(find_run(given.run, given.results))
    folders = [f"--config-dir={folder}" for folder in given.config_dir]
    settings, changed = settings_of(run, given.settings, given.grader, folders)
    path = rescore(run, settings, changed)
    if given.json:
        print(path.read_text(encoding="utf-8"), end="")
    else:
        found = read_rescored(path)
        ungraded = f", {found.ungraded} not graded" if found.ungraded else ""
        show(found, path, f"fuzzy answers graded by {found.grading}{ungraded}")
    return 0


def settings_of(
    run: RunRecord, overrides: Sequence[str], grader: str | None, folders: Sequence[str]
) -> tuple[Settings, dict[str, Any]]:
    """The run's settings with some others, and those. SetupError for what has no say in an evaluation."""
    from eval.config.load import load_config
    from eval.config.overrides import parsed
    from eval.config.settings import stored_settings, validate
    from reasoningbank.errors import SetupError
    from reasoningbank.providers.secrets import hidden

    file = run.folder / "meta.json"
    if not isinstance(run.meta.get("settings"), dict):
        raise SetupError(f"{file} has no settings: the run cannot be evaluated again")
    data = stored_settings(file, run.meta).model_dump(mode="json")
    changed: dict[str, Any] = {}
    if grader is not None:
        part = load_config([*folders, f"+llm@roles.grader={grader}"]).roles["grader"]
        data = {**data, "roles": {**data["roles"], "grader": part}}
        changed["grader"] = grader
    for text in overrides:
        override = parsed(text)
        key = str(override.key_or_group)
        if not key.startswith(KEYS) or override.is_delete() or override.is_sweep_override():
            raise SetupError(f"{text}: only what evaluates can be set here: {', '.join(KEYS)}")
        if key == "suite.seed":
            raise SetupError(f"{text}: evidence of one world says nothing of the tasks of another")
        changed[key] = override.value()
        data = with_key(data, key.split("."), changed[key])
    return validate(data), cast("dict[str, Any]", hidden(changed))


def with_key(data: dict[str, Any], keys: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy in which one key, of whatever depth, has another value."""
    first, *rest = keys
    if not rest:
        return {**data, first: value}
    inner = data.get(first)
    return {**data, first: with_key(inner if isinstance(inner, dict) else {}, rest, value)}
