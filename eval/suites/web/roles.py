"""Roles: what kind of thing an element is, by its tag, its attributes and its place (HTML-AAM, as Chromium does it)."""

from __future__ import annotations

from eval.suites.web.controls import input_type, is_drop_down
from eval.suites.web.dom import Element, words

BY_TAG = {
    "abbr": "Abbr",
    "address": "group",
    "article": "article",
    "aside": "complementary",
    "audio": "Audio",
    "blockquote": "blockquote",
    "button": "button",
    "canvas": "Canvas",
    "caption": "caption",
    "code": "code",
    "dd": "definition",
    "del": "deletion",
    "details": "group",
    "dfn": "term",
    "dialog": "dialog",
    "dl": "DescriptionList",
    "dt": "term",
    "em": "emphasis",
    "fieldset": "group",
    "figcaption": "Figcaption",
    "figure": "figure",
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "h5": "heading",
    "h6": "heading",
    "hgroup": "group",
    "hr": "separator",
    "iframe": "Iframe",
    "ins": "insertion",
    "label": "LabelText",
    "legend": "Legend",
    "li": "listitem",
    "main": "main",
    "mark": "mark",
    "menu": "list",
    "meter": "meter",
    "nav": "navigation",
    "ol": "list",
    "optgroup": "group",
    "option": "option",
    "output": "status",
    "p": "paragraph",
    "progress": "progressbar",
    "s": "deletion",
    "search": "search",
    "strike": "deletion",
    "strong": "strong",
    "sub": "subscript",
    "summary": "DisclosureTriangle",
    "sup": "superscript",
    "svg": "image",
    "table": "table",
    "tbody": "rowgroup",
    "textarea": "textbox",
    "tfoot": "rowgroup",
    "thead": "rowgroup",
    "time": "time",
    "tr": "row",
    "ul": "list",
    "video": "Video",
}

_BY_INPUT_TYPE = {
    "checkbox": "checkbox",
    "radio": "radio",
    "search": "searchbox",
    "number": "spinbutton",
    "range": "slider",
    "color": "ColorWell",
    "date": "Date",
    "month": "Date",
    "week": "Date",
    "time": "InputTime",
    "datetime-local": "DateTime",
    "submit": "button",
    "reset": "button",
    "button": "button",
    "image": "button",
    "file": "button",
}

_ARIA = words(
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader "
    "combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure "
    "form generic grid gridcell group heading img image insertion link list listbox listitem log main marquee "
    "math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph "
    "presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox "
    "separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term "
    "textbox time timer toolbar tooltip tree treegrid treeitem"
)
_RENAMED = {"none": "", "presentation": "", "generic": "", "img": "image", "directory": "list"}
_SECTIONING = frozenset(("article", "aside", "main", "nav", "section"))


def role_of(element: Element) -> str:
    """The role; empty for an element without meaning of its own, such as a <div>.

    That of a <section> depends on its name: see `with_name`.
    """
    attrs = element.attrs
    if "role" in attrs:
        for token in attrs["role"].lower().split():
            if token in _ARIA:
                return _RENAMED.get(token, token)
    tag = element.tag
    if tag == "a":
        return "link" if "href" in attrs else ""
    role = BY_TAG.get(tag)
    if role is not None:
        return role
    return _by_place(element)


def with_name(role: str, name: str, element: Element) -> str:
    """The role that an element with this name is shown with: a <section> without one has no meaning."""
    return "" if role == "region" and not name and "role" not in element.attrs else role


def _by_place(element: Element) -> str:
    tag = element.tag
    if tag == "input":
        if "list" in element.attrs and input_type(element) in ("text", "search", "email", "tel", "url"):
            return "combobox"
        return _BY_INPUT_TYPE.get(input_type(element), "textbox")
    if tag == "select":
        return "combobox" if is_drop_down(element) else "listbox"
    if tag == "form":
        return "form"
    if tag == "section":
        return "region"
    if tag in ("header", "footer"):
        if any(ancestor.tag in _SECTIONING for ancestor in element.ancestors()):
            return f"section{tag}"
        return "banner" if tag == "header" else "contentinfo"
    if tag == "img":
        return "image"  # a decorative one as well: BrowserGym's marks are attributes that make it count
    if tag == "td":
        table = next((each for each in element.ancestors() if each.tag == "table"), element)
        return "gridcell" if table.attrs.get("role") in ("grid", "treegrid") else "cell"
    if tag == "th":
        return _header_cell(element)
    return ""


def _header_cell(element: Element) -> str:
    scope = element.attrs.get("scope", "").lower()
    if scope in ("row", "rowgroup"):
        return "rowheader"
    if scope in ("col", "colgroup") or element.parent is None:
        return "columnheader"
    return "rowheader" if element.parent.has_td else "columnheader"
