"""`python -m eval show`: what a person sees of a run and of one episode."""

from __future__ import annotations

import fcntl
import io
import os
import re
import shlex
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journal_maker import line, trajectory, write_attempts, write_journal, write_run
from rich.console import Console

from eval.analysis.records import load_run
from eval.commands._episode import changed_part
from eval.commands.show import COLUMNS, main, overview
from eval.config.load import load_config
from eval.journal import AttemptResult, JournalLine, RecalledExperience
from reasoningbank.errors import SetupError

ROOT = Path(__file__).parents[2]
LONG = "RootWebArea 'Harbor & Pine'\n" + "\n".join(f"\t[{bid}] link 'item {bid}'" for bid in range(100))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two trials of two tasks; the first episode of the first has its attempts' files."""
    recalled = [
        RecalledExperience(
            experience_id="shopping.t0/0000/17#0",
            task_id="17",
            score=0.8125,
            item_ids=("shopping.t0/0000/17#0.0",),
        )
    ]
    first = line("shopping.t0", 0, ["+y", "-?", "+n"], task_id="17", template_id="4", selected=2, items=2)
    attempts: list[AttemptResult] = []
    paths = []
    for each in first.result.attempts:
        path = trajectory(each, "17", "How much did I spend in [bold]2023[/bold]?", observation=LONG)
        attempts.append(each.model_copy(update={"trajectory_hash": path.digest()}))
        paths.append(path)
    first = first.model_copy(update={"result": first.result.model_copy(update={"attempts": tuple(attempts)})})
    lines = [
        first,
        line("shopping.t0", 1, ["-n"], task_id="18", recalled=recalled, refused=1),
        line("shopping.t1", 0, ["!"], task_id="17", items=0),
    ]
    folder = write_run(tmp_path / "results" / "demo", lines, streams={"shopping.t0": 2, "shopping.t1": 2})
    write_attempts(folder, first.result, paths)
    return folder


def shown(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> str:
    assert main([str(each) for each in argv]) == 0
    return capsys.readouterr().out


def test_the_overview_is_a_line_for_every_episode(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "demo", "--results", run.parent).splitlines()
    titles = [each for each in lines if each.startswith("# demo / ")]
    assert titles == [
        "# demo / shopping.t0 (simulated): 2 tasks",
        "# demo / shopping.t1 (simulated, incomplete): 1 of 2 tasks",
    ]
    rows = [each.split("\t") for each in lines if not each.startswith("#")]
    assert [row for row in rows if row[0] == "pos."] == [list(COLUMNS)] * 2
    assert [row for row in rows if row[0] != "pos."] == [
        ["0", "17", "+-[+]", "s?f", "-", "2 items", "intent of 17"],
        ["1", "18", "-", "f", "17 (0.81)", "1 item", "intent of 18"],
        ["0", "17", "!", ".", "-", "0 items", "-"],
    ]
    assert any("recalled: the tasks whose experience went into the prompt" in each for each in lines)


def test_an_intent_of_several_lines_stays_on_one(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "streams/shopping.t0/journal.jsonl"
    text = path.read_text().replace("intent of 18", "intent\\n\\tof " + "very " * 60 + "18")
    write_journal(path, [JournalLine.model_validate_json(each) for each in text.splitlines()])
    lines = [each for each in shown(capsys, run).splitlines() if each.startswith("1\t")]
    assert [each.count("\t") for each in lines] == [len(COLUMNS) - 1]
    assert lines[0].endswith("very 18")


def test_a_terminal_gets_a_table(run: Path) -> None:
    text = io.StringIO()
    overview(load_run(run), Console(file=text, width=80, force_terminal=True, color_system=None))
    lines = text.getvalue().splitlines()
    assert "demo / shopping.t1 (simulated, incomplete): 1 of 2 tasks" in text.getvalue()
    assert "\t" not in text.getvalue()
    assert all(len(each) <= 80 for each in lines if "─" in each)


def test_an_episode_is_printed_from_recall_to_what_was_learnt(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, run, "shopping.t0/0000/17")
    order = (
        *("Episode shopping.t0/0000/17 (simulated)", "Intent: ", "Recalled (0 tokens injected)", "nothing"),
        *("Attempt 0: answered, 5 steps", "System prompt, as sent:", "# Memory\nTitle: Sort first"),
        *("Step 0  http://shopping.test/", "Thought: Look first", "Action: click('12')"),
        *("Error: no element 'x'", "the last page", "Answer: answer 0"),
        *("Outcome: solved, reward 1", "Verdict: success", "Reasons: reasons of 0"),
        *("Attempt 1", "Outcome: unsolved", "Verdict: unparseable", "Attempt 2", "Verdict: failure"),
        *("Learnt (1 experience, 0 replies refused)", "Lesson 0 of task 17", "Lesson 1 of task 17"),
    )
    place = 0
    for part in order:
        assert part in text[place:], part
        place = text.index(part, place)
    assert "WARNING: this file" not in text
    assert "Selected: 2" in text


def test_observations_are_cut_unless_asked_for_in_full(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = shown(capsys, run, "shopping.t0/0000/17", "--attempt", "0")
    assert re.search(r"\[\.\.\. \d+ characters left out \.\.\.\]", short)
    assert "[50] link 'item 50'" not in short, "the middle goes"
    assert short.count("[99] link 'item 99'") == 1, "the end stays, and what is as before is not shown again"
    assert "(--full: all)" in short
    assert "Attempt 1" not in short
    full = shown(capsys, run, "shopping.t0/0000/17", "--attempt", "0", "--full")
    assert LONG in full, "to the letter, tabs too"


def test_a_task_id_shows_it_in_every_stream(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, run, "17")
    assert "Episode shopping.t0/0000/17" in text
    assert "Episode shopping.t1/0000/17" in text
    assert "Outcome: none (infra_error)" in text
    assert "its trajectory file is not in the run's folder" in text


def test_recall_and_refusals_are_told(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, run, "18")
    assert "0.8125  shopping.t0/0000/17#0  items: shopping.t0/0000/17#0.0" in text
    assert "refused (extractor): no items" in text
    assert "1 reply refused" in text
    assert "Selected" not in text, "nothing is selected from one attempt"
    assert "Attempt 0: answered, 5 steps, 0 errors" in text


def test_a_trajectory_that_is_not_the_recorded_one_is_marked(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "streams/shopping.t0/attempts/0000-17/0.json"
    path.write_text(path.read_text().replace("Look first", "Look last"))
    assert "WARNING: this file is not the trajectory" in shown(capsys, run, "17", "--attempt", "0")


def test_what_pages_and_models_write_cannot_steer_the_terminal(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "streams/shopping.t0/attempts/0000-17/0.json"
    path.write_text(path.read_text().replace("Look first", r"\u001b[2J \ud800 [red]x[/red] [/]"))
    text = shown(capsys, run, "17", "--attempt", "0")
    assert "\x1b" not in text
    assert "[red]x[/red] [/]" in text


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["dem"], "no run 'dem'.*did you mean demo"),
        (["demo", "71"], r"no task '71' among the 3 episodes.*there are 17 to 18$"),
        (["demo", "x"], r"no task 'x' among the 3 episodes.*there are 17 to 18$"),
        (["demo", "shopping.t0/0001/17"], r"no episode .*did you mean .*shopping.t0/0001/18"),
        (["demo", "18", "--attempt", "4"], "has attempt 0 alone, no attempt 4"),
        (["demo", "17", "--attempt", "4"], "has attempts 0 to 2, no attempt 4"),
        (["demo", "17", "--attempt", "x"], "argument --attempt: invalid int value: 'x'; .*--help"),
        (["demo", "17", "--ful", "l"], "unrecognized arguments: l"),
        ([], "the following arguments are required: RUN"),
        (["demo", "--attempt", "0"], "--attempt needs a TASK"),
    ],
)
def test_what_cannot_be_shown_is_told(run: Path, argv: list[str], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        main([*argv, "--results", str(run.parent)])


def test_names_that_are_told_are_few(tmp_path: Path) -> None:
    run = write_run(tmp_path / "big", [line("shopping.t0", place, ["+y"], items=0) for place in range(200)])
    for wrong in ("7", "9000", "abc", "shopping.t0/0007/1", "shopping.t7/0007/107"):
        with pytest.raises(SetupError) as told:
            main([str(run), wrong])
        assert len(str(told.value)) < len(str(run)) + 200
    with pytest.raises(SetupError, match="none is finished yet"):
        main([str(write_run(tmp_path / "empty", [])), "7"])


def test_a_broken_attempt_file_is_told_with_its_place(run: Path) -> None:
    path = run / "streams/shopping.t0/attempts/0000-17/0.json"
    path.write_text(path.read_text()[:50])
    with pytest.raises(SetupError, match=r"0000-17/0\.json is not an attempt's file"):
        main([str(run), "17"])


AT_CODE = ("mini__agenda-17", "mini__agenda-104", "mini__linediff-17")


@pytest.fixture
def at_code(tmp_path: Path) -> Path:
    """A run at code, one task solved, one not, one without a patch."""
    checks = (
        {"FAIL_TO_PASS": 1.0, "PASS_TO_PASS": 1.0, "resolved": 1.0},
        {"FAIL_TO_PASS": 8 / 9, "PASS_TO_PASS": 0.9996, "tests_left_out": 2.0, "unresolved": 0.0},
        {"empty_patch": 0.0},
    )
    lines = []
    for place, (task, found) in enumerate(zip(AT_CODE, checks, strict=True)):
        each = line("mini.t0", place, ["-y" if place else "+y"], task_id=task)
        (attempt,) = each.result.attempts
        assert attempt.outcome is not None
        judged = attempt.model_copy(update={"outcome": attempt.outcome.model_copy(update={"checks": found})})
        lines.append(
            each.model_copy(update={"result": each.result.model_copy(update={"attempts": (judged,), "task_id": task})})
        )
    return write_run(tmp_path / "code", lines)


def test_the_state_of_a_patch_is_a_name_and_the_tests_are_shares(
    at_code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [
        "Outcome: solved, reward 1 (resolved, FAIL_TO_PASS 1, PASS_TO_PASS 1)",
        "Outcome: unsolved, reward 0 (unresolved, FAIL_TO_PASS 0.89, PASS_TO_PASS 0.99, tests_left_out 2)",
        "Outcome: unsolved, reward 0 (empty_patch)",
    ]
    for task, said in zip(AT_CODE, told, strict=True):
        assert said in shown(capsys, at_code, task).splitlines()


def test_the_end_of_an_id_names_a_task_that_no_other_ends_with(
    at_code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for end in ("104", "agenda-104", "_agenda-104"):
        assert "Episode mini.t0/0001/mini__agenda-104" in shown(capsys, at_code, end)
    with pytest.raises(SetupError, match=r"2 end so, write more of one: mini__agenda-17, mini__linediff-17$"):
        main([str(at_code), "17"])
    for no_end in ("4", "a-104", "0", ""):
        with pytest.raises(SetupError, match="among the 3 episodes of"):
            main([str(at_code), no_end])


def test_what_there_is_one_of_is_told_as_one(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "one", [line("mini.t0", 0, ["+y"], task_id="mini__agenda-17")])
    with pytest.raises(SetupError, match=r"among the 1 episode of .*; there is mini__agenda-17$"):
        main([str(folder), "zzz"])


@pytest.mark.parametrize(
    ("codes", "meta", "message"),
    [
        (["+y"], {"choices": {"agent": "web"}}, "no attempts at code, but on pages: nothing is written"),
        (["+y"], {"choices": {"agent": "code"}}, "none of its attempts' files .*: nothing is written"),
        ([], {}, "no finished attempt yet: nothing is written"),
    ],
)
def test_an_export_of_nothing_is_refused(
    codes: list[str], meta: dict[str, object], message: str, tmp_path: Path
) -> None:
    from eval.commands.export import main as export

    described = {"settings": load_config([]).model_dump(mode="json"), "identity": {"models": {"agent": "a"}}, **meta}
    folder = write_run(tmp_path / "one", [line("mini.t0", 0, codes)] if codes else [], **described)
    with pytest.raises(SetupError, match=message):
        export([str(folder)])
    assert not (folder / "mini-swe-agent").exists()


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_what_differs_is_shown_and_the_rest_counted(new: list[str], old: list[str]) -> None:
    shown_lines = changed_part("\n".join(new), "\n".join(old)).splitlines()
    counts = [int(found) for each in shown_lines for found in re.findall(r"\d+", each)]
    whole = [each for each in shown_lines if not each.startswith("[...")]
    assert sum(counts) + len(whole) == len(new)
    if new != old:
        place = 0
        for each in whole:  # in order, each of them of the new text
            place = new.index(each, place) + 1


PAGER = "import sys; open({!r}, 'a').write(sys.stdin.read())"


@pytest.mark.parametrize(("argv", "lines", "paged"), [([], 5, True), ([], 999, False), (["--no-pager"], 5, False)])
def test_on_a_terminal_what_is_too_long_goes_by_pages(
    argv: list[str], lines: int, paged: bool, run: Path, tmp_path: Path
) -> None:
    here, there = os.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
    pager = f"{sys.executable} -c {shlex.quote(PAGER.format(str(tmp_path / 'pages')))}"
    # without what is only in the environment of C, where readline writes the size of another terminal
    env = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS")}
    line = [sys.executable, "-m", "eval", "show", str(run), *argv]
    env |= {"PAGER": pager, "TERM": "xterm"}
    with subprocess.Popen(line, cwd=ROOT, stdout=there, stdin=there, stderr=there, env=env) as process:
        os.close(there)
        said = read_all(here)
    assert process.returncode == 0
    pages = (tmp_path / "pages").read_text() if (tmp_path / "pages").exists() else ""
    assert ("shopping.t1" in pages, "shopping.t1" in said) == (paged, not paged)


def read_all(terminal: int) -> str:
    """Until the other side is closed, which a terminal tells by an error."""
    said = b""
    with os.fdopen(terminal, "rb", buffering=0) as file, suppress(OSError):
        while part := file.read(4096):
            said += part
    return said.decode()
