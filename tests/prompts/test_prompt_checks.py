"""A pack is looked through before anything is run with it: names, syntax, values, and that each prompt renders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.errors import SetupError
from reasoningbank.prompts import DEFAULT_FOLDER, PromptPack
from reasoningbank.prompts.packs import values_of
from reasoningbank.prompts.samples import SAMPLES


def pack(folder: Path, **files: str) -> PromptPack:
    for name, text in files.items():
        (folder / f"{name}.j2").write_text(text, encoding="utf-8")
    return PromptPack(folder)


def test_every_prompt_has_samples_and_renders_with_them() -> None:
    prompts = PromptPack()
    assert set(SAMPLES) == set(prompts.names())
    for name, samples in SAMPLES.items():
        for values in samples:
            assert prompts.render(name, **values)


def test_a_copy_of_any_default_prompt_is_a_pack(tmp_path: Path) -> None:
    for path in DEFAULT_FOLDER.glob("*.j2"):
        folder = tmp_path / path.stem
        folder.mkdir()
        found = pack(folder, **{path.stem: path.read_text(encoding="utf-8")})
        assert found.digest() == PromptPack().digest()
        assert (found.replaced(), found.left_out()) == ([path.stem], {})


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"judge": "fine\n{{ answr }}"},
            r"judge\.j2, line 2: no value 'answr' is given to the prompt 'judge'; did.*answer",
        ),
        ({"judge": "fine\n\n{% if %}"}, r"judge\.j2, line 3: "),
        ({"judge": "{{ answer"}, r"judge\.j2, line 1: "),
        ({"memory_items": "{% for item in items %}{{ item.titel }}{% endfor %}"}, "memory_items.*titel"),
        ({"select": "{{ candidates + 1 }}"}, "select.*cannot be rendered"),
        ({"select": "{{ candidates[7] }}"}, "select.*cannot be rendered"),
        ({"judge": "\n \n"}, "judge.*has no text"),
        ({"judge": "{% include '_nothing' %}"}, r"judge\.j2 includes '_nothing'"),
        ({"judge": "x", "_mine": "y"}, r"_mine\.j2 replaces no prompt, and none includes it"),
        ({"judge": "{% include '_mine' %}", "_mine": "a\n{{ reward }}"}, r"_mine\.j2, line 2: no value 'reward'"),
        ({"_item_format": "{{ trajectories }}"}, r"_item_format\.j2, line 1: no value 'trajectories'"),
        ({"extract_success": "{{ heading }}"}, "extract_success.*heading"),
        ({"judge": "{{ ''.__class__.__mro__ }}"}, "judge.*cannot be rendered"),
        ({"judge": "{% include 'judge' %}"}, "judge.*includes itself"),
        (
            {"judge": "{% include '_a' %}", "_a": "{% include '_b' %}", "_b": "{% include '_a' %}"},
            "judge.*includes itself",
        ),
        ({"judge": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"}, "judge.*calls itself"),
        ({"judge": "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}"}, r"judge\.j2: what it holds is nested too deeply"),
        ({"judge": "{{ " + "-" * 3000 + "1 }}"}, r"judge\.j2: what it holds is nested too deeply"),
        ({"jugde": "x"}, r"jugde\.j2 replaces no prompt.*judge"),
    ],
)
def test_what_cannot_stand_in_is_refused_in_a_line(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(SetupError, match=said) as raised:
        pack(tmp_path, **files)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["judge.jinja", "judge.txt", "judge", "prompts/judge.j2", "select.md", "old.j2~"])
def test_a_file_that_only_seems_to_replace_one_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("x", encoding="utf-8")
    with pytest.raises(SetupError, match="replaces no prompt"):
        pack(tmp_path, judge="Judge {{ answer }}.")


def test_other_files_may_lie_beside(tmp_path: Path) -> None:
    for name in ("README.md", "pack.json", ".git"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert pack(tmp_path, judge="Judge {{ answer }}.").replaced() == ["judge"]


def test_pieces_of_ones_own_and_what_a_prompt_sets_itself(tmp_path: Path) -> None:
    found = pack(
        tmp_path,
        judge="{% set who = 'a judge' %}{% with what = answer %}{% include '_mine' %}{% endwith %}",
        _mine="You are {{ who }} of {{ what }}{% for c in 'ab' %}{{ loop.index }}{% endfor %}.",
    )
    assert found.render("judge", answer="3") == "You are a judge of 312."
    left = ["earlier_pages", "final_page", "final_url", "intent", "strict", "trajectory"]
    assert found.left_out() == {"judge": left}


NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12).filter(str.isidentifier)


@given(NAMES)
def test_a_value_is_given_or_refused_and_nothing_between(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    text = "{{ " + name + " }} of {{ answer }}"
    folder = tmp_path_factory.mktemp("pack")
    try:
        found = pack(folder, judge=text)
    except SetupError:
        return
    assert values_of(text, found._environment) <= set(SAMPLES["judge"][0])
    assert found.render("judge", **SAMPLES["judge"][0])
