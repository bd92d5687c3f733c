"""Memory methods: what each recalls, and what each learns from k attempts under every setting of the contract."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from attempt_makers import TASK, item_reply, make_attempt, make_episode, make_scopes, titles

from eval.build import construct
from reasoningbank.distill.judge import LLMJudge
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import MemoryMethod
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.matts.parallel import Parallel
from reasoningbank.memory.awm import AWM
from reasoningbank.memory.base import Learning, LearningMethod, Retrieval
from reasoningbank.memory.none import NoMemory
from reasoningbank.memory.reasoningbank import ReasoningBankMemory
from reasoningbank.memory.synapse import Synapse
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Experience, Hit, Label, MemoryItem, Message, Recall

PACK = PromptPack()
CONFIGS = Path(__file__).parents[2] / "configs"
METHODS: dict[str, type] = {"none": NoMemory, "synapse": Synapse, "awm": AWM, "reasoningbank": ReasoningBankMemory}
LEARNING = [Synapse, AWM, ReasoningBankMemory]


def build(kind: Any, **changes: Any) -> Any:
    learning = Learning(**{key: changes.pop(key) for key in Learning.model_fields if key in changes})
    return kind(**{"prompts": PACK, "retrieval": Retrieval(), "learning": learning, **changes})


def writer(messages: Sequence[Message], temperature: float, seed: int) -> str:
    """An extractor whose one item names the prompt it was asked with."""
    heading = "Workflow" if "# Workflow 1" in messages[0].content else "Memory Item"
    kind = "several" if "several runs" in messages[0].content else "one"
    return item_reply(f"{kind} {seed}", heading=heading)


class FixedBank:
    """A bank that always finds the same, and keeps what it was asked."""

    def __init__(self, *experiences: Experience) -> None:
        self.experiences = experiences
        self.asked: list[tuple[Any, ...]] = []

    def search(
        self,
        query: str,
        k: int,
        *,
        exclude_task: str | None,
        exclude_template: str | None = None,
        not_after: str | None = None,
    ) -> list[Hit]:
        self.asked.append((query, k, exclude_task, exclude_template, not_after))
        return [Hit(experience=one, items=one.items, score=0.5) for one in self.experiences[:k]]

    def get(self, experience_id: str) -> Experience:
        return next(one for one in self.experiences if one.id == experience_id)

    def all(self) -> list[Experience]:
        return list(self.experiences)


def stored(number: int, *names: str) -> Experience:
    return Experience(
        id=f"any.t0/000{number}/{number}#0",
        query="How many apples?",
        task_id=str(number),
        kind="success",
        verdicts=(),
        items=tuple(
            MemoryItem(id=f"i{name}", title=name, description=f"d {name}", content=f"c {name}", polarity="success")
            for name in names
        ),
        source_attempts=(),
        position=number,
    )


@pytest.mark.parametrize("name", METHODS)
def test_every_method_fits_the_protocol_and_its_yaml(name: str) -> None:
    keys = yaml.safe_load((CONFIGS / "memory" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert keys.pop("type") == name
    parameters = inspect.signature(METHODS[name]).parameters
    given = {"prompts": PACK, "retrieval": {"k": 1}, "learning": Learning()}
    method = METHODS[name](**keys, **{key: value for key, value in given.items() if key in parameters})
    assert isinstance(method, MemoryMethod)
    assert method.needs_verdicts is (name != "none")
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters.values())
    # the file shows every setting with the value it has anyway
    assert keys == {key: parameters[key].default for key in parameters if key not in given}


def test_none_neither_recalls_nor_learns() -> None:
    bank = FixedBank(stored(1, "A"))
    assert NoMemory().recall(TASK, bank) == Recall()
    assert bank.asked == []
    llm = ScriptedLLM([])
    learnt = NoMemory().distill(make_episode(make_attempt()), make_scopes(llm))
    assert (learnt.experiences, llm.requests) == ((), [])


@pytest.mark.parametrize("kind", LEARNING)
def test_all_methods_retrieve_alike(kind: type[LearningMethod]) -> None:
    bank = FixedBank(stored(1, "A", "B"), stored(2, "C"))
    recall = build(kind, retrieval={"k": 2, "key": "query", "exclude_template": False}).recall(TASK, bank)
    assert bank.asked == [(TASK.intent, 2, TASK.id, None, None)]
    assert [hit.experience.task_id for hit in recall.hits] == ["1", "2"]
    assert [recall.text.index(f"c {name}") for name in "ABC"] == sorted(
        recall.text.index(f"c {name}") for name in "ABC"
    )
    build(kind, retrieval={"k": 1, "exclude_template": True}).recall(TASK, bank)
    assert bank.asked[-1] == (TASK.intent, 1, TASK.id, "t1", None)


@pytest.mark.parametrize("kind", LEARNING)
def test_later_tasks_are_left_out_by_the_date_of_the_task(kind: type[LearningMethod]) -> None:
    bank = FixedBank(stored(1, "A"))
    dated = TASK.model_copy(update={"date": "2021-03-01T08:00:00+00:00"})
    build(kind, retrieval={"k": 1, "exclude_later": True}).recall(dated, bank)
    assert bank.asked[-1] == (TASK.intent, 1, TASK.id, None, dated.date)
    with pytest.raises(SetupError, match=f"task {TASK.id} has no date"):
        build(kind, retrieval={"k": 1, "exclude_later": True}).recall(TASK, bank)


@pytest.mark.parametrize("kind", LEARNING)
@pytest.mark.parametrize(("min_score", "recalled"), [(0, 2), (0.0, 2), (0.4, 2), (0.5, 2), (0.51, 0), (1, 0)])
def test_what_is_not_near_enough_is_left_out(kind: type[LearningMethod], min_score: float, recalled: int) -> None:
    bank = FixedBank(stored(1, "A"), stored(2, "B"))  # both score 0.5
    recall = build(kind, retrieval={"k": 2, "min_score": min_score}).recall(TASK, bank)
    assert len(recall.hits) == recalled
    assert bool(recall.text) == bool(recalled)


def test_without_a_threshold_even_the_opposite_is_recalled() -> None:
    class Opposite(FixedBank):
        def search(self, *given: Any, **more: Any) -> list[Hit]:
            return [hit.model_copy(update={"score": -0.9}) for hit in super().search(*given, **more)]

    assert len(build(Synapse).recall(TASK, Opposite(stored(1, "A"))).hits) == 1


@pytest.mark.parametrize("kind", LEARNING)
def test_nothing_found_is_no_text_at_all(kind: type[LearningMethod]) -> None:
    assert build(kind).recall(TASK, FixedBank()) == Recall()
    bank = FixedBank(stored(1, "A"))
    assert build(kind, retrieval={"k": 0}).recall(TASK, bank) == Recall()
    assert bank.asked == []


@pytest.mark.parametrize(
    "retrieval",
    [
        {"min_score": -0.1},
        {"min_score": 1.1},
        {"min_score": "low"},
        {"k": -1},
        {"k": "many"},
        {"k": True},
        {"key": "title"},
        {"exclude_template": "no"},
        {"kk": 1},
    ],
)
def test_bad_retrieval_settings_are_named(retrieval: Mapping[str, object]) -> None:
    (name,) = retrieval
    with pytest.raises(SetupError, match=rf"retrieval\.{name}"):
        build(Synapse, retrieval=retrieval)


@pytest.mark.parametrize("kind", [*LEARNING, LLMJudge, Parallel])
def test_a_number_out_of_range_is_refused_in_one_clear_line(kind: type) -> None:
    """Every number that a method, the judge or a scaling takes from its YAML file."""
    whole = {"prompts": PACK, "retrieval": Retrieval(), "k": 2}
    names = [name for name, one in inspect.signature(kind).parameters.items() if type(one.default) is int]
    assert names
    for name in names:
        for value in (-5, True, "many", *([] if name == "observation_chars" else [0])):
            with pytest.raises(SetupError, match=rf"^where\.{name}\b[^\n]*$"):
                construct(kind, {name: value}, whole, "where")


@pytest.mark.parametrize("kind", [ReasoningBankMemory, AWM, LLMJudge])
def test_numbers_are_checked_without_a_yaml_file_too(kind: type) -> None:
    keys = {} if kind is LLMJudge else {"retrieval": Retrieval(), "learning": Learning()}
    for name in ("tries", "trajectory_chars"):
        with pytest.raises(ValueError, match=name):
            kind(prompts=PACK, **keys, **{name: 0})


def test_bad_settings_are_named() -> None:
    with pytest.raises(SetupError, match=r"memory\.learn_from=all"):
        build(Synapse, learn_from="all")


@pytest.mark.parametrize("kind", LEARNING)
@pytest.mark.parametrize("learn_from", ["success", "failure", "both"])
@pytest.mark.parametrize("aggregate", [True, False])
@pytest.mark.parametrize("labels", [[], ["unparseable"], [None], ["success"], ["failure"], ["success", "failure"]])
def test_only_what_is_wanted_is_learnt_from(
    kind: type[LearningMethod], learn_from: str, aggregate: bool, labels: list[Label | None]
) -> None:
    episode = make_episode(*(make_attempt(index, label) for index, label in enumerate(labels)))
    scopes = make_scopes(ScriptedLLM(writer))
    learnt = build(kind, learn_from=learn_from, aggregate=aggregate).distill(episode, scopes)
    wanted = {"success": {"success"}, "failure": {"failure"}, "both": {"success", "failure"}}[learn_from]
    assert bool(learnt.experiences) == bool(wanted & set(labels))
    assert {verdict.label for one in learnt.experiences for verdict in one.verdicts} <= wanted


@pytest.mark.parametrize("kind", LEARNING)
def test_an_infra_error_teaches_nothing(kind: type[LearningMethod]) -> None:
    episode = make_episode(
        make_attempt(0, "failure", exit="infra_error"), make_attempt(1, "success", exit="infra_error")
    )
    assert build(kind, learn_from="both").distill(episode, make_scopes(ScriptedLLM([]))).experiences == ()


def test_contrast_leaves_out_unparseable_verdicts_and_asks_once() -> None:
    llm = ScriptedLLM(writer)
    labels: list[Label] = ["success", "unparseable", "failure", "unparseable", "success"]
    episode = make_episode(*(make_attempt(index, label) for index, label in enumerate(labels)))
    learnt = build(ReasoningBankMemory).distill(episode, make_scopes(llm))
    (experience,) = learnt.experiences
    assert experience.source_attempts == tuple(f"any.t0/0004/7/{index}" for index in (0, 2, 4))
    assert len(llm.requests) == 1
    user = llm.requests[0][-1].content
    assert [line for line in user.split("\n") if line.startswith("# Trajectory")] == [
        "# Trajectory 1 (success)",
        "# Trajectory 2 (failure)",
        "# Trajectory 3 (success)",
    ]
    assert "attempt 1" not in user
    assert "attempt 3" not in user


def test_contrast_is_asked_in_the_episodes_scope_and_a_single_one_in_its_own() -> None:
    method = build(ReasoningBankMemory)
    several = make_scopes(ScriptedLLM(writer))
    method.distill(make_episode(make_attempt(0), make_attempt(1)), several)
    assert [scope.key.attempt for scope in several.all() if scope.usage] == [-1]
    one = make_scopes(ScriptedLLM(writer))
    method.distill(make_episode(make_attempt(0, "unparseable"), make_attempt(1)), one)
    assert [scope.key.attempt for scope in one.all() if scope.usage] == [1]


def test_one_labelled_attempt_is_not_contrasted_with_itself() -> None:
    llm = ScriptedLLM(writer)
    build(ReasoningBankMemory).distill(make_episode(make_attempt(0), make_attempt(1, "unparseable")), make_scopes(llm))
    assert "several runs" not in llm.requests[0][0].content


def test_contrast_has_its_own_bounds() -> None:
    llm = ScriptedLLM([item_reply("A", "B")])
    attempts = [make_attempt(index, steps=200) for index in range(4)]
    method = build(ReasoningBankMemory, trajectory_chars_contrast=8_000, max_items_contrast=2, max_items=1)
    (experience,) = method.distill(make_episode(*attempts), make_scopes(llm)).experiences
    assert len(llm.requests[0][-1].content) < 9_500
    assert len(experience.items) == 2


def test_successes_alone_are_contrasted_when_only_they_are_learnt_from() -> None:
    llm = ScriptedLLM(writer)
    attempts = [make_attempt(0, "failure"), make_attempt(1), make_attempt(2)]
    build(ReasoningBankMemory, learn_from="success").distill(make_episode(*attempts), make_scopes(llm))
    assert "All 2 runs were judged a success" in llm.requests[0][-1].content


@pytest.mark.parametrize("kind", [ReasoningBankMemory, AWM])
def test_without_aggregation_each_attempt_is_asked_about_by_itself(kind: type[LearningMethod]) -> None:
    """The replies do not depend on the other attempts: attempt i teaches in k=5 what it teaches in k=1."""
    attempts = [make_attempt(0), make_attempt(1), make_attempt(2)]
    learnt = build(kind, aggregate=False).distill(make_episode(*attempts), make_scopes(ScriptedLLM(writer)))
    alone = [build(kind).distill(make_episode(one), make_scopes(ScriptedLLM(writer))) for one in attempts]
    assert titles(learnt.experiences[0].items) == [title for one in alone for title in titles(one.experiences[0].items)]


@pytest.mark.parametrize("kind", LEARNING)
def test_store_one_or_per_attempt(kind: type[LearningMethod]) -> None:
    attempts = [make_attempt(0), make_attempt(1, "failure"), make_attempt(2)]
    scopes = make_scopes(ScriptedLLM(writer))
    settings = {"aggregate": False, "learn_from": "both"}
    (one,) = build(kind, **settings, store="one").distill(make_episode(*attempts), scopes).experiences
    assert one.id.endswith("#0")
    assert one.kind == "mixed"
    assert [item.id for item in one.items] == [f"{one.id}.{number}" for number in range(3)]
    assert [item.polarity for item in one.items] == ["success", "failure", "success"]
    scopes = make_scopes(ScriptedLLM(writer))
    each = build(kind, **settings, store="per_attempt").distill(make_episode(*attempts), scopes).experiences
    assert [experience.id.rpartition("#")[2] for experience in each] == ["0", "1", "2"]
    assert [experience.attempt for experience in each] == [0, 1, 2]
    assert [experience.kind for experience in each] == ["success", "failure", "success"]
    assert [item.id for experience in each for item in experience.items] == [f"{one.id}.0" for one in each]


def test_an_attempt_without_a_usable_reply_leaves_no_hole_in_the_numbers() -> None:
    def script(messages: Sequence[Message], temperature: float, seed: int) -> str:
        return "nothing to say" if "of attempt 1." in messages[1].content else item_reply("A")

    attempts = [make_attempt(0), make_attempt(1), make_attempt(2)]
    method = build(ReasoningBankMemory, aggregate=False, store="per_attempt", tries=2)
    scopes = make_scopes(ScriptedLLM(script))
    learnt = method.distill(make_episode(*attempts), scopes)
    assert [(one.id.rpartition("#")[2], one.attempt) for one in learnt.experiences] == [("0", 0), ("1", 2)]
    assert [len(scope.refused) for scope in scopes.all()] == [0, 2, 0]


@pytest.mark.parametrize("kind", LEARNING)
def test_a_refused_extraction_stores_nothing(kind: type[LearningMethod]) -> None:
    if kind is Synapse:
        return
    llm = ScriptedLLM(["Here you are."] * 3)
    scopes = make_scopes(llm)
    assert build(kind).distill(make_episode(make_attempt()), scopes).experiences == ()
    assert [one.text for one in scopes(0).refused] == ["Here you are."] * 3


@pytest.mark.parametrize("kind", [Synapse, AWM])
def test_methods_that_cannot_compare_take_the_shortest_success(kind: type[LearningMethod]) -> None:
    attempts = [
        make_attempt(0, "failure", steps=1),
        make_attempt(1, steps=5),
        make_attempt(2, steps=3),
        make_attempt(3, steps=3),
    ]
    scopes = make_scopes(ScriptedLLM(writer))
    (experience,) = build(kind, learn_from="both").distill(make_episode(*attempts), scopes).experiences
    assert experience.source_attempts == ("any.t0/0004/7/2",)
    assert len(experience.items) == 1


def test_synapse_stores_and_recalls_the_trajectory_without_asking_a_model() -> None:
    llm = ScriptedLLM([])
    (experience,) = build(Synapse).distill(make_episode(make_attempt(0)), make_scopes(llm)).experiences
    assert llm.requests == []
    assert "click('01')" in experience.items[0].content
    assert "page text" not in experience.items[0].content
    text = build(Synapse).recall(TASK.model_copy(update={"id": "8"}), FixedBank(experience)).text
    assert "## Earlier run 1" in text
    assert TASK.intent in text
    assert "## Step 2\nThought: Thought 1 of attempt 0." in text


def test_experiences_survive_storage() -> None:
    for kind in LEARNING:
        scopes = make_scopes(ScriptedLLM(writer))
        for experience in build(kind).distill(make_episode(make_attempt(0), make_attempt(1)), scopes).experiences:
            assert Experience.model_validate_json(experience.model_dump_json()) == experience
