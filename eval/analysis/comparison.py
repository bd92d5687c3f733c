"""A sweep as tables: its settings pooled over what repeats them, and its runs one by one.

The columns are the same in every sweep, so that tables of two sweeps can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from eval.analysis.summary import Block, Summary
from eval.analysis.sweep import Setting
from eval.analysis.tables import LOOK, METRICS, Cell, interval, notes, number, percent, run_title, spaced, tasks_done

Columns = Sequence[tuple[str, Cell]]

OUTCOMES: Columns = (
    ("n", tasks_done),
    ("success", lambda b: percent(b.success_rate)),
    ("95 %", lambda b: interval(b.interval)),
    ("k", lambda b: str(b.k or "-")),
    ("Pass@1", lambda b: percent(b.pass_at_1)),
    ("pass@k", lambda b: percent((b.pass_at_k or {}).get(str(b.k)))),
    ("judge", lambda b: percent(b.judge_accuracy)),
)
EFFORT: Columns = (
    ("steps", lambda b: number(b.steps_mean)),
    ("solved", lambda b: number(b.steps_mean_solved)),
    ("failed", lambda b: number(b.steps_mean_failed)),
)
LEARNT: Columns = (
    ("items", lambda b: str(b.items_stored)),
    ("refus.", lambda b: str(b.refused)),
    ("inject", lambda b: number(b.injected_tokens_mean, 0)),
    ("infra", lambda b: str(b.infra_errors.episodes)),
)
FEW_STREAMS = 10
HEADS = {"suite.seed": "world"}


def comparison(
    name: str,
    settings: Mapping[str, Setting],
    runs: Mapping[str, Summary],
    varied: Mapping[str, Sequence[str]],
    shared: Mapping[str, float | None],
    why_not_shared: str,
) -> RenderableType:
    """All of it. `varied`: each run's `key=value` parts; `shared`: its steps on the tasks that every run solved."""
    simulated = any(summary.simulated for summary in runs.values())
    title = run_title(name, simulated, all(summary.complete for summary in runs.values()))
    doors = sorted({door for summary in runs.values() for door in summary.gold_doors})
    legend = [
        *_settings_legend(settings),
        "steps: of all attempts, of solved ones, of failed ones",
        "by all: of solved ones, on the tasks that every run solved",
        *([f"by all is -: {why_not_shared}"] if why_not_shared else []),
        "judge: right verdicts; refus.: replies that could not be used",
        "inject: recalled tokens a task; infra: tasks left out for an infra_error",
    ]
    return Group(
        Text(title),
        *spaced(
            _settings_table(settings),
            _runs_table(runs, varied, OUTCOMES, {}),
            _runs_table(runs, varied, (*EFFORT, *LEARNT), shared),
        ),
        *(Text(line, style="dim") for line in legend),
        *notes(simulated, doors),
    )


def _settings_table(settings: Mapping[str, Setting]) -> Table:
    table = Table(**LOOK)
    rows = _label_columns(table, {name: name.split(",") for name in settings}, "setting")
    for head in ("streams", "n", "success", "95 %", "diff.", "95 %", "pairs"):
        table.add_column(head, justify="right", no_wrap=True)
    for name, setting in settings.items():
        cells = [str(setting.streams), _done(setting), percent(setting.success_rate), interval(setting.interval)]
        against = setting.difference
        if against is None or against.success_rate is None:
            cells += ["-"] * 3
        else:
            cells += [f"{100 * against.success_rate:+.1f}", interval(against.interval), str(against.n)]
        table.add_row(*rows[name], *cells)
    return table


def _done(setting: Setting) -> str:
    whole = setting.complete or setting.planned is None
    return str(setting.n) if whole else f"{setting.n} of {setting.planned}"


def _settings_legend(settings: Mapping[str, Setting]) -> list[str]:
    first = next(iter(settings))
    metrics = {setting.success_metric for setting in settings.values()}
    if len(metrics) == 1:
        lines = [f"success: {METRICS[metrics.pop()]}"]
    else:
        lines = ["success: " + "; ".join(f"{name}: {METRICS[each.success_metric]}" for name, each in settings.items())]
    if len(settings) > 1:
        lines.append(f"diff.: points above {first}, paired by world, task, seed and trial")
    drawn = min(setting.streams for setting in settings.values())
    if drawn == 1:
        lines.append("95 %: of one stream it is about its tasks, not about other seeds or worlds")
    elif 1 < drawn < FEW_STREAMS:
        lines.append(f"95 %: drawn from {drawn} streams only, and so too narrow; more seeds mend that")
    return lines


def _runs_table(
    runs: Mapping[str, Summary],
    varied: Mapping[str, Sequence[str]],
    columns: Columns,
    shared: Mapping[str, float | None],
) -> Table:
    table = Table(**LOOK)
    rows = _label_columns(table, varied, "run")
    place = len(EFFORT) if shared else len(columns)
    for head, _ in columns[:place]:
        table.add_column(head, justify="right", no_wrap=True)
    if shared:
        table.add_column("by all", justify="right", no_wrap=True)
    for head, _ in columns[place:]:
        table.add_column(head, justify="right", no_wrap=True)
    for label, summary in runs.items():
        block: Block = summary.overall
        before, after = ([cell(block) for _, cell in some] for some in (columns[:place], columns[place:]))
        table.add_row(*rows[label], *before, *([number(shared.get(label))] if shared else []), *after)
    return table


def _label_columns(table: Table, varied: Mapping[str, Sequence[str]], name: str) -> dict[str, list[str]]:
    """Adds a column for each key where all rows have the same keys, else one; gives each row's cells for them."""
    split = {label: [part.partition("=") for part in parts] for label, parts in varied.items()}
    keys = {tuple(key.lstrip("+") for key, _, _ in parts) for parts in split.values()}
    if len(keys) == 1 and all(equals for parts in split.values() for _, equals, _ in parts):
        heads = [HEADS.get(key, key) for key in keys.pop()]
        rows = {label: [value for _, _, value in parts] for label, parts in split.items()}
    else:
        heads, rows = [name], {label: [label] for label in varied}
    for place, head in enumerate(heads):
        numbers = all(row[place].isdecimal() for row in rows.values())
        table.add_column(head, justify="right" if numbers else "left", no_wrap=True)
    return rows
