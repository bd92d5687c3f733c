"""For every prompt the values that it is rendered with, made up: a pack is tried with them before a run begins."""

from __future__ import annotations

from types import SimpleNamespace

Values = dict[str, object]

_STEPS = "## Step 1\nThought: a thought\nAction: noop()"
_RUN: Values = {"intent": "an intent", "trajectory": _STEPS, "max_items": 3}
_ITEM = SimpleNamespace(
    id="e#0.0", title="A title", description="A description.", content="Content.", polarity="success"
)
_ITEMS: Values = {"items": [_ITEM, _ITEM]}
_DESCRIBED: Values = {**_ITEMS, "descriptions": True}
_PAGE: Values = {"goal": "a goal", "history": "", "check": "", "url": "http://host/", "page": "a page", "error": ""}
_PRINTED: Values = {"output": "a line", "returncode": 0, "error": "", "check": ""}
_WHOLE: Values = {**_PAGE, "history": _STEPS, "check": "check it", "error": "an error"}


def _run(label: str, reasons: str = "") -> Values:
    return {"label": label, "trajectory": _STEPS, "judge_reasons": reasons}


_EXTRACT: list[Values] = [{**_RUN, "judge_reasons": reasons} for reasons in ("", "reasons")]
_CHECK: list[Values] = [{"answer": "3", "env": env} for env in ("continue", "reset", "reflect_only")]

SAMPLES: dict[str, list[Values]] = {
    "agent_code_malformed": [
        {"error": "an error", "fence": "bash", "tool_calls": tool_calls} for tool_calls in (False, True)
    ],
    "agent_code_observation": [
        _PRINTED,
        {**_PRINTED, "output": "", "returncode": 1, "error": "an error"},
        {**_PRINTED, "check": "check it"},
    ],
    "agent_code_system": [
        {"memory": memory, "fence": "bash", "tool_calls": tool_calls}
        for memory in ("", "lessons")
        for tool_calls in (False, True)
    ],
    "agent_code_user": [
        {"task": "a task", "submit": "A_LINE", "hand_in": how, "fence": "bash"} for how in ("summary", "patch")
    ],
    "agent_web_system": [
        {"memory": memory, "multi_actions": many} for memory in ("", "lessons") for many in (False, True)
    ],
    "agent_web_user": [_PAGE, _WHOLE],
    "check_first": _CHECK,
    "check_follow_up": _CHECK,
    "contrast": [
        {"intent": "an intent", "max_items": 5, "runs": runs}
        for runs in (
            *([_run("success")] * 2, [_run("failure")] * 2, [_run("unlabelled")] * 2),
            [_run("failure"), _run("success", "reasons")],
        )
    ],
    "extract_failure": _EXTRACT,
    "extract_success": _EXTRACT,
    "grade": [{"question": "a question", "reference": "a reference", "answer": "an answer"}],
    "grade_unachievable": [{"question": "a task", "reason": "a reason", "answer": "an answer"}],
    "judge": [
        {
            **{"intent": "an intent", "trajectory": _STEPS, "final_url": url, "final_page": "a page", "medium": medium},
            **{"answer": "an answer", "earlier_pages": pages, "strict": bool(pages)},
        }
        for url, pages, medium in (
            ("http://host/", [], "pages"),
            ("", [{"step": 1, "url": "", "page": "a page"}], "pages"),
            ("", [], "shell"),
        )
    ],
    "memory_items": [_ITEMS, _DESCRIBED],
    "memory_trajectory": [_ITEMS],
    "memory_workflow": [_ITEMS],
    "select": [
        {"intent": "an intent", "candidates": [_STEPS, _STEPS], "medium": medium} for medium in ("pages", "shell")
    ],
    "workflow": [{**_RUN, "label": label} for label in ("success", "failure")],
}
