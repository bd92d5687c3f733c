"""The text browser against a real Flask site: links, history, forms, redirects, cookies, and how things fail."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from small_site import BASE, bid, browser

from eval.suites.web.browser import NOT_REACHED, TextBrowser
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import parse_actions
from reasoningbank.errors import InfraError


def act(opened: TextBrowser, text: str) -> str:
    [action] = parse_actions(text, multi=False)
    return opened.act(action)


def click(opened: TextBrowser, text: str) -> str:
    return act(opened, f"click({bid(opened, text)!r})")


def sent(opened: TextBrowser) -> list[str]:
    """What the echo page says was posted, or the query."""
    tree = opened.tree()
    listed = [re.sub(r"^StaticText ['\"](.*)['\"]$", r"\1", line.strip()) for line in tree.splitlines()]
    return [line for line in listed if re.match(r"\w+=", line)]


# --- navigation -------------------------------------------------------------------------------------------------------


def test_links_are_followed_relative_to_the_page_with_a_referer() -> None:
    opened = browser()
    assert click(opened, "link 'Second'") == ""
    assert opened.url == f"{BASE}/second"
    assert f"from {BASE}/" in opened.tree()


def test_a_click_inside_a_link_follows_it() -> None:
    opened = browser()
    inside = next(e for e in opened.page.document.elements if e.tag == "span")
    assert act(opened, f"click('{inside.bid}')") == ""
    assert opened.url == f"{BASE}/second"


def test_history_goes_back_and_forth_and_a_new_page_cuts_what_was_ahead() -> None:
    opened = browser()
    assert act(opened, "go_back()") == act(opened, "go_forward()") == ""
    click(opened, "link 'Second'")
    act(opened, "go_back()")
    assert opened.url == f"{BASE}/"
    act(opened, "go_forward()")
    assert opened.url == f"{BASE}/second"
    act(opened, "go_back()")
    click(opened, "link 'The form'")
    act(opened, "go_forward()")
    assert opened.url == f"{BASE}/form"


def test_going_back_keeps_what_a_browser_keeps_and_never_posts_again() -> None:
    opened = browser(path="/form")
    name, notes = bid(opened, "textbox 'Name'"), bid(opened, "textbox 'Notes'")
    act(opened, f"fill('{name}', 'Bob')")
    act(opened, f"fill('{notes}', 'tea')")
    act(opened, f"click('{bid(opened, 'Box')}')")
    act(opened, f"select_option('{bid(opened, 'Color')}', 'Red')")
    click(opened, "button 'Save'")
    assert opened.url == f"{BASE}/echo?old=1"
    act(opened, "go_back()")
    assert "textbox 'Name' value='Ann'" in opened.tree()  # BrowserGym wrote the other one into the page
    assert "textbox 'Notes' value='tea'" in opened.tree()
    assert "checkbox 'Box', checked='true'" in opened.tree()
    assert "combobox 'Color' value='Red'" in opened.tree()
    assert act(opened, "go_forward()") == "Error: Page.go_forward: net::ERR_CACHE_MISS"
    assert opened.tree() == "RootWebArea '', focused"
    assert act(opened, "go_back()") == ""
    assert "textbox 'Notes' value='tea'" in opened.tree()


def test_what_was_typed_since_the_page_was_shown_is_kept_as_well() -> None:
    opened = browser(path="/form")
    act(opened, f"fill('{bid(opened, 'Name')}', 'Bob')")
    assert act(opened, f"goto('{BASE}/')") == act(opened, "go_back()") == ""
    assert "textbox 'Name' value='Bob'" in opened.tree()


def test_history_begins_on_an_empty_page_and_the_same_page_again_is_no_step() -> None:
    opened = browser()
    assert opened.goto(f"{BASE}/") == ""
    assert act(opened, "go_back()") == ""
    assert (opened.url, opened.status, opened.tree()) == ("about:blank", 0, "RootWebArea '', focused")
    act(opened, "go_back()")
    act(opened, "go_forward()")
    assert opened.url == f"{BASE}/"


def test_a_page_that_a_post_was_redirected_to_is_loaded_again_and_not_kept() -> None:
    opened = browser(path="/same")
    act(opened, f"fill('{bid(opened, 'textbox')}', 'x')")
    click(opened, "button 'Send'")
    assert opened.url == f"{BASE}/same"
    assert act(opened, "go_back()") == act(opened, "go_forward()") == ""
    assert opened.url == f"{BASE}/same"


def test_a_place_on_the_page_changes_the_url_only() -> None:
    opened = browser()
    before = opened.tree()
    assert click(opened, "link 'Below'") == ""
    assert opened.url == f"{BASE}/#below"
    assert opened.tree().replace(", focused", "") == before.replace(", focused", "")


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_change_the_method_as_browsers_do(code: int) -> None:
    opened = browser(path="/form")
    form = next(e for e in opened.page.document.elements if e.tag == "form")
    form.attrs["action"] = f"/moved/{code}"
    assert click(opened, "button 'Save'") == ""
    kept = code in (307, 308)
    assert f"{'POST' if kept else 'GET'} /echo" in opened.tree()
    assert bool(sent(opened)) == kept
    act(opened, "go_back()")
    assert bool(act(opened, "go_forward()")) == kept


def test_cookies_are_kept_sent_and_deleted_and_the_sites_own_environ_arrives() -> None:
    opened = browser(world="blue", path="/count")
    seen = []
    for _ in range(4):
        opened.goto(f"{BASE}/count")
        seen.append(re.findall(r"visit (\d), world (\w+)", opened.tree())[0])
    assert seen == [("2", "blue"), ("3", "blue"), ("1", "blue"), ("2", "blue")]
    assert "visit 1" in browser(path="/count").tree()


def test_plain_text_is_shown_and_other_files_are_not() -> None:
    assert "1 < 2" in browser(path="/text").tree()
    opened = browser()
    before = opened.tree()
    assert opened.goto(f"{BASE}/file") == f"Error: Page.goto: net::ERR_ABORTED at {BASE}/file"
    assert (opened.tree(), opened.url) == (before, f"{BASE}/")


@pytest.mark.parametrize("text", ["mail", "Mail"])
def test_links_that_no_page_follows_do_nothing(text: str) -> None:
    opened = browser()
    assert click(opened, "link 'Mail'") == ""
    assert opened.url == f"{BASE}/"


# --- failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("click('999')", 'ValueError: Could not find element with bid "999"'),
        ("fill('x', 'y')", 'ValueError: Could not find element with bid "x"'),
        ("hover('-1')", "Could not find element"),
        ("goto('elsewhere')", "Error: Page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL"),
        ("goto('http://[')", "Cannot navigate to invalid URL"),
        ("goto('http://small.test:99999/')", "Cannot navigate to invalid URL"),
        ("goto('ftp://small.test/')", "Error: Page.goto: net::ERR_ABORTED at ftp://small.test/"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(action: str, told: str) -> None:
    opened = browser()
    before = opened.tree()
    assert told in act(opened, action)
    assert opened.tree() == before
    assert opened.url == f"{BASE}/"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://elsewhere.test/x", "net::ERR_NAME_NOT_RESOLVED at http://elsewhere.test/x"),
        ("http://small.test:81/", "net::ERR_NAME_NOT_RESOLVED at http://small.test:81/"),
        ("http://small.test/loop", "net::ERR_TOO_MANY_REDIRECTS"),
    ],
)
def test_what_cannot_be_reached_is_told_and_leads_to_an_empty_page(url: str, told: str) -> None:
    opened = browser()
    assert f"Error: Page.goto: {told}" in opened.goto(url)
    assert (opened.url, opened.status, opened.tree()) == (NOT_REACHED, 0, "RootWebArea '', focused")
    assert act(opened, "go_back()") == ""
    assert opened.url == f"{BASE}/"
    assert act(opened, "go_forward()") == f"Error: Page.go_forward: {told.partition(' ')[0]}"


def test_a_missing_page_is_shown() -> None:
    opened = browser()
    assert click(opened, "link 'Missing'") == ""
    assert opened.status == 404
    assert "Not Found" in opened.tree()


def test_a_foreign_link_leads_to_an_empty_page() -> None:
    opened = browser()
    assert click(opened, "link 'Elsewhere'") == ""
    assert opened.url == NOT_REACHED


@pytest.mark.parametrize("status", ["", "abc", "20", "2000 OK", "\u0662\u0660\u0660 OK", "099 x"])
def test_a_status_that_is_none_is_an_infra_error(status: str) -> None:
    def app(environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
        start_response(status, [("Content-Type", "text/html")])
        return [b"x"]

    with pytest.raises(InfraError, match="no number of three digits"):
        TextBrowser({BASE: Site(app)}).goto(BASE)


def test_a_broken_site_is_an_infra_error() -> None:
    opened = browser()
    with pytest.raises(InfraError, match=r"GET http://small\.test/broken answered 500"):
        click(opened, "link 'Broken'")


@pytest.mark.parametrize(
    ("tag", "name", "action", "told"),
    [
        ("button", "Off", "click({})", "element is not enabled"),
        ("button", "Unseen", "click({})", "element is not visible"),
        ("option", "Red", "click({})", "element is not visible"),
        ("button", "Save", "fill({}, 'x')", "Element is not an <input>"),
        ("input", "yes", "fill({}, 'x')", 'Input of type "checkbox" cannot be filled'),
        ("input", "kept", "fill({}, 'x')", "element is not editable"),
        ("input", "2", "fill({}, 'many')", "Cannot type text into input[type=number]"),
        ("button", "Save", "select_option({}, 'x')", "Element is not a <select>"),
        ("select", "color", "select_option({}, 'Purple')", "did not find some options"),
        ("input", "Ann", "press({}, 'Entre')", "TimeoutError: Locator.press: Timeout 500ms exceeded"),
    ],
)
def test_elements_refuse_what_playwright_refuses(tag: str, name: str, action: str, told: str) -> None:
    opened = browser(path="/form")
    found = [e for e in opened.page.document.elements if e.tag == tag]
    element = next(e for e in found if name in (*e.attrs.values(), *(c for c in e.children if isinstance(c, str))))
    assert told in act(opened, action.format(repr(element.bid)))


def test_harmless_actions_change_nothing() -> None:
    opened = browser()
    before = opened.tree()
    for action in ("noop()", "scroll(0, 200)", f"hover('{bid(opened, 'paragraph')}')", "click('3', button='right')"):
        assert act(opened, action) == ""
    assert opened.tree() == before
    assert act(opened, f"focus('{bid(opened, 'link')}')") == ""
    assert "link 'The form', focused" in opened.tree()


# --- forms ------------------------------------------------------------------------------------------------------------


def test_what_a_form_posts_are_its_successful_controls() -> None:
    opened = browser(path="/form")
    assert click(opened, "button 'Save'") == ""
    assert sent(opened) == [
        "who='Ann'",
        "notes='a\\\\r\\\\nb'",
        "on='on'",
        "size='s'",
        "color='g'",
        "many='b'",
        "count='2'",
        "fixed='kept'",
        "token='t 1'",
        "go='first'",
    ]


@pytest.mark.parametrize("extra", ['enctype="multipart/form-data"', ""])
def test_state_is_shown_and_sent_in_every_encoding(extra: str) -> None:
    opened = browser(path=f"/form?extra={extra}")
    for action in (
        f"fill('{bid(opened, 'Name')}', 'Zoë & \"Co\" ~*+%')",
        f"fill('{bid(opened, 'Notes')}', '1\\n2')",
        f"click('{bid(opened, 'checkbox')}')",
        f"click('{bid(opened, 'Large')}')",
        f"select_option('{bid(opened, 'Color')}', 'Blue Sky')",
        f"select_option('{bid(opened, 'Many')}', ['a', 'b'])",
    ):
        assert act(opened, action) == ""
    tree = opened.tree()
    assert "textbox 'Name' value='Zoë & \"Co\" ~*'" in tree  # maxlength
    assert "checkbox 'Box', checked='true'" in tree
    assert "radio 'Small', checked='false'" in tree
    assert "radio 'Large', focused, checked='true'" in tree
    assert "combobox 'Color' value='Blue Sky', focused" in tree or "combobox 'Color' value='Blue Sky'" in tree
    assert tree.count("selected=True") == 3
    assert click(opened, "button 'Force'") == ""
    got = opened.tree()
    assert 'Zoë & "Co" ~*' in got.replace("\\", "")
    assert [line.split("=")[0] for line in sent(opened)].count("many") == 2
    assert any("Blue  Sky" in line or "Blue Sky" in line for line in sent(opened))


def test_a_get_form_replaces_the_query_and_encodes_as_browsers_do() -> None:
    opened = browser(path="/form?method=get")
    act(opened, f"fill('{bid(opened, 'Name')}', 'a b~*+é')")
    click(opened, "button 'Save'")
    assert opened.url.startswith(f"{BASE}/echo?who=a+b%7E*%2B%C3%A9&notes=a%0D%0Ab&on=on&size=s")
    assert "old=1" not in opened.url


def test_a_button_may_say_where_and_how() -> None:
    opened = browser(path="/form")
    assert click(opened, "button 'Third'") == ""
    assert "GET /other" in opened.tree()
    assert opened.url.endswith("go=Third")


def test_buttons_without_a_form_action_send_nothing_and_reset_resets_to_what_was_shown() -> None:
    opened = browser(path="/form")
    name, button = bid(opened, "Name"), bid(opened, "button 'Reset'")
    act(opened, f"fill('{name}', 'Bob')")
    act(opened, f"click('{button}')")
    assert "textbox 'Name' value='Ann'" in opened.tree()
    act(opened, f"fill('{name}', 'Bob')")
    click(opened, "button 'Nothing'")
    assert "value='Bob'" in opened.tree()
    act(opened, f"click('{button}')")
    assert "textbox 'Name' value='Bob'" in opened.tree()
    assert opened.url == f"{BASE}/form"


def test_a_control_may_stand_outside_of_its_form() -> None:
    opened = browser(path="/form")
    click(opened, "button 'Far'")
    assert opened.url == f"{BASE}/echo?remote=r"


def test_what_a_browser_would_not_send_is_told_by_an_alert() -> None:
    opened = browser(path="/form")
    name = bid(opened, "textbox 'Name'")
    act(opened, f"clear('{name}')")
    assert click(opened, "button 'Save'") == act(opened, "noop()") == ""
    alert = "\talert 'Please fill out this field.', live='assertive', atomic, relevant='additions'"
    assert opened.tree().splitlines()[1] == alert
    assert opened.url == f"{BASE}/form"
    assert re.search(r"textbox 'Name', focused, required", opened.tree())
    act(opened, f"fill('{name}', 'x')")
    assert "alert" not in opened.tree()
    act(opened, f"fill('{bid(opened, 'Count')}', '9')")
    click(opened, "button 'Save'")
    assert "alert 'Value must be less than or equal to 5.'" in opened.tree()
    assert click(opened, "button 'Force'") == ""


def test_enter_sends_by_the_rules_of_implicit_submission() -> None:
    opened = browser(path="/form")
    act(opened, f"fill('{bid(opened, 'Query')}', 'tea')")
    assert act(opened, f"press('{bid(opened, 'Query')}', 'Enter')") == ""
    assert opened.url == f"{BASE}/echo?q=tea"  # one field alone
    opened = browser(path="/form")
    act(opened, f"press('{bid(opened, chr(39) + 'A' + chr(39))}', 'Enter')")
    assert opened.url == f"{BASE}/form"  # two fields and no button
    opened = browser(path="/form")
    act(opened, f"press('{bid(opened, 'Name')}', 'Enter')")
    assert "go='first'" in sent(opened)  # the first button is pressed
    opened = browser(path="/form")
    act(opened, f"press('{bid(opened, 'Notes')}', 'Enter')")
    assert opened.url == f"{BASE}/form"


def test_keys_type_delete_and_press() -> None:
    opened = browser(path="/form")
    name, box = bid(opened, "textbox 'Name'"), bid(opened, "checkbox 'Box'")
    for key in ("B", "Space", "o", "Backspace", "End", "o", "Control+c"):
        assert act(opened, f"press('{name}', {key!r})") == ""
    assert "textbox 'Name' value='B Anno', focused" in opened.tree()
    assert act(opened, f"press('{name}', 'Tab')") == ""
    assert "textbox 'Notes' value='a\\nb', focused" in opened.tree()
    act(opened, f"press('{box}', 'Space')")
    assert "checkbox 'Box', focused, checked='true'" in opened.tree()


def test_labels_stand_for_their_controls() -> None:
    opened = browser(path="/form")
    labels = [line for line in opened.tree().splitlines() if "LabelText" in line]
    name_label, box_label = labels[0].split("]")[0].strip("\t["), labels[2].split("]")[0].strip("\t[")
    assert act(opened, f"fill('{name_label}', 'Bob')") == ""
    assert act(opened, f"click('{box_label}')") == ""
    assert "textbox 'Name' value='Bob'" in opened.tree()
    assert "checkbox 'Box', focused, checked='true'" in opened.tree()


def test_pages_of_two_browsers_are_separate() -> None:
    one, two = browser(path="/form"), browser(path="/form")
    act(one, f"fill('{bid(one, 'Name')}', 'Bob')")
    assert "value='Ann'" in two.tree()
