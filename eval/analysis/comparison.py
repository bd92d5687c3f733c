"""A sweep as tables: its settings pooled over what repeats them, and its runs one by one.

A column is left out where it would say of every run what another one says, or nothing. Those that are there have the
same names and the same order in every sweep, so that tables of two sweeps can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from eval.analysis.origin import united
from eval.analysis.summary import Block, Summary
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
Cells = Sequence[tuple[str, Sequence[str]]]
"""Columns as they are printed: a head, and a cell for each row."""

SUCCESS: Columns = (
    ("n", tasks_done),
    ("success", lambda b: percent(b.success_rate)),
    ("95 %", lambda b: interval(b.interval)),
)
OUTCOMES: Columns = (
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
    ("later", lambda b: str(b.told_by_later)),
    ("open", lambda b: str(b.open)),
    ("infra", lambda b: str(b.infra_errors.episodes)),
    ("US$", cost),
)
HEADS = {"suite.seed": "world"}
WIDTH = 80
"""Of a terminal: columns that do not fit beside the others are a table of their own, below."""
GAP, LONGEST = 2, 14


def comparison(
    name: str,
    settings: Mapping[str, Setting],
    runs: Mapping[str, Summary],
    varied: Mapping[str, Sequence[str]],
) -> RenderableType:
    """All of it. `varied`: each run's `key=value` parts."""
    origin = united(summary.origin for summary in runs.values())
    title = run_title(name, origin.simulated, all(summary.complete for summary in runs.values()))
    blocks = {label: summary.overall for label, summary in runs.items()}
    parts = run_columns(settings, list(blocks.values()))
    legend = [*_settings_legend(settings, runs), *_runs_legend({head for part in parts for head, _ in part})]
    cells = [[(head, [cell(block) for block in blocks.values()]) for head, cell in part] for part in parts]
    return Group(
        Text(title),
        *spaced(
            *_settings_tables(settings),
            *(_differences_tables(settings) if len(settings) > 1 else ()),
            *_tables(varied, "run", cells),
        ),
        *(Text(line, style="dim") for line in legend),
        *notes(origin),
    )


def run_columns(settings: Mapping[str, Setting], blocks: Sequence[Block]) -> list[Columns]:
    """Those that say something new of the runs: of a setting's only run its own row has said how much it solved."""
    success = SUCCESS if len(blocks) > len(settings) else ()
    told = {
        "Pass@1": all(block.success_metric == "pass_at_1" for block in blocks),
        "later": not any(block.told_by_later for block in blocks),
        "open": not any(block.open for block in blocks),
        "infra": not any(block.infra_errors.episodes for block in blocks),
    }
    return [
        [
            (head, cell)
            for head, cell in part
            if part is success or (not told.get(head) and any(cell(block) != "-" for block in blocks))
        ]
        for part in (success, OUTCOMES, EFFORT, LEARNT)
    ]


def _settings_tables(settings: Mapping[str, Setting]) -> list[Table]:
    found = settings.values()
    columns = [
        ("streams", [str(each.streams) for each in found]),
        ("n", [_done(each) for each in found]),
        ("success", [percent(each.success_rate) for each in found]),
        ("95 %", [interval(each.interval) for each in found]),
    ]
    return _tables({name: name.split(",") for name in settings}, "setting", [columns])


def _differences_tables(settings: Mapping[str, Setting]) -> list[Table]:
    heads = ("pairs", "diff.", "95 %", "detectable", "both solved", "steps", f"steps of {_short(settings)}")
    rows = []
    for setting in list(settings.values())[1:]:
        against = setting.difference
        cells = ["0", "-", "-", "-", "0", "-", "-"]
        if against is not None and against.success_rate is not None:
            cells[:3] = [str(against.n), f"{100 * against.success_rate:+.1f}", interval(against.interval)]
            if against.detectable is not None:
                cells[3] = f"{100 * against.detectable:.1f}"
            if both := against.both_solved:
                cells[4:] = [str(both.n), number(both.steps_mean), number(both.steps_mean_other)]
        rows.append(cells)
    names = {name: name.split(",") for name in list(settings)[1:]}
    columns = [(head, [row[place] for row in rows]) for place, head in enumerate(heads)]
    return _tables(names, "setting", [columns[:4], columns[4:]])


def _short(settings: Mapping[str, Setting]) -> str:
    """The first setting's name, without its key where it has one only."""
    name = next(iter(settings))
    value = name.rpartition("=")[2]
    return value if name.count("=") == 1 and len(value) <= LONGEST else "first"


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
        lines.append(f"both solved: pairs that both solved; then the steps of either in them, of {first} last")
    if any(each.difference and each.difference.interval is None for each in settings.values()):
        lines.append("95 % is a dash: every pair differs by the same, from which no interval can be drawn")
    shown = [setting.interval for setting in settings.values()]
    shown += [setting.difference.interval for setting in settings.values() if setting.difference]
    shown += [summary.overall.interval for summary in runs.values()]
    return [*lines, *interval_legend(shown)]


def _runs_legend(heads: Collection[str]) -> list[str]:
    said = {
        "steps": "steps, solved, failed: steps of all attempts, of solved ones, of failed ones",
        "judge": "judge: right verdicts",
        "refus.": "refus.: replies that could not be used; inject: recalled tokens a task",
        "later": "later: tasks told by tasks of a later date (retrieval.exclude_later=true forbids it)",
        "open": "open: tasks that are not evaluated yet (python -m eval score)",
        "infra": "infra: tasks left out for an infra_error",
    }
    return [line for head, line in said.items() if head in heads]


def _tables(labels: Mapping[str, Sequence[str]], name: str, parts: Sequence[Cells]) -> list[Table]:
    """Columns of cells beside the labels of their rows, in as many tables as it takes for each to fit in WIDTH.

    The columns of one part stay together.
    """
    tables: list[list[tuple[str, Sequence[str]]]] = []
    heads, rows = _label_columns(labels, name)
    taken = sum(max(map(len, cells)) + GAP for cells in zip(heads, *rows, strict=True))
    left = 0
    for part in filter(None, parts):
        width = sum(max(map(len, (head, *cells))) + GAP for head, cells in part)
        if not tables or width > left:
            tables.append([])
            left = WIDTH + GAP - taken
        tables[-1] += part
        left -= width
    return [_table(heads, rows, columns) for columns in tables]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: Sequence[tuple[str, Sequence[str]]]) -> Table:
    table = Table(**LOOK)
    for place, head in enumerate(heads):
        numbers = all(row[place].isdecimal() for row in rows)
        table.add_column(head, justify="right" if numbers else "left", no_wrap=True)
    for head, _ in columns:
        table.add_column(head, justify="right", no_wrap=True)
    for place, row in enumerate(rows):
        table.add_row(*row, *(cells[place] for _, cells in columns))
    return table


def _label_columns(varied: Mapping[str, Sequence[str]], name: str) -> tuple[list[str], list[list[str]]]:
    """A column for each key where all rows have the same keys, else one; their heads, and each row's cells."""
    split = {label: [part.partition("=") for part in parts] for label, parts in varied.items()}
    keys = {tuple(key.lstrip("+") for key, _, _ in parts) for parts in split.values()}
    if len(keys) == 1 and all(equals for parts in split.values() for _, equals, _ in parts):
        return [HEADS.get(key, key) for key in keys.pop()], [[value for _, _, value in each] for each in split.values()]
    return [name], [[label] for label in varied]
