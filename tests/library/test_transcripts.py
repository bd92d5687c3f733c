"""Trajectories from the shapes in which agents keep their runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from reasoningbank.transcript import to_trajectory
from reasoningbank.types import Message, Step, Task, Trajectory

TASK = Task(id="t", suite="library", group="library", intent="cancel the order")


def read(transcript: object, answer: str | None = None) -> Trajectory:
    return to_trajectory(transcript, task=TASK, attempt_id="library/0000/t/0", answer=answer)  # type: ignore[arg-type]


def shown(trajectory: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.observation, step.thought, step.action) for step in trajectory.steps]


def test_turns() -> None:
    trajectory = read([("look", "click('1')", "page one"), ("type", "fill('2', 'x')", "page two")], answer="done")
    assert shown(trajectory) == [("", "look", "click('1')"), ("page one", "type", "fill('2', 'x')")]
    assert (trajectory.final_observation, trajectory.answer) == ("page two", "done")
    assert trajectory.task == TASK


def test_messages_in_the_react_format() -> None:
    trajectory = read(
        [
            Message(role="system", content="You are an agent."),
            Message(role="user", content="Cancel it. Page one"),
            Message(role="assistant", content="Thought: I look.\nAction: click('1')"),
            Message(role="user", content="Page two"),
            Message(role="assistant", content="It is canceled."),
        ]
    )
    assert shown(trajectory) == [
        ("Cancel it. Page one", "I look.", "click('1')"),
        ("Page two", "It is canceled.", ""),
    ]
    assert trajectory.system_prompt == "You are an agent."
    assert trajectory.answer == "It is canceled."


def test_messages_with_tool_calls() -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "cancel", "arguments": '{"order": 7}'}}]
    trajectory = read(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": "Cancel order 7"},
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "1", "content": "canceled"},
        ]
    )
    assert shown(trajectory) == [("Cancel order 7", "", 'cancel({"order": 7})')]
    assert trajectory.final_observation == "canceled"
    assert trajectory.answer is None


def test_messages_whose_content_is_a_list_of_parts() -> None:
    trajectory = read(
        [
            {"role": "user", "content": [{"type": "text", "text": "Cancel it"}, {"type": "image", "source": {}}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I cancel."},
                    {"type": "tool_use", "id": "1", "name": "cancel", "input": {"order": 7}},
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "ok"}]}],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
        ]
    )
    assert shown(trajectory) == [("Cancel it\n[image]", "I cancel.", 'cancel({"order": 7})'), ("ok", "Done.", "")]
    assert trajectory.answer == "Done."


class Block(BaseModel):
    """A part of a message as a provider's client returns it."""

    type: str
    text: str


class Returned(BaseModel):
    """A message as a provider's client returns it."""

    role: str
    content: str | list[Block] | None
    tool_calls: list[dict[str, object]] | None = None


def test_message_objects_of_a_client() -> None:
    call: dict[str, object] = {"id": "1", "function": {"name": "cancel", "arguments": "{}"}}
    trajectory = read(
        [
            {"role": "user", "content": "Cancel it"},
            Returned(role="assistant", content=None, tool_calls=[call]),
            {"role": "tool", "content": "ok"},
            {"role": "assistant", "content": [Block(type="text", text="Done.")]},
        ]
    )
    assert shown(trajectory) == [("Cancel it", "", "cancel({})"), ("ok", "Done.", "")]
    assert trajectory.answer == "Done."


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "text", "type", "tool_calls", "function", "name", "arguments", "input"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool", "system"]), "content": _JSON})
        | _JSON,
        max_size=6,
    )
)
def test_whatever_a_list_holds_it_is_read_or_named(transcript: list[object]) -> None:
    try:
        trajectory = read(transcript)
    except (TypeError, ValueError):
        return
    assert Trajectory.model_validate_json(trajectory.model_dump_json()) == trajectory


def test_a_trajectory_keeps_its_steps_and_gets_the_task() -> None:
    other = TASK.model_copy(update={"id": "other", "intent": "something else"})
    step = Step(index=0, observation="page", thought="look", action="click('1')", error="covered")
    given_one = Trajectory(attempt_id="x/1", task=other, steps=(step,), exit="limit", answer="kept")
    trajectory = read(given_one)
    assert trajectory.steps == (step,)
    assert (trajectory.exit, trajectory.answer, trajectory.task) == ("limit", "kept", TASK)
    assert read(given_one, answer="told").answer == "told"


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=30_000))
def test_plain_text_is_kept_whole_but_for_empty_lines(text: str) -> None:
    steps = read(text).steps
    assert "".join("".join(step.thought for step in steps).split()) == "".join(text.split())
    assert all(len(step.thought) <= 4_000 for step in steps)


def test_empty_transcripts() -> None:
    for trajectory in (read(""), read([]), read(())):
        assert trajectory.answer is None
        assert len(trajectory.steps) <= 1


@pytest.mark.parametrize(
    ("transcript", "found"),
    [
        (7, "not int"),
        ([{"role": "oracle", "content": "x"}], "entry 0 of the transcript has the role 'oracle'"),
        ([{"role": "user", "content": "x"}, "text"], "entry 1 of the transcript is a str"),
        ([("only", "two")], "entry 0 of the transcript is a tuple"),
        ([("a", "b", "c"), ("a", "b", 3)], "entry 0 of the transcript is a tuple"),
        ([{"content": "x"}], "the role None"),
    ],
)
def test_other_shapes_are_named(transcript: object, found: str) -> None:
    with pytest.raises((TypeError, ValueError), match=found):
        read(transcript)


_CALL = [{"function": {"name": "look", "arguments": "{}"}}]


@pytest.mark.parametrize(
    ("after_the_call", "last", "answer"),
    [
        ([], "row 7", None),
        ([("assistant", "It is gone.")], "row 7", "It is gone."),
        ([("assistant", "It is gone."), ("user", "No!")], "row 7\n\nNo!", "It is gone."),
        ([("assistant", "Which one?"), ("user", "The red."), ("assistant", "Done.")], "The red.", "Done."),
        ([("assistant", "It is gone."), ("assistant", "Anything else?")], "row 7", "Anything else?"),
    ],
)
def test_the_last_observation_is_what_was_seen_before_the_answer(
    after_the_call: list[tuple[str, str]], last: str, answer: str | None
) -> None:
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "cancel the order"},
        {"role": "assistant", "content": None, "tool_calls": _CALL},
        {"role": "tool", "content": "row 7"},
    ]
    messages += [{"role": role, "content": text} for role, text in after_the_call]
    trajectory = read(messages)
    assert (trajectory.final_observation, trajectory.answer) == (last, answer)


def test_the_last_observation_of_other_shapes() -> None:
    assert read([("look", "click('1')", "page one"), ("Done.", "stop()", "")]).final_observation == "page one"
    step = Step(index=0, observation="page", url="http://any.test", thought="look", action="stop()")
    seen = read(Trajectory(attempt_id="x/1", task=TASK, steps=(step,), exit="answered"))
    assert (seen.final_observation, seen.final_url) == ("page", "http://any.test")


def test_the_request_alone_is_nothing_that_was_seen() -> None:
    messages = [{"role": "user", "content": TASK.intent}, {"role": "assistant", "content": "Done."}]
    assert read(messages).final_observation == ""


@pytest.mark.parametrize("result", [{"status": "gone"}, [{"status": "gone"}], {"rows": [{"status": "gone"}]}])
def test_a_structured_result_of_a_tool_is_kept(result: object) -> None:
    assert (
        "gone"
        in read([{"role": "assistant", "content": "I look."}, {"role": "tool", "content": result}]).final_observation
    )
