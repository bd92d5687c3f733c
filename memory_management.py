"""Look into a bank: list, show, search, export, lint. Nothing of a bank is ever changed.

python memory_management.py list RUN --stream shopping.t0
python memory_management.py search bank.sqlite "how much did I spend" -k 3
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval.__main__ import guarded, run_program
from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from eval.banks.opened import BankFile
    from reasoningbank.bank.bank import Bank
    from reasoningbank.types import Experience

EXAMPLES = """examples:
  python memory_management.py list RUN --stream shopping.t0     one row an experience
  python memory_management.py show RUN 3 --stream shopping.t0   what task 3 taught
  python memory_management.py show RUN 'shopping.t0/0003/3#0' --stream shopping.t0   an experience by its id, or an item
  python memory_management.py search RUN "how much did I spend" --stream shopping.t0 -k 3
  python memory_management.py export RUN lessons.md --stream shopping.t0   or .json .jsonl, or .sqlite for a copy
  python memory_management.py lint bank.sqlite                  everything that is not as it was written

BANK is a bank's file, or a run by its folder or its name under the results folder, with --stream where it has several
streams: their names stand in `python -m eval show RUN`. To change what a run has learnt,
export a copy first and give it to another run by bank.init_from.
"""

COLUMNS = ("id", "task", "kind", "items", "title")


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python memory_management.py",
        description="Look into a bank. Nothing of it is ever changed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Arguments)
    helps = {
        "list": "one row an experience: id, task, kind, items, title",
        "show": "an experience in full: by its id, an item's, or its task's",
        "search": "what is most like a text, with its cosine similarity",
        "export": "write it to a new file: .json, .jsonl, .md, or .sqlite for a copy",
        "lint": "say everything that is not as it was written; exit code 2 where something is not",
    }
    parsers = {name: commands.add_parser(name, help=text, description=text) for name, text in helps.items()}
    for each in parsers.values():
        each.add_argument("bank", metavar="BANK", help="a bank's file, or a run's folder or name")
    parsers["show"].add_argument("id", metavar="ID", help="of an experience, an item or a task")
    parsers["search"].add_argument("text", metavar="TEXT", help="what a task might ask for")
    parsers["search"].add_argument("-k", type=int, default=5, help="how many (default: 5)")
    parsers["search"].add_argument("--embedder", metavar="NAME", help="of configs/embedder (default: the bank's own)")
    parsers["export"].add_argument("out", metavar="OUT", type=Path, help="the new file")
    for each in parsers.values():
        each.add_argument("--stream", metavar="NAME", help="which stream, where the run has several")
        each.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)

    from eval.banks.opened import find_bank, looked_at
    from reasoningbank.errors import SetupError

    file = find_bank(options.bank, options.results, options.stream)
    if options.command == "search":
        if options.k < 1:
            raise SetupError(f"-k {options.k}: must be 1 or more")
        if not options.text.strip():
            raise SetupError("TEXT is empty, and nothing is like it: write what a task might ask for")
        search(file, options.text, options.k, options.embedder)
        return 0
    if options.command == "export":
        export(file, options.out)
        return 0
    if options.command == "lint":
        return check(file)
    with looked_at(file) as bank:
        if options.command == "show":
            found = matching(bank, options.id)
            write(f"# {title(file, bank.store.meta)}\n")
            for experience in found:
                write(text_of(experience))
        else:
            list_all(file, bank)
    return 0


def list_all(file: BankFile, bank: Bank) -> None:
    from reasoningbank.text import counted

    experiences = bank.all()
    items = sum(len(experience.items) for experience in experiences)
    about = f"embedder {bank.embedder_id}, ranked by {bank.key}, tasks of {bank.scope or 'an unknown world'}"
    held = f"{counted(len(experiences), 'experience')}, {counted(items, 'item')}"
    head = f"{title(file, bank.store.meta)}: {held}; {about}"
    table(COLUMNS, [row(experience) for experience in experiences], head)


def search(file: BankFile, text: str, k: int, embedder: str | None) -> None:
    from eval.banks.opened import looked_at, own_embedder
    from eval.config.keys import take_env_file

    take_env_file()
    with looked_at(file, own_embedder(file, embedder)) as bank:
        head = title(file, bank.store.meta)
        hits = bank.search(text, k, exclude_task=None)
    cells = [[f"{hit.score:.4f}", *row(hit.experience.model_copy(update={"items": hit.items}))] for hit in hits]
    table(("score", *COLUMNS), cells, f"{head}: the {len(hits)} most like {text!r}")


def export(file: BankFile, out: Path) -> None:
    from eval.banks.opened import looked_at
    from eval.names import nearest
    from eval.new_files import new_file, write_new
    from reasoningbank.bank.copy import copy_bank
    from reasoningbank.errors import SetupError

    kind = out.suffix.lower()
    if kind not in (".json", ".jsonl", ".md", ".sqlite"):
        there = nearest(kind, (".json", ".jsonl", ".md", ".sqlite"))
        raise SetupError(f"{out}: the name's ending says in which form it is written; {there}")
    if kind == ".sqlite":
        with new_file(out) as made:
            copy_bank(file.path, made)
    else:
        with looked_at(file) as bank:
            write_new(out, exported(file, bank, kind))
    write(f"written: {out}")


def exported(file: BankFile, bank: Bank, kind: str) -> str:
    """The bank's content as a file of that kind."""
    import json

    from eval.banks.opened import origin_of

    experiences = bank.all()
    data = [experience.model_dump(mode="json") for experience in experiences]
    if kind == ".jsonl":
        return "".join(f"{json.dumps(each, ensure_ascii=False, sort_keys=True)}\n" for each in data)
    if kind == ".json":
        origin = origin_of(file, bank.store.meta).model_dump(mode="json")
        about = {"schema_version": 1, **origin, "meta": bank.store.meta, "experiences": data}
        return json.dumps(about, ensure_ascii=False, indent=2) + "\n"
    return "\n".join([f"# {title(file, bank.store.meta)}\n", *(f"{text_of(each)}\n" for each in experiences)])


def check(file: BankFile) -> int:
    from eval.banks.opened import looked_at
    from reasoningbank.bank.copy import examine
    from reasoningbank.text import counted

    found = examine(file.path)
    meta: Mapping[str, str] = {}  # a damaged bank's word is worth nothing
    if not found:
        with looked_at(file) as bank:
            meta = bank.store.meta
    for fault in found:
        write(f"{fault.experience_id or '-'}\t{fault.detail}")
    write(f"# {title(file, meta)}: {counted(len(found), 'fault')}")
    return 2 if found else 0


def matching(bank: Bank, wanted: str) -> list[Experience]:
    """The experiences of that id, with an item of that id, or of the task. SetupError tells which there are."""
    from eval.names import known_ids
    from reasoningbank.errors import SetupError
    from reasoningbank.text import counted

    experiences = bank.all()
    found = [each for each in experiences if wanted in (each.id, each.task_id)]
    for each in experiences:
        if item := next((item for item in each.items if item.id == wanted), None):
            found.append(each.model_copy(update={"items": (item,)}))
    if not found:
        known = [each.id for each in experiences] if "/" in wanted else [each.task_id for each in experiences]
        near = known_ids(wanted, known) if known else "it is empty"
        what = "experience or item" if "/" in wanted else "task"
        raise SetupError(
            f"no {what} {wanted!r} among the {counted(len(experiences), 'experience')}; {near}; `list` shows all"
        )
    return found


def text_of(experience: Experience) -> str:
    """All of an experience, in Markdown."""
    lines = [
        f"## {experience.id}",
        "",
        f"Query: {experience.query}",
        f"Task: {experience.task_id}   Template: {experience.template_id or '-'}   Group: {experience.group or '-'}",
        f"Kind: {experience.kind}   From: {', '.join(experience.source_attempts)}",
        *(f"Verdict: {verdict.label}. {verdict.reasons}".rstrip() for verdict in experience.verdicts),
    ]
    for item in experience.items:
        lines += ["", f"### {item.title}", "", f"{item.id} [{item.polarity}]", "", item.description, "", item.content]
    return "\n".join(lines) + "\n"


def row(experience: Experience) -> list[str]:
    """The cells of COLUMNS: of several items the first one's title, and how many follow."""
    count = len(experience.items)
    first = experience.items[0].title if count else "-"
    more = f" (+{count - 1})" if count > 1 else ""
    return [experience.id, experience.task_id, experience.kind, str(count), f"{first}{more}"]


def table(head: Sequence[str], cells: Sequence[Sequence[str]], about: str) -> None:
    from eval.terminal.rows import new_console, print_rows

    print_rows(new_console(), head, cells, title=about, right=("items", "score"), wide="title")


def title(file: BankFile, meta: Mapping[str, str]) -> str:
    """The file, and what had a say in what it holds."""
    from eval.banks.opened import origin_of

    origin = origin_of(file, meta)
    said = [
        *(["simulated"] if origin.simulated else []),
        *(f"knows gold through {door}" for door in origin.gold_doors),
        *(f"from runs with given lessons: {name}" for name in origin.given_lessons),
        *([] if origin.origin_known else ["what made it is unknown"]),
    ]
    return f"{file.path} ({'; '.join(said)})" if said else str(file.path)


def write(text: str) -> None:
    from eval.terminal.program import safe

    print(safe(text))


if __name__ == "__main__":
    run_program(lambda: guarded(lambda: main(sys.argv[1:]), sys.argv[1:]))
