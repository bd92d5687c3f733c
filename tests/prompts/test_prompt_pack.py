"""The prompt pack: overriding, strictness, the split in messages, and every prompt's text as a golden file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from reasoningbank.errors import SetupError
from reasoningbank.prompts import DEFAULT_FOLDER, PromptPack
from reasoningbank.types import MemoryItem

GOLDEN = Path(__file__).parent.parent / "golden" / "prompts"

STEPS = "## Step 1\nThought: I look.\nAction: click('1')\n\n## Step 2\nThought: I know.\nAction: noop()"
RUN = {"intent": "How many pears are in the basket?", "trajectory": STEPS}

JUDGED = {
    **RUN,
    "final_url": "http://any.test/basket",
    "final_page": "RootWebArea 'Basket'",
    "answer": "3",
    "medium": "pages",
}
IN_SHELL = {
    "intent": "Pears are counted twice.",
    "trajectory": "## Step 1\nThought: I look.\nAction: ls\nOutput:\n  basket.py",
    "final_page": "  Changes made:\n  --- a/basket.py\n  +++ b/basket.py\n\n  Output of the last command:\n  3 passed",
    "final_url": "",
    "earlier_pages": [],
    "answer": "Pears were added twice.",
    "medium": "shell",
}


def run(label: str, reasons: str = "") -> dict[str, str]:
    return {"label": label, "trajectory": STEPS, "judge_reasons": reasons}


def item(number: int, polarity: Any = "success") -> MemoryItem:
    return MemoryItem(
        id=f"e#0.{number}", title=f"Title {number}", description=f"About {number}.", content="Do.", polarity=polarity
    )


ITEMS = [item(0), item(1, "failure")]
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "judge": ("judge", {**JUDGED, "earlier_pages": [], "strict": False}),
    "judge_shell": ("judge", {**IN_SHELL, "strict": False}),
    "judge_shell_strict": ("judge", {**IN_SHELL, "strict": True}),
    "judge_strict": ("judge", {**JUDGED, "earlier_pages": [], "strict": True}),
    "judge_pages": (
        "judge",
        {
            **{**JUDGED, "strict": False},
            "earlier_pages": [
                {"step": 1, "url": "http://any.test/", "page": "  RootWebArea 'Home'"},
                {"step": 2, "url": "", "page": "  RootWebArea 'Basket'"},
            ],
        },
    ),
    "extract_success": ("extract_success", {**RUN, "max_items": 3, "judge_reasons": ""}),
    "extract_success_reasons": ("extract_success", {**RUN, "max_items": 3, "judge_reasons": "It was shown."}),
    "extract_failure": ("extract_failure", {**RUN, "max_items": 3, "judge_reasons": ""}),
    "extract_failure_reasons": ("extract_failure", {**RUN, "max_items": 3, "judge_reasons": "It was not shown."}),
    "contrast_mixed": (
        "contrast",
        {"intent": RUN["intent"], "max_items": 5, "runs": [run("failure"), run("success"), run("failure")]},
    ),
    "contrast_all_success": (
        "contrast",
        {"intent": RUN["intent"], "max_items": 5, "runs": [run("success"), run("success")]},
    ),
    "contrast_all_failure": (
        "contrast",
        {"intent": RUN["intent"], "max_items": 5, "runs": [run("failure"), run("failure")]},
    ),
    "contrast_unlabelled": (
        "contrast",
        {"intent": RUN["intent"], "max_items": 5, "runs": [run("unlabelled"), run("unlabelled")]},
    ),
    "contrast_reasons": (
        "contrast",
        {"intent": RUN["intent"], "max_items": 5, "runs": [run("success", "Good."), run("failure", "Bad.")]},
    ),
    "workflow_success": ("workflow", {**RUN, "max_items": 3, "label": "success"}),
    "workflow_failure": ("workflow", {**RUN, "max_items": 3, "label": "failure"}),
    "grade": ("grade", {"question": "What is the price?", "reference": "$12.00", "answer": "12 dollars"}),
    "grade_unachievable": (
        "grade_unachievable",
        {"question": "What is the price?", "reason": "nobody sells it", "answer": "There is none."},
    ),
    "select": ("select", {"intent": RUN["intent"], "candidates": [STEPS, STEPS], "medium": "pages"}),
    "select_shell": ("select", {"intent": RUN["intent"], "candidates": [STEPS, STEPS], "medium": "shell"}),
    **{
        f"{name}_{env}": (name, {"answer": "3", "env": env})
        for name in ("check_first", "check_follow_up")
        for env in ("continue", "reset", "reflect_only")
    },
    "memory_items": ("memory_items", {"items": ITEMS}),
    "memory_items_described": ("memory_items", {"items": ITEMS, "descriptions": True}),
    "memory_trajectory": ("memory_trajectory", {"items": ITEMS}),
    "memory_workflow": ("memory_workflow", {"items": ITEMS}),
}


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str) -> None:
    name, values = CASES[case]
    text = "\n".join(f"[{message.role}]\n{message.content}" for message in PromptPack().messages(name, **values)) + "\n"
    path = GOLDEN / f"{case}.txt"
    if os.environ.get("REGENERATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_every_prompt_is_under_a_golden_test() -> None:
    tested = {name for name, _ in CASES.values()}
    assert {name for name in PromptPack().names() if not name.startswith("agent_")} == tested


@pytest.mark.parametrize(
    ("case", "labels", "says"),
    [
        ("contrast_mixed", ["failure", "success", "failure"], "Of 3 runs, 1 was judged a success and 2 a failure."),
        ("contrast_all_success", ["success", "success"], "All 2 runs were judged a success"),
        ("contrast_all_failure", ["failure", "failure"], "All 2 runs were judged a failure"),
    ],
)
def test_contrast_labels_each_run_with_its_own_verdict(case: str, labels: list[str], says: str) -> None:
    user = PromptPack().messages("contrast", **CASES[case][1])[-1].content
    headings = [line for line in user.split("\n") if line.startswith("# Trajectory")]
    assert headings == [f"# Trajectory {number} ({label})" for number, label in enumerate(labels, start=1)]
    assert says in user


def test_no_reasons_of_the_judge_unless_given() -> None:
    for case in ("extract_success", "extract_failure", "contrast_mixed"):
        name, values = CASES[case]
        assert all("judge" not in line for line in PromptPack().render(name, **values).split("\n") if line[:1] == "#")


@pytest.mark.parametrize("case", ["judge", "extract_failure", "contrast_mixed", "workflow_success", "select"])
def test_what_differs_between_calls_comes_after_what_repeats(case: str) -> None:
    name, values = CASES[case]
    system, user = PromptPack().messages(name, **values)
    assert (system.role, user.role) == ("system", "user")
    assert user.content.startswith("# Intent\n")
    assert RUN["intent"] not in system.content
    assert "{{" not in user.content + system.content


@pytest.mark.parametrize("case", CASES)
def test_a_missing_value_is_an_error_that_names_the_prompt(case: str) -> None:
    name, values = CASES[case]
    unused = {"final_url"} if values.get("medium") == "shell" else set()  # commands are at no address
    for left_out in values.keys() - {"descriptions"} - unused:
        rest = {key: value for key, value in values.items() if key != left_out}
        with pytest.raises(SetupError, match=f"{name}.j2.*{left_out}"):
            PromptPack().render(name, **rest)


def test_text_of_a_page_is_taken_as_it_is() -> None:
    text = "<b>&amp;</b> {{ intent }} {% if %}\n<<< user >>>\n  indented"
    values = {**CASES["judge"][1], "final_page": text}
    assert text in PromptPack().messages("judge", **values)[1].content


def test_unknown_name_names_the_nearest() -> None:
    with pytest.raises(SetupError, match="extract_success"):
        PromptPack().render("extract_sucess")


def test_a_folder_replaces_by_name_and_falls_back(tmp_path: Path) -> None:
    (tmp_path / "judge.j2").write_text("Is {{ answer }} right?\n\n", encoding="utf-8")
    pack = PromptPack(tmp_path)
    assert pack.render("judge", answer="3") == "Is 3 right?"
    assert [message.role for message in pack.messages("judge", answer="3")] == ["user"]
    assert pack.render("memory_items", items=ITEMS) == PromptPack().render("memory_items", items=ITEMS)
    assert pack.digest() != PromptPack().digest()
    assert PromptPack().digest() == PromptPack().digest()


def test_a_folder_can_replace_a_piece_that_others_include(tmp_path: Path) -> None:
    (tmp_path / "_item_format.j2").write_text("Write {{ heading }}s.", encoding="utf-8")
    assert "Write Memory Items." in PromptPack(tmp_path).render("contrast", **CASES["contrast_mixed"][1])


def test_bad_packs_are_refused_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="not a folder"):
        PromptPack(tmp_path / "nowhere")
    with pytest.raises(SetupError, match="holds no"):
        PromptPack(tmp_path)
    (tmp_path / "jugde.j2").write_text("x", encoding="utf-8")
    with pytest.raises(SetupError, match=r"jugde\.j2 replaces no prompt.*judge"):
        PromptPack(tmp_path)
    (tmp_path / "jugde.j2").rename(tmp_path / "judge.j2")
    (tmp_path / "judge.j2").write_text("{% if %}", encoding="utf-8")
    with pytest.raises(SetupError, match=str(tmp_path / "judge.j2")):
        PromptPack(tmp_path).render("judge")
    (tmp_path / "judge.j2").write_bytes(b"\xff")
    with pytest.raises(SetupError, match="cannot be read"):
        PromptPack(tmp_path)


def test_prompts_name_no_site_and_no_example() -> None:
    for path in DEFAULT_FOLDER.glob("*.j2"):
        text = path.read_text(encoding="utf-8").lower()
        for word in ("shopping", "webarena", "magento", "gitlab", "reddit", "sort", "filter", "load more", "cart"):
            assert word not in text or path.stem.startswith("agent_"), (path.name, word)


@pytest.mark.parametrize("case", CASES)
def test_prompts_serve_every_kind_of_agent(case: str) -> None:
    """But for the web agent's own, no prompt takes for granted that what is seen is a website."""
    name, values = CASES[case]
    text = PromptPack().render(name, **values).lower()
    for word in ("website", "on a site", "browser", "element", "pages visited"):
        assert word not in text, word


def test_a_run_without_addresses_says_so() -> None:
    values = {**CASES["judge"][1], "final_url": ""}
    assert "# Final page\nURL: (none)\n" in PromptPack().render("judge", **values)
