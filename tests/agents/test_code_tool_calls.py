"""Commands as calls of a tool: over the real client and a server that speaks the protocol, whole and in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attempt_makers import make_scopes
from fakes.base import Answer, Asked, FakeServer
from fakes.openai_server import OpenAIApp
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_shell import SUBMIT, TASK, ToyShell, block

from reasoningbank.agents.code import CodeAgent
from reasoningbank.agents.mini_swe.export import as_mini_swe_agent
from reasoningbank.agents.mini_swe.reply import BASH, called_command
from reasoningbank.agents.react import MalformedReply
from reasoningbank.errors import SetupError
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.record import CallLogs
from reasoningbank.types import Message, Reply, Step, ToolCall, Trajectory, Usage

SPENT = Usage(calls=1, input_tokens=9, output_tokens=9)
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["at-once", "stream"])


@contextmanager
def serving(answer: Answer, *, stream: bool = False) -> Iterator[tuple[OpenAIChat, FakeServer]]:
    with FakeServer(OpenAIApp(answer)) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1", stream=stream)
        try:
            yield model, server
        finally:
            model.close()


def call(command: str, id: str = "c1", name: str = "bash") -> ToolCall:
    return ToolCall(id=id, name=name, arguments=json.dumps({"command": command}))


def reply(*calls: ToolCall, text: str = "so") -> Reply:
    return Reply(text=text, usage=SPENT, calls=calls)


def run(replies: Sequence[Reply], folder: Path, *, stream: bool = False) -> tuple[Trajectory, list[dict[str, Any]]]:
    """One attempt, and the bodies of its requests."""
    waiting = iter(replies)

    def answer(asked: Asked) -> Reply:
        return next(waiting)

    with serving(answer, stream=stream) as (model, server):
        agent = CodeAgent(tool_calls=True, max_steps=9, max_malformed=9)
        done = agent.run(TASK, ToyShell(folder), make_scopes(model)(0), attempt_id="a/0", memory="", seed=0)
        return done, [request.body for request in server.requests]


@BOTH
def test_commands_travel_as_calls_and_outputs_as_their_results(tmp_path: Path, stream: bool) -> None:
    done, sent = run(
        [
            reply(call("echo 'a \"b\"'", "x1")),
            reply(call("false", ""), text=""),
            reply(call(SUBMIT + "; echo ok", "x3")),
        ],
        tmp_path,
        stream=stream,
    )
    assert (done.exit, done.answer) == ("answered", "ok")
    assert [(step.thought, step.action, step.error) for step in done.steps] == [
        ("so", "echo 'a \"b\"'", ""),
        ("", "false", "exit code 1"),
        ("so", f"{SUBMIT}; echo ok", ""),
    ]
    assert all(body["tools"][0]["function"]["name"] == "bash" for body in sent)
    messages = sent[-1]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert messages[2]["tool_calls"][0]["function"]["arguments"] == json.dumps({"command": "echo 'a \"b\"'"})
    assert (messages[3]["tool_call_id"], messages[3]["content"]) == ("x1", 'Exit code: 0\nOutput:\na "b"')
    assert messages[4]["content"] is None
    assert messages[5]["tool_call_id"] == messages[4]["tool_calls"][0]["id"] != ""
    assert "mswea_bash_command" not in json.dumps(sent)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (reply(), "calls no tools"),
        (reply(text=block("ls")), "calls no tools"),
        (reply(call("ls"), call("pwd", "c2")), "calls 2 tools"),
        (reply(call("ls", name="python")), "no tool 'python'"),
        (reply(ToolCall(id="c", name="bash", arguments="{ls")), "no JSON"),
        (reply(ToolCall(id="c", name="bash", arguments='["ls"]')), "one argument"),
        (reply(ToolCall(id="c", name="bash", arguments='{"command": "ls", "cwd": "/"}')), "one argument"),
        (reply(call(" ")), "is empty"),
        (reply(call("ls")).model_copy(update={"stop_reason": "length"}), "cut off"),
        (reply(call("ls", name="python"), text=""), "no tool 'python'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_reply_without_exactly_one_call_of_bash_is_told(tmp_path: Path, bad: Reply, told: str) -> None:
    done, sent = run([bad, reply(call(SUBMIT))], tmp_path)
    assert (done.exit, len(done.steps)) == ("answered", 2)
    assert told in done.steps[0].error
    messages = sent[-1]["messages"]
    assert told in messages[-1]["content"]
    assert all(not message.get("tool_calls") for message in messages)  # a call without a result would be refused
    assert messages[-1]["role"] == "user"


def test_a_call_that_nobody_asked_for_is_no_answer() -> None:
    with serving(lambda asked: reply(call("ls"), text="")) as (model, _):
        got = model.complete([Message(role="user", content="a")], temperature=0.0, seed=0, max_tokens=9)
    assert (got.text, got.calls, got.stop_reason) == ("", (), "other")


def test_a_client_without_tools_is_refused_in_one_line(tmp_path: Path) -> None:
    shell = ToyShell(tmp_path)
    with pytest.raises(SetupError, match=r"not offered tools.*agent\.tool_calls=false") as raised:
        CodeAgent(tool_calls=True).run(
            TASK, shell, make_scopes(ScriptedLLM([]))(0), attempt_id="a/0", memory="", seed=0
        )
    assert "\n" not in str(raised.value)


def test_an_attempt_with_tools_is_repeated_from_its_record(tmp_path: Path) -> None:
    waiting = iter([reply(call("echo 1")), reply(call(SUBMIT))])
    (tmp_path / "work").mkdir()
    made = []
    with serving(lambda asked: next(waiting)) as (model, server):
        for _ in range(2):
            scope = make_scopes(model, logs=CallLogs(tmp_path / "records"))(0)
            agent, shell = CodeAgent(tool_calls=True), ToyShell(tmp_path / "work")
            made.append(agent.run(TASK, shell, scope, attempt_id="a/0", memory="", seed=0))
        assert len(server.requests) == 2
    assert made[0] == made[1]


def test_it_is_exported_as_calls(tmp_path: Path) -> None:
    done, sent = run([reply(call("echo 1", "call_0")), reply(), reply(call(SUBMIT, "call_2"))], tmp_path)
    data = as_mini_swe_agent(done, tool_calls=True)
    assert [message["role"] for message in data["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant", "user", "assistant", "exit"),
    ]
    for message, wire in zip(data["messages"], sent[-1]["messages"]):
        assert {key: message.get(key) for key in wire} == wire


@given(
    st.lists(st.builds(ToolCall, id=st.text(), name=st.sampled_from(["bash", "b"]), arguments=st.text()), max_size=3)
)
@settings(deadline=None, max_examples=60)
def test_any_calls_are_one_command_or_malformed(calls: list[ToolCall]) -> None:
    try:
        called_command("a", calls)
    except MalformedReply as fault:
        assert fault.action == "" or fault.action.startswith("```")  # noqa: PT017


def test_the_tool_is_what_its_reader_takes() -> None:
    assert BASH.parameters["required"] == ["command"] == list(BASH.parameters["properties"])
    step = Step(index=0, observation="", thought="so", action="ls")
    assert called_command("Thought: so", [call("ls\n")]).text == step.action
