"""The second design: other words in another order, for tasks from a number on; everything else as it was."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import mini_suite as mini
import pytest
from admin_site import Site as Office
from gitlab_site import Site as Host
from hypothesis import given, settings
from hypothesis import strategies as st
from reddit_site import Site as Town
from shopping_site import Site as Shop
from site_pages import SitePages

from eval.build import build_suite
from eval.config.load import load_config
from eval.suites.webarena_mini import WebArenaMini
from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.measure import solve
from eval.suites.webarena_mini.sites import SITES
from reasoningbank.errors import SetupError
from reasoningbank.types import Task

PAGES: dict[str, type[SitePages]] = {"shopping": Shop, "shopping_admin": Office, "gitlab": Host, "reddit": Town}
LABELS = "//button | //label | //th | //nav//a | //header//a | //footer//a | //legend | //h2"
SEEN = {
    "shopping": ("/", "/account/orders", "/cart"),
    "shopping_admin": ("/", "/sales/orders", "/reports/sales"),
    "gitlab": ("/", "/projects/new", f"{Host().project()}/-/issues"),
    "reddit": ("/", "/submit", "/biography"),
}
"""Pages with labels of their own."""
ALL_SITES = f"suite.sites=[{','.join(mini.ALL)}]"


@cache
def redesigned() -> WebArenaMini:
    """All sites, in the second design for all tasks."""
    return WebArenaMini(sites=mini.ALL, redesign_at=0)


def first_page(suite: WebArenaMini, task: Task) -> str:
    env = suite.environment(task)
    text = env.reset(task, 0).text
    env.close()
    return text


def unsolved(task_ids: Collection[str]) -> dict[str, str | None]:
    suite = redesigned()
    runs = {task.id: solve(suite, task) for task in suite.tasks() if task.id in task_ids}
    assert len(runs) == len(task_ids)
    return {task_id: run.gave_up or run.answer for task_id, run in runs.items() if run.reward != 1}


@pytest.mark.long
def test_known_solutions_solve_one_task_of_each_template_in_the_second_design() -> None:
    assert unsolved(mini.one_of_each(0).values()) == {}


@pytest.mark.long
def test_known_solutions_solve_every_task_in_the_second_design() -> None:
    assert unsolved(mini.entries(0)) == {}


@pytest.mark.long
def test_the_naive_way_is_wrong_in_the_second_design_too() -> None:
    suite, tasks = redesigned(), {task.id: task for task in redesigned().tasks()}
    for template, task_id in mini.one_of_each(0).items():
        for convention in mini.entries(0)[task_id].needs:
            assert solve(suite, tasks[task_id], frozenset((convention,))).reward == 0, (template, convention)


def test_tasks_and_gold_stay() -> None:
    assert redesigned().tasks() == mini.suite(0).tasks()
    assert redesigned().suite_tasks == mini.suite(0).suite_tasks


@pytest.mark.long
@pytest.mark.parametrize("number", [0, 1, 60])
def test_so_many_tasks_of_each_site_are_as_without_and_the_others_differ(number: int) -> None:
    suite = WebArenaMini(sites=tuple(SITES), redesign_at=number)
    tasks = suite.tasks()
    for site in SITES:
        own = [task for task in tasks if task.group == site]
        for position, task in enumerate(own):
            # of the later ones a few are enough: they show the same page
            if position <= number + 2 or position == len(own) - 1:
                same = first_page(suite, task) == first_page(mini.suite(0), task)
                assert same == (position < number), task.id


def test_a_task_before_it_is_the_same_to_the_last_page() -> None:
    suite = WebArenaMini(sites=mini.ALL, redesign_at=3)
    before = [task for task in suite.tasks() if not suite.redesigned(task)]
    assert len(before) == 3 * len(mini.ALL)
    for task in before:
        assert solve(suite, task) == mini.solved(0, task.id)


def test_tasks_count_that_were_chosen() -> None:
    suite = WebArenaMini(sites=tuple(SITES), templates=["cart_two", "coupon_count"], redesign_at=1)
    for template in ("cart_two", "coupon_count"):
        own = [task for task in suite.tasks() if task.template_id == template]
        assert [suite.redesigned(task) for task in own] == [False, *[True] * (len(own) - 1)]


@pytest.mark.parametrize("site", SITES)
def test_the_page_stands_elsewhere(site: str) -> None:
    def order(pages: SitePages) -> list[str]:
        return [element.tag for element in pages.go("/").page.xpath("//body/*")]

    first, second = order(PAGES[site]()), order(PAGES[site](redesigned=True))
    assert sorted(set(first) - {"nav"}) == sorted(set(second) - {"nav"})
    assert first.index("nav") < first.index("main")
    assert second.index("main") < second.index("nav")


def crawled(pages: SitePages, most: int = 120) -> dict[str, set[str]]:
    """The labels of pages by address, as far as links lead."""
    found: dict[str, set[str]] = {}
    waiting = ["/"]
    while waiting and len(found) < most:
        path = waiting.pop(0)
        if path in found:
            continue
        assert pages.go(path).status == 200, path
        found[path] = set(pages.texts(LABELS))
        waiting += [link for link in pages.page.xpath("//a/@href") if link.startswith("/") and "?" not in link]
    return found


@pytest.mark.parametrize("site", SITES)
def test_no_page_of_the_second_design_has_a_label_of_the_first(site: str) -> None:
    words = SITES[site].words
    second = crawled(PAGES[site](redesigned=True))
    first = crawled(PAGES[site]())
    assert set().union(*first.values()) & words.old
    assert {path: left for path, labels in second.items() if (left := labels & words.old)} == {}


@pytest.mark.parametrize("site", SITES)
def test_many_labels_are_others(site: str) -> None:
    for path in SEEN[site]:
        first, second = PAGES[site]().go(path), PAGES[site](redesigned=True).go(path)
        buttons = [set(pages.texts("//main//button | //label")) for pages in (first, second)]
        assert not buttons[0] & buttons[1] or path == "/", path


def test_messages_use_the_new_words() -> None:
    office = Office(redesigned=True)
    assert "Up to is a required field." in office.go("/reports/sales?from=01/01/2023&to=").main
    town = Town(redesigned=True)
    assert "Headline is a required field." in town.go("/submit").press("Done writing").main
    shop = Shop(redesigned=True)
    assert "Earliest day: 'x' is not a valid date." in shop.go("/account/orders?from=x").main


def test_what_is_stored_is_not_reworded() -> None:
    """Somebody writes a review whose words are labels."""
    shop = Shop(redesigned=True)
    slug = shop.value("SELECT slug FROM products WHERE stock > 0")
    typed = {"stars": "4", "nickname": "Checkout", "title": "Search", "body": "Status: Quantity"}
    shop.go(f"/product/{slug}").press("Publish", **typed)
    assert shop.texts("//section[@id='reviews']//li[1]/*")[0::2] == ["Search", "Status: Quantity"]
    assert shop.all("SELECT nickname, title, body FROM reviews ORDER BY id DESC")[0] == (
        "Checkout",
        "Search",
        "Status: Quantity",
    )


@pytest.mark.parametrize("value", [-1, True, 2.5, "3", "soon"])
def test_values_that_make_no_sense_are_refused(value: object) -> None:
    with pytest.raises(SetupError, match=r"suite\.redesign_at=.*a whole number from 0"):
        WebArenaMini(redesign_at=value)  # type: ignore[arg-type]


def test_a_number_that_redesigns_nothing_is_refused() -> None:
    most = max(sum(task.group == site for task in mini.suite(0).tasks()) for site in SITES)
    with pytest.raises(SetupError, match=f"redesigns nothing: no site has more than {most} of the chosen tasks"):
        WebArenaMini(sites=tuple(SITES), redesign_at=most).tasks()
    assert WebArenaMini(sites=tuple(SITES), redesign_at=most - 1).tasks()


def test_it_is_a_setting() -> None:
    suite = build_suite(load_config([ALL_SITES, "suite.redesign_at=20"]))
    assert isinstance(suite, WebArenaMini)
    assert sum(suite.redesigned(task) for task in suite.tasks()) == sum(
        max(0, sum(task.group == group for task in suite.tasks()) - 20) for group in mini.ALL
    )
    plain = build_suite(load_config([ALL_SITES]))
    assert isinstance(plain, WebArenaMini)
    assert not any(plain.redesigned(task) for task in plain.tasks())


WORDS = Words({"Qty": "Pieces", "Add to Cart": "Put in basket", "My Cart": "Basket"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Qty", "Pieces"),
        (" Qty: ", " Pieces: "),
        ("Qty: 3", "Pieces: 3"),
        ("My Cart (3)", "Basket (3)"),
        ("Qty of it", "Qty of it"),
        ("", ""),
    ],
)
def test_a_label_is_changed_with_what_follows_it(old: str, new: str) -> None:
    assert WORDS.text(old) == new
    assert WORDS.back().text(new) == old


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Qty", "My Cart", "Add to Cart", ": ", " (", "x", " ", "\n", "<p>"])).map("".join))
def test_words_are_read_back(text: str) -> None:
    assert WORDS.back().text(WORDS.text(text)) == text


def test_html_keeps_tags_and_addresses() -> None:
    source = '"><a href="/Qty" id="Qty">Qty</a><nav aria-label="My Cart">\n Qty of all</nav>My Cart ('
    changed = '"><a href="/Qty" id="Qty">Pieces</a><nav aria-label="Basket">\n Qty of all</nav>Basket ('
    assert WORDS.html(source) == changed


@pytest.mark.parametrize("new", [{"A": "C", "B": "C"}, {"A": "B", "B": "C"}])
def test_words_that_could_not_be_read_back_are_refused(new: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="new"):
        Words(new)
