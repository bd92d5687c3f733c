"""A run's figures as tables for a terminal, and the same as plain text for a file."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from eval.analysis.origin import Origin
from eval.analysis.summary import Block, IntervalValue, Share, Summary
from reasoningbank.text import counted
from reasoningbank.types import Role

SIMULATED = "simulated: made by the offline model, which cannot show whether memory helps"
LATER = (
    "told by later tasks: what was recalled came from a task of a later date, and may hold what was to be found; "
    "retrieval.exclude_later=true leaves it out"
)
FEW_STREAMS = 10
METRICS = {"pass_at_1": "Pass@1", "best_of_n": "best-of-N", "last_answer": "last answer"}
Cell = Callable[[Block], str]

_FILE_WIDTH = 120
_ABREAST = 4  # streams side by side in 80 columns
LOOK: dict[str, Any] = {
    "box": SIMPLE_HEAD,
    "show_edge": False,
    "pad_edge": False,
    "collapse_padding": True,
}


def run_table(summary: Summary) -> RenderableType:
    """One row a figure, one column a stream, the overall last; many streams are several tables below each other."""
    columns = [*summary.streams.items(), ("overall", summary.overall)]
    if len(summary.streams) == 1:
        columns = [(f"{name} = overall", block) for name, block in summary.streams.items()]
    tables = [_part(summary, columns[start : start + _ABREAST]) for start in range(0, len(columns), _ABREAST)]
    title = Text(run_title(summary.run, summary.simulated, summary.complete))
    start = [Text(f"bank: {summary.bank}", style="dim")] if summary.bank else []
    shown = [block.interval for block in (*summary.streams.values(), summary.overall)]
    legend = [Text(line, style="dim") for line in (*interval_legend(shown), *told_legend(summary.overall))]
    return Group(title, *spaced(*tables), *legend, *start, *notes(summary.origin))


def told_legend(block: Block) -> list[str]:
    """What it means to be told by later tasks, where any task was."""
    return [LATER] if block.told_by_later else []


def interval_legend(shown: Sequence[IntervalValue | None]) -> list[str]:
    """What the 95 % intervals of a table do not cover."""
    known = [each for each in shown if each is not None]
    drawn = [each.streams for each in known if each.method == "bootstrap_streams"]
    lines = []
    if len(drawn) < len(known):
        which = "of one stream " if drawn else ""
        lines.append(f"95 %: {which}drawn from tasks alone: nothing about other seeds, orders, worlds")
    if drawn and min(drawn) < FEW_STREAMS:
        few = counted(min(drawn), "stream")
        lines.append(f"95 %: drawn from {few} a group only, and so too narrow; more seeds mend that")
    return lines


def _part(summary: Summary, columns: Sequence[tuple[str, Block]]) -> Table:
    table = Table(**LOOK)
    table.add_column("", no_wrap=True)
    for name, _ in columns:
        table.add_column(name, justify="right")
    for label, cell in _rows(summary):
        table.add_row(label, *(cell(block) for _, block in columns))
    return table


def spaced(*tables: Table) -> list[RenderableType]:
    """Each followed by an empty line."""
    return [each for table in tables for each in (table, Text())]


def plain(renderable: RenderableType, width: int = _FILE_WIDTH) -> str:
    """The same as text without colours, for a file."""
    buffer = io.StringIO()
    Console(file=buffer, width=width, color_system=None, force_terminal=False, legacy_windows=False).print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in buffer.getvalue().splitlines())


def run_title(name: str, simulated: bool, complete: bool) -> str:
    """`NAME (simulated, incomplete)`."""
    marks = [*(["simulated"] if simulated else []), *([] if complete else ["incomplete"])]
    return f"{name} ({', '.join(marks)})" if marks else name


def percent(value: float | None) -> str:
    """`47.5 %`, or a dash."""
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value: float | None, digits: int = 1) -> str:
    """With thousands apart, or a dash."""
    return "-" if value is None else f"{value:,.{digits}f}"


def _rows(summary: Summary) -> list[tuple[str, Cell]]:
    """Those that say something of this run: with one attempt a task there is one rate, and without a judge no table."""
    blocks: Sequence[Block] = [*summary.streams.values(), summary.overall]
    metric = METRICS[summary.overall.success_metric]
    ks = sorted({int(k) for block in blocks for k in block.pass_at_k or {}})
    rounds = range(1, 1 + max((block.answers.most for block in blocks if block.answers), default=0))
    roles = sorted({role for block in blocks for role in block.tokens})
    many = any((block.k or 1) > 1 and block.pass_at_1 is not None for block in blocks)
    rows: list[tuple[str, Cell]] = [
        ("tasks (n)", tasks_done),
        (f"success ({metric})", lambda b: percent(b.success_rate)),
        ("  95 % interval", lambda b: interval(b.interval)),
        *(_MANY[summary.overall.success_metric == "pass_at_1" :] if many else ()),
        *((f"pass@{k}", _pass_at(k)) for k in ks if k > 1),
        *((f"solved after answer {number}", _after(number)) for number in rounds),
        *(_FLIPS if rounds else ()),
        ("first of template (n)", lambda b: _share(b.template_first)),
        ("repeat of template (n)", lambda b: _share(b.template_repeat)),
        ("steps, all attempts", lambda b: number(b.steps_mean)),
        ("steps, solved attempts", lambda b: number(b.steps_mean_solved)),
        ("steps, failed attempts", lambda b: number(b.steps_mean_failed)),
        *(_JUDGE if any(block.judge_confusion for block in blocks) else ()),
        ("experiences stored", lambda b: str(b.experiences_stored)),
        ("items stored", lambda b: str(b.items_stored)),
        ("refused replies", lambda b: str(b.refused)),
        ("injected tokens a task", lambda b: number(b.injected_tokens_mean, 0)),
        *((f"{role} tokens in, out", _tokens(role)) for role in roles),
        *_costs(blocks),
    ]
    if any(block.open for block in blocks):
        rows.append(("not evaluated yet", lambda b: counted(b.open, "task")))
    if any(block.told_by_later for block in blocks):
        rows.append(("told by later tasks (n)", lambda b: str(b.told_by_later)))
    if any(block.ungraded for block in blocks):
        rows.append(("answers not graded", lambda b: str(b.ungraded)))
    if any(block.overhead.retries for block in blocks):
        rows.append(("retries", lambda b: f"{b.overhead.retries:,}"))
    if any(_lost(block) != (0, 0) for block in blocks):
        rows.append(("lost tokens in, out", lambda b: ", ".join(map(_short, _lost(b)))))
    if any(block.overhead.cached_tokens for block in blocks):
        rows.append(("cached tokens in", lambda b: _short(b.overhead.cached_tokens)))
    if any(block.infra_errors.episodes for block in blocks):
        rows.append(("left out (infra_error)", lambda b: counted(b.infra_errors.episodes, "task")))
    return rows


def _costs(blocks: Sequence[Block]) -> list[tuple[str, Cell]]:
    """Where anything was paid for: by role, if more than one has a part in it."""
    roles = sorted({role for block in blocks for role in block.spent})
    if not roles:
        return []
    apart = [(f"  {role}", _cost(role)) for role in roles] if len(roles) > 1 else []
    return [("cost, US$", cost), *apart]


def cost(block: Block) -> str:
    """In US dollars; a dash where nothing was paid for."""
    return dollars(block.cost_usd) if block.spent else "-"


def _cost(role: Role) -> Cell:
    return lambda block: dollars(block.spent[role].cost_usd) if role in block.spent else "-"


def dollars(value: float | None) -> str:
    """With four digits where it is little."""
    if value is None:
        return "unknown"
    return f"{value:,.2f}" if value >= 10 or not value else f"{value:.4f}"


def _lost(block: Block) -> tuple[int, int]:
    failed = block.overhead.failed_tokens
    return failed.input_tokens, failed.output_tokens


def stamps(origin: Origin) -> list[str]:
    """What must be told beside any figure of what came about that way."""
    found = [SIMULATED] if origin.simulated else []
    if origin.gold_doors:
        doors = ", ".join(origin.gold_doors)
        found.append(f"gold reached what was learnt, through {doors}: no result to compare with others")
    if origin.given_lessons:
        names = ", ".join(origin.given_lessons)
        found.append(f"lessons given ({names}): written beforehand by who may know the tasks, learnt by no method")
    if not origin.origin_known:
        found.append(
            "starts from a bank that does not say what made it: a simulated model or gold may have had a say in it"
        )
    return found


def notes(origin: Origin) -> list[Text]:
    """The stamps, for a table."""
    return [Text(f"! {stamp}", style="bold yellow") for stamp in stamps(origin)]


def tasks_done(block: Block) -> str:
    """How many, and of how many where some are missing."""
    return str(block.n) if block.complete or block.planned is None else f"{block.n} of {block.planned}"


def interval(value: IntervalValue | None) -> str:
    """`[47.6, 66.2]`, in percent, or a dash."""
    return "-" if value is None else f"[{100 * value.low:.1f}, {100 * value.high:.1f}]"


def _share(share: Share) -> str:
    return f"{percent(share.success_rate)} ({share.n})"


def _short(tokens: int) -> str:
    if tokens < 10_000:
        return f"{tokens:,}"
    return f"{tokens / 1e3:,.1f}k" if tokens < 1_000_000 else f"{tokens / 1e6:,.2f}M"


def _judged(*kinds: str) -> Cell:
    def cell(block: Block) -> str:
        table = block.judge_confusion
        return "-" if table is None else " / ".join(str(getattr(table, kind)) for kind in kinds)

    return cell


def _pass_at(k: int) -> Cell:
    return lambda block: percent((block.pass_at_k or {}).get(str(k)))


def _after(number: int) -> Cell:
    return lambda block: "-" if block.answers is None else percent(block.answers.solved_after.get(str(number)))


_FLIPS: tuple[tuple[str, Cell], ...] = (
    ("answers turned right", lambda b: "-" if b.answers is None else str(b.answers.wrong_to_right)),
    ("answers turned wrong", lambda b: "-" if b.answers is None else str(b.answers.right_to_wrong)),
    ("answers an attempt", lambda b: "-" if b.answers is None else number(b.answers.mean)),
)


_MANY: tuple[tuple[str, Cell], ...] = (
    ("Pass@1 (mean of c/k)", lambda b: percent(b.pass_at_1)),
    ("one random attempt", lambda b: percent(b.one_random_attempt)),
)
_JUDGE: tuple[tuple[str, Cell], ...] = (
    ("judge accuracy", lambda b: percent(b.judge_accuracy)),
    ("judge tp / fp", _judged("tp", "fp")),
    ("judge tn / fn", _judged("tn", "fn")),
    ("judge unparseable", _judged("unparseable")),
)


def _tokens(role: Role) -> Cell:
    def cell(block: Block) -> str:
        used = block.tokens.get(role)
        return "-" if used is None else f"{_short(used.input_tokens)}, {_short(used.output_tokens)}"

    return cell
