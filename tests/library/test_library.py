"""The three calls of the facade: recall, learn, close."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from waiting import HANG

from reasoningbank import Learnt, ReasoningBank
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import BankError, InfraError, SetupError
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message

SUCCESS = "Thoughts: the order page says canceled\nStatus: success"
FAILURE = "Thoughts: nothing was canceled\nStatus: failure"


def lesson(title: str) -> str:
    return f"# Memory Item 1\n## Title\n{title}\n## Description\nWhen an order must go.\n## Content\nOpen it first."


RUN = [("I look for the order.", "click('12')", "[3] heading 'Order 7'"), ("Done.", "send_msg_to_user('ok')", "")]


def memory(llm: ScriptedLLM | None = None, path: Path | None = None, **more: object) -> ReasoningBank:
    return ReasoningBank(path, llm=llm or ScriptedLLM([]), embedder=HashingEmbedder(), **more)  # type: ignore[arg-type]


def test_what_was_learnt_is_recalled_also_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "a memory ü.sqlite"
    with memory(ScriptedLLM([SUCCESS, lesson("Open the order")]), path) as first:
        assert first.recall("cancel the order from Tuesday") == ""
        learnt = first.learn("cancel the order from Tuesday", RUN)
        assert learnt.error == ""
        assert learnt.verdict is not None
        assert learnt.verdict.label == "success"
        assert [item.title for item in learnt.items] == ["Open the order"]
        assert learnt.usage.calls == 2
        assert learnt.simulated
    with memory(path=path) as second:
        text = second.recall("cancel the order from Monday")
        assert "Title: Open the order" in text
        assert "Content: Open it first." in text
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_judge_and_extractor_see_the_run() -> None:
    llm = ScriptedLLM([FAILURE, lesson("Look twice")])
    with memory(llm) as bank:
        bank.learn("cancel the order", RUN, answer="it is gone")
    judge, extractor = ("\n".join(message.content for message in request) for request in llm.requests)
    for prompt in (judge, extractor):
        assert "cancel the order" in prompt
        assert "click('12')" in prompt
    assert "it is gone" in judge


def test_what_the_agent_saw_reaches_judge_and_extractor() -> None:
    call = [{"function": {"name": "look", "arguments": "{}"}}]
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "cancel the order"},
        {"role": "assistant", "content": "", "tool_calls": call},
        {"role": "tool", "content": "order 7: " + "x" * 5_000},
        {"role": "assistant", "content": "Shall I cancel order 7?"},
        {"role": "user", "content": "Yes, go ahead."},
        {"role": "assistant", "content": "", "tool_calls": call},
        {"role": "tool", "content": {"order": 7, "state": "canceled"}},
        {"role": "assistant", "content": "It is canceled."},
    ]
    for shown in (1_000, 0):
        llm = ScriptedLLM([SUCCESS, lesson("Look twice")])
        with memory(llm, observation_chars=shown) as bank:
            assert bank.learn("cancel the order", messages).error == ""
        judge, extractor = (request[-1].content for request in llm.requests)
        assert '{"order": 7, "state": "canceled"}' in judge.partition("# Final page")[2]
        for prompt in (judge, extractor):
            assert "It is canceled." in prompt
            assert ("order 7: xxx" in prompt) == ("Yes, go ahead." in prompt) == bool(shown)
            assert "x" * 1_000 not in prompt


def test_the_callers_verdict_replaces_the_judges() -> None:
    for success in (True, False):
        llm = ScriptedLLM([lesson("Look twice")])
        with memory(llm) as bank:
            learnt = bank.learn("cancel the order", RUN, success=success)
        assert learnt.verdict is not None
        assert learnt.verdict.label == ("success" if success else "failure")
        assert learnt.items[0].polarity == learnt.verdict.label


def test_the_same_query_is_recalled_unless_the_caller_says_otherwise() -> None:
    with memory(ScriptedLLM([lesson("One"), lesson("Two")])) as bank:
        bank.learn("cancel the order", RUN, success=True)
        assert "One" in bank.recall("cancel the order")
        assert bank.recall("cancel the order", exclude_same=True) == ""
        bank.learn("cancel the order", RUN, success=True, task_id="mine")
        assert "Two" in bank.recall("cancel the order", exclude_same=True)
        assert "One" in bank.recall("cancel the order", task_id="mine", exclude_same=True)


def test_an_unreadable_verdict_teaches_nothing() -> None:
    with memory(ScriptedLLM(["no idea"] * 3)) as bank:
        learnt = bank.learn("cancel the order", RUN)
        assert learnt.verdict is not None
        assert learnt.verdict.label == "unparseable"
        assert (learnt.experiences, learnt.error) == ((), "")
        assert bank.recall("cancel the order") == ""


def test_a_refused_reply_is_reported_and_not_stored() -> None:
    with memory(ScriptedLLM([SUCCESS, "Here you go!", "still chatter", "and more"])) as bank:
        learnt = bank.learn("cancel the order", RUN)
        assert learnt.experiences == ()
        assert len(learnt.refused) == 3
        assert bank.recall("cancel the order") == ""


@pytest.mark.parametrize(
    "fault",
    [
        ValueError("a bug in somebody's model"),
        RuntimeError("boom"),
        KeyError("choices"),
        SetupError("no key: set MODEL_KEY"),
        InfraError("the network is down"),
    ],
)
def test_a_failing_model_never_reaches_the_agent(fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    def ask(messages: Sequence[Message], temperature: float, seed: int) -> str:
        raise fault

    with memory(ScriptedLLM(ask), retry=RetryPolicy(first_wait=0)) as bank, caplog.at_level(logging.ERROR):
        learnt = bank.learn("cancel the order", RUN)
        assert str(fault).strip("'") in learnt.error
        assert str(learnt) == f"error: {learnt.error}"
        assert bank.recall("cancel the order") == ""
    (record,) = caplog.records
    assert "nothing was stored" in record.getMessage()
    assert "cancel the order" in record.getMessage()
    assert "\n" not in caplog.text.rstrip("\n")


def test_the_traceback_of_a_failure_is_in_the_log_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    for level, shown in ((logging.INFO, False), (logging.DEBUG, True)):
        caplog.clear()
        bank = memory(ScriptedLLM([InfraError("down")]), retry=RetryPolicy(attempts=1))
        with bank, caplog.at_level(level, logger="reasoningbank"):
            bank.learn("q", RUN)
        assert ("Traceback" in caplog.text) == shown


@pytest.mark.parametrize("fault", [ConnectionError("refused"), TimeoutError("too slow"), OSError("no route")])
def test_a_function_that_cannot_reach_its_model_is_asked_again(fault: Exception) -> None:
    replies: list[str | Exception] = [fault, SUCCESS, fault, fault, lesson("One")]

    def ask(messages: list[dict[str, str]]) -> str:
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    with ReasoningBank(llm=ask, embedder=HashingEmbedder(), retry=RetryPolicy(first_wait=0)) as bank:
        assert str(bank.learn("cancel the order", RUN)) == "success: 1 item learnt"


@pytest.mark.parametrize(
    ("query", "transcript", "told"),
    [
        ("cancel it", 5, "not int"),
        ("cancel it", None, "not NoneType"),
        ("cancel it", [1, 2], "entry 0 of the transcript is a int"),
        ("cancel it", [{"role": "oracle", "content": "x"}], "role 'oracle'"),
        ("cancel it", "", "the transcript is empty"),
        ("cancel it", " \n", "the transcript is empty"),
        ("cancel it", [], "the transcript is empty"),
        ("cancel it", [{"role": "user", "content": "cancel it"}], "the transcript is empty"),
        ("cancel it", [{"role": "assistant", "content": ""}], "the transcript is empty"),
        ("cancel it", [("", "", "a page")], "the transcript is empty"),
        ("", RUN, "the query is empty"),
        (" \n", RUN, "the query is empty"),
        (5, RUN, "the query is a int"),
        (None, RUN, "the query is a NoneType"),
    ],
)
@pytest.mark.parametrize("success", [None, True])
def test_a_mistake_of_the_caller_is_told_and_nothing_is_judged_or_stored(
    query: object, transcript: object, told: str, success: bool | None, caplog: pytest.LogCaptureFixture
) -> None:
    llm = ScriptedLLM([])
    with memory(llm) as bank, caplog.at_level(logging.DEBUG, logger="reasoningbank"):
        learnt = bank.learn(query, transcript, success=success)  # type: ignore[arg-type]
        assert bank._bank.all() == []
    assert told in learnt.error
    assert ".py:" not in learnt.error
    assert (llm.requests, learnt.verdict, learnt.items) == ([], None, ())
    assert "Traceback" not in caplog.text
    assert len(caplog.records) == 1


def test_an_id_that_is_a_number_is_taken_as_its_text() -> None:
    with memory(ScriptedLLM([lesson("One")])) as bank:
        assert bank.learn("cancel the order", RUN, success=True, task_id=0).task_id == "0"  # type: ignore[arg-type]
        assert bank.recall("cancel the order", task_id="0", exclude_same=True) == ""


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_id_is_refused(empty: str) -> None:
    """It is the id that excludes nothing: what is stored under it, every recall would leave out."""
    with memory(ScriptedLLM([lesson("One")])) as bank:
        assert "task_id is empty" in bank.learn("cancel the order", RUN, success=True, task_id=empty).error
        assert bank._bank.all() == []
        with pytest.raises(SetupError, match="task_id is empty"):
            bank.recall("cancel the order", task_id=empty, exclude_same=True)


def test_a_folder_of_prompts_may_be_named_by_its_text(tmp_path: Path) -> None:
    (tmp_path / "memory_items.j2").write_text("My own words.", encoding="utf-8")
    for folder in (tmp_path, str(tmp_path)):
        with memory(ScriptedLLM([lesson("One")]), prompts=folder) as bank:
            bank.learn("cancel the order", RUN, success=True)
            assert bank.recall("cancel the order") == "My own words."


def test_an_empty_query_recalls_nothing_and_what_is_no_text_is_refused() -> None:
    with memory(ScriptedLLM([lesson("One")])) as bank:
        bank.learn("cancel the order", RUN, success=True)
        assert bank.recall("  ") == ""
        with pytest.raises(TypeError, match="the query is a int"):
            bank.recall(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("replies", "printed"),
    [
        ([SUCCESS, lesson("One")], "success: 1 item learnt (simulated)"),
        ([FAILURE, lesson("One") + "\n\n" + lesson("Two")], "failure: 2 items learnt (simulated)"),
        (
            [FAILURE, "chatter", "chatter", "more"],
            "failure: nothing learnt, 3 replies refused: text before the first '# Memory Item' heading: 'more'"
            " (extractor) (simulated)",
        ),
        (
            ["no idea"] * 3,
            "unparseable: nothing learnt, 3 replies refused: no line 'Status: ...' with one of success, failure, fail"
            " (judge) (simulated)",
        ),
    ],
)
def test_a_report_prints_as_one_line_and_a_run_that_taught_nothing_is_logged(
    replies: list[str], printed: str, caplog: pytest.LogCaptureFixture
) -> None:
    with memory(ScriptedLLM(replies)) as bank, caplog.at_level(logging.WARNING):
        learnt = bank.learn("cancel the order", RUN)
    assert str(learnt) == printed
    assert learnt.label == printed.partition(":")[0]
    assert (printed in caplog.text) == (not learnt.items)


def test_a_method_that_learns_nothing_by_design_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    with memory(method="none") as bank, caplog.at_level(logging.WARNING):
        assert str(bank.learn("cancel the order", RUN)) == "not judged: nothing learnt (simulated)"
    assert caplog.text == ""


def test_learning_from_nonsense_or_after_closing_is_told_and_not_raised() -> None:
    bank = memory(ScriptedLLM([lesson("One")]))
    assert "role 'oracle'" in bank.learn("q", [{"role": "oracle", "content": "x"}]).error
    assert "not int" in bank.learn("q", 3).error  # type: ignore[arg-type]
    bank.close()
    bank.close()
    assert "is closed" in bank.learn("q", RUN, success=True).error
    with pytest.raises(BankError, match="is closed"):
        bank.recall("q")


def test_a_plain_function_is_a_model() -> None:
    seen: list[list[dict[str, str]]] = []

    def ask(messages: list[dict[str, str]]) -> str:
        seen.append(messages)
        return SUCCESS if len(seen) == 1 else lesson("One")

    with ReasoningBank(llm=ask, embedder=HashingEmbedder()) as bank:
        learnt = bank.learn("cancel the order", "I opened order 7 and canceled it.")
    assert learnt.error == ""
    assert not learnt.simulated
    assert learnt.usage.input_tokens > 100
    assert set(seen[0][0]) == {"role", "content"}
    with ReasoningBank(llm=lambda messages: None, embedder=HashingEmbedder()) as bank:  # type: ignore[arg-type, return-value]
        assert "returned a NoneType" in bank.learn("q", RUN).error


@pytest.mark.parametrize("method", ["none", "synapse", "awm", "reasoningbank"])
def test_every_method_by_name(method: str) -> None:
    replies = {"awm": [lesson("One").replace("Memory Item", "Workflow")], "reasoningbank": [lesson("One")]}
    with memory(ScriptedLLM(replies.get(method, [])), method=method) as bank:
        learnt = bank.learn("cancel the order", RUN, success=True)
        assert learnt.error == ""
        assert bool(bank.recall("cancel an order")) == bool(learnt.items) == (method != "none")


def test_bad_settings_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"no memory method is named 'raisoningbank'; did you mean reasoningbank"):
        memory(method="raisoningbank")
    with pytest.raises(SetupError, match="llm is a int"):
        memory(3)  # type: ignore[arg-type]
    (tmp_path / "x.sqlite").write_text("something else")
    with pytest.raises(BankError, match="is not a bank"):
        memory(path=tmp_path / "x.sqlite")
    for pack in (tmp_path / "gone", str(tmp_path / "gone")):
        with pytest.raises(SetupError, match="gone is not a folder"):
            memory(prompts=pack)
    for bad in ({"k": -1}, {"min_score": 1.5}, {"observation_chars": -1}):
        for method in ("reasoningbank", "none"):
            with pytest.raises(SetupError, match=next(iter(bad))):
                memory(method=method, **bad)


def test_k_and_key() -> None:
    with memory(ScriptedLLM([lesson(f"Lesson {n}") for n in range(4)]), k=2, key="item") as bank:
        for number in range(4):
            bank.learn(f"task {number}", RUN, success=True)
        assert bank.recall("Lesson 3 When an order must go.").count("Title:") == 2


def test_positions_go_on_and_ids_are_unique(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    ids: list[str] = []
    for _ in range(2):
        with memory(ScriptedLLM(lambda *given: lesson("One")), path) as bank:
            threads = [
                threading.Thread(
                    target=lambda: ids.extend(e.id for e in bank.learn("same", RUN, success=True).experiences)
                )
                for _ in range(4)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert len(set(ids)) == 8
    assert sorted(key.split("/")[1] for key in ids) == [f"{number:04d}" for number in range(8)]


def test_two_memories_on_one_file_that_learn_at_once_lose_nothing(tmp_path: Path) -> None:
    """Both have begun, with a position each, before either stores what it learnt."""
    path, both = tmp_path / "memory.sqlite", threading.Barrier(2, timeout=HANG)

    def reply(*given: object) -> str:
        both.wait()
        return lesson("One")

    with memory(ScriptedLLM(reply), path) as one, memory(ScriptedLLM(reply), path) as two:
        found: list[Learnt] = []
        threads = [
            threading.Thread(target=lambda bank=bank: found.append(bank.learn("same", RUN, success=True)))
            for bank in (one, two)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [each.error for each in found] == ["", ""]
        ids = {each.id for learnt in found for each in learnt.experiences}
        assert len(ids) == 2
        assert ids == {each.id for each in one._bank.all()}


def test_a_report_can_be_stored() -> None:
    with memory(ScriptedLLM([lesson("One")])) as bank:
        learnt = bank.learn("q", RUN, success=True)
    assert Learnt.model_validate_json(learnt.model_dump_json()) == learnt


def test_importing_the_package_is_cheap_and_knows_its_names() -> None:
    code = (
        "import sys, reasoningbank\n"
        "print([name for name in ('numpy', 'pydantic', 'faiss', 'jinja2') if name in sys.modules])\n"
        "from reasoningbank import ReasoningBank\n"
        "print(ReasoningBank.__module__)\n"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split("\n")[:2] == [
        "[]",
        "reasoningbank.library",
    ]
    import reasoningbank

    with pytest.raises(AttributeError, match="no attribute 'Reasoningbank'"):
        _ = reasoningbank.Reasoningbank


def test_without_a_model_the_simulated_one_answers_and_everything_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        bank = ReasoningBank()
    assert "simulated" in caplog.text
    with bank:
        learnt = bank.learn("how much did I spend on shoes in May", RUN, answer="12 dollars")
        assert learnt.error == ""
        assert learnt.simulated
        assert learnt.verdict is not None
        assert bool(bank.recall("how much did I pay for boots")) == bool(learnt.items)
