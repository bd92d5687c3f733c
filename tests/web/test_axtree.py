"""The accessibility tree: roles, names and states of HTML as BrowserGym prints them, for any text at all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.suites.web.axtree import axtree


def lines(html: str) -> list[str]:
    """The tree of a fragment without its first line, bids and indentation."""
    return [re.sub(r"^\t+(\[\d+\] )?", "", line) for line in axtree(html)[0].splitlines()[1:]]


@pytest.mark.parametrize(
    ("html", "first"),
    [
        ("<a href='/x'>Go</a>", "link 'Go'"),
        ("<a href=/x><span>Go</span> on</a>", "link 'Go on'"),
        ("<button>Go</button>", "button 'Go'"),
        ("<button aria-label='Close'>x</button>", "button 'Close'"),
        ("<button disabled>Go</button>", "button 'Go', disabled=True"),
        ("<button aria-expanded=false aria-haspopup=true>M</button>", "button 'M', hasPopup='menu', expanded=False"),
        ("<button aria-pressed=true>B</button>", "button 'B', pressed='true'"),
        ("<input type=submit>", "button ''"),
        ("<input type=submit value=Send>", "button 'Send'"),
        ("<input type=image alt=Go>", "button 'Go'"),
        ("<input type=file>", "button 'Choose File'"),
        ("<input>", "textbox ''"),
        ("<input type=email placeholder='Your mail'>", "textbox 'Your mail'"),
        ("<input title=T placeholder=P>", "textbox 'T'"),
        ("<input aria-label=L title=T>", "textbox 'L'"),
        ("<input value='a \"b\"' required aria-label=N>", "textbox 'N' value='a \"b\"', required"),
        ("<input type=password value=abc aria-label=P>", "textbox 'P' value='•••'"),
        ("<input type=search aria-label=S>", "searchbox 'S'"),
        ("<input list=d aria-label=C>", "combobox 'C'"),
        (
            "<input type=number min=1 value=2 aria-label=Q>",
            "spinbutton 'Q' value=2, valuemin=1, valuemax=0, valuetext='2'",
        ),
        ("<input type=checkbox checked aria-label=C>", "checkbox 'C', checked='true'"),
        ("<input type=radio aria-label=R>", "radio 'R', checked='false'"),
        ("<input type=date aria-label=D>", "Date 'D'"),
        ("<textarea aria-label=T>\nx</textarea>", "textbox 'T' value='x'"),
        (
            "<select aria-label=S><option>A<option selected>B</select>",
            "combobox 'S' value='B', hasPopup='menu', expanded=False",
        ),
        (
            "<select multiple aria-label=S><option>A</select>",
            "listbox 'S', multiselectable=True, orientation='vertical'",
        ),
        ("<h2>Head <b>ing</b></h2>", "heading 'Head ing'"),
        ("<img alt='A cat'>", "image 'A cat'"),
        ("<img alt=''>", "image ''"),
        ("<progress value=0.5>", "progressbar '' value=0.5, valuemin=0, valuemax=1, valuetext=''"),
        (
            "<input type=range min=1 max=5 value=2>",
            "slider '' value=2, orientation='horizontal', valuemin=1, valuemax=5, valuetext='2'",
        ),
        ("<dfn>Late fee</dfn>", "term 'Late fee'"),
        ("<details><summary>S</summary></details>", "group ''"),
        ("<a href=x><img alt='A cat'></a>", "link 'A cat'"),
        ("<nav aria-label=Main></nav>", "navigation 'Main'"),
        ("<main></main>", "main ''"),
        ("<header></header>", "banner ''"),
        ("<footer></footer>", "contentinfo ''"),
        ("<form></form>", "form ''"),
        ("<form aria-label=Sign></form>", "form 'Sign'"),
        ("<section role=region></section>", "region ''"),
        ("<section aria-labelledby=h><h2 id=h>News</h2></section>", "region 'News'"),
        ("<aside></aside>", "complementary ''"),
        ("<fieldset><legend>Size</legend></fieldset>", "group 'Size'"),
        ("<hr>", "separator '', orientation='horizontal'"),
        ("<p></p>", "paragraph ''"),
        ("<ul></ul>", "list ''"),
        ("<dl></dl>", "DescriptionList ''"),
        ("<div role=alert>Oh</div>", "alert '', live='assertive', atomic, relevant='additions text'"),
        ("<div role=button tabindex=0>Do</div>", "button 'Do'"),
        ("<div role=tab aria-selected=true>One</div>", "tab 'One', selected=True"),
        ("<table><caption>Orders</caption></table>", "table 'Orders'"),
    ],
)
def test_role_name_and_state_of(html: str, first: str) -> None:
    assert lines(html)[0] == first


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</p></template>",
        "<p hidden>x</p>",
        "<p aria-hidden=true>x</p>",
        "<p style='display: none'>x</p>",
        "<input type=hidden value=x>",
        "<section></section>",
        "<div><span> \n </span></div>",
        "<br>",
        "<body><noscript>x</noscript>",
        "<datalist><option>x</datalist>",
        "<dialog>x</dialog>",
        "<!-- x -->",
    ],
)
def test_what_nobody_sees_is_not_shown(html: str) -> None:
    assert lines(html) == []


def test_header_and_footer_inside_of_a_section_are_no_landmarks() -> None:
    assert lines("<article><header>a</header></article>") == ["article ''", "sectionheader ''", "StaticText 'a'"]
    assert lines("<main><footer>a</footer></main>") == ["main ''", "sectionfooter ''", "StaticText 'a'"]


def test_labels_name_their_controls_and_leave_out_the_controls_own_value() -> None:
    assert lines("<label for=i>Name</label><input id=i>")[2] == "textbox 'Name'"
    assert lines("<label>Page <input value=1> of 18</label>")[2] == "textbox 'Page of 18' value='1'"
    assert lines("<label><input type=checkbox> I agree</label>")[1] == "checkbox 'I agree', checked='false'"
    assert lines("<label>Take <select><option>one</select></label>")[2].startswith("combobox 'Take' value='one'")


def test_a_text_is_not_repeated_below_the_name_that_says_it() -> None:
    assert lines("<h1>Cart</h1>") == ["heading 'Cart'"]
    assert lines("<a href=x><span>Cart</span></a>") == ["link 'Cart'", "StaticText 'Cart'"]  # as BrowserGym does
    assert lines("<li>Cart</li>") == ["listitem ''", "StaticText 'Cart'"]


def test_tables_have_rows_headers_and_cells_that_are_named_by_what_is_in_them() -> None:
    html = """<table><thead><tr><th>Item<th>Qty</tr></thead><tr><th scope=row>Tea</th>
        <td><label for=q>Qty</label><input id=q value=3></td></tr></table>"""
    assert lines(html) == [
        "table ''",
        "rowgroup ''",
        "row ''",
        "columnheader 'Item'",
        "columnheader 'Qty'",
        "rowgroup ''",
        "row ''",
        "rowheader 'Tea'",
        "cell 'Qty 3'",
        "LabelText ''",
        "StaticText 'Qty'",
        "textbox 'Qty' value='3'",
        "StaticText '3'",
    ]


def test_options_tell_what_is_chosen_and_what_cannot_be() -> None:
    html = "<select aria-label=S><optgroup label=G><option disabled>A</option><option>B</option></optgroup></select>"
    assert lines(html)[1:] == ["group 'G'", "option 'A', disabled=True", "option 'B', selected=True"]


def test_bids_number_all_elements_in_document_order_from_html_on() -> None:
    text, by_bid = axtree("<title>T</title><div><a href=x>A</a></div><table><tr><td>c</table>")
    assert [by_bid[str(n)].tag for n in range(len(by_bid))] == [
        "html",
        "head",
        "title",
        "body",
        "div",
        "a",
        "table",
        "tbody",
        "tr",
        "td",
    ]
    assert "\t[5] link 'A'" in text.splitlines()


def test_indentation_skips_elements_without_meaning() -> None:
    text, _ = axtree("<title>T</title><div><main><div><ul><li><a href=x>A</a></ul></div></main></div>")
    assert text == (
        "RootWebArea 'T', focused\n\t[5] main ''\n\t\t[7] list ''\n\t\t\t[8] listitem ''\n\t\t\t\t[9] link 'A'"
    )


def test_spaces_are_kept_in_preformatted_text_alone() -> None:
    assert lines("<pre>a\n  <b>b\n c</b></pre>a\n b") == [
        *("StaticText 'a'", "StaticText 'b\\n c'", "StaticText 'a b'"),
    ]


def test_a_quotation_has_its_marks() -> None:
    assert lines("<q>a</q>") == ["StaticText '“'", "StaticText 'a'", "StaticText '”'"]


def test_quotes_breaks_and_entities_are_escaped_as_python_does() -> None:
    assert lines("<button aria-label='a\n\"b\"&#39;'>x</button>")[0] == "button 'a \"b\"\\''"
    assert lines("<textarea aria-label=T>a\nb</textarea>")[0] == "textbox 'T' value='a\\nb'"
    assert lines("<p>a&nbsp;b &lt;i&gt;</p>")[1] == "StaticText 'a\\xa0b <i>'"


@pytest.mark.parametrize(
    "html", ["", " ", "<", "<<<>>>", "</p>", "<table><p>x", "\x00", "<p" * 999, "\ud800", "<a href>x"]
)
def test_odd_pages_are_survived(html: str) -> None:
    text, by_bid = axtree(html)
    assert text.startswith("RootWebArea ")
    assert "0" in by_bid


def test_a_deep_page_and_a_long_page_are_survived() -> None:
    assert axtree("<div>" * 1000 + "x")[0] == "RootWebArea '', focused"
    assert axtree("<td>" * 400 + "<b>" * 2000 + "x")[0]
    assert axtree("<p>x</p>" * 20000)[0].count("StaticText") == 20000


TAGS = (
    "a button input label select option table tr td th ul li p h1 form fieldset legend textarea details summary img "
    "svg dialog header section title html body head template"
)
ATTRS = (
    "hidden id=a for=a aria-labelledby=a aria-label=x role=button type=radio type=number min=x checked selected "
    "multiple list=a value='' href=/x open disabled aria-live=polite"
)
WORDS = st.tuples(
    st.sampled_from(["<{} {}>", "</{}>", "<{} {}>x"]), st.sampled_from(TAGS.split()), st.sampled_from(ATTRS.split())
)


@given(st.text(st.characters(codec=None)))
def test_any_text_gives_a_tree(html: str) -> None:
    assert axtree(html)[0].startswith("RootWebArea ")


@given(st.lists(WORDS, max_size=40))
def test_any_soup_of_tags_gives_a_tree_whose_bids_are_all_known_and_ascending(soup: list[tuple[str, str, str]]) -> None:
    text, by_bid = axtree("".join(form.format(tag, attrs) for form, tag, attrs in soup))
    bids = [int(number) for number in re.findall(r"^\t*\[(\d+)\] ", text, re.MULTILINE)]
    assert bids == sorted(set(bids))
    assert {str(number) for number in bids} <= set(by_bid)
