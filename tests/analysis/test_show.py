"""`python -m eval show`: what a person sees of a run and of one episode."""

from __future__ import annotations

from pathlib import Path

import pytest
from journal_maker import line, trajectory, write_attempts, write_run

from eval.commands.show import CUT, main
from eval.journal import AttemptResult, RecalledExperience
from reasoningbank.errors import SetupError

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


def test_the_overview_has_a_row_for_every_episode(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "demo", "--results", run.parent)
    assert "demo / shopping.t0 (simulated)" in text
    assert "demo / shopping.t1 (simulated, incomplete)" in text
    for part in ("+-[+]", "s?f", "17 (0.81)", "2 items", "intent of", "!"):
        assert part in text


def test_an_episode_is_printed_from_recall_to_what_was_learnt(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, run, "shopping.t0/0000/17")
    order = (
        *("Episode shopping.t0/0000/17 (simulated)", "Intent: ", "Recalled (0 tokens injected)", "nothing"),
        *("Attempt 0: answered, 5 steps", "System prompt, as sent:", "# Memory\nTitle: Sort first"),
        *("Step 0  http://shopping.test/", "Thought: Look first", "Action:  click('12')"),
        *("Error:   no element 'x'", "the last page", "Answer:  answer 0"),
        *("Outcome: solved, reward 1", "Verdict: success", "Reasons: reasons of 0"),
        *("Attempt 1", "Outcome: unsolved", "Verdict: unparseable", "Attempt 2", "Verdict: failure"),
        *("Learnt (1 experiences, 0 replies refused)", "Lesson 0 of task 17", "Lesson 1 of task 17"),
    )
    place = 0
    for part in order:
        assert part in text[place:], part
        place = text.index(part, place)
    assert "WARNING" not in text


def test_observations_are_cut_unless_asked_for_in_full(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = shown(capsys, run, "shopping.t0/0000/17", "--attempt", "0")
    assert f"... {len(LONG) - CUT:,} more characters (--full)" in short
    assert "[99] link 'item 99'" not in short
    assert "Attempt 1" not in short
    full = shown(capsys, run, "shopping.t0/0000/17", "--attempt", "0", "--full")
    assert LONG.replace("\t", "  ") in full


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
        (["demo", "71"], "no task '71' among the 3 episodes.*17"),
        (["demo", "18", "--attempt", "4"], "has attempts 0 to 0, no attempt 4"),
        (["demo", "--attempt", "0"], "--attempt needs a TASK"),
    ],
)
def test_what_cannot_be_shown_is_told(run: Path, argv: list[str], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        main([*argv, "--results", str(run.parent)])


def test_a_broken_attempt_file_is_told_with_its_place(run: Path) -> None:
    path = run / "streams/shopping.t0/attempts/0000-17/0.json"
    path.write_text(path.read_text()[:50])
    with pytest.raises(SetupError, match=r"0000-17/0\.json is not an attempt's file"):
        main([str(run), "17"])
