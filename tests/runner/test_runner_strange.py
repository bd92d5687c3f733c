"""Runs of strange content: texts of any kind, folders of any name, and journals that an earlier program wrote."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from runner_helpers import HERE, bank_ids, results
from strange import TEXTS
from watched_bench import bench_of, run_bench

from eval.__main__ import main
from eval.analysis.records import load_run, read_lines
from eval.analysis.summary import summarize
from eval.runs.journal_file import JournalFile
from reasoningbank.bank.bank import Bank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.text import storable

OLD = HERE / "old/version_1"
JOURNAL = "streams/sums.t0/journal.jsonl"


@pytest.mark.parametrize("llm", [pytest.param("llm=strange", marks=pytest.mark.long), "llm=offline"])
def test_texts_of_any_kind_in_folders_of_any_name(llm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "a folder with spaces, ü"
    line = [
        "run",
        f"--config-dir={HERE / 'configs'}",
        f"plugins=[{HERE / 'strange.py'}]",
        "suite=strange",
        llm,
        "embedder=hashing",
    ]
    line += ["agent.max_steps=4", "scaling=parallel", "k=2", f"results_dir='{root}'"]
    assert main([*line, "run_name=job", "progress=quiet"]) == 0
    run = root / "job"
    [first] = results(run).values()
    assert len(first) == len(TEXTS)
    [held] = bank_ids(run).values()
    if llm != "llm=offline":
        assert held
        [path] = run.glob("streams/*/bank.sqlite")
        with Bank.open(path, HashingEmbedder(), create=False) as bank:
            items = [item for experience in bank.all() for item in experience.items]
        assert {len(item.content) > 50_000 for item in items} == {True, False}
        assert any(not item.content.isascii() for item in items)
        answers = [attempt["answer"] for episode in first for attempt in json.loads(episode)["attempts"]]
        assert {storable(text) for text in TEXTS} & set(answers)
    # nothing is to do, and all that was written is read and checked
    before = [path.read_bytes() for path in sorted(run.glob("streams/*/*.jsonl"))]
    assert main([*line, "run_name=job", "progress=quiet"]) == 0
    assert [path.read_bytes() for path in sorted(run.glob("streams/*/*.jsonl"))] == before
    # the last line lost: its episode runs again, from the attempts that are kept
    [path] = run.glob("streams/*/journal.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert main([*line, "run_name=job", "progress=quiet"]) == 0
    assert list(results(run).values()) == [first]
    capsys.readouterr()
    for words in (["report", str(run)], ["show", str(run)], *(["show", str(run), f"t {n}"] for n in range(8))):
        assert main(words) == 0
        assert capsys.readouterr().out


def old_run(folder: Path) -> Path:
    shutil.copytree(OLD, folder, dirs_exist_ok=True)
    return folder / JOURNAL


def test_a_journal_of_an_earlier_program_is_read_as_it_stands(tmp_path: Path) -> None:
    """Version 1, from before lines had hashes and answers had rounds."""
    raw = (OLD / JOURNAL).read_bytes()
    assert b"sha256" not in raw
    assert b"rounds" not in raw
    lines = read_lines(OLD / JOURNAL)
    assert [line.result.position for line in lines] == [0, 1, 2, 3]
    for line, text in zip(lines, raw.splitlines(), strict=True):
        kept, stored = line.model_dump(mode="json", exclude_defaults=True)["result"], json.loads(text)["result"]
        assert [attempt["answer"] for attempt in kept["attempts"]] == [each["answer"] for each in stored["attempts"]]
        assert line.result.model_dump(mode="json")["learnt"] == stored["learnt"]
    old_run(tmp_path / "run")
    summary = summarize(load_run(tmp_path / "run"))
    assert (summary.overall.n, summary.overall.success_rate, summary.overall.pass_at_1) == (4, 1.0, 0.875)
    assert main(["report", str(tmp_path / "run")]) == 0


def test_a_journal_of_an_earlier_program_is_continued(tmp_path: Path) -> None:
    journal = old_run(tmp_path)
    raw = journal.read_bytes()
    bench = bench_of("memory=reasoningbank", "scaling=parallel", "k=2", "limit=6")
    lines = run_bench(bench, journal.parent)
    assert journal.read_bytes().startswith(raw), "what was written stays to the byte"
    assert [line.result.position for line in lines] == list(range(6))
    kept = JournalFile(journal)
    kept.close()
    assert [bool(line.sha256) for line in kept.lines] == [False] * 4 + [True] * 2
    learnt = {experience.id for line in lines[:4] for experience in line.result.learnt}
    assert learnt
    assert {each.experience_id for line in lines[4:] for each in line.result.recalled} & learnt, (
        "of the old lines' bank"
    )
    # from the first hashed line on nothing can be changed
    changed = journal.read_bytes().splitlines(keepends=True)
    changed[4] = changed[4].replace(b'"selected":0', b'"selected":1').replace(b'"task_id":"4"', b'"task_id":"5"')
    journal.write_bytes(b"".join(changed))
    with pytest.raises(SetupError, match="line 5 or one before it was changed"):
        JournalFile(journal)


@pytest.mark.parametrize("version", [0, -1, None, "1", "absent"])
def test_a_schema_version_that_no_program_wrote_is_refused(version: object, tmp_path: Path) -> None:
    journal = old_run(tmp_path)
    lines = [json.loads(text) for text in journal.read_text().splitlines()]
    lines[-1] |= {"schema_version": version}
    if version == "absent":
        del lines[-1]["schema_version"]
    journal.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    before = journal.read_bytes()
    with pytest.raises(SetupError, match="line 4 has schema version"):
        JournalFile(journal)
    assert journal.read_bytes() == before
    with pytest.raises(SetupError, match="line 4 has schema version"):
        read_lines(journal)
