"""A sweep as tables: its settings pooled over what repeats them, and its runs one by one.

The columns are the same in every sweep, so that tables of two sweeps can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from eval.analysis.origin import united
from eval.analysis.summary import Summary
from eval.analysis.sweep import Setting
from eval.analysis.tables import (
    LOOK,
    METRICS,
    Cell,
    cost,
    interval,
    interval_legend,
    notes,
    number,
    percent,
    run_title,
    spaced,
    tasks_done,
)

Columns = Sequence[tuple[str, Cell]]

OUTCOMES: Columns = (
    ("n", tasks_done),
    ("success", lambda b: percent(b.success_rate)),
    ("95 %", lambda b: interval(b.interval)),
    ("k", lambda b: str(b.k or "-")),
    ("Pass@1", lambda b: percent(b.pass_at_1)),
    ("pass@k", lambda b: "-" if b.k == 1 else percent((b.pass_at_k or {}).get(str(b.k)))),
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
    ("US$", cost),
)
HEADS = {"suite.seed": "world"}


def comparison(
    name: str,
    settings: Mapping[str, Setting],
    runs: Mapping[str, Summary],
    varied: Mapping[str, Sequence[str]],
) -> RenderableType:
    """All of it. `varied`: each run's `key=value` parts."""
    origin = united(summary.origin for summary in runs.values())
    title = run_title(name, origin.simulated, all(summary.complete for summary in runs.values()))
    legend = [
        *_settings_legend(settings, runs),
        "steps: of all attempts, of solved ones, of failed ones",
        "judge: right verdicts; refus.: replies that could not be used",
        "inject: recalled tokens a task; infra: tasks left out for an infra_error",
    ]
    return Group(
        Text(title),
        *spaced(
            _settings_table(settings),
            *([_differences_table(settings)] if len(settings) > 1 else []),
            _runs_table(runs, varied, OUTCOMES),
            _runs_table(runs, varied, (*EFFORT, *LEARNT)),
        ),
        *(Text(line, style="dim") for line in legend),
        *notes(origin),
    )


def _settings_table(settings: Mapping[str, Setting]) -> Table:
    table = Table(**LOOK)
    rows = _label_columns(table, {name: name.split(",") for name in settings}, "setting")
    for head in ("streams", "n", "success", "95 %"):
        table.add_column(head, justify="right", no_wrap=True)
    for name, setting in settings.items():
        cells = [str(setting.streams), _done(setting), percent(setting.success_rate), interval(setting.interval)]
        table.add_row(*rows[name], *cells)
    return table


def _differences_table(settings: Mapping[str, Setting]) -> Table:
    table = Table(**LOOK)
    rows = _label_columns(table, {name: name.split(",") for name in settings}, "setting")
    for head in ("pairs", "diff.", "95 %", "detectable", "solved by both", "steps", "of first"):
        table.add_column(head, justify="right", no_wrap=True)
    for name, setting in list(settings.items())[1:]:
        against = setting.difference
        cells = ["0", "-", "-", "-", "0", "-", "-"]
        if against is not None and against.success_rate is not None:
            cells[:3] = [str(against.n), f"{100 * against.success_rate:+.1f}", interval(against.interval)]
            if against.detectable is not None:
                cells[3] = f"{100 * against.detectable:.1f}"
            if both := against.both_solved:
                cells[4:] = [str(both.n), number(both.steps_mean), number(both.steps_mean_other)]
        table.add_row(*rows[name], *cells)
    return table


def _done(setting: Setting) -> str:
    whole = setting.complete or setting.planned is None
    return str(setting.n) if whole else f"{setting.n} of {setting.planned}"


def _settings_legend(settings: Mapping[str, Setting], runs: Mapping[str, Summary]) -> list[str]:
    first = next(iter(settings))
    metrics = {setting.success_metric for setting in settings.values()}
    if len(metrics) == 1:
        lines = [f"success: {METRICS[metrics.pop()]}"]
    else:
        lines = ["success: " + "; ".join(f"{name}: {METRICS[each.success_metric]}" for name, each in settings.items())]
    if len(settings) > 1:
        lines.append(f"diff.: points above {first}, paired by world, task, seed, order and trial")
        lines.append("detectable: least true difference that as many pairs would show 4 times in 5")
        lines.append("solved by both: pairs that both solved; steps, of first: in their solved attempts")
    shown = [setting.interval for setting in settings.values()]
    shown += [setting.difference.interval for setting in settings.values() if setting.difference]
    shown += [summary.overall.interval for summary in runs.values()]
    return [*lines, *interval_legend(shown)]


def _runs_table(
    runs: Mapping[str, Summary],
    varied: Mapping[str, Sequence[str]],
    columns: Columns,
) -> Table:
    table = Table(**LOOK)
    rows = _label_columns(table, varied, "run")
    for head, _ in columns:
        table.add_column(head, justify="right", no_wrap=True)
    for label, summary in runs.items():
        table.add_row(*rows[label], *(cell(summary.overall) for _, cell in columns))
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
